/**
 * Recovery: what a new owner does about the claims of the one before it (OW-2, OC-6, OC-8).
 *
 * Every claim of an older epoch is marked interrupted; nothing of it is run again. Where the claim says that a workspace
 * was to be made and none exists, nothing was dispatched and the record says so; in any other case it is not known.
 */
import type { OwnerInput } from '../../core/model/input.js';
import type { ScheduleEntry } from '../../core/model/schedule.js';
import type { Evidence } from '../../ports/evidence.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { Committer } from '../commit/commit.js';
import type { Tally } from './tally.js';

/** What recovery works with. @internal */
export interface RecoveryParts {
  readonly catalogue: Catalogue;
  readonly committer: Committer;
  readonly evidence: Evidence;
  readonly tally: Tally;
}

/** Schedules with claims or an unresponsive mark of an epoch before `epoch`. @internal */
export function leftBehind(catalogue: Catalogue, epoch: number): readonly ScheduleEntry[] {
  const found: ScheduleEntry[] = [];
  for (const entry of catalogue.entries()) if (isLeftBehind(entry, epoch)) found.push(entry);
  return found;
}

/** Settles what the owners before `epoch` left behind, all of it in as few commits as it takes. @internal */
export async function recover(parts: RecoveryParts, epoch: number): Promise<void> {
  const { catalogue, committer, tally } = parts;
  const options = { actor: 'owner', epoch };
  await Promise.all(
    leftBehind(catalogue, epoch).map(async (entry) => {
      const notDispatched = await undispatched(parts.evidence, entry, epoch);
      const input: OwnerInput = { kind: 'recover', epoch, notDispatched };
      const { decision } = await committer.submit(entry.schedule.id, input, options);
      tally.ended(decision);
    }),
  );
}

function isLeftBehind({ schedule, pending }: ScheduleEntry, epoch: number): boolean {
  const { quarantine } = schedule;
  if (quarantine?.reason === 'unresponsive' && quarantine.epoch < epoch) return true;
  return pending.some(({ claim }) => claim !== undefined && claim.epoch < epoch);
}

/** Running occurrences whose claim wanted a workspace that is known not to exist. */
async function undispatched(evidence: Evidence, entry: ScheduleEntry, epoch: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { id, claim } of entry.pending) {
    if (claim === undefined || claim.epoch >= epoch || !claim.hasWorkspace) continue;
    const attempts = await evidence.attempts(id);
    if (!attempts.includes(claim.attempt)) found.push(id);
  }
  return found;
}
