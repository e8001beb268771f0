/**
 * Opens a workspace in a directory: store, owner lock and evidence over one layout.
 */
import { ScheduleError } from '../../errors.js';
import type { Workspace } from '../../ports/workspace.js';
import { realDisk } from './disk/real-disk.js';
import { inStore } from './disk/trouble.js';
import { FileEvidence } from './file-evidence.js';
import { FileStore, type WorkspaceGround } from './file-store.js';
import { FileOwnerLock } from './locks/file-owner-lock.js';
import { kernelLocks } from './locks/native-lock.js';
import { openLayout } from './open-layout.js';

/** How a workspace is opened. @public */
export interface FileWorkspaceOptions {
  /** How much history each schedule keeps (ST-6); a file of it goes when all that is in it may go. */
  readonly retention?: {
    /** Newest records that stay, 1 or more; 1000 by default. */
    readonly perSchedule?: number;
    /** Records older than so many days may go as well, however few there are. */
    readonly days?: number;
  };
  /** True: opens it also on a file system that machines share, whose locks and flushes cannot be relied on. */
  readonly allowNetworkFileSystem?: boolean;
}

const NEWEST_KEPT = 1000;

/**
 * Opens the workspace in a directory, and makes it where there is none. Opening an existing one writes nothing.
 *
 * @remarks Throws `SCHEDULE_WORKSPACE_UNUSABLE`, `SCHEDULE_CATALOGUE_VERSION`, `SCHEDULE_CATALOGUE_CORRUPT`,
 * `SCHEDULE_STORE_UNAVAILABLE`, `SCHEDULE_LOCK_UNSUPPORTED` and `SCHEDULE_CONFIG_INVALID`.
 * @public
 */
export async function fileWorkspace(path: string, options: FileWorkspaceOptions = {}): Promise<Workspace> {
  return openWorkspace(path, options, { disk: realDisk, openLock: await kernelLocks(realDisk) });
}

/** The workspace over a ground of its own; `store.settled()` waits for what goes on behind commits. @internal */
export async function openWorkspace(
  path: string,
  options: FileWorkspaceOptions,
  ground: WorkspaceGround,
): Promise<Workspace & { readonly store: FileStore }> {
  const retention = retentionOf(options);
  const { disk, openLock } = ground;
  const opened = await inStore('opening the workspace', path, () =>
    openLayout(disk, openLock, path, options.allowNetworkFileSystem ?? false),
  );
  const { layout } = opened;
  const store = new FileStore(ground, opened, retention);
  const lock = new FileOwnerLock(disk, layout, openLock);
  const evidence = new FileEvidence(disk, layout);
  return {
    store,
    lock,
    evidence,
    async close() {
      await store.close();
      await lock.close();
      evidence.close();
    },
  };
}

function retentionOf({ retention = {} }: FileWorkspaceOptions): { perSchedule: number; days?: number } {
  const { perSchedule = NEWEST_KEPT, days } = retention;
  if (!Number.isSafeInteger(perSchedule) || perSchedule < 1) throw badRetention('perSchedule', perSchedule);
  if (days !== undefined && !(days > 0)) throw badRetention('days', days);
  return days === undefined ? { perSchedule } : { perSchedule, days };
}

function badRetention(name: string, found: unknown): ScheduleError {
  return new ScheduleError('SCHEDULE_CONFIG_INVALID', `retention.${name} is ${String(found)}`, {
    details: { option: `retention.${name}`, found: String(found) },
    hint: 'Give a whole number of records from 1 on, and days above 0.',
  });
}
