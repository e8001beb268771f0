/**
 * The differential test against the built package, on any Node and without a test runner. `.ci/run` bundles this file with
 * tsup, and runs it under several process time zones and on a Node that has a `Temporal` of its own.
 *
 *     node oracle-run.js CORE --seed N --rounds N [--record FILE]
 *     node oracle-run.js CORE --compare FILE FILE
 *
 * CORE is the path of the built `core.js`. A record has a line for each case: its number and zone, a digest of the zone
 * data that it can depend on, and a digest of the trigger and its due instants. Two records agree when the digests of all
 * cases with equal zone data are equal; zones whose data differ are named. Last line: `N passed, N failed`.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { differential } from '../support/differential.js';
import { type EngineDoors, engineOf } from '../support/engine-under-test.js';
import { EVERY_ZONE } from '../support/every-zone.js';
import { offsetAt } from '../support/oracle-clock.js';

const DAY = 86_400_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '100' },
    record: { type: 'string' },
    compare: { type: 'boolean', default: false },
  },
});
const [core = 'dist/core.js', ...records] = positionals;
await (values.compare ? compareRecords(records) : runRounds());

async function runRounds(): Promise<void> {
  const doors = (await import(pathToFileURL(core).href)) as EngineDoors;
  const { seed, rounds, record } = values;
  let lines = '';
  let number = 0;
  const report = differential(engineOf(doors), {
    seed: Number(seed),
    zones: EVERY_ZONE,
    goOn: (round) => round < Number(rounds),
    onCase: (timezone, change, wire, due) => {
      number += 1;
      lines += `${number} ${timezone} ${zoneDigest(timezone, change)} ${digest(JSON.stringify([wire, due]))}\n`;
    },
  });
  if (record !== undefined) writeFileSync(record, lines);
  finish(
    number - report.differences.length,
    report.differences,
    `seed ${seed}: ${report.rounds} rounds, ${report.instants} due instants`,
  );
}

function compareRecords([one = '', other = '']: readonly string[]): void {
  const cases = (file: string) =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
  const others = new Map(cases(other).map(([number = '', ...rest]) => [number, rest]));
  const failures: string[] = [];
  const revised = new Set<string>();
  let agreed = 0;
  for (const [number = '', timezone = '', zoneData, due] of cases(one)) {
    const [otherZone, otherData, otherDue] = others.get(number) ?? [];
    if (timezone !== otherZone || zoneData !== otherData) revised.add(timezone);
    else if (due === otherDue) agreed += 1;
    else failures.push(`case ${number} in ${timezone} differs`);
  }
  const count = agreed + failures.length;
  if (count * 2 < others.size) failures.push(`only ${count} of ${others.size} cases can be compared`);
  const left = revised.size === 0 ? 'none left out' : `left out for other zone data: ${[...revised].join(' ')}`;
  finish(agreed, failures, left);
}

/** Of the offsets from thirty years before a change to some years after it and where they change, and hour by hour around it. */
function zoneDigest(timezone: string, change: number): string {
  const told: number[] = [];
  const from = change - 12_000 * DAY;
  let offset = offsetAt(timezone, from);
  for (let at = from; at < change + 1600 * DAY; at += 6 * DAY) {
    const later = offsetAt(timezone, at);
    if (later !== offset) told.push(later, firstWithout(timezone, offset, at - 6 * DAY, at));
    offset = later;
  }
  for (let at = change - 5 * DAY; at < change + 5 * DAY; at += DAY / 24) told.push(offsetAt(timezone, at));
  return digest(told.join(','));
}

/** The first instant without an offset, which holds at `before` and not at `after`. */
function firstWithout(timezone: string, offset: number, before: number, after: number): number {
  let [last, first] = [before, after];
  while (first - last > 1000) {
    const middle = last + Math.floor((first - last) / 2000) * 1000;
    if (offsetAt(timezone, middle) === offset) last = middle;
    else first = middle;
  }
  return first;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function finish(passed: number, failures: readonly string[], about: string): void {
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  process.stdout.write(`${about}\n${passed} passed, ${failures.length} failed\n`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
