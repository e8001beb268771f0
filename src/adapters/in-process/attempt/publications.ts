/**
 * Publishing: files below the directory of an attempt, each with a receipt that was read back (OC-7).
 *
 * A file is created exclusively, flushed, and read again before its receipt is given out. When the attempt ends, every
 * receipt is held against its file once more: that a file exists proves nothing. An attempt that publishes no file
 * publishes its result, which is verified by reading it again from its text.
 */
import { types } from 'node:util';
import { canonicalJson } from '../../../codec/canonical-json.js';
import { sha256Hex } from '../../../codec/digest.js';
import type { Json } from '../../../core/model/declaration.js';
import { LIMITS } from '../../../core/model/limits.js';
import type { PublicationReceipt, Verification } from '../../../core/model/occurrence.js';
import { ScheduleError } from '../../../errors.js';
import { readInside, refused, writeInside } from './published-file.js';

/** Folder of published files, below the directory of the attempt. */
const FOLDER = 'published';

/** Name of the receipt of a result that was published in the record alone. */
const RESULT = 'result';

/** Files of an attempt: what a record can hold. */
const RECEIPTS_AT_MOST = LIMITS.listLength.max;
const NAME_LENGTH = 1024;
const SEGMENT_BYTES = 200;

/** What no segment of a published name may hold: controls, and what some file system or shell reads as something else. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const BAD_SEGMENT = /^\.{0,2}$|[\u0000-\u001f\u007f<>:"\\|?*]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Content that can be published. @internal */
export type Content = string | Uint8Array;

/** A file that was asked for: its place is taken at the call, its receipt comes when it is whole. */
interface Place {
  receipt?: PublicationReceipt;
}

/** What one attempt has published. @internal */
export class Publications {
  readonly #directory: string | undefined;
  /** In the order of the calls, so that what is verified does not depend on which file was written first. */
  readonly #places = new Set<Place>();

  constructor(directory: string | undefined) {
    this.#directory = directory;
  }

  /** Writes a file and gives its receipt; what the handler's context promises of `publish` is kept here. */
  async publish(name: string, content: Content): Promise<PublicationReceipt> {
    refuseBadName(name);
    const bytes = copyOf(name, content);
    const directory = this.#directory ?? refuseWithoutDirectory(name);
    if (this.#places.size >= RECEIPTS_AT_MOST) {
      throw refused('name', `An attempt publishes at most ${RECEIPTS_AT_MOST} files.`, name);
    }
    const place: Place = {};
    this.#places.add(place);
    try {
      const receipt = { name: `${FOLDER}/${name}`, ...seal(bytes) };
      await writeInside(directory, receipt.name, bytes);
      if (!(await isWhole(directory, receipt))) throw unreadable(receipt.name);
      place.receipt = receipt;
      return receipt;
    } catch (error) {
      this.#places.delete(place);
      throw error;
    }
  }

  /** Reads everything back and says whether it is whole; a result stands in where no file was published. */
  async verify(result: Json): Promise<Verification> {
    const receipts = [...this.#places].flatMap(({ receipt }) => receipt ?? []);
    if (receipts.length === 0) return verifyResult(result);
    let isVerified = true;
    for (const receipt of receipts) isVerified &&= await isWhole(this.#directory ?? '', receipt);
    const listed = receipts.map(({ name, digest, bytes }) => ({ name, digest, bytes }));
    const digest = receipts.length === 1 ? receipts[0]?.digest : seal(Buffer.from(canonicalJson(listed))).digest;
    return { isVerified, receipts, ...(digest === undefined ? {} : { digest }) };
  }
}

function verifyResult(result: Json): Verification {
  const text = canonicalJson(result);
  const receipt = { name: RESULT, ...seal(Buffer.from(text)) };
  const isVerified = canonicalJson(JSON.parse(text) as Json) === text;
  return { isVerified, digest: receipt.digest, receipts: [receipt] };
}

function seal(bytes: Uint8Array): { readonly digest: string; readonly bytes: number } {
  return { digest: `sha256:${sha256Hex(bytes)}`, bytes: bytes.byteLength };
}

async function isWhole(directory: string, receipt: PublicationReceipt): Promise<boolean> {
  try {
    return seal(await readInside(directory, receipt.name, receipt.bytes)).digest === receipt.digest;
  } catch {
    // Whatever keeps it from being read, it cannot be called whole.
    return false;
  }
}

/** The bytes to be written, as they are at the call; anything but text and bytes is refused, not converted. */
function copyOf(name: string, content: unknown): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content, 'utf8');
  if (types.isUint8Array(content)) return new Uint8Array(content);
  const message = `What is published as ${name} must be a string or a Uint8Array.`;
  throw refused('content', message, content === null ? 'null' : typeof content);
}

function refuseWithoutDirectory(name: string): never {
  throw new ScheduleError('SCHEDULE_CONFIG_INVALID', `${name} cannot be published: the attempt has no directory.`, {
    details: { name },
    hint: 'Make the execution service without `needsWorkspace: false`, or return the result.',
  });
}

function refuseBadName(name: unknown): asserts name is string {
  const isGood =
    typeof name === 'string' &&
    name.length <= NAME_LENGTH &&
    name.split('/').every((part) => !BAD_SEGMENT.test(part) && Buffer.byteLength(part) <= SEGMENT_BYTES);
  const found = typeof name === 'string' ? name : typeof name;
  if (!isGood)
    throw refused('name', 'A published name is a relative path of plain segments with forward slashes.', found);
}

function unreadable(name: string): ScheduleError {
  return new ScheduleError(
    'SCHEDULE_STORE_UNAVAILABLE',
    `${name} was written, and reading it back gave something else.`,
    {
      details: { name },
      hint: 'Look after the disk.',
    },
  );
}
