/** Schedules that are closed and opened again in one process: handlers that did not end are not forgotten. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileWorkspace } from '../../src/adapters/fs/file-workspace.js';
import { memoryData } from '../../src/adapters/memory-data.js';
import { memoryWorkspace } from '../../src/adapters/memory-workspace.js';
import { openSchedules } from '../../src/open-schedules.js';
import type { Workspace } from '../../src/ports/workspace.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { hung, scriptedExecution, succeeds } from '../../src/testing/scripted-execution.js';

const declared = (id: string) => ({
  id,
  objective: 'press',
  document: { version: 'test/1' },
  allowedProviders: ['scripted'],
  trigger: { kind: 'manual' } as const,
  overlap: 'queue' as const,
  concurrencyKey: 'press',
});

async function reopened(open: () => Promise<Workspace>) {
  const clock = manualClock('2026-11-30T08:00:00Z');
  const execution = scriptedExecution([hung(), succeeds()]);
  const first = await openSchedules({ workspace: await open(), clock, execution });
  for (const id of ['a', 'b']) await first.create({ ...declared(id), allowedProviders: [...execution.providers()] });
  await first.trigger('a', { requestId: 'r1' });
  const owner = first.owner({ drainSeconds: 1 });
  await clock.runUntil(owner.start());
  await clock.settle();
  await clock.runUntil(first.stop('a', 'a~1~m~r1').then(() => clock.advance(1500)));
  await clock.runUntil(first.close());
  const second = await openSchedules({ workspace: await open(), clock, execution });
  await second.trigger('b', { requestId: 'r2' });
  await clock.runUntil(second.owner().tick());
  const { quarantine } = (await second.get('a')).schedule;
  const { status } = (await second.get('b', { occurrence: 'b~1~m~r2' })).pending[0] ?? { status: 'ended' };
  await clock.runUntil(second.close());
  return { quarantine, status };
}

describe('schedules opened again in one process', () => {
  it('[OC-11, CT-15] in memory: the key of a handler that did not end stays held', async () => {
    const data = memoryData();
    const found = await reopened(async () => memoryWorkspace({ data }));
    expect(found).toMatchObject({ quarantine: { reason: 'unresponsive', occurrence: 'a~1~m~r1' }, status: 'queued' });
    await data.dispose();
  });

  it('[OC-11, CT-15] in a directory: the key of a handler that did not end stays held', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'everdue-reopened-'));
    try {
      const found = await reopened(() => fileWorkspace(directory));
      expect(found).toMatchObject({ quarantine: { reason: 'unresponsive', occurrence: 'a~1~m~r1' }, status: 'queued' });
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('[OC-11, CT-15] a workspace that says nothing of its catalogue counts as another one each time', async () => {
    const data = memoryData();
    const found = await reopened(async () => {
      const { identity: _, ...others } = memoryWorkspace({ data });
      return others;
    });
    expect(found).toEqual({ quarantine: undefined, status: 'ended' });
    await data.dispose();
  });
});
