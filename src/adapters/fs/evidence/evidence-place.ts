/**
 * Where the evidence of an occurrence stands, and what its name says: `<schedule>/<month or manual>/<occurrence>` (E-4).
 */
import { join } from 'node:path';
import { type EpochMs, parseCompactInstant } from '../../../core/time/instant.js';
import { ScheduleError } from '../../../errors.js';
import { safeName } from '../disk/safe-name.js';
import type { Layout } from '../layout.js';

/** What the id of an occurrence says (OC-1). @internal */
export interface OccurrenceName {
  readonly scheduleId: string;
  readonly revision: number;
  /** The due instant of one of the trigger, else the request id of a manual one. */
  readonly of: { readonly dueAt: EpochMs; readonly month: string } | { readonly request: string };
}

/** Name of the directory of manual occurrences. @internal */
export const MANUAL = 'manual';

/** Name of the directory of an attempt, with its number. @internal */
export const ATTEMPT = /^attempt-(\d+)$/;

const OCCURRENCE = /^([^~/\\\0]+)~(\d+)~(?:(\d{8}T\d{9}Z)|m~([^~/\\\0]+))$/;

/** What an id says; nothing where no occurrence can have it. @internal */
export function readOccurrenceId(id: string): OccurrenceName | undefined {
  const [, scheduleId, revision, compact, request] = OCCURRENCE.exec(id) ?? [];
  if (scheduleId === undefined) return undefined;
  const name = { scheduleId, revision: Number(revision) };
  if (compact === undefined) return { ...name, of: { request: request ?? '' } };
  const dueAt = parseCompactInstant(compact);
  return dueAt === undefined ? undefined : { ...name, of: { dueAt, month: monthOf(compact) } };
}

/** The directory of an occurrence. Throws `SCHEDULE_NOT_FOUND` for an id that no occurrence can have. @internal */
export function occurrencePath({ occurrences }: Layout, id: string): string {
  const name = readOccurrenceId(id);
  if (name === undefined) {
    throw new ScheduleError('SCHEDULE_NOT_FOUND', 'no occurrence can have such an id', {
      details: { occurrence: id.slice(0, 300) },
      hint: 'Ids are <schedule>~<revision>~<due instant>, and <schedule>~<revision>~m~<request>.',
    });
  }
  const group = 'month' in name.of ? name.of.month : MANUAL;
  return join(occurrences, safeName(name.scheduleId), group, safeName(id));
}

/** `yyyy-mm` of a compact instant. @internal */
export function monthOf(compact: string): string {
  return `${compact.slice(0, 4)}-${compact.slice(4, 6)}`;
}
