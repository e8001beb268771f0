/**
 * Lines of a file, handed over in slices: no slice is long enough to keep the event loop from its other work.
 */
import type { Disk } from './disk.js';

/** Bytes handed over at a time; reading gives way to other work between two slices. @internal */
export const SLICE_BYTES = 64 * 1024;

/** Bytes asked of the disk at a time, once a file has turned out to be longer than a slice. */
const READ_BYTES = 4 * SLICE_BYTES;
const NEWLINE = 0x0a;

/** Lines that follow each other, as they stand in the file; only the last of all may be incomplete. @internal */
export interface LineRun {
  /** Offset of its first byte. */
  readonly offset: number;
  readonly bytes: Buffer;
}

/** A line, without the newline at its end. @internal */
export interface Line {
  /** Offset of its first byte. */
  readonly offset: number;
  readonly bytes: Buffer;
  /** False for what stands behind the last newline. */
  readonly isComplete: boolean;
}

/** Lines from an offset to the end of the file, or to `until`, as many at a time as a slice completes. @internal */
export async function* readLineRuns(
  disk: Disk,
  file: number,
  from = 0,
  until = Number.POSITIVE_INFINITY,
): AsyncGenerator<LineRun, void, void> {
  let offset = from;
  let started: Buffer[] = [];
  for await (const slice of slicesOf(disk, file, from, until)) {
    const end = slice.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      started.push(slice);
      continue;
    }
    const whole = slice.subarray(0, end);
    const bytes = started.length === 0 ? whole : Buffer.concat([...started, whole]);
    yield { offset, bytes };
    offset += bytes.length;
    started = end < slice.length ? [slice.subarray(end)] : [];
  }
  if (started.length > 0) yield { offset, bytes: Buffer.concat(started) };
}

/** The lines of a run. @internal */
export function* linesOf({ offset, bytes }: LineRun): Generator<Line, void, void> {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    yield { offset: offset + start, bytes: bytes.subarray(start, end), isComplete: newline >= 0 };
    start = end + 1;
  }
}

/** Lines from an offset to the end of the file, or to `until`; the last may be incomplete. @internal */
export async function* readLines(
  disk: Disk,
  file: number,
  from = 0,
  until = Number.POSITIVE_INFINITY,
): AsyncGenerator<Line, void, void> {
  for await (const run of readLineRuns(disk, file, from, until)) yield* linesOf(run);
}

async function* slicesOf(disk: Disk, file: number, from: number, until: number): AsyncGenerator<Buffer, void, void> {
  let position = from;
  for (let bytes = SLICE_BYTES; position < until; bytes = READ_BYTES) {
    const read = Buffer.allocUnsafe(Math.min(bytes, until - position));
    const got = await disk.read(file, read, position);
    for (let start = 0; start < got; start += SLICE_BYTES) {
      if (start > 0) await disk.pause(0);
      yield read.subarray(start, Math.min(got, start + SLICE_BYTES));
    }
    position += got;
    // The disk gives less than it was asked for at the end of a file only.
    if (got < read.length) return;
  }
}
