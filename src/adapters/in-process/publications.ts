/**
 * Publishing: files below the directory of an attempt, each with a receipt that was read back (OC-7).
 *
 * A file is created exclusively, flushed, and read again before its receipt is given out. When the attempt ends, every
 * receipt is held against its file once more: that a file exists proves nothing. An attempt that publishes no file
 * publishes its result, whose digest is verified by computing it again from its text.
 */
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canonicalJson } from '../../codec/canonical-json.js';
import { sha256Hex } from '../../codec/digest.js';
import type { Json } from '../../core/model/declaration.js';
import { LIMITS } from '../../core/model/limits.js';
import type { PublicationReceipt, Verification } from '../../core/model/occurrence.js';
import { ScheduleError } from '../../errors.js';

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

/** What one attempt has published. @internal */
export class Publications {
  readonly #directory: string | undefined;
  readonly #receipts: PublicationReceipt[] = [];

  constructor(directory: string | undefined) {
    this.#directory = directory;
  }

  /** Writes a file and gives its receipt; what the handler's context promises of `publish` is kept here. */
  async publish(name: string, content: string | Uint8Array): Promise<PublicationReceipt> {
    const directory = this.#directory ?? refuseWithoutDirectory(name);
    refuseBadName(name, this.#receipts.length);
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : Uint8Array.from(content);
    const receipt = { name: `${FOLDER}/${name}`, ...seal(bytes) };
    await write(directory, receipt.name, bytes);
    if (!(await isWhole(directory, receipt))) throw unreadable(receipt.name);
    this.#receipts.push(receipt);
    return receipt;
  }

  /** Reads everything back and says whether it is whole; a result stands in where no file was published. */
  async verify(result: Json): Promise<Verification> {
    if (this.#receipts.length === 0) return verifyResult(result);
    const receipts = [...this.#receipts];
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
  const again = seal(Buffer.from(canonicalJson(JSON.parse(text) as Json)));
  return { isVerified: again.digest === receipt.digest, digest: receipt.digest, receipts: [receipt] };
}

function seal(bytes: Uint8Array): { readonly digest: string; readonly bytes: number } {
  return { digest: `sha256:${sha256Hex(bytes)}`, bytes: bytes.byteLength };
}

async function write(directory: string, name: string, bytes: Uint8Array): Promise<void> {
  const path = join(directory, name);
  let isCreated = false;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'wx', 0o600);
    isCreated = true;
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    for (let folder = dirname(name); folder !== '.'; folder = dirname(folder))
      await flushFolder(join(directory, folder));
    await flushFolder(directory);
  } catch (error) {
    if (isCreated) await rm(path, { force: true });
    throw unwritten(name, error);
  }
}

/** Makes the names in a folder durable; Windows does it with the file and lets nobody open a folder. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function isWhole(directory: string, receipt: PublicationReceipt): Promise<boolean> {
  try {
    return seal(await readFile(join(directory, receipt.name))).digest === receipt.digest;
  } catch {
    // Whatever keeps it from being read, it cannot be called whole.
    return false;
  }
}

function refuseWithoutDirectory(name: string): never {
  throw new ScheduleError('SCHEDULE_CONFIG_INVALID', `${name} cannot be published: the attempt has no directory.`, {
    details: { name },
    hint: 'Make the execution service without `needsWorkspace: false`, or return the result.',
  });
}

function refuseBadName(name: string, published: number): void {
  const isGood =
    typeof name === 'string' &&
    name.length <= NAME_LENGTH &&
    name.split('/').every((part) => !BAD_SEGMENT.test(part) && Buffer.byteLength(part) <= SEGMENT_BYTES);
  if (!isGood) throw refused('A published name is a relative path of plain segments with forward slashes.', name);
  if (published >= RECEIPTS_AT_MOST) throw refused(`An attempt publishes at most ${RECEIPTS_AT_MOST} files.`, name);
}

function refused(message: string, name: unknown, cause?: unknown): ScheduleError {
  return new ScheduleError('SCHEDULE_DECLARATION_INVALID', message, {
    details: { issues: [{ path: 'name', rule: 'OC-7', message, found: String(name) }] },
    ...(cause === undefined ? {} : { cause }),
  });
}

function unwritten(name: string, cause: unknown): ScheduleError {
  if ((cause as { code?: unknown } | null)?.code === 'EEXIST') {
    return refused(`${name} exists already; an attempt publishes each name once.`, name, cause);
  }
  return new ScheduleError('SCHEDULE_STORE_UNAVAILABLE', `${name} could not be published.`, {
    details: { name },
    cause,
  });
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
