/**
 * Misfire: which due instants the next step of a pass takes, and what it means to do with them (CO-1, CO-2, MF-1 to MF-5).
 *
 * A step is an intention: to run one occurrence, or to skip a span of instants. Overlap and the trigger budget have the
 * last word; they are applied by the collection, which asks for one step after another.
 */
import type { MisfirePolicy } from '../model/declaration.js';
import type { Schedule } from '../model/schedule.js';
import { type EpochMs, epochMs } from '../time/instant.js';
import type { CompiledTrigger } from '../trigger/compile.js';
import { isLate, isTooLate, tooLateThrough } from './lateness.js';

/** What a pass intends to do next. Instants from `firstAt` to `lastAt` are accounted for by it. @public */
export interface Step {
  /** `run`: one occurrence for all of them; `skip`: one record. */
  readonly kind: 'run' | 'skip';
  /** For a skip: why. */
  readonly reason?: 'misfire' | 'tooLate';
  /** First due instant of it. */
  readonly firstAt: EpochMs;
  /** Last due instant of it; names the record. */
  readonly lastAt: EpochMs;
  /** True for a late instant that catch-up admits: it counts against `maxCatchUp`. */
  readonly isCatchUp: boolean;
  /** True where the record says what was missed, in a window, also for a single instant (MF-4). */
  readonly isMissed: boolean;
  /** Every due instant up to here is accounted for once the step is done. */
  readonly through: EpochMs;
}

/**
 * The next step for a schedule whose next due instant is at or before the horizon.
 *
 * @param policy - The misfire policy in force: declared, or chosen at a resume.
 * @param horizon - Latest instant that this pass may take; at most `now`.
 * @public
 */
export function nextStep(
  schedule: Schedule,
  trigger: CompiledTrigger,
  policy: MisfirePolicy,
  due: EpochMs,
  horizon: EpochMs,
  now: EpochMs,
): Step {
  if (isTooLate(schedule, due, now)) return tooLate(schedule, trigger, due, now);
  if (!isLate(schedule, due, now)) return single(due, false);
  switch (policy) {
    case 'catchUp':
      return single(due, true);
    case 'runOnce':
      return runOnce(trigger, due, horizon);
    case 'skip':
      return skipMissed(schedule, trigger, due, horizon, now);
  }
}

function single(due: EpochMs, isCatchUp: boolean): Step {
  return { kind: 'run', firstAt: due, lastAt: due, isCatchUp, isMissed: false, through: due };
}

/** MF-2: one run for all of them. */
function runOnce(trigger: CompiledTrigger, due: EpochMs, horizon: EpochMs): Step {
  const lastAt = latest(trigger, due, horizon);
  return { kind: 'run', firstAt: due, lastAt, isCatchUp: false, isMissed: true, through: horizon };
}

function latest(trigger: CompiledTrigger, due: EpochMs, horizon: EpochMs): EpochMs {
  return trigger.previous(horizon + 1) ?? due;
}

/** MF-5: all that are older than `maxLatenessSeconds`, in one record; the horizon of a resume has no part in it, what is taken has (CO-6). */
function tooLate(schedule: Schedule, trigger: CompiledTrigger, due: EpochMs, now: EpochMs): Step {
  const free = (schedule.taken?.[0]?.from ?? Number.POSITIVE_INFINITY) - 1;
  const bound = Math.min(free, tooLateThrough(schedule, now) ?? due);
  const lastAt = epochMs(Math.max(due, trigger.previous(bound + 1) ?? due));
  return { kind: 'skip', reason: 'tooLate', firstAt: due, lastAt, isCatchUp: false, isMissed: true, through: lastAt };
}

/** MF-1: all but the latest, and the latest too if it is late itself; a latest that is not late is the next step. */
function skipMissed(schedule: Schedule, trigger: CompiledTrigger, due: EpochMs, horizon: EpochMs, now: EpochMs): Step {
  const last = latest(trigger, due, horizon);
  const skip = { kind: 'skip', reason: 'misfire', firstAt: due, isCatchUp: false, isMissed: true } as const;
  if (isLate(schedule, last, now)) return { ...skip, lastAt: last, through: horizon };
  const before = trigger.previous(last) ?? due;
  return { ...skip, lastAt: before, through: before };
}
