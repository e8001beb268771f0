/**
 * Spans of bytes in a file, ascending and apart: which of them are not on the medium yet, and which never will be.
 */

/** Bytes from an offset to another one, that excluded. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A set of bytes. */
export class ByteSpans {
  #spans: readonly Span[] = [];

  constructor(spans: readonly Span[] = []) {
    this.#spans = spans;
  }

  /** The spans, ascending. */
  get all(): readonly Span[] {
    return this.#spans;
  }

  /** How many bytes. */
  get bytes(): number {
    return this.#spans.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  /** Adds bytes. */
  add({ from, to }: Span): void {
    if (from >= to) return;
    const last = this.#spans.at(-1);
    if (last === undefined || from > last.to) {
      this.#spans = [...this.#spans, { from, to }];
      return;
    }
    const apart = this.#spans.filter((span) => span.to < from || span.from > to);
    const joined = this.#spans.filter((span) => span.to >= from && span.from <= to);
    const whole = {
      from: Math.min(from, ...joined.map((span) => span.from)),
      to: Math.max(to, ...joined.map((span) => span.to)),
    };
    this.#spans = [...apart, whole].sort((a, b) => a.from - b.from);
  }

  /** Takes bytes away. */
  remove({ from, to }: Span): void {
    if (!this.#spans.some((span) => span.from < to && span.to > from)) return;
    this.#spans = this.#spans
      .flatMap((span) => [
        { from: span.from, to: Math.min(span.to, from) },
        { from: Math.max(span.from, to), to: span.to },
      ])
      .filter((span) => span.from < span.to);
  }

  /** Takes all bytes away. */
  clear(): void {
    this.#spans = [];
  }

  /** The spans without their first `skipped` bytes. */
  behind(skipped: number): readonly Span[] {
    let left = skipped;
    return this.#spans.flatMap(({ from, to }) => {
      const start = Math.min(to, from + left);
      left -= start - from;
      return start < to ? [{ from: start, to }] : [];
    });
  }
}
