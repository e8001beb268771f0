/**
 * A sealed file: valid JSON whose first line carries the digest of every byte between it and the last line.
 *
 * `{"format":"…","version":1,"sha256":"<64 hex>","body":` ⏎ body ⏎ `}` ⏎. No canonical form is needed, so the body may be
 * laid out for people; it is written and read in lines, so that a large one never stands in the way of other work.
 */
import { createHash } from 'node:crypto';
import type { Disk } from './disk.js';
import { linesOf, readLineRuns, SLICE_BYTES } from './line-reader.js';
import { putFile, withFile } from './new-file.js';
import { corrupt, isAbsent, newerFormat } from './trouble.js';

/** A format by name, and the version of it that this package reads and writes. @internal */
export interface SealedFormat {
  readonly format: string;
  readonly version: number;
}

const CLOSING_BRACE = 0x7d;
const UNKNOWN_DIGEST = '0'.repeat(64);
const HEAD = /^\{"format":"([a-z/-]+)","version":(\d+),"sha256":"([0-9a-f]{64})","body":$/;

/** Writes a sealed file of these lines and puts it in place durably; `judge` as for {@link putFile}. @internal */
export async function putSealed(
  disk: Disk,
  tmp: string,
  path: string,
  format: SealedFormat,
  lines: Iterable<string>,
  judge?: () => void,
): Promise<number> {
  let bytes = 0;
  const write = async (file: number): Promise<void> => {
    const digest = createHash('sha256');
    let position = Buffer.byteLength(headOf(format, UNKNOWN_DIGEST));
    for (const slice of slicesOf(lines)) {
      digest.update(slice);
      await disk.write(file, slice, position);
      position += slice.length;
    }
    await disk.write(file, Buffer.from('}\n'), position);
    await disk.write(file, Buffer.from(headOf(format, digest.digest('hex'))), 0);
    bytes = position + 2;
  };
  await putFile(disk, tmp, path, write, judge);
  return bytes;
}

/**
 * The body of a sealed file, line by line. The digest is judged at the end: use nothing before the last line was given.
 *
 * @remarks Throws `SCHEDULE_CATALOGUE_CORRUPT` and `SCHEDULE_CATALOGUE_VERSION`.
 * @internal
 */
export async function readSealed(
  disk: Disk,
  path: string,
  { format, version }: SealedFormat,
  take: (line: string, offset: number) => void,
): Promise<void> {
  const wrong = (offset: number, found: string) => corrupt({ file: path, offset, rule: 'sealed', found });
  const seal = { expected: '', isEnded: false };
  const digest = createHash('sha256');
  await withPresent(disk, path, async (file) => {
    for await (const run of readLineRuns(disk, file)) {
      const body = { start: 0, end: 0 };
      for (const { offset, bytes, isComplete } of linesOf(run)) {
        if (seal.isEnded || !isComplete) throw wrong(offset, 'bytes behind the end of a sealed file');
        if (offset === 0) {
          const head = HEAD.exec(bytes.toString('utf8'));
          if (head?.[1] !== format) throw wrong(0, `the first line is not that of ${format}`);
          if (Number(head[2]) !== version) throw newerFormat(path, Number(head[2]), version);
          seal.expected = head[3] as string;
          body.start = body.end = bytes.length + 1;
        } else if (bytes.length === 1 && bytes[0] === CLOSING_BRACE) {
          seal.isEnded = true;
        } else {
          body.end = offset - run.offset + bytes.length + 1;
          take(bytes.toString('utf8'), offset);
        }
      }
      digest.update(run.bytes.subarray(body.start, body.end));
    }
  });
  if (!seal.isEnded) throw wrong(0, 'a sealed file without its last line');
  if (digest.digest('hex') !== seal.expected) throw wrong(0, 'the digest of a sealed file is not that of its body');
}

async function withPresent(disk: Disk, path: string, use: (file: number) => Promise<void>): Promise<void> {
  try {
    await withFile(disk, path, use);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    throw corrupt({ file: path, offset: 0, rule: 'missing', found: 'the file does not exist' });
  }
}

function headOf({ format, version }: SealedFormat, digest: string): string {
  return `{"format":"${format}","version":${version},"sha256":"${digest}","body":\n`;
}

function* slicesOf(lines: Iterable<string>): Generator<Buffer> {
  let text: string[] = [];
  let length = 0;
  for (const line of lines) {
    text.push(line, '\n');
    length += line.length;
    if (length < SLICE_BYTES) continue;
    yield Buffer.from(text.join(''), 'utf8');
    text = [];
    length = 0;
  }
  if (text.length > 0) yield Buffer.from(text.join(''), 'utf8');
}
