/**
 * The disk of this machine: loops over short reads and writes, flushes when told to, follows no links.
 *
 * Windows refuses to rename onto a name that anybody holds, and fs-extra waits for that. Elsewhere its import, which blocks for
 * as long as reading a thousand schedules takes, has nothing to give.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Disk, FileFacts, OpenUse } from './disk.js';
import { codeOf, unusable } from './trouble.js';

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = fs.constants;
/** Windows has neither links of this kind nor the flag. */
const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0;

/** A pipe in the place of a file is opened at once, so that it can be refused, and not when somebody writes to it. */
const SAFELY = O_NOFOLLOW | (fs.constants.O_NONBLOCK ?? 0);

const FLAGS: Readonly<Record<OpenUse, number>> = {
  read: O_RDONLY | SAFELY,
  append: O_RDWR | O_APPEND | SAFELY,
  update: O_RDWR | SAFELY,
  create: O_RDWR | O_CREAT | O_EXCL | SAFELY,
};

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
const IS_WINDOWS = process.platform === 'win32';

let loaded: typeof import('fs-extra') | undefined;

/** Loaded with the first name that is taken over on Windows. */
async function fsExtra(): Promise<typeof import('fs-extra')> {
  loaded ??= (await import('fs-extra')).default;
  return loaded;
}

const openFile = promisify(fs.open);
const closeFile = promisify(fs.close);
const readInto = promisify(fs.read);
const writeFrom = promisify(fs.write);
const changeMode = promisify(fs.fchmod);
const flushData = promisify(fs.fdatasync);
const flushAll = promisify(fs.fsync);

/** Reads, writes and flushes real files. @internal */
export const realDisk: Disk = {
  async open(path, use) {
    const file = await openFile(path, FLAGS[use], FILE_MODE);
    const found = fs.fstatSync(file);
    if (!found.isFile() && !found.isDirectory()) {
      await closeFile(file);
      throw unusable(path, 'it is neither a file nor a directory', 'Put the file itself in its place.');
    }
    if (use === 'create' && !IS_WINDOWS && (found.mode & 0o777) !== FILE_MODE) await changeMode(file, FILE_MODE);
    return file;
  },
  close: (file) => closeFile(file),
  async read(file, into, position) {
    let done = 0;
    while (done < into.length) {
      const { bytesRead } = await readInto(file, into, done, into.length - done, position + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return done;
  },
  async write(file, bytes, position) {
    if (position === 'append') {
      const { bytesWritten } = await writeFrom(file, bytes, 0, bytes.length, null);
      if (bytesWritten < bytes.length) throw cutShort(bytesWritten, bytes.length);
      return;
    }
    let done = 0;
    while (done < bytes.length) {
      const { bytesWritten } = await writeFrom(file, bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
  },
  flush: (file) => flushData(file),
  async flushDirectory(path) {
    // Windows cannot open a directory, and flushes names with the file.
    if (IS_WINDOWS) return;
    const directory = await openFile(path, FLAGS.read);
    try {
      await flushAll(directory);
    } finally {
      await closeFile(directory);
    }
  },
  async makeDirectory(path) {
    try {
      await fs.promises.mkdir(path, DIRECTORY_MODE);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return 'exists';
      throw error;
    }
    if (!IS_WINDOWS && (fs.lstatSync(path).mode & 0o777) !== DIRECTORY_MODE)
      await fs.promises.chmod(path, DIRECTORY_MODE);
    return 'made';
  },
  async list(path) {
    try {
      return await fs.promises.readdir(path);
    } catch (error) {
      return absent(error);
    }
  },
  async look(path) {
    try {
      return factsOf(await fs.promises.lstat(path));
    } catch (error) {
      return absent(error);
    }
  },
  async rename(from, to) {
    const { rename } = IS_WINDOWS ? await fsExtra() : fs.promises;
    await rename(from, to);
  },
  link: (from, to) => fs.promises.link(from, to),
  async unlink(path) {
    try {
      await fs.promises.unlink(path);
    } catch (error) {
      absent(error);
    }
  },
  async removeDirectory(path) {
    try {
      await fs.promises.rmdir(path);
    } catch (error) {
      absent(error);
    }
  },
  async fileSystemType(path) {
    // Elsewhere the number is an index that means nothing from one machine to the next.
    return process.platform === 'linux' ? (await fs.promises.statfs(path)).type : 0;
  },
  lookNow(path) {
    const stat = fs.lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined ? undefined : factsOf(stat);
  },
  factsNow: (file) => factsOf(fs.fstatSync(file)),
  readNow(file, into, position) {
    let done = 0;
    while (done < into.length) {
      const bytesRead = fs.readSync(file, into, done, into.length - done, position + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return done;
  },
  writeNow(file, bytes, position) {
    let done = 0;
    while (done < bytes.length) done += fs.writeSync(file, bytes, done, bytes.length - done, position + done);
  },
  watch(path, onChange, onError) {
    const watcher = fs.watch(path, { persistent: false }, onChange);
    watcher.on('error', onError);
    return () => watcher.close();
  },
  elapsedNow: () => performance.now(),
  // A timer takes a millisecond at least.
  pause: (ms, isIdle = false) => (ms > 0 ? delay(ms, undefined, { ref: !isIdle }) : turn(undefined, { ref: !isIdle })),
  randomHex: (digits) =>
    randomBytes(Math.ceil(digits / 2))
      .toString('hex')
      .slice(0, digits),
};

function absent(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  throw error;
}

/**
 * An append is not gone on with: somebody may have appended in between, and the rest would stand behind that, where nobody
 * could tell what it is. Files of a local disk are cut short where there is no room.
 */
function cutShort(written: number, bytes: number): Error {
  const message = `ENOSPC: ${written} of ${bytes} bytes could be appended; the disk, or a quota, is full`;
  return Object.assign(new Error(message), { code: 'ENOSPC', syscall: 'write' });
}

function factsOf(stat: import('node:fs').Stats): FileFacts {
  return {
    kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : stat.isSymbolicLink() ? 'link' : 'other',
    identity: `${stat.dev}:${stat.ino}`,
    bytes: stat.size,
    links: stat.nlink,
    changedAtMs: stat.mtimeMs,
    mode: stat.mode & 0o777,
    ...(IS_WINDOWS ? {} : { owner: stat.uid }),
  };
}
