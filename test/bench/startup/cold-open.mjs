/**
 * In a cold process: opens a workspace and tells how long it took, the longest time in which nothing else could run, and what
 * is held in memory. As a floor it reads and parses the same files instead.
 */
import { promises as fs } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { fileWorkspace } from '../../../dist/fs.js';
import { openSchedules } from '../../../dist/index.js';
import { liveBytes, tell } from '../measuring/cold.mjs';
import { blockedDuring } from './blocked.mjs';
import { filesToRead } from './files-to-read.mjs';

const [kind, path] = process.argv.slice(2);

async function open() {
  const schedules = await openSchedules({ workspace: await fileWorkspace(path) });
  return { kept: schedules, close: () => schedules.close() };
}

/** The snapshot is one JSON text; the journal has one in each line, behind its hash. */
async function readAndParse() {
  const kept = [];
  for (const file of files) {
    const text = await fs.readFile(file, 'utf8');
    if (file.endsWith('.json')) kept.push(JSON.parse(text));
    else for (const line of text.split('\n')) if (line !== '') kept.push(JSON.parse(line.slice(line.indexOf('{'))));
  }
  return { kept, close: async () => {} };
}

const files = await filesToRead(path);
const before = liveBytes();
const started = performance.now();
const cpu = process.cpuUsage();
const work = kind === 'floor' ? readAndParse : open;
// Looking for blocks takes the processor itself, so it is done in a run of its own.
const { result, blockedMs } = kind === 'blocked' ? await blockedDuring(work) : { result: await work() };
const ms = performance.now() - started;
const { user, system } = process.cpuUsage(cpu);
const heldBytes = liveBytes() - before;
tell({ ms, cpuMs: (user + system) / 1000, blockedMs, heldBytes, isKept: result.kept !== undefined });
await result.close();
