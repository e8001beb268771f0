/**
 * Finds a workspace or makes one: nothing is written into an existing one, and `store.json` is the last file of a new one.
 *
 * Making it is safe to repeat: a crash leaves files that the next attempt takes up, and never more than that. What
 * stands in the way (a file, a link, a network file system, a newer format) is refused with its path.
 */
import { dirname, parse, resolve, sep } from 'node:path';
import type { EpochMs } from '../../core/time/instant.js';
import type { Disk } from './disk/disk.js';
import { putFile, putNewFile, withFile } from './disk/new-file.js';
import { putSealed, readSealed, type SealedFormat } from './disk/sealed-file.js';
import { sealLine } from './disk/sealed-line.js';
import { codeOf, corrupt, unusable } from './disk/trouble.js';
import { readChain } from './journal/chain-reader.js';
import { EMPTY_HEAD } from './journal/head-mark.js';
import { encodeRecord, GENESIS } from './journal/journal-record.js';
import { NEW_CONTENT, writeSnapshot } from './journal/snapshot.js';
import { directoriesOf, type Layout, layoutOf, segmentPath } from './layout.js';
import type { OpenLock } from './locks/native-lock.js';
import { StateLock } from './locks/state-lock.js';
import { refuseNetwork } from './network-file-system.js';

/** Format of a workspace. @internal */
export const STORE_FORMAT: SealedFormat = { format: 'everdue/store', version: 1 };

/** Length of the id of a workspace. */
const WORKSPACE_DIGITS = 32;

/** A workspace that exists: its names, and its id. @internal */
export interface OpenedLayout {
  readonly layout: Layout;
  readonly workspace: string;
}

/** Finds a workspace or makes one. See the head of this file. @internal */
export async function openLayout(
  disk: Disk,
  openLock: OpenLock,
  path: string,
  allowNetworkFileSystem: boolean,
): Promise<OpenedLayout> {
  const layout = layoutOf(resolve(path));
  refuseLinks(disk, layout);
  refuseOpenToOthers(disk, layout);
  if (!allowNetworkFileSystem) await refuseNetwork(disk, layout.root);
  if (disk.lookNow(layout.store) === undefined) await makeWorkspace(disk, openLock, layout);
  return { layout, workspace: await storedWorkspace(disk, layout) };
}

/** The id in `store.json`. Throws `SCHEDULE_CATALOGUE_CORRUPT` and `SCHEDULE_CATALOGUE_VERSION`. @internal */
export async function storedWorkspace(disk: Disk, layout: Layout): Promise<string> {
  let body = '';
  await readSealed(disk, layout.store, STORE_FORMAT, (line) => {
    body += line;
  });
  const { workspace } = JSON.parse(body) as { readonly workspace?: unknown };
  if (typeof workspace === 'string') return workspace;
  throw corrupt({ file: layout.store, offset: 0, rule: 'workspace', found: 'the id of the workspace is missing' });
}

/** What stands where a directory must be. @internal */
export interface Misplaced {
  readonly path: string;
  readonly found: string;
  readonly hint: string;
}

function refuseLinks(disk: Disk, layout: Layout): void {
  for (const { path, found, hint } of misplaced(disk, layout)) throw unusable(path, found, hint);
}

/** Links on the path to the catalogue and in it, and whatever else is no directory where one must be. @internal */
export function* misplaced(disk: Disk, layout: Layout): Generator<Misplaced, void, void> {
  const { root } = parse(layout.root);
  const parts = layout.root.slice(root.length).split(sep).filter(Boolean);
  const above = parts.slice(0, -1).map((_, index) => root + parts.slice(0, index + 1).join(sep));
  for (const path of [...above, ...directoriesOf(layout)]) {
    const kind = disk.lookNow(path)?.kind;
    if (kind === undefined || kind === 'directory') continue;
    yield kind === 'link'
      ? { path, found: 'it is a symbolic link', hint: 'Name the directory itself: no link may lead to a catalogue.' }
      : { path, found: 'it is no directory', hint: 'Name a directory, or a new path.' };
  }
}

/**
 * What others may change is no catalogue, and files that one user makes in that of another lock the other one out. The
 * workspace itself may be shared: what is in it was made for its user alone.
 */
function refuseOpenToOthers(disk: Disk, layout: Layout): void {
  const user = process.geteuid?.();
  for (const path of directoriesOf(layout).filter((directory) => directory !== layout.root)) {
    const { mode = 0, owner = user } = disk.lookNow(path) ?? {};
    if (owner !== user) {
      const hint = 'Work on it as that user, or give the whole workspace to this one (chown -R).';
      throw unusable(path, `it belongs to user ${owner}, and this process is user ${user}`, hint);
    }
    if (process.platform !== 'win32' && (mode & 0o022) !== 0) {
      const hint = '`everdue repair` gives it the mode 0700 that it was made with; then check who changed it.';
      throw unusable(path, `others may write in it (mode ${mode.toString(8).padStart(4, '0')})`, hint);
    }
  }
}

