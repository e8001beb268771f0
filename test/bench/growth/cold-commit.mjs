/**
 * In a cold process: commits into a workspace until a roll-over is due, and then waits for that. Tells what a commit takes
 * and writes, and what the roll-over takes and for how long nothing else could run meanwhile.
 */
import { fileWorkspace } from '../../../dist/fs.js';
import { tell } from '../measuring/cold.mjs';
import { quantile } from '../measuring/rounds.mjs';
import { commit } from '../measuring/seed.mjs';
import { blockedDuring } from '../startup/blocked.mjs';
import { sizeOf } from './size-of.mjs';

const [path] = process.argv.slice(2);
const COMMITS = 300;
const ROWS = 64;

const workspace = await fileWorkspace(path);
const { seq, schedules } = await workspace.store.changes(0);
const { journal: before } = await sizeOf(path);
let journalBytes = 0;
let newest = seq;
let turn = 0;
const times = [];
for (let number = 0; number < COMMITS; number += 1) {
  const rows = Array.from({ length: ROWS }, () => {
    turn += 1;
    const { schedule } = schedules[turn % schedules.length].entry;
    return { kind: 'schedule', isDefinitionChanged: false, schedule: { ...schedule, lastClaim: turn } };
  });
  const started = performance.now();
  newest = await commit(workspace.store, newest, rows);
  times.push(performance.now() - started);
  // The first few make no roll-over due.
  if (number === 4) journalBytes = ((await sizeOf(path)).journal - before) / 5;
}
const started = performance.now();
const { blockedMs } = await blockedDuring(() => workspace.close());
const rollOverMs = performance.now() - started;
tell({ halfMs: quantile(times, 0.5), worstMs: quantile(times, 0.99), journalBytes, rollOverMs, blockedMs });
