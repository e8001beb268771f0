/**
 * In a cold process: opens a workspace and tells how long it took, the longest time in which nothing else could run, and what
 * is held in memory. As a floor it reads and parses the same files instead.
 */
import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileWorkspace } from '../../../dist/fs.js';
import { openSchedules } from '../../../dist/index.js';
import { liveBytes, tell } from '../measuring/cold.mjs';
import { blockedDuring } from './blocked.mjs';

const [kind, path] = process.argv.slice(2);

async function open() {
  const schedules = await openSchedules({ workspace: await fileWorkspace(path) });
  return { kept: schedules, close: () => schedules.close() };
}

/** Everything that opening has to read: the snapshot, one JSON text, and the journal, one of them a line behind its hash. */
async function readAndParse() {
  const catalogue = join(path, 'catalogue');
  const kept = [JSON.parse(await textOf(join(catalogue, 'catalogue.json'), 'null'))];
  for (const name of await fs.readdir(join(catalogue, 'journal'))) {
    for (const line of (await textOf(join(catalogue, 'journal', name), '')).split('\n')) {
      if (line !== '') kept.push(JSON.parse(line.slice(line.indexOf('{'))));
    }
  }
  return { kept, close: async () => {} };
}

async function textOf(file, absent) {
  return await fs.readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return absent;
    throw error;
  });
}

const before = liveBytes();
const started = performance.now();
const cpu = process.cpuUsage();
const { result, blockedMs } = await blockedDuring(kind === 'floor' ? readAndParse : open);
const ms = performance.now() - started;
const { user, system } = process.cpuUsage(cpu);
const heldBytes = liveBytes() - before;
tell({ ms, cpuMs: (user + system) / 1000, blockedMs, heldBytes, isKept: result.kept !== undefined });
await result.close();
