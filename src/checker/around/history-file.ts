/**
 * One file of a history, line by line: sealed lines, and what a crash left of one (`FORMAT.md`, History).
 */
import { isCount, rowOf } from '../bytes/json-value.js';
import { eachLine, type Line } from '../bytes/lines.js';
import { openLine } from '../bytes/sealed.js';
import type { FileSource } from '../file-source.js';

/** A file of a history, named by the commit of its first line. @internal */
export interface HistoryFile {
  readonly path: string;
  readonly firstSeq: number;
  readonly kind: 'records' | 'verdicts';
}

/** A sealed line of a history. @internal */
export interface HistoryLine {
  readonly value: unknown;
  /** Digest of its text: equal for equal lines. */
  readonly hash: string;
  readonly offset: number;
  readonly end: number;
}

/** The first fault of a file. @internal */
export interface HistoryFault {
  readonly offset: number;
  readonly found: string;
}

/** A record fits a line of the journal. */
const LINE_LIMIT = 2 * 1_048_576;
const TILDE = 0x7e;

/**
 * Hands the lines of a file to `take` until one is not as it must be, by itself or as `take` says; answers with that fault.
 * A file whose first commit may be on its way need not begin with it yet.
 *
 * @internal
 */
export async function readHistoryFile(
  source: FileSource,
  { path, firstSeq }: HistoryFile,
  isComing: (seq: number) => boolean,
  take: (line: HistoryLine) => string | undefined,
): Promise<HistoryFault | undefined> {
  const beginning = `the file must begin with commit ${firstSeq}, as its name says`;
  let fault: HistoryFault | undefined;
  let isFirst = true;
  await eachLine(source, path, LINE_LIMIT, (line) => {
    if (isTorn(line)) return true;
    const { offset, end } = line;
    const sealed = line.isCut ? undefined : openLine(line.bytes);
    const seq = rowOf(sealed?.value)?.['seq'];
    const hasBegun = !isFirst || seq === firstSeq || isComing(firstSeq);
    isFirst = false;
    let found: string | undefined;
    if (sealed === undefined) found = 'a line whose digest is not its own';
    else if (!isCount(seq)) found = 'a line without the number of its commit';
    else found = hasBegun ? take({ ...sealed, offset, end }) : beginning;
    if (found === undefined) return true;
    fault = { offset, found };
    return false;
  });
  if (fault === undefined && isFirst && !isComing(firstSeq)) return { offset: 0, found: beginning };
  return fault;
}

/** Not a line yet, marked by a later writer, or left by a power cut with zeros in it; numbers tell what is missing. */
function isTorn({ bytes, isComplete }: Line): boolean {
  return !isComplete || bytes.at(-1) === TILDE || bytes.includes(0);
}
