/**
 * A clock that is behind the catalogue, and one that was accepted all the same (CO-6).
 *
 * A clock that is more than a minute behind the last commit stops collection, and allows it again when it has caught
 * up. An operator may accept it; then every schedule follows before anything is collected again.
 */
import type { CatalogueRow, ClockStop } from '../../core/model/catalogue.js';
import type { Schedule } from '../../core/model/schedule.js';
import { type EpochMs, formatInstant } from '../../core/time/instant.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { type AcceptedClockParts, followAcceptedClock, isLaggard, laggards } from './accepted-clock.js';

/** How far the clock may be behind the last commit. */
const BEHIND_MS = 60_000;

/** See the head of this file. @internal */
export class ClockStops {
  readonly #on: AcceptedClockParts;
  #followedAt: EpochMs | undefined;

  constructor(on: AcceptedClockParts) {
    this.#on = on;
  }

  /** Whether the clock, or its acceptance, gives an owner something to commit. */
  hasWork(now: EpochMs): boolean {
    const { row, lastSeenAt } = this.#on.catalogue;
    return withClockStop(row, lastSeenAt, now) !== undefined || laggards(this.#on.catalogue, now).length > 0;
  }

  /** Stops or allows collection by the clock, and lets schedules follow an acceptance that is new. */
  async follow(now: EpochMs, epoch: number): Promise<void> {
    const { catalogue, committer } = this.#on;
    const step = (row: CatalogueRow, at: EpochMs) => withClockStop(row, catalogue.lastSeenAt, at);
    if (step(catalogue.row, now) !== undefined) await committer.submitRow(step, { actor: 'owner', epoch });
    const acceptedAt = catalogue.row.acceptedClockAt;
    if (acceptedAt === this.#followedAt) return;
    await followAcceptedClock(this.#on, epoch, now);
    this.#followedAt = acceptedAt;
  }
}

/** What the clock is judged by: the last commit, or the acceptance that forgave it. */
function seenThrough(row: CatalogueRow, lastSeenAt: EpochMs): EpochMs {
  const { acceptedClockAt, acceptedSeenAt } = row;
  return acceptedClockAt !== undefined && acceptedSeenAt === lastSeenAt ? acceptedClockAt : lastSeenAt;
}

/** The row with the clock stop that belongs into it at `now`; undefined where it is right as it is. @internal */
export function withClockStop(row: CatalogueRow, lastSeenAt: EpochMs, now: EpochMs): CatalogueRow | undefined {
  const seen = seenThrough(row, lastSeenAt);
  if (row.clockStop === undefined) {
    if (now >= seen - BEHIND_MS) return undefined;
    const detail = `the clock shows ${formatInstant(now)} and the last commit was at ${formatInstant(seen)}`;
    const clockStop: ClockStop = { reason: 'clockBehind', since: now, detail };
    return { ...row, clockStop };
  }
  if (row.clockStop.reason !== 'clockBehind' || now <= seen) return undefined;
  const { clockStop: _, ...rest } = row;
  return rest;
}

/** Whether nothing is stopped by the clock, and a schedule knows of its last acceptance. @internal */
export function isClockFollowed({ row, lastSeenAt }: Catalogue, schedule: Schedule, now: EpochMs): boolean {
  if (row.clockStop !== undefined || withClockStop(row, lastSeenAt, now) !== undefined) return false;
  return row.acceptedClockAt === undefined || !isLaggard(schedule, row.acceptedClockAt, now);
}
