/**
 * Where answers go: standard output, as a text for people or as one JSON value for programs.
 *
 * Each command says both; `--json` decides. Writing waits until the text is taken, so that nothing is lost in a pipe when
 * the process ends, and a reader that goes away (`| head`) ends the command without noise.
 */
import { jsonText } from './layout/plain.js';

/** The streams and surroundings of one run of the command; tests bring their own. @internal */
export interface Surroundings {
  /** Standard input. */
  readonly stdin: AsyncIterable<string | Uint8Array>;
  /** Standard output. */
  readonly stdout: OutputStream;
  /** Standard error. */
  readonly stderr: OutputStream;
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Working directory, absolute. */
  readonly cwd: string;
  /** Hears interruptions (SIGINT, SIGTERM) until the returned function is called. */
  readonly onInterrupt: (heard: () => void) => () => void;
}

/** What is written to. @internal */
export interface OutputStream {
  /** Writes; `done` is called once the text is taken, with what went wrong if it was not. */
  write(text: string, done: (error?: Error | null) => void): boolean;
  /** True for a terminal. */
  readonly isTTY?: boolean | undefined;
  /** Width of the terminal. */
  readonly columns?: number | undefined;
}

/** Prints the answers of a command. @internal */
export class Printer {
  /** Whether programs read. */
  readonly isJson: boolean;
  readonly #out: OutputStream;

  constructor(out: OutputStream, isJson: boolean) {
    this.#out = out;
    this.isJson = isJson;
  }

  /** Width of the terminal; undefined in a pipe, where nothing is cut. */
  get width(): number | undefined {
    return this.isTerminal ? (this.#out.columns ?? 80) : undefined;
  }

  /** Whether a person watches. */
  get isTerminal(): boolean {
    return this.#out.isTTY === true;
  }

  /** The one answer of a command: `value` for programs, `text` for people (it must end with a line break). */
  async answer(value: unknown, text: () => string): Promise<void> {
    await this.write(this.isJson ? `${jsonText(value, this.isTerminal)}\n` : text());
  }

  /** One of many answers: a JSON value on a line of its own, or a text. */
  async line(value: unknown, text: () => string): Promise<void> {
    await this.write(`${this.isJson ? jsonText(value, false) : text()}\n`);
  }

  /** Writes and waits until it is taken. */
  async write(text: string): Promise<void> {
    await writeTo(this.#out, text);
  }
}

/** Writes to a stream and waits until it is taken. A closed pipe rejects with its own error (`EPIPE`). @internal */
export function writeTo(stream: OutputStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Whether somebody stopped reading our output. @internal */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'EPIPE';
}