async function makeWorkspace(disk: Disk, openLock: OpenLock, layout: Layout): Promise<void> {
  await makeDirectories(disk, layout);
  const lock = new StateLock(disk, openLock, layout.stateLock);
  try {
    await lock.run(undefined, async () => {
      if (disk.lookNow(layout.store) === undefined) await fillWorkspace(disk, layout);
    });
  } finally {
    await lock.close();
  }
}

async function makeDirectories(disk: Disk, layout: Layout): Promise<void> {
  const missing: string[] = [];
  for (let path = dirname(layout.root); disk.lookNow(path) === undefined; path = dirname(path)) missing.unshift(path);
  const all = [...missing, ...directoriesOf(layout)];
  for (const path of all) await disk.makeDirectory(path);
  for (const path of new Set(all.map(dirname))) await flushIfAllowed(disk, path);
}

/** A parent that this user may enter but not read cannot be flushed; only directories above the workspace are like that. */
async function flushIfAllowed(disk: Disk, path: string): Promise<void> {
  try {
    await disk.flushDirectory(path);
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error;
  }
}

async function fillWorkspace(disk: Disk, layout: Layout): Promise<void> {
  const workspace = await beginJournal(disk, layout);
  if (workspace === undefined) return;
  await writeSnapshot(disk, layout.tmp, layout.snapshot, { workspace, segment: 1, prev: GENESIS }, NEW_CONTENT);
  await putFile(disk, layout.tmp, layout.head, EMPTY_HEAD);
  await makeLockFiles(disk, layout);
  await putSealed(disk, layout.tmp, layout.store, STORE_FORMAT, [JSON.stringify({ workspace })]);
}

/**
 * The id of a workspace that has its first segment from then on; nothing where somebody else has made the whole workspace.
 * The first segment decides on the id, and is never replaced: two who make one workspace at once make the same.
 */
async function beginJournal(disk: Disk, layout: Layout): Promise<string | undefined> {
  const known = await workspaceOf(disk, layout);
  if (known === undefined) {
    const workspace = disk.randomHex(WORKSPACE_DIGITS);
    const open = { seq: 0, prev: GENESIS, at: 0 as EpochMs, kind: 'open', workspace, exportedThrough: 0 } as const;
    const sealed = sealLine(JSON.stringify(encodeRecord(open)));
    await putNewFile(disk, layout.tmp, segmentPath(layout, 1), sealed.bytes);
  }
  await disk.flushDirectory(layout.journal);
  return disk.lookNow(layout.store) === undefined ? (known ?? (await workspaceOf(disk, layout))) : undefined;
}

/** Makes lock files that are missing, in their place: one that a power cut leaves with a second name could not be held. @internal */
export async function makeLockFiles(disk: Disk, layout: Layout): Promise<void> {
  for (const path of [layout.ownerLock, layout.stateLock, layout.rollOverLock]) {
    if (disk.lookNow(path) === undefined) await disk.close(await disk.open(path, 'create'));
  }
  await disk.flushDirectory(layout.locks);
}

/**
 * The id of a workspace whose making was cut short; nothing where it was not begun, or somebody else has made the whole of it
 * meanwhile. A journal with commits in it is never made anew.
 */
async function workspaceOf(disk: Disk, layout: Layout): Promise<string | undefined> {
  const segments = (await disk.list(layout.journal)) ?? [];
  if (segments.length === 0) return undefined;
  const first = segmentPath(layout, 1);
  const isBegun = segments.length === 1 && disk.lookNow(first) !== undefined;
  const workspace = isBegun ? await withFile(disk, first, (file) => idIn(disk, first, file)) : undefined;
  if (workspace !== undefined || disk.lookNow(layout.store) !== undefined) return workspace;
  const found = 'the file does not exist, though the journal has records';
  const advice = 'Restore store.json from a backup of the workspace.';
  throw corrupt({ file: layout.store, offset: 0, rule: 'missing', found }, advice);
}

/** The id of the workspace by a first segment that holds nothing else. */
async function idIn(disk: Disk, first: string, file: number): Promise<string | undefined> {
  let workspace: string | undefined;
  for await (const { record } of readChain(disk, first, file, { offset: 0, hash: GENESIS, earlier: new Set() })) {
    if (record.kind !== 'open') return undefined;
    workspace = record.workspace;
  }
  return workspace;
}
