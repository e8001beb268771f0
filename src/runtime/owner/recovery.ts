/**
 * Recovery: what a new owner does about the claims of the one before it (OW-2, OC-6, OC-8).
 *
 * Every claim of an older epoch is marked interrupted; nothing of it is run again. Where the claim says that a workspace
 * was to be made and none exists, nothing was dispatched and the record says so; in any other case it is not known, also
 * where the disk gives trouble at that one place. What still runs in this very process keeps its schedule quarantined
 * (OC-11, CT-15).
 */
import type { OwnerInput } from '../../core/model/input.js';
import type { ScheduleEntry } from '../../core/model/schedule.js';
import { isScheduleError } from '../../errors.js';
import type { Evidence } from '../../ports/evidence.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { Committer } from '../commit/commit.js';
import type { UnendedWork } from '../unended-work.js';
import type { Tally } from './tally.js';

/** A handler that an owner before began and that still runs in this process. @internal */
export interface StillRunning {
  readonly scheduleId: string;
  readonly occurrence: string;
}

/** What recovery works with. @internal */
export interface RecoveryParts {
  readonly catalogue: Catalogue;
  readonly committer: Committer;
  readonly evidence: Evidence;
  readonly tally: Tally;
  readonly unended: UnendedWork;
}

/** Whether anything of the owners before `epoch` is to be settled; what can only be waited for is not. @internal */
export function hasLeftBehind(
  { catalogue, unended }: Pick<RecoveryParts, 'catalogue' | 'unended'>,
  epoch: number,
): boolean {
  return leftBehind(catalogue, epoch).some((entry) => {
    const unresponsive = unresponsiveOf(entry);
    return unresponsive === undefined || !unended.has(unresponsive) || hasOldClaim(entry, epoch);
  });
}

/** Schedules with claims or an unresponsive mark of an epoch before `epoch`. */
function leftBehind(catalogue: Catalogue, epoch: number): readonly ScheduleEntry[] {
  const found: ScheduleEntry[] = [];
  for (const entry of catalogue.entries()) {
    const isMarkOld = unresponsiveOf(entry) !== undefined && (entry.schedule.quarantine?.epoch ?? epoch) < epoch;
    if (isMarkOld || hasOldClaim(entry, epoch)) found.push(entry);
  }
  return found;
}

/**
 * Settles what the owners before `epoch` left behind, all of it in as few commits as it takes. Answers with the schedules
 * that stay quarantined because a handler still runs in this process.
 *
 * @internal
 */
export async function recover(parts: RecoveryParts, epoch: number): Promise<readonly StillRunning[]> {
  const { catalogue, committer, tally, unended } = parts;
  const options = { actor: 'owner', epoch };
  const kept = await Promise.all(
    leftBehind(catalogue, epoch).map(async (entry) => {
      const notDispatched = await undispatched(parts.evidence, entry, epoch);
      const stillRunning = workOf(entry).filter((occurrence) => unended.has(occurrence));
      const input: OwnerInput = { kind: 'recover', epoch, notDispatched, stillRunning };
      const { decision } = await committer.submit(entry.schedule.id, input, options);
      tally.ended(decision);
      return stillRunning.map((occurrence) => ({ scheduleId: entry.schedule.id, occurrence }));
    }),
  );
  return kept.flat();
}

/** Occurrences of a schedule that a handler may be running for. */
function workOf(entry: ScheduleEntry): readonly string[] {
  const unresponsive = unresponsiveOf(entry);
  const running = entry.pending.flatMap(({ id, claim }) => (claim === undefined ? [] : [id]));
  return unresponsive === undefined ? running : [...running, unresponsive];
}

function unresponsiveOf({ schedule: { quarantine } }: ScheduleEntry): string | undefined {
  return quarantine?.reason === 'unresponsive' ? quarantine.occurrence : undefined;
}

function hasOldClaim({ pending }: ScheduleEntry, epoch: number): boolean {
  return pending.some(({ claim }) => claim !== undefined && claim.epoch < epoch);
}

/** Running occurrences whose claim wanted a workspace that is known not to exist. */
async function undispatched(evidence: Evidence, entry: ScheduleEntry, epoch: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { id, claim } of entry.pending) {
    if (claim === undefined || claim.epoch >= epoch || !claim.hasWorkspace) continue;
    const attempts = await knownAttempts(evidence, id);
    if (attempts?.includes(claim.attempt) === false) found.push(id);
  }
  return found;
}

/** Attempts that exist; nothing where nobody can tell: one bad directory must not keep the owner of all others from starting. */
async function knownAttempts(evidence: Evidence, occurrence: string): Promise<readonly number[] | undefined> {
  try {
    return await evidence.attempts(occurrence);
  } catch (error) {
    if (!isScheduleError(error) || !UNREADABLE.has(error.code)) throw error;
    return undefined;
  }
}

/** What evidence rejects with where its disk, or what stands in its place, gives trouble. */
const UNREADABLE: ReadonlySet<string> = new Set(['SCHEDULE_STORE_UNAVAILABLE', 'SCHEDULE_WORKSPACE_UNUSABLE']);
