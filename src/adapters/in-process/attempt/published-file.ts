/**
 * One published file on the disk: written exclusively and durably, read back, and never through a link (ST-8).
 *
 * What a handler leaves in its directory is not trusted: every folder below the attempt's directory must be a real one,
 * and the file is opened without following a link, when it is written and when it is read. What is no file, such as
 * a pipe, is never waited for.
 */
import { constants } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ScheduleError } from '../../../errors.js';

/** Windows knows neither of the two; a link is found by `lstat` there. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;
const NO_WAIT = constants.O_NONBLOCK ?? 0;

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_LINK;
const READ = constants.O_RDONLY | NO_LINK | NO_WAIT;

/**
 * Writes a new file `name` (a relative path with forward slashes) below `directory`, with its folders.
 *
 * @remarks Throws `SCHEDULE_DECLARATION_INVALID` where it exists or lies below a file, `SCHEDULE_WORKSPACE_UNUSABLE` where a
 * folder of it is a link, `SCHEDULE_STORE_UNAVAILABLE` where it cannot be written.
 * @internal
 */
export async function writeInside(directory: string, name: string, bytes: Uint8Array): Promise<void> {
  const path = join(directory, name);
  let isCreated = false;
  try {
    for (const folder of foldersOf(name)) await makeFolder(directory, folder);
    const file = await open(path, CREATE, FILE_MODE);
    isCreated = true;
    await closing(file, async () => {
      // An umask can take rights away, also from who made it.
      await file.chmod(FILE_MODE);
      await file.writeFile(bytes);
      await file.sync();
    });
    for (const folder of foldersOf(name).reverse()) await flushFolder(join(directory, folder));
    await flushFolder(directory);
  } catch (error) {
    if (isCreated) await rm(path, { force: true });
    throw unwritten(name, error);
  }
}

/** Reads a file that was written so; throws whatever keeps it from being a plain file of that size without links. @internal */
export async function readInside(directory: string, name: string, bytes: number): Promise<Uint8Array> {
  for (const folder of foldersOf(name)) await refuseUnlessFolder(directory, folder);
  const path = join(directory, name);
  if (NO_LINK === 0 && (await lstat(path)).isSymbolicLink()) throw linked(name);
  const file = await open(path, READ);
  return await closing(file, async () => {
    const found = await file.stat();
    if (!found.isFile() || found.size !== bytes) throw refused('name', `${name} is no file of ${bytes} bytes.`, name);
    return await file.readFile();
  });
}

/** A call that breaks a rule of publishing. @internal */
export function refused(path: 'name' | 'content', message: string, found: string, cause?: unknown): ScheduleError {
  return new ScheduleError('SCHEDULE_DECLARATION_INVALID', message, {
    details: { issues: [{ path, rule: 'OC-7', message, found }] },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The folders on the way to a file, the outermost first. */
function foldersOf(name: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(name); folder !== '.'; folder = dirname(folder)) folders.unshift(folder);
  return folders;
}

async function makeFolder(directory: string, folder: string): Promise<void> {
  try {
    await mkdir(join(directory, folder), { mode: FOLDER_MODE });
    await chmod(join(directory, folder), FOLDER_MODE);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    await refuseUnlessFolder(directory, folder);
  }
}

async function refuseUnlessFolder(directory: string, folder: string): Promise<void> {
  const found = await lstat(join(directory, folder));
  if (found.isSymbolicLink()) throw linked(folder);
  if (!found.isDirectory()) throw refused('name', `${folder} is a file, so nothing can be published below it.`, folder);
}

/** Makes the names in a folder durable; Windows does it with the file and lets nobody open a folder. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, READ);
  await closing(folder, () => folder.sync());
}

async function closing<T>(file: FileHandle, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await file.close();
  }
}

function linked(name: string): ScheduleError {
  return new ScheduleError(
    'SCHEDULE_WORKSPACE_UNUSABLE',
    `${name} is a symbolic link; nothing is published through one.`,
    {
      details: { name, rule: 'ST-8' },
      hint: 'Publish under a name whose folders are real ones.',
    },
  );
}

function unwritten(name: string, cause: unknown): ScheduleError {
  if (cause instanceof ScheduleError) return cause;
  if (codeOf(cause) === 'EEXIST') {
    return refused('name', `${name} exists already; an attempt publishes each name once.`, name, cause);
  }
  return new ScheduleError('SCHEDULE_STORE_UNAVAILABLE', `${name} could not be published.`, {
    details: { name },
    cause,
  });
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code;
}
