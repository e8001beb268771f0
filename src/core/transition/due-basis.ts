/**
 * Next due instants that stand on something that is no more: another release of the zone data, or a calendar that was
 * edited since (TR-10, DE-12).
 *
 * The next one is then the first after what is accounted for, under what holds now, and what moved is told. So nothing is
 * due twice, and nothing after what is accounted for is lost.
 */
import type { Notice } from '../model/input.js';
import type { Schedule } from '../model/schedule.js';
import { isCollectable } from '../policy/hold.js';
import { occurrencesLeft } from '../policy/trigger-budget.js';
import type { CompiledTrigger } from '../trigger/compile.js';
import { dependsOnZones } from '../trigger/due/zones-of.js';
import { clear, type Draft, optional, set, without } from './draft.js';
import { basisOf, type DueSources, triggerOf } from './trigger-of.js';

/** Whether a tick would compute the next due instant of a schedule anew, because of what it stands on. @internal */
export function isOutdated(schedule: Schedule, sources: DueSources): boolean {
  return outdatedBy(schedule, sources) !== undefined && isCollectable(schedule) && occurrencesLeft(schedule) > 0;
}

/** Computes `nextDue` anew where it is outdated, and tells what moved. @internal */
export function followSources(draft: Draft, due: CompiledTrigger, sources: DueSources): void {
  const { schedule } = draft;
  const cause = outdatedBy(schedule, sources);
  if (cause === undefined || !isOutdated(schedule, sources)) return;
  const from = schedule.nextDue;
  renewNextDue(draft, due, sources);
  const to = draft.schedule.nextDue;
  if (to === from) return;
  const calendar = cause === 'calendar' ? schedule.definition.declaration.exclude?.calendar : undefined;
  const notice: Notice = {
    kind: 'nextDueMoved',
    cause,
    ...optional('from', from),
    ...optional('to', to),
    zoneData: sources.zoneData.version,
    ...optional('calendar', calendar),
  };
  draft.notices.push(notice);
}

/** A schedule as a tick would leave it that finds nothing due: with the next due instant that holds now. @internal */
export function withSourcesFollowed(schedule: Schedule, sources: DueSources): Schedule {
  const { declaration } = schedule.definition;
  const due = isOutdated(schedule, sources) ? triggerOf(declaration, sources) : undefined;
  // One that cannot be computed here is left to the tick, which says why (CO-4).
  if (due?.ok !== true) return schedule;
  const nextDue = due.value.next(schedule.collectedThrough);
  return {
    ...without(schedule, 'nextDue', 'calendarDigest'),
    ...basisOf(declaration, sources),
    ...optional('nextDue', nextDue),
  };
}

/** Makes the first due instant after what is accounted for the next one, where the trigger budget allows another. @internal */
export function renewNextDue(draft: Draft, due: CompiledTrigger, sources: DueSources): void {
  const { schedule } = draft;
  if (occurrencesLeft(schedule) === 0) return;
  const nextDue = due.next(schedule.collectedThrough);
  clear(draft, 'nextDue', 'calendarDigest');
  set(draft, { ...basisOf(schedule.definition.declaration, sources), ...optional('nextDue', nextDue) });
}

/** What changed since the next due instant was computed; an edit of the calendar is named before other zone data. */
function outdatedBy(
  schedule: Schedule,
  sources: DueSources,
): Extract<Notice, { kind: 'nextDueMoved' }>['cause'] | undefined {
  const { declaration } = schedule.definition;
  const basis = basisOf(declaration, sources);
  if (schedule.calendarDigest !== basis.calendarDigest) return 'calendar';
  return schedule.zoneData !== basis.zoneData && dependsOnZones(declaration) ? 'zoneData' : undefined;
}
