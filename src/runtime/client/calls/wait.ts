/**
 * Waiting for an occurrence to end: woken by this process's own commits and by the store's watch, and by a look every
 * second for what neither tells of.
 */
import { isTerminal, type Occurrence } from '../../../core/model/occurrence.js';
import type { Schedule } from '../../../core/model/schedule.js';
import { ScheduleError } from '../../../errors.js';
import type { CallOptions } from '../../../ports/schedule-store.js';
import { Breath } from '../../clock/breath.js';
import { Nap } from '../../clock/nap.js';
import { type ClientParts, freshEntry } from '../parts.js';
import { type OccurrenceView, occurrenceView } from '../view.js';
import { findOccurrence, scheduleIdOf } from './read.js';

/** Longest time between two looks, in milliseconds. */
const LOOK_MS = 1000;

/** See `Schedules.waitFor`. @internal */
export async function waitFor(parts: ClientParts, occurrence: string, options: CallOptions): Promise<OccurrenceView> {
  const { signal } = options;
  const nap = new Nap(parts.clock, new Breath(parts.clock));
  const ring = (): void => nap.ring();
  const endWatch = parts.workspace.store.watch(ring);
  const endEvents = parts.events.listen((event) => {
    if (event.type === 'occurrence' && event.occurrence.id === occurrence) ring();
  });
  signal?.addEventListener('abort', ring, { once: true });
  try {
    for (;;) {
      refuseAborted(occurrence, signal);
      const { record, schedule } = await look(parts, occurrence, options);
      if (isTerminal(record.status)) return occurrenceView(record, schedule);
      await nap.rest(LOOK_MS);
    }
  } finally {
    endWatch();
    endEvents();
    signal?.removeEventListener('abort', ring);
  }
}

async function look(
  parts: ClientParts,
  occurrence: string,
  options: CallOptions,
): Promise<{ readonly record: Occurrence; readonly schedule: Schedule }> {
  const attempt = { control: 'wait for', scheduleId: scheduleIdOf(occurrence), occurrence };
  const entry = await freshEntry(parts, attempt, options);
  const record = await findOccurrence(parts, attempt, entry, occurrence, options);
  return { record, schedule: entry.schedule };
}

function refuseAborted(occurrence: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  const message = `waiting for "${occurrence}" was given up by its signal; the occurrence goes on`;
  throw new ScheduleError('SCHEDULE_ABORTED', message, { details: { occurrence }, cause: signal.reason });
}
