/**
 * Lateness, and the windows of due instants that one record stands for (CO-2, MF-4, MF-5).
 */
import { LIMITS } from '../model/limits.js';
import type { DueWindow } from '../model/occurrence.js';
import type { MissedCause } from '../model/reason.js';
import type { HeldSpan, Schedule } from '../model/schedule.js';
import { type EpochMs, epochMs } from '../time/instant.js';
import type { CompiledTrigger } from '../trigger/compile.js';

const SECOND_MS = 1000;

/** Milliseconds that `now` is past a due instant; for a one-shot counted from its registration if that came later (CT-4). @public */
export function latenessMs(schedule: Schedule, dueAt: EpochMs, now: EpochMs): number {
  return Math.max(0, now - owedFrom(schedule, dueAt));
}

/** The instant from which lateness counts (CT-4). */
function owedFrom(schedule: Schedule, dueAt: EpochMs): EpochMs {
  const { declaration, registeredAt } = schedule.definition;
  return declaration.trigger.kind === 'once' && registeredAt > dueAt ? registeredAt : dueAt;
}

/** Whether a due instant is late: more than the grace has passed (CO-2). @public */
export function isLate(schedule: Schedule, dueAt: EpochMs, now: EpochMs): boolean {
  return latenessMs(schedule, dueAt, now) > schedule.definition.declaration.graceSeconds * SECOND_MS;
}

/** Whether a due instant is so late that it is never run (MF-5). @public */
export function isTooLate(schedule: Schedule, dueAt: EpochMs, now: EpochMs): boolean {
  const { maxLatenessSeconds } = schedule.definition.declaration;
  return maxLatenessSeconds !== undefined && latenessMs(schedule, dueAt, now) > maxLatenessSeconds * SECOND_MS;
}

/** The earliest time at which a due instant is too late, if there is a limit (MF-5). @internal */
export function tooLateAt(schedule: Schedule, dueAt: EpochMs): EpochMs | undefined {
  const { maxLatenessSeconds } = schedule.definition.declaration;
  return maxLatenessSeconds === undefined
    ? undefined
    : epochMs(owedFrom(schedule, dueAt) + maxLatenessSeconds * SECOND_MS + 1);
}

/** The latest instant that is too late at `now`, if there is a limit (MF-5). @internal */
export function tooLateThrough(schedule: Schedule, now: EpochMs): number | undefined {
  const { maxLatenessSeconds } = schedule.definition.declaration;
  return maxLatenessSeconds === undefined ? undefined : now - maxLatenessSeconds * SECOND_MS - 1;
}

/**
 * The window from one due instant to another, both of the trigger, counted up to the limit of a window (MF-4).
 *
 * @internal
 */
export function dueWindow(
  trigger: CompiledTrigger,
  firstAt: EpochMs,
  lastAt: EpochMs,
  spans: readonly HeldSpan[],
): DueWindow {
  const limit = LIMITS.windowCount.max;
  const count = trigger.count(firstAt - 1, lastAt, limit);
  return { firstAt, lastAt, count, isFloor: count >= limit, causes: causesOf(spans, firstAt, lastAt) };
}

/** Causes of the spans that reach over some of the window, each once, in the order of the spans. */
function causesOf(spans: readonly HeldSpan[], firstAt: EpochMs, lastAt: EpochMs): readonly MissedCause[] {
  const causes = new Set<MissedCause>();
  for (const span of spans) {
    if (span.from <= lastAt && (span.until === undefined || span.until >= firstAt)) causes.add(span.cause);
  }
  return [...causes];
}
