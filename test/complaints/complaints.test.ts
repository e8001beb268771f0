/** The tables of complaints: every fault kind has a test that exists, and every test of this folder stands in a table. */
import { describe, expect, it } from 'vitest';
import { filesBelow, textOf } from '../house/source-tree.js';
import type { Complaint } from './complaint.js';
import { CLOCKS, TIMERS } from './table/clocks-and-timers.js';
import { MISSED } from './table/missed-runs.js';
import { RESTARTS, REVISIONS } from './table/restarts-and-edits.js';
import { DURABILITY, GROWTH } from './table/storage.js';
import { LOCKS, STUCK_STATES } from './table/stuck-states-and-locks.js';

const FAMILIES: Readonly<Record<string, readonly Complaint[]>> = {
  RESTARTS,
  REVISIONS,
  MISSED,
  CLOCKS,
  TIMERS,
  STUCK_STATES,
  LOCKS,
  GROWTH,
  DURABILITY,
};
const COMPLAINTS = Object.values(FAMILIES).flat();

/** Titles of a test file: texts that quote a rule at their beginning, as they stand there, up to what a template fills in. */
function titlesIn(path: string): readonly string[] {
  return [...textOf(path).matchAll(/(?<mark>['`])(?<title>\[[A-Z]{1,2}-\d+[^\]]*\] .*?)(?<!\\)\k<mark>/g)].map(
    ({ groups }) => (groups?.['title'] ?? '').replace(/ ?\$\{.*/, ''),
  );
}

describe('complaints', () => {
  it.each(Object.entries(FAMILIES))('[ST-2] each fault kind of %s has a test of that title', (_, complaints) => {
    const gone = complaints.filter(({ file, title }) => !titlesIn(file).includes(title));
    expect(gone, 'the test was renamed or removed: name the one that shows it now').toEqual([]);
  });

  it('[ST-2] each test of this folder stands in a table', () => {
    const named = new Set(COMPLAINTS.map(({ title }) => title));
    const tests = filesBelow('test/complaints', '.test.ts').filter((path) => !path.endsWith('complaints.test.ts'));
    expect(tests.length).toBeGreaterThan(8);
    const unnamed = tests.flatMap((path) => titlesIn(path).filter((title) => !named.has(title)));
    expect(unnamed, 'add it to the table of its family').toEqual([]);
  });

  it('[ST-2] a fault kind stands there once, with reports that a reader can find', () => {
    const faults = COMPLAINTS.map(({ fault }) => fault);
    expect(faults).toEqual([...new Set(faults)]);
    const bad = COMPLAINTS.filter(({ reports }) => !reports.every((report) => /^[\w.-]+\/[\w.-]+#\d+$/.test(report)));
    expect(bad).toEqual([]);
  });
});
