/** Many schedules due in one instant: how late each handler starts. */
import { setTimeout as delay } from 'node:timers/promises';
import { fileWorkspace } from '../../../dist/fs.js';
import { openSchedules } from '../../../dist/index.js';
import { groupJournal, line } from '../measuring/floor.mjs';
import { digits, ms, printTable } from '../measuring/report.mjs';
import { interleaved, median, quantile } from '../measuring/rounds.mjs';
import { freshPath } from '../measuring/scratch.mjs';
import { execution, seed } from '../measuring/seed.mjs';

const CONCURRENCY = 64;
/** Between the seeding and the due instant for each schedule: enough for the owner to have started and come to rest. */
const LEAD_MS = 0.7;

/** Prints lateness of the middle and of the last but few. */
export async function burst() {
  const rows = [];
  for (const [count, rounds, goal] of [
    [1000, 4, '<= 80 ms'],
    [10_000, 2, '<= 700 ms'],
  ]) {
    const halves = { everdue: [], floor: [] };
    const sampled = (name, run) => ({
      name,
      async sample() {
        const late = await run(count);
        halves[name].push(quantile(late, 0.5));
        return quantile(late, 0.99);
      },
    });
    const samples = await interleaved(
      [sampled('everdue', ours), sampled('floor', floor)],
      rounds,
      count === 1000 ? 1 : 0,
    );
    for (const name of ['everdue', 'floor']) {
      const [half, worst] = [median(halves[name].slice(-rounds)), median(samples.get(name))];
      const factor = digits(worst / median(samples.get('floor')));
      rows.push([`${count}: ${name}`, ms(half), ms(worst), factor, name === 'everdue' ? goal : '']);
    }
  }
  const heads = [
    `due in one instant, concurrency ${CONCURRENCY}`,
    'p50 late',
    'p99 late',
    'p99 / floor',
    'required of p99',
  ];
  printTable('Lateness', heads, rows);
}

/** Tries again with more time where the owner had not started when they were due. */
async function ours(count) {
  for (let leadMs = 800 + count * LEAD_MS; ; leadMs *= 2) {
    const late = await dueTogether(count, leadMs);
    if (late !== undefined) return late;
  }
}

async function dueTogether(count, leadMs) {
  const late = [];
  let done = () => {};
  const all = new Promise((resolve) => {
    done = resolve;
  });
  const workspace = await fileWorkspace(freshPath('workspace'));
  const dueAt = Math.ceil(wallNow()) + leadMs;
  const run = () => {
    late.push(wallNow() - dueAt);
    if (late.length === count) done();
  };
  await seed(workspace.store, { count, trigger: { kind: 'once', at: new Date(dueAt).toISOString() } });
  const schedules = await openSchedules({ workspace, execution: execution(run), concurrency: CONCURRENCY });
  const owner = schedules.owner();
  await owner.start();
  const isInTime = wallNow() < dueAt - 50;
  await all;
  await owner.stop();
  await schedules.close();
  return isInTime ? late : undefined;
}

/** Claims that are made together share a flush, and so do results. */
async function floor(count) {
  const late = [];
  const journal = groupJournal(freshPath('floor'));
  const dueAt = Math.ceil(wallNow()) + 100;
  await delay(dueAt - wallNow());
  const numbers = Array.from({ length: count }, (_, number) => number).values();
  const lane = async () => {
    for (const number of numbers) {
      await journal.append(line({ id: `s-${number}`, status: 'running', claimedAt: Date.now() }));
      late.push(wallNow() - dueAt);
      await journal.append(line({ id: `s-${number}`, status: 'succeeded', endedAt: Date.now() }));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  journal.close();
  return late;
}

function wallNow() {
  return performance.timeOrigin + performance.now();
}
