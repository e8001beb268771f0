/** What a workspace costs when it is opened and while nothing is due, by its number of schedules. */
import { promises as fs } from 'node:fs';
import { fileWorkspace } from '../../../dist/fs.js';
import { coldRun } from '../measuring/cold.mjs';
import { bytes, digits, ms, printTable } from '../measuring/report.mjs';
import { median } from '../measuring/rounds.mjs';
import { freshPath } from '../measuring/scratch.mjs';
import { seed, settle } from '../measuring/seed.mjs';
import { filesToRead } from './files-to-read.mjs';

const CATALOGUES = [
  { schedules: 1000, history: 0, goal: '<= 30 ms' },
  { schedules: 1000, history: 100, goal: '<= 30 ms' },
  { schedules: 10_000, history: 0, goal: '<= 250 ms' },
];
/** Due in a century. */
const TRIGGER = { kind: 'once', at: '2126-01-01T00:00:00.000Z' };
const ROUNDS = 5;
/** So often every row is written again after a history was, which is more than the store puts off. */
const SETTLING = 40;

/** Prints the cost of opening, and of an owner that has nothing to do. */
export async function startUp() {
  const made = [];
  for (const catalogue of CATALOGUES) made.push({ ...catalogue, path: await makeCatalogue(catalogue) });
  await opening(made);
  await idling(made);
}

async function makeCatalogue({ schedules, history }) {
  const path = freshPath('catalogue');
  const workspace = await fileWorkspace(path);
  await seed(workspace.store, { count: schedules, history, trigger: TRIGGER });
  await workspace.close();
  if (history === 0) return path;
  const again = await fileWorkspace(path);
  await settle(again.store, SETTLING);
  await again.close();
  return path;
}

function nameOf({ schedules, history }) {
  return `${schedules.toLocaleString('en')} schedules${history > 0 ? `, ${history} ended each` : ''}`;
}

async function opening(made) {
  const rows = [];
  for (const catalogue of made) {
    const { path, schedules, goal } = catalogue;
    const runs = { open: [], floor: [], blocked: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kind of ['open', 'floor', 'blocked']) {
        runs[kind].push(await coldRun(new URL('./cold-open.mjs', import.meta.url), [kind, path]));
      }
    }
    const middle = (kind, field) => median(runs[kind].map((run) => run[field]));
    const factor = median(runs.open.map((run, round) => run.cpuMs / runs.floor[round].cpuMs));
    const held = middle('open', 'heldBytes') / schedules;
    const size = await catalogueBytes(path);
    rows.push([
      nameOf(catalogue),
      bytes(size),
      ms(middle('open', 'ms')),
      goal,
      ms(middle('open', 'cpuMs')),
      ms(middle('floor', 'cpuMs')),
      digits(factor),
      ms(middle('blocked', 'blockedMs')),
      bytes(held),
    ]);
  }
  rows.push(['required', '', '', '', '', '', '', '<= 10 ms', '<= 3 KiB']);
  const heads = [
    'open, cold process',
    'read',
    'wall',
    'required',
    'processor',
    'read + JSON.parse',
    '/ floor',
    'longest block',
    'held per schedule',
  ];
  printTable('Opening a workspace', heads, rows);
}

/** Bytes that opening has to read. */
async function catalogueBytes(path) {
  const files = await filesToRead(path);
  const sizes = await Promise.all(files.map(async (file) => (await fs.stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function idling(made) {
  const file = new URL('./cold-idle.mjs', import.meta.url);
  const plain = made.filter(({ history }) => history === 0);
  const runs = await Promise.all([coldRun(file), ...plain.map(({ path }) => coldRun(file, [path]))]);
  const names = ['a bare timer', ...plain.map(nameOf)];
  const rows = runs.map(({ cpuShare, wakeUps, tickMs }, index) => {
    const tick = tickMs === undefined ? '' : ms(tickMs);
    return [names[index], tick, `${(cpuShare * 100).toFixed(3)} %`, String(wakeUps)];
  });
  rows.push(['required', '', '<= 0.1 %', 'as the bare timer']);
  printTable(
    'An idle owner, for 3 seconds',
    ['nothing due', 'a tick from outside', 'processor', 'context switches'],
    rows,
  );
}
