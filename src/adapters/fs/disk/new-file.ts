/**
 * Whole files, made durably: written under a temporary name, flushed, then given their name.
 *
 * A reader sees the old file or the new one, and a crash leaves at most a temporary file in `tmp/`.
 */
import { dirname, join } from 'node:path';
import type { Disk } from './disk.js';
import { SLICE_BYTES } from './line-reader.js';
import { codeOf, isAbsent } from './trouble.js';

/** Writes into an open file from its beginning on. @internal */
export type Writer = (file: number) => Promise<void>;

/** Writes a new file in `tmp` and flushes it; what is left of it is removed where that fails. @internal */
export async function writeTemporary(disk: Disk, tmp: string, write: Writer): Promise<string> {
  const path = join(tmp, `${disk.randomHex(24)}.tmp`);
  const file = await disk.open(path, 'create');
  try {
    try {
      await write(file);
      await disk.flush(file);
    } finally {
      await disk.close(file);
    }
  } catch (error) {
    await discard(disk, path);
    throw error;
  }
  return path;
}

/**
 * Puts a whole file in place, durably: the name stands for all of it or for what it stood for before. What `judge` throws,
 * right before the file gets its name, keeps it from getting it.
 *
 * @internal
 */
export async function putFile(
  disk: Disk,
  tmp: string,
  path: string,
  content: Uint8Array | Writer,
  judge: () => void = () => undefined,
): Promise<void> {
  const writer = typeof content === 'function' ? content : (file: number) => disk.write(file, content, 0);
  const temporary = await writeTemporary(disk, tmp, writer);
  try {
    judge();
    await disk.rename(temporary, path);
  } catch (error) {
    await discard(disk, temporary);
    throw error;
  }
  await disk.flushDirectory(dirname(path));
}

/** Puts a whole file where there is none, durably; where somebody else was first, that one stays. @internal */
export async function putNewFile(disk: Disk, tmp: string, path: string, content: Uint8Array): Promise<void> {
  const temporary = await writeTemporary(disk, tmp, (file) => disk.write(file, content, 0));
  try {
    await disk.link(temporary, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (!hasNoLinks(error)) throw error;
    await disk.rename(temporary, path);
  } finally {
    await discard(disk, temporary);
  }
  await disk.flushDirectory(dirname(path));
}

/** Whether an error says that this file system has no second names of a file. @internal */
export function hasNoLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '');
}

/** The bytes of a whole file of at most `limit` bytes; nothing where it does not exist. @internal */
export async function readFile(disk: Disk, path: string, limit: number): Promise<Buffer | undefined> {
  let file: number;
  try {
    file = await disk.open(path, 'read');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  try {
    const bytes = Buffer.alloc(Math.min(disk.factsNow(file).bytes, limit));
    return bytes.subarray(0, await disk.read(file, bytes, 0));
  } finally {
    await disk.close(file);
  }
}

/** Runs with a file open for reading. @internal */
export async function withFile<T>(disk: Disk, path: string, use: (file: number) => Promise<T>): Promise<T> {
  const file = await disk.open(path, 'read');
  try {
    return await use(file);
  } finally {
    await disk.close(file);
  }
}

/** Copies the first bytes of an open file to another, in slices. @internal */
export async function copyBytes(disk: Disk, from: number, to: number, length: number): Promise<void> {
  const slice = Buffer.allocUnsafe(SLICE_BYTES);
  for (let position = 0; position < length; ) {
    const got = await disk.read(from, slice.subarray(0, Math.min(SLICE_BYTES, length - position)), position);
    if (got === 0) throw new Error(`a file ends at ${position}, ${length} bytes were to be copied`);
    await disk.write(to, slice.subarray(0, got), position);
    position += got;
  }
}

/** The first error is what the caller must hear of; a temporary file that stays behind harms nobody. */
async function discard(disk: Disk, path: string): Promise<void> {
  await disk.unlink(path).catch(() => undefined);
}
