/**
 * One catalogue without a past beside one with a million past occurrences: opening, committing, rolling over, checking.
 *
 * What is past lies in history files, which nothing of this but the check may read; so all rows should tell the same.
 */
import { fileWorkspace } from '../../../dist/fs.js';
import { coldRun } from '../measuring/cold.mjs';
import { isQuick } from '../measuring/quick.mjs';
import { bytes, ms, printTable } from '../measuring/report.mjs';
import { elapsedUntil, median } from '../measuring/rounds.mjs';
import { freshPath } from '../measuring/scratch.mjs';
import { seed } from '../measuring/seed.mjs';
import { sizeOf } from './size-of.mjs';

const SCHEDULES = isQuick ? 1000 : 10_000;
const PASTS = [0, 100];
/** Due in a century. */
const TRIGGER = { kind: 'once', at: '2126-01-01T00:00:00.000Z' };
const ROUNDS = isQuick ? 1 : 3;

/** Prints what a past costs. */
export async function growth() {
  const rows = [];
  for (const history of PASTS) rows.push(await rowOf(history));
  const heads = [
    'past occurrences',
    'on disk',
    'made in',
    'read at open',
    'open, cold',
    'longest block',
    'held',
    'commit p50',
    'p99',
    'journal of a commit',
    'roll-over',
    'its longest block',
    'check',
    'its peak memory',
  ];
  printTable(`Growth, ${SCHEDULES.toLocaleString('en')} schedules`, heads, rows);
}

async function rowOf(history) {
  const path = freshPath('grown');
  const madeMs = await elapsedUntil(() => make(path, history));
  const cold = new URL('../startup/cold-open.mjs', import.meta.url);
  const opened = [];
  const blocked = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    opened.push(await coldRun(cold, ['open', path]));
    blocked.push(await coldRun(cold, ['blocked', path]));
  }
  const size = await sizeOf(path);
  const check = await coldRun(new URL('./cold-check.mjs', import.meta.url), [path]);
  const commits = await coldRun(new URL('./cold-commit.mjs', import.meta.url), [path]);
  return [
    (SCHEDULES * history).toLocaleString('en'),
    bytes(size.all),
    ms(madeMs),
    bytes(size.atOpen),
    ms(median(opened.map((run) => run.ms))),
    ms(median(blocked.map((run) => run.blockedMs))),
    bytes(median(opened.map((run) => run.heldBytes))),
    ms(commits.halfMs),
    ms(commits.worstMs),
    bytes(commits.journalBytes),
    ms(commits.rollOverMs),
    ms(commits.blockedMs),
    ms(check.ms),
    bytes(check.peakBytes),
  ];
}

async function make(path, history) {
  const workspace = await fileWorkspace(path);
  await seed(workspace.store, { count: SCHEDULES, history, trigger: TRIGGER });
  await workspace.close();
}
