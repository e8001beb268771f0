/**
 * A backlog of no-op occurrences, drained by one tick of an owner: claim, dispatch and settlement of each.
 *
 * The floors keep the same order (claim flushed, handler, result flushed), one at a time or with shared flushes, and make
 * the same two files where a workspace is wanted.
 */
import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { fileWorkspace } from '../../../dist/fs.js';
import { openSchedules } from '../../../dist/index.js';
import { floorJournal, groupJournal, line } from '../measuring/floor.mjs';
import { flushCount } from '../measuring/flushes.mjs';
import { digits, ms, printTable, rate } from '../measuring/report.mjs';
import { elapsedUntil, interleaved, median, ratio } from '../measuring/rounds.mjs';
import { freshPath } from '../measuring/scratch.mjs';
import { execution, seed } from '../measuring/seed.mjs';

/** The largest first: what it compiles, the others need not. */
const CASES = [
  { concurrency: 64, needsWorkspace: false, jobs: 3000, goals: ['>= 20,000/s, >= 0.2', '<= 0.2'] },
  { concurrency: 1, needsWorkspace: false, jobs: 400, goals: ['>= 0.6 of the floor', '<= 2'] },
  { concurrency: 64, needsWorkspace: true, jobs: 400, goals: ['>= 1,000/s', ''] },
  { concurrency: 1, needsWorkspace: true, jobs: 60, goals: ['', '<= 2 and evidence'] },
];

/** Prints occurrences a second and flushes of each. */
export async function throughput() {
  const rows = [];
  for (const test of CASES) rows.push(await drained(test));
  const heads = [
    'backlog',
    'everdue',
    'floor',
    '/ floor',
    'required',
    'processor each',
    'flushes each',
    'floor',
    'required',
  ];
  printTable('Occurrences per second', heads, rows);
}

async function drained(test) {
  const { concurrency, needsWorkspace, jobs, goals } = test;
  const [ours, floor] = [await openBacklog(test), openFloor(test)];
  const samples = await interleaved(
    [
      { name: 'everdue', sample: ours.drain },
      { name: 'floor', sample: floor.drain },
    ],
    4,
  );
  await ours.close();
  floor.close();
  const perSecond = (name) => rate(1000 / median(samples.get(name)));
  const name = `concurrency ${concurrency}, ${needsWorkspace ? 'a workspace each' : 'no workspace'} (${jobs})`;
  const [flushes, floorFlushes] = [ours.flushes(), floor.flushes()].map(digits);
  return [
    name,
    perSecond('everdue'),
    perSecond('floor'),
    digits(ratio(samples, 'floor', 'everdue')),
    goals[0],
    ms(ours.cpuMs()),
    flushes,
    floorFlushes,
    goals[1],
  ];
}

/** A tally of flushes and processor time over many drains. */
function costTally() {
  let [flushes, micros, jobs] = [0, 0, 0];
  return {
    async around(count, run) {
      const [before, cpu] = [flushCount(), process.cpuUsage()];
      const total = await elapsedUntil(run);
      const { user, system } = process.cpuUsage(cpu);
      micros += user + system;
      flushes += flushCount() - before;
      jobs += count;
      return total / count;
    },
    flushes: () => flushes / jobs,
    cpuMs: () => micros / 1000 / jobs,
  };
}

async function openBacklog({ concurrency, needsWorkspace, jobs }) {
  let handled = 0;
  const run = () => {
    handled += 1;
  };
  const workspace = await fileWorkspace(freshPath('workspace'));
  const ids = await seed(workspace.store, { count: jobs, trigger: { kind: 'manual' } });
  const schedules = await openSchedules({ workspace, execution: execution(run, needsWorkspace), concurrency });
  const tally = costTally();
  return {
    async drain() {
      await Promise.all(ids.map((id) => schedules.trigger(id)));
      handled = 0;
      const each = await tally.around(jobs, () => schedules.owner().tick());
      if (handled !== jobs) throw new Error(`${handled} of ${jobs} occurrences were handled`);
      return each;
    },
    ...tally,
    close: () => schedules.close(),
  };
}

function openFloor({ concurrency, needsWorkspace, jobs }) {
  const path = freshPath('floor');
  const journal = concurrency === 1 ? floorJournal(path) : groupJournal(path);
  const tally = costTally();
  const lane = async (numbers) => {
    for (const number of numbers) {
      const id = `s-${number}~1~m~r`;
      await journal.append(line({ id, status: 'running', claim: { attempt: 1, epoch: 1, claimedAt: Date.now() } }));
      const folder = needsWorkspace ? await beginFolder(id) : undefined;
      if (folder !== undefined) await putFile(folder, 'result.json', { id, outcome: 'succeeded' });
      await journal.append(line({ id, status: 'succeeded', endedAt: Date.now(), stages: [], outcome: 'succeeded' }));
    }
  };
  return {
    async drain() {
      const numbers = Array.from({ length: jobs }, (_, number) => number).values();
      return await tally.around(jobs, () => Promise.all(Array.from({ length: concurrency }, () => lane(numbers))));
    },
    ...tally,
    close: journal.close,
  };
}

async function beginFolder(id) {
  const folder = freshPath(id);
  await fs.mkdir(folder);
  await putFile(folder, 'dispatch.json', { id, attempt: 1 });
  return folder;
}

async function putFile(folder, name, value) {
  const file = await fs.open(join(folder, name), 'ax');
  await file.writeFile(line(value));
  await file.datasync();
  await file.close();
  const directory = await fs.open(folder);
  await directory.sync();
  await directory.close();
}
