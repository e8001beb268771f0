/**
 * Repairs a workspace as far as that is provably safe, and says what it did and what is left (ST-3).
 *
 * It takes every lock, so that nobody else writes meanwhile; it changes no record, no document, no history and no evidence;
 * and it keeps the bytes that it replaces. What it does not mend is told by the findings that are left, with what an operator
 * can do.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { WorkspaceFinding } from '../../../checker/finding.js';
import { type OptionNames, refuseUnknownOptions, unknownOptions } from '../../../codec/json/option-names.js';
import { epochMs } from '../../../core/time/instant.js';
import { ScheduleError } from '../../../errors.js';
import { realDisk } from '../disk/real-disk.js';
import { inStore, unusable } from '../disk/trouble.js';
import type { WorkspaceGround } from '../file-store.js';
import { type Layout, layoutOf } from '../layout.js';
import { FileOwnerLock } from '../locks/file-owner-lock.js';
import { kernelLocks } from '../locks/native-lock.js';
import { StateLock } from '../locks/state-lock.js';
import { misplaced, storedWorkspace } from '../open-layout.js';
import { checkWorkspaceOn } from './disk-source.js';
import type { RepairAction, RepairGround } from './kept-bytes.js';
import { mendFailedFlush, mendHead, mendSnapshots } from './mend-journal.js';
import { mendDirectories, mendLocks, mendModes, removeLeftovers } from './mend-places.js';

/** How a workspace is repaired. @public */
export interface RepairOptions {
  /** True: nothing is written; the actions are what would be done. */
  readonly dryRun?: boolean;
}

const NAMES: OptionNames<RepairOptions> = { dryRun: true };

/** What a repair did. @public */
export interface WorkspaceRepair {
  /** What was done, or would be, in order. */
  readonly actions: readonly RepairAction[];
  /** What is left: everything that a check finds now. */
  readonly findings: readonly WorkspaceFinding[];
}

/**
 * Mends what can be mended without a doubt: a lost head mark, a damaged snapshot that the one before and the journal stand
 * for, the mark of a failed flush, modes, leftovers of writers that died. The bytes that are replaced are kept in
 * `catalogue/quarantine/`.
 *
 * @throws `SCHEDULE_LOCK_HELD` while an owner lives, `SCHEDULE_CONTENTION` while another process works on the catalogue,
 * `SCHEDULE_WORKSPACE_UNUSABLE` where there is no catalogue, `SCHEDULE_CATALOGUE_CORRUPT` and `SCHEDULE_CATALOGUE_VERSION`
 * where store.json cannot be read, `SCHEDULE_STORE_UNAVAILABLE`.
 * @public
 */
export async function repairWorkspace(path: string, options: RepairOptions = {}): Promise<WorkspaceRepair> {
  refuseUnknownOptions('cannot repair the workspace', unknownOptions(options, NAMES));
  const ground = { disk: realDisk, openLock: await kernelLocks(realDisk) };
  return repairOn(ground, path, { isRehearsal: options.dryRun === true, now: Date.now(), setMode });
}

/** The same over a ground of its own. @internal */
export function repairOn(
  ground: WorkspaceGround,
  path: string,
  how: Pick<RepairGround, 'isRehearsal' | 'setMode'> & { readonly now: number },
): Promise<WorkspaceRepair> {
  const layout = layoutOf(resolve(path));
  return inStore('repairing the workspace', layout.root, async () => {
    const { disk } = ground;
    for (const { path: at, found, hint } of misplaced(disk, layout)) throw unusable(at, found, hint);
    if (disk.lookNow(layout.catalogue) === undefined) {
      throw unusable(layout.root, 'it has no catalogue', 'Name the folder of a workspace.');
    }
    const workspace = await storedWorkspace(disk, layout);
    const parts: RepairGround = { disk, layout, workspace, ...how, now: epochMs(how.now) };
    if (disk.lookNow(layout.locks) === undefined) return locksAlone(parts);
    const mend = () => repair(parts);
    return how.isRehearsal ? unlessOwned(ground, layout, mend) : alone(ground, layout, mend);
  });
}

/** Without the locks nobody can be kept out: they are made anew, and all else is left to the next repair. */
async function locksAlone(ground: RepairGround): Promise<WorkspaceRepair> {
  const { disk, layout } = ground;
  const actions = await mendLocks(ground);
  return { actions, findings: await checkWorkspaceOn(disk, layout.root) };
}

async function repair(ground: RepairGround): Promise<WorkspaceRepair> {
  const { disk, layout, isRehearsal } = ground;
  const check = () => checkWorkspaceOn(disk, layout.root);
  const found = await check();
  const actions: RepairAction[] = [...(await mendDirectories(ground, found))];
  actions.push(...(await mendFailedFlush(ground)));
  actions.push(...(await mendSnapshots(ground, found)));
  // With a snapshot put back, more of the journal can be judged.
  const isSnapshotNew = !isRehearsal && actions.some(({ kind }) => kind === 'snapshot');
  const known = isSnapshotNew ? await check() : found;
  actions.push(...(await mendHead(ground, known)));
  actions.push(...(await mendModes(ground, known)));
  actions.push(...(await removeLeftovers(ground)));
  return { actions, findings: isRehearsal ? found : await check() };
}

/** Runs where no owner lives, without taking a lock, which would write. */
async function unlessOwned<T>({ disk, openLock }: WorkspaceGround, layout: Layout, work: () => Promise<T>): Promise<T> {
  const lock = new FileOwnerLock(disk, layout, openLock);
  const { isHeld } = await lock.status();
  if (isHeld) throw owned(layout);
  return work();
}

/** Runs while nobody else owns, commits or rolls over. */
async function alone<T>({ disk, openLock }: WorkspaceGround, layout: Layout, work: () => Promise<T>): Promise<T> {
  const ownerLock = new FileOwnerLock(disk, layout, openLock);
  const stateLock = new StateLock(disk, openLock, layout.stateLock);
  try {
    if ((await ownerLock.acquire()).kind === 'held') throw owned(layout);
    const rollOver = await openLock(layout.rollOverLock);
    try {
      if (!rollOver.tryLock()) throw busy(layout);
      return await stateLock.run(undefined, work);
    } finally {
      await rollOver.close();
      await stateLock.close();
    }
  } finally {
    await ownerLock.close();
  }
}

function owned({ root }: Layout): ScheduleError {
  return new ScheduleError('SCHEDULE_LOCK_HELD', `the catalogue of ${root} has an owner at work; nothing was changed`, {
    details: { root },
    hint: 'Stop the owner (`everdue schedule status` says which process it is), then repair.',
  });
}

function busy({ root }: Layout): ScheduleError {
  return new ScheduleError(
    'SCHEDULE_CONTENTION',
    `another process compacts the catalogue of ${root}; nothing was changed`,
    {
      details: { root },
      hint: 'Stop every process that uses the workspace, then repair.',
    },
  );
}

async function setMode(path: string, mode: number): Promise<void> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    await file.chmod(mode);
  } finally {
    await file.close();
  }
}
