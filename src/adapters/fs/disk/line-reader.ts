/**
 * Lines of a file, read in slices: no slice is long enough to keep the event loop from its other work.
 */
import type { Disk } from './disk.js';

/** Bytes read at a time; reading gives way to other work between two slices. @internal */
export const SLICE_BYTES = 64 * 1024;

const NEWLINE = 0x0a;

/** A line, without the newline at its end. @internal */
export interface Line {
  /** Offset of its first byte. */
  readonly offset: number;
  readonly bytes: Buffer;
  /** False for what stands behind the last newline. */
  readonly isComplete: boolean;
}

/** Lines from an offset to the end of the file, or to `until`; the last may be incomplete. @internal */
export async function* readLines(
  disk: Disk,
  file: number,
  from = 0,
  until = Number.POSITIVE_INFINITY,
): AsyncGenerator<Line, void, void> {
  let offset = from;
  let position = from;
  const started: Buffer[] = [];
  for (;;) {
    const slice = Buffer.allocUnsafe(Math.min(SLICE_BYTES, until - position));
    const got = slice.length === 0 ? 0 : await disk.read(file, slice, position);
    if (got === 0) break;
    position += got;
    let start = 0;
    for (
      let at = slice.subarray(0, got).indexOf(NEWLINE);
      at >= 0;
      at = slice.subarray(0, got).indexOf(NEWLINE, start)
    ) {
      const bytes =
        started.length === 0 ? slice.subarray(start, at) : Buffer.concat([...started, slice.subarray(start, at)]);
      started.length = 0;
      yield { offset, bytes, isComplete: true };
      start = at + 1;
      offset = position - got + start;
    }
    if (start < got) started.push(slice.subarray(start, got));
  }
  if (started.length > 0) yield { offset, bytes: Buffer.concat(started), isComplete: false };
}
