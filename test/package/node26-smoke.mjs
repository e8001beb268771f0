// Runs the built package on any Node, without a test runner: `node test/package/node26-smoke.mjs`.
//
// It loads every door in both formats, and holds the golden trigger cases against `everdue/core`. `.ci/run` calls it
// under several process time zones, and on a Node that has its own `Temporal`. Last line: `N passed, N failed`.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const ROOT = new URL('../../', import.meta.url);
const GOLDEN = new URL('test/golden/triggers.jsonl', ROOT);

/**
 * Cases whose zone changed its rules after they were written. A runtime that knows the new rule must give the new list:
 * Manitoba stays on UTC-5 from 2026-11-01 (not in tzdata 2025c, in 2026e).
 */
const REVISED = {
  'cal-002': {
    knownAt: '2026-11-02T15:00:00Z',
    newHour: '10',
    expected: ['2026-11-02T14:00:00Z', '2026-11-03T14:00:00Z', '2026-11-04T14:00:00Z'],
  },
};

let passed = 0;
const failures = [];

/** Runs one case; a failure is counted and told, and the rest goes on. */
async function check(name, run) {
  try {
    await run();
    passed += 1;
  } catch (error) {
    failures.push(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}

/** The trigger that a golden case describes. */
function triggerOf({ kind, expr, timezone, opts, trigger }) {
  if (kind === 'cron') return { kind, expression: expr, timezone, ...(opts && { dialect: opts }) };
  if (kind === 'calendar') return { kind, timezone, ...trigger };
  if (kind === 'rrule-like') {
    const { rrule, ...rest } = trigger;
    return { kind: 'rrule', rule: rrule, timezone, ...rest };
  }
  const { every, ...bounds } = trigger;
  return { kind, everySeconds: every, ...bounds };
}

/** The due instants that a golden case asks for, as ISO text without idle milliseconds. */
function dueInstants(compileTrigger, trigger, { from, count }) {
  const compiled = compileTrigger(trigger);
  assert.ok(compiled.ok, JSON.stringify(compiled.issues));
  const found = compiled.value.list(Date.parse(from), count);
  return found.map((at) => new Date(at).toISOString().replace('.000Z', 'Z'));
}

/** What the case expects, by the zone data of this runtime. */
function expectedOf({ id, timezone, expected }) {
  const revised = REVISED[id];
  if (revised === undefined) return expected;
  const clock = new Intl.DateTimeFormat('en', { timeZone: timezone, hour: '2-digit', hourCycle: 'h23' });
  return clock.format(new Date(revised.knownAt)) === revised.newHour ? revised.expected : expected;
}

const manifest = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
const doors = Object.entries(manifest.exports).filter(([subpath]) => subpath !== './package.json');
for (const [subpath, formats] of doors) {
  await check(`door ${subpath}`, async () => {
    const esm = await import(new URL(formats.import.default, ROOT).href);
    const cjs = require(fileURLToPath(new URL(formats.require.default, ROOT)));
    assert.deepEqual(Object.keys(esm).sort(), Object.keys(cjs).sort());
  });
}

const { compileTrigger } = await import(new URL('dist/core.js', ROOT).href);
const cases = existsSync(GOLDEN) ? readFileSync(GOLDEN, 'utf8').trim().split('\n') : [];
for (const line of cases) {
  const golden = JSON.parse(line);
  const trigger = triggerOf(golden);
  await check(golden.id, () => {
    assert.deepEqual(dueInstants(compileTrigger, trigger, golden), expectedOf(golden));
  });
}

for (const failure of failures) process.stderr.write(`${failure}\n`);
process.stdout.write(`${passed} passed, ${failures.length} failed\n`);
process.exitCode = failures.length === 0 ? 0 : 1;
