/** What an occurrence costs on the disk, counted in flushes: claims that are made together share one, and so do results. */
import { describe, expect, it } from 'vitest';
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { inProcess } from '../../../src/adapters/in-process/in-process.js';
import { openSchedules } from '../../../src/open-schedules.js';
import { emptyRoot, openAt, watchedDisk } from './ground.js';

/** Drains a backlog of one occurrence each by one tick, and counts the flushes of that. */
async function drained(jobs: number, concurrency: number, needsWorkspace: boolean) {
  const calls: (keyof Disk)[] = [];
  const before: string[] = [];
  const disk = watchedDisk((call, args) => {
    calls.push(call);
    if (call === 'rename') before.push(String(args[1]));
  });
  const workspace = await openAt(emptyRoot(), {}, disk);
  let handled = 0;
  const run = () => {
    handled += 1;
  };
  const execution = inProcess({ needsWorkspace, providers: { p: { kinds: { 'cost/1': { run } } } } });
  const schedules = await openSchedules({ workspace, execution, concurrency });
  const document = { version: 'cost/1' };
  for (let job = 0; job < jobs; job += 1) {
    const declared = { id: `s-${job}`, objective: 'Counted', document, allowedProviders: ['p'] };
    await schedules.create({ ...declared, trigger: { kind: 'manual' } });
    await schedules.trigger(`s-${job}`);
  }
  calls.length = 0;
  before.length = 0;
  await schedules.owner().tick();
  const flushes = calls.filter((call) => call === 'flush' || call === 'flushDirectory').length;
  await schedules.close();
  expect(handled).toBe(jobs);
  return { flushes, records: before.filter((path) => path.endsWith('dispatch.json') || path.endsWith('result.json')) };
}

/** The new epoch, and what a tick says last. */
const FRAME = 2;

describe('an occurrence on the disk', () => {
  it('[OC-2, OC-3, ST-2] costs a fifth of a flush at most where 64 run at a time', async () => {
    const { flushes } = await drained(48, 64, false);
    expect(flushes - FRAME).toBeLessThanOrEqual(48 * 0.2);
  });

  it('[OC-3, ST-2] costs two flushes at most where one runs at a time', async () => {
    const { flushes } = await drained(12, 1, false);
    expect(flushes - FRAME).toBeLessThanOrEqual(12 * 2);
  });

  it('[OC-8, OC-3] with a workspace makes one file before its handler and one after, four flushes and two', async () => {
    const { flushes, records } = await drained(12, 1, true);
    expect(records).toHaveLength(12 * 2);
    // The directories of a schedule and of its month are new here, and cost a flush each.
    expect(flushes - FRAME).toBeLessThanOrEqual(12 * (2 + 4 + 2 + 2));
  });
});
