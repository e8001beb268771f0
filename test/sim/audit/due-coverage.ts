/**
 * CO-5 looked at from outside: each due instant of the current revision, from the first that is recorded to where collection
 * stands, is an occurrence or lies in the window of exactly one.
 */
import type { Occurrence } from '../../../src/core/model/occurrence.js';
import type { CompiledTrigger } from '../../../src/core/trigger/compiled-trigger.js';
import { compileDue } from '../../../src/core/trigger/due/compile-due.js';
import { type FoundSchedule, recordsOf } from './catalogue-reading.js';

/** Instants that are looked at of one schedule. */
const MOST_INSTANTS = 20_000;

/** What is wrong with the due instants of a schedule; `firstDue` is the first of this revision where a caller was told. */
export function dueFaults(
  found: FoundSchedule,
  firstDue: number | undefined,
  wasClockAccepted: boolean,
): readonly string[] {
  const { schedule } = found.stored.entry;
  const { declaration } = schedule.definition;
  // What a calendar said when an instant was collected is not known any more.
  if (declaration.exclude?.calendar !== undefined) return [];
  const compiled = compileDue(declaration);
  if (!compiled.ok) return ['its trigger cannot be compiled'];
  const everyRecord = recordsOf(found).filter(({ origin }) => origin === 'trigger');
  const records = everyRecord.filter(({ revision }) => revision === schedule.revision);
  // Behind an accepted clock, an instant may be accounted for by a revision before this one, or by a schedule that was deleted.
  const former = wasClockAccepted ? everyRecord.map(spanOf) : [];
  const isFormer = (at: number) =>
    at <= (schedule.formerDueAt ?? Number.NEGATIVE_INFINITY) || former.some(({ from, to }) => from <= at && at <= to);
  const spans = records.map(spanOf).sort((a, b) => a.from - b.from);
  const faults = spans.flatMap((span, index) => {
    const before = spans[index - 1];
    return before !== undefined && span.from <= before.to
      ? [`${span.id} and ${before.id} stand for the same instants`]
      : [];
  });
  const pruned = found.stored.prunedThrough ?? Number.NEGATIVE_INFINITY;
  const recorded = spans[0]?.from ?? Number.POSITIVE_INFINITY;
  // After an accepted clock a revision goes on before its own time, where some instants were those of the one before.
  const earliest = wasClockAccepted ? schedule.definition.registeredAt : Number.NEGATIVE_INFINITY;
  const first = Math.max(Math.min(firstDue ?? Number.POSITIVE_INFINITY, recorded), pruned + 1, earliest);
  const last = schedule.collectedThrough;
  let index = 0;
  let count = 0;
  let instant = compiled.value.next(first - 1);
  for (; instant !== undefined && instant <= last && count < MOST_INSTANTS; instant = compiled.value.next(instant)) {
    count += 1;
    while (index < spans.length && (spans[index] as Span).to < instant) index += 1;
    const span = spans[index];
    if ((span === undefined || span.from > instant) && !isFormer(instant))
      faults.push(`due instant ${new Date(instant).toISOString()} is in no record`);
    if (faults.length > 3) return faults;
  }
  const ahead = spans.filter(({ to }) => to > last);
  if (ahead.length > 0 && !wasClockAccepted) faults.push(`${ahead[0]?.id} is recorded ahead of the collection`);
  return [...faults, ...spans.flatMap((span) => countFaults(span, compiled.value))];
}

interface Span {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly isFloor: boolean;
}

function spanOf({ id, dueAt, window }: Occurrence): Span {
  if (window === undefined) return { id, from: dueAt, to: dueAt, count: 1, isFloor: false };
  return { id, from: window.firstAt, to: window.lastAt, count: window.count, isFloor: window.isFloor };
}

/** A window counts the due instants in it. */
function countFaults({ id, from, to, count, isFloor }: Span, trigger: CompiledTrigger): readonly string[] {
  if (isFloor || count > MOST_INSTANTS) return [];
  let counted = 0;
  for (let at = trigger.next(from - 1); at !== undefined && at <= to; at = trigger.next(at)) counted += 1;
  return counted === count ? [] : [`${id} counts ${count} due instants, there are ${counted}`];
}
