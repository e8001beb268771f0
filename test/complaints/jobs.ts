/**
 * What the tests of complaints register, and how they read what became of it: one line for each record.
 */
import type { DeclarationInput, TriggerInput } from '../../src/codec/declaration-input.js';
import type { OccurrenceView } from '../../src/core/explain/occurrence-view.js';
import type { Process } from './machine.js';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A declaration that is due every hour from nine o'clock, whose missed runs queue up one by one, and which may run for a week. */
export function hourly(id: string, fields: Partial<DeclarationInput> = {}): DeclarationInput & { readonly id: string } {
  return {
    objective: `Run ${id}`,
    document: { version: 'test/1', of: id },
    allowedProviders: ['scripted'],
    trigger: every(HOUR),
    overlap: 'queue',
    misfire: 'catchUp',
    maxOccurrences: 'unlimited',
    maxElapsedSeconds: 604_800,
    ...fields,
    id,
  };
}

/** An interval trigger, from nine o'clock on where nothing is said. */
export function every(ms: number, start = '2026-11-30T09:00:00Z'): TriggerInput {
  return { kind: 'interval', start, everySeconds: ms / SECOND };
}

/** What became of a schedule, oldest first: `<due> (<instants>) <status> <reason>`. */
export async function recordsOf({ schedules }: Process, id: string, limit = 1000): Promise<readonly string[]> {
  const { history } = await schedules.get(id, { history: { limit } });
  return [...history].reverse().map(brief);
}

/** What is pending of a schedule, in the form of {@link recordsOf}. */
export async function pendingOf({ schedules }: Process, id: string): Promise<readonly string[]> {
  return (await schedules.get(id)).pending.map(brief);
}

/** How many due instants the records and the pending work of a schedule account for. */
export async function coveredBy({ schedules }: Process, id: string): Promise<number> {
  const { history, pending } = await schedules.get(id, { history: { limit: 1000 } });
  return [...history, ...pending].reduce((sum, { window }) => sum + (window?.count ?? 1), 0);
}

function brief({ id, dueAt, origin, status, reason, window }: OccurrenceView): string {
  const name = origin === 'manual' ? id.slice(id.lastIndexOf('~') + 1) : short(dueAt);
  return [name, window === undefined ? undefined : `(${window.count})`, status, reason]
    .filter((word) => word !== undefined)
    .join(' ');
}

/** An instant as month, day and time, with seconds where it has some. */
export function short(iso: string): string {
  return iso.slice(5, iso.endsWith(':00.000Z') ? 16 : 19).replace('T', ' ');
}

/** Runs that are due at full hours of the first day and succeeded. */
export function hours(from: number, to: number, ends = 'succeeded'): readonly string[] {
  return Array.from(
    { length: to - from + 1 },
    (_, index) => `11-30 ${String(from + index).padStart(2, '0')}:00 ${ends}`,
  );
}
