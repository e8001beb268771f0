/**
 * What a damage is made of: where it is done, how, and what the check must say of it.
 */
import type { CheckOptions } from '../../src/checker/check-files.js';
import type { Invariant } from '../../src/checker/finding.js';
import type { Phase } from './busy-workspace.js';
import { Forger, type Loose } from './forger.js';
import type { MemoryFiles } from './memory-files.js';

/** A damage and what is to be found. */
export interface DamageRow {
  readonly invariant: Invariant;
  readonly what: string;
  readonly phase: Phase;
  /** Does it; what is known beside the files. */
  readonly damage: (files: MemoryFiles) => CheckOptions | undefined;
  /** Part of the path of the file that must be named. */
  readonly file: string;
  readonly rule: string;
  readonly severity?: 'note';
}

/** Where the segments are. */
export const JOURNAL = 'catalogue/journal';

/** Paths of the segments, in order. */
export function segments(files: MemoryFiles): readonly string[] {
  return (files.list(JOURNAL) ?? []).map((name) => `${JOURNAL}/${name}`).toSorted();
}

/** The oldest segment. */
export function firstSegment(files: MemoryFiles): string {
  return segments(files)[0] ?? '';
}

/** The newest segment. */
export function lastSegment(files: MemoryFiles): string {
  return segments(files).at(-1) ?? '';
}

/** Rows of damages to one file or directory. */
export function onFiles(
  invariant: Invariant,
  what: string,
  file: string,
  rule: string,
  damage: (files: MemoryFiles) => void,
  more: Partial<Pick<DamageRow, 'phase' | 'severity'>> = {},
): DamageRow {
  const done = (files: MemoryFiles) => {
    damage(files);
    return undefined;
  };
  return { invariant, what, file, rule, damage: done, phase: 'interrupted', ...more };
}

/** A row of a forged journal. */
export function forged(invariant: Invariant, what: string, rule: string, forge: (forger: Forger) => void): DamageRow {
  return onFiles(invariant, what, JOURNAL, rule, (files) => {
    const forger = new Forger(files);
    forge(forger);
    forger.write();
  });
}

/** The first of a list that is such; a fixture without one is of no use. */
export function found<T>(list: readonly T[], is: (one: T) => boolean): T {
  const one = list.find(is);
  if (one === undefined) throw new Error('the fixture has no such record');
  return one;
}

/** Whether a record of the trigger has a status. */
export const isNew = (row: Loose, status: string) => row['status'] === status && row['origin'] === 'trigger';

/** Records that one occurrence has in the journal, in order. */
export function stepsOf(forger: Forger, is: (row: Loose) => boolean): Loose[] {
  const { row } = found(forger.occurrences(), ({ row: one }) => is(one));
  return forger.occurrences().flatMap(({ row: one }) => (one['id'] === row['id'] ? [one] : []));
}

/** Every row of a schedule, in order. */
export function scheduleRows(forger: Forger, id: string): Loose[] {
  return forger.ops('schedule').flatMap(({ op }) => {
    const row = op['schedule'] as Loose;
    return row['id'] === id ? [row] : [];
  });
}
