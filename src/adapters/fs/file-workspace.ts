/**
 * Opens a workspace in a directory: store, owner lock and evidence over one layout.
 */
import { type OptionNames, refuseUnknownOptions, unknownOptions } from '../../codec/json/option-names.js';
import { ScheduleError } from '../../errors.js';
import type { Workspace } from '../../ports/workspace.js';
import { realDisk } from './disk/real-disk.js';
import { inStore, takeAll } from './disk/trouble.js';
import type { EvidenceRetention } from './evidence/evidence-prune.js';
import { FileEvidence } from './evidence/file-evidence.js';
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
  /** How much evidence each schedule keeps, and has kept after it is deleted (ST-9); see {@link EvidenceKept}. */
  readonly evidence?: { readonly keep?: EvidenceKept };
  /** True: opens it also on a file system that machines share, whose locks and flushes cannot be relied on. */
  readonly allowNetworkFileSystem?: boolean;
}

/**
 * What is kept of the workspaces of attempts: everything (the default), the `newest` so many occurrences of each schedule
 * (1..100000, by due instant, manual ones by when they were begun last), or what was begun or ended in the last so many
 * `days` (above 0, by the clock of the file system).
 *
 * @remarks A process that compacts the store removes the rest by its own setting, at most 200 occurrences at a time, and
 * says `EverdueWarning` where it cannot. Never removed are: pending occurrences, interrupted ones until they are resolved,
 * and whatever is all that bars an occurrence from running (again): evidence that the catalogue does not know of, and
 * manual occurrences of the current revision whose request id it does not know, unless the client made that id.
 * @public
 */
export type EvidenceKept = 'all' | { readonly newest: number } | { readonly days: number };

const NAMES: OptionNames<FileWorkspaceOptions> = { retention: true, evidence: true, allowNetworkFileSystem: true };
const RETENTION_NAMES: OptionNames<NonNullable<FileWorkspaceOptions['retention']>> = { perSchedule: true, days: true };
const EVIDENCE_NAMES: OptionNames<NonNullable<FileWorkspaceOptions['evidence']>> = { keep: true };
const KEEP_NAMES = { newest: true, days: true } as const;

const NEWEST_KEPT = 1000;
const NEWEST_EVIDENCE_KEPT = 100_000;

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
  refuseUnknown(options);
  const retention = { history: retentionOf(options), evidence: evidenceRetentionOf(options) };
  const { disk, openLock } = ground;
  const opened = await inStore('opening the workspace', path, () =>
    openLayout(disk, openLock, path, options.allowNetworkFileSystem ?? false),
  );
  const { layout } = opened;
  const store = new FileStore(ground, opened, retention);
  const lock = new FileOwnerLock(disk, layout, openLock, () => store.recover());
  const evidence = new FileEvidence(disk, layout);
  return {
    store,
    lock,
    evidence,
    identity: `directory ${layout.root}`,
    async close() {
      evidence.close();
      await takeAll([() => store.close(), () => lock.close()]);
    },
  };
}

function refuseUnknown(options: FileWorkspaceOptions): void {
  const { retention, evidence } = options;
  refuseUnknownOptions('cannot open the workspace', [
    ...unknownOptions(options, NAMES),
    ...unknownOptions(retention, RETENTION_NAMES, 'retention'),
    ...unknownOptions(evidence, EVIDENCE_NAMES, 'evidence'),
    ...unknownOptions(evidence?.keep, KEEP_NAMES, 'evidence.keep'),
  ]);
}

function retentionOf({ retention = {} }: FileWorkspaceOptions): { perSchedule: number; days?: number } {
  const { perSchedule = NEWEST_KEPT, days } = retention;
  if (!Number.isSafeInteger(perSchedule) || perSchedule < 1) throw badRetention('retention.perSchedule', perSchedule);
  if (days !== undefined && !(days > 0)) throw badRetention('retention.days', days);
  return days === undefined ? { perSchedule } : { perSchedule, days };
}

function evidenceRetentionOf({ evidence }: FileWorkspaceOptions): EvidenceRetention {
  const keep = evidence?.keep ?? 'all';
  if (keep === 'all') return {};
  const { newest, days } = keep as { readonly newest?: number; readonly days?: number };
  if (newest !== undefined && days === undefined) {
    if (Number.isSafeInteger(newest) && newest >= 1 && newest <= NEWEST_EVIDENCE_KEPT) return { newest };
    throw badRetention('evidence.keep.newest', newest);
  }
  if (newest === undefined && typeof days === 'number' && days > 0) return { days };
  throw badRetention('evidence.keep', JSON.stringify(keep));
}

function badRetention(name: string, found: unknown): ScheduleError {
  return new ScheduleError('SCHEDULE_CONFIG_INVALID', `${name} is ${String(found)}`, {
    details: { option: name, found: String(found) },
    hint: 'Give a whole number from 1 on (of occurrences at most 100000), and days above 0.',
  });
}
