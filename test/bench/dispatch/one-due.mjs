/** One schedule and an idle owner: from the request or the due instant to the handler. */
import { setTimeout as delay } from 'node:timers/promises';
import { fileWorkspace } from '../../../dist/fs.js';
import { openSchedules } from '../../../dist/index.js';
import { floorJournal } from '../measuring/floor.mjs';
import { digits, ms, printTable } from '../measuring/report.mjs';
import { quantile } from '../measuring/rounds.mjs';
import { freshPath } from '../measuring/scratch.mjs';
import { declaration, execution } from '../measuring/seed.mjs';

const REQUESTS = 200;
const DUE = 60;
const EVERY_MS = 50;
/** Nearly the bytes of a commit that admits or claims one occurrence. */
const RECORD = Buffer.alloc(700, 'x');

/** Prints latencies beside a floor of two flushed appends: what was asked for, and its claim. */
export async function oneDue() {
  const rows = [];
  for (const needsWorkspace of [false, true]) rows.push(...(await latencies(needsWorkspace)));
  const heads = ['to the handler', 'p50', 'p99', 'floor p50', 'floor p99', 'p50 / floor', 'required'];
  printTable('One due schedule, an idle owner', heads, rows);
}

async function latencies(needsWorkspace) {
  let heard = () => {};
  const run = (_, context) => heard(context);
  const workspace = await fileWorkspace(freshPath('workspace'));
  const schedules = await openSchedules({ workspace, execution: execution(run, needsWorkspace) });
  const owner = schedules.owner();
  await owner.start();
  const hears = (handler) => {
    heard = handler;
  };
  const journal = floorJournal(freshPath('floor'));
  const asked = await requested(schedules, hears, journal);
  const due = await timed(schedules, hears, journal);
  await owner.stop();
  await schedules.close();
  journal.close();
  const note = needsWorkspace ? ', a workspace each' : '';
  const goal = needsWorkspace ? '' : '<= 2';
  return [row(`from trigger()${note}`, asked, goal), row(`from the due instant${note}`, due, goal)];
}

function row(name, { ours, floor }, goal) {
  const half = [quantile(ours, 0.5), quantile(floor, 0.5)];
  const worst = [quantile(ours, 0.99), quantile(floor, 0.99)];
  return [name, ms(half[0]), ms(worst[0]), ms(half[1]), ms(worst[1]), digits(half[0] / half[1]), goal];
}

async function requested(schedules, hears, journal) {
  await schedules.create(declaration('asked', { kind: 'manual' }));
  const [ours, floor] = [[], []];
  for (let request = 0; request < REQUESTS; request += 1) {
    const handled = new Promise((resolve) => hears(() => resolve(performance.now())));
    const started = performance.now();
    const { occurrence } = await schedules.trigger('asked');
    ours.push((await handled) - started);
    await schedules.waitFor(occurrence);
    floor.push(await twoAppends(journal));
  }
  return { ours, floor };
}

/** Both are due every so many milliseconds; the floor half of that later. */
async function timed(schedules, hears, journal) {
  const [ours, floor] = [[], []];
  const start = Date.now() + 300;
  const all = new Promise((resolve) => {
    hears(({ dueAt }) => {
      ours.push(wallNow() - Date.parse(dueAt));
      if (ours.length === DUE) resolve();
    });
  });
  const trigger = { kind: 'interval', start: new Date(start).toISOString(), everySeconds: EVERY_MS / 1000 };
  await schedules.create(declaration('due', trigger));
  for (let number = 0; number < DUE; number += 1) {
    const dueAt = start + EVERY_MS / 2 + number * EVERY_MS;
    await delay(Math.max(0, Math.ceil(dueAt - wallNow())));
    await twoAppends(journal);
    floor.push(wallNow() - dueAt);
  }
  await all;
  const { schedule } = await schedules.get('due');
  await schedules.cancel('due', { revision: schedule.revision });
  return { ours, floor };
}

async function twoAppends(journal) {
  const started = performance.now();
  await journal.append(RECORD);
  await journal.append(RECORD);
  return performance.now() - started;
}

function wallNow() {
  return performance.timeOrigin + performance.now();
}
