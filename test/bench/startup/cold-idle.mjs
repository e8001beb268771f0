/** In a cold process: an owner of schedules that are not due for long, and what it costs to let it live. Without a path: a bare timer. */
import { setTimeout as delay } from 'node:timers/promises';
import { fileWorkspace } from '../../../dist/fs.js';
import { openSchedules } from '../../../dist/index.js';
import { tell } from '../measuring/cold.mjs';
import { median } from '../measuring/rounds.mjs';
import { execution } from '../measuring/seed.mjs';

const WATCHED_MS = 3000;
const TICKS = 15;
const [path] = process.argv.slice(2);

/** Processor time and wake-ups of this process while nothing happens. */
async function watched() {
  await delay(700);
  const [cpu, { voluntaryContextSwitches: before }] = [process.cpuUsage(), process.resourceUsage()];
  await delay(WATCHED_MS);
  const { user, system } = process.cpuUsage(cpu);
  const wakeUps = process.resourceUsage().voluntaryContextSwitches - before;
  return { cpuShare: (user + system) / 1000 / WATCHED_MS, wakeUps };
}

async function idleOwner() {
  const schedules = await openSchedules({ workspace: await fileWorkspace(path), execution: execution(() => {}) });
  const ticks = [];
  for (let tick = 0; tick < TICKS; tick += 1) {
    const started = performance.now();
    await schedules.owner().tick();
    ticks.push(performance.now() - started);
  }
  const owner = schedules.owner();
  await owner.start();
  const cost = await watched();
  await owner.stop();
  await schedules.close();
  return { ...cost, tickMs: median(ticks) };
}

tell(path === undefined ? await watched() : await idleOwner());
