/** The adapters in memory beside their contracts: what is kept apart, what is refused, what is cleaned up. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryData } from '../../src/adapters/memory-data.js';
import { memoryEvidence } from '../../src/adapters/memory-evidence.js';
import { memoryLock } from '../../src/adapters/memory-lock.js';
import { memoryStore } from '../../src/adapters/memory-store.js';
import { memoryWorkspace } from '../../src/adapters/memory-workspace.js';
import {
  commitOn,
  records,
  sampleOccurrence,
  sampleSchedule,
  writes,
} from '../../src/testing/contracts/sample-catalogue.js';

describe('memory store', () => {
  it('[DE-3] neither the writer nor a reader can change what is stored', async () => {
    const store = memoryStore();
    const schedule = sampleSchedule('a', { unresolved: [] });
    await commitOn(store, [writes(schedule)]);
    (schedule.unresolved as string[]).push('later');
    const stored = (await store.changes(0)).schedules.map(({ entry }) => entry.schedule.unresolved as string[]);
    expect(stored).toEqual([[]]);
    expect(() => stored[0]?.push('later')).toThrow(TypeError);
  });

  it('[ST-3] each commit has a hash that follows from the one before', async () => {
    const [one, two] = [memoryStore(), memoryStore()];
    const changes = [writes(sampleSchedule('a'))];
    const batch = {
      since: 0,
      reads: { schedules: [], keys: [], row: false },
      at: sampleSchedule('a').createdAt,
      actor: 'x',
      changes,
      documents: [],
    };
    const first = await one.commit(batch);
    expect(await two.commit(batch)).toEqual(first);
    const second = await one.commit({ ...batch, since: 1, changes: [] });
    expect(second).not.toMatchObject({ hash: (first as { hash: string }).hash });
  });

  it('[CT-1] a page has 1..1000 records and a cursor of an earlier page', async () => {
    const store = memoryStore();
    const isInvalid = { code: 'SCHEDULE_DECLARATION_INVALID' };
    for (const limit of [0, 1001, 1.5, Number.NaN]) {
      await expect(store.history({ scheduleId: 'a', limit })).rejects.toMatchObject(isInvalid);
    }
    await expect(store.history({ scheduleId: 'a', limit: 1, before: 'x' })).rejects.toMatchObject(isInvalid);
  });

  it('[ST-3] a commit that breaks a relation names the rule', async () => {
    await expect(commitOn(memoryStore(), [records(sampleOccurrence('nobody', 'one'))])).rejects.toMatchObject({
      code: 'SCHEDULE_ADAPTER_BROKEN',
      details: { rule: 'schedule' },
    });
  });

  it('[SF-2] data of another kind is refused', () => {
    expect(() => memoryStore({ dispose: async () => {} })).toThrow(
      expect.objectContaining({ code: 'SCHEDULE_CONFIG_INVALID' }),
    );
  });
});

describe('memory workspace', () => {
  it('[OC-8] directories of attempts are real, made when needed, and gone with the workspace', async () => {
    const workspace = memoryWorkspace();
    const begun = await workspace.evidence.begin('a~1~m~x', 1, { document: {} });
    if (begun === 'exists') throw new Error('it was begun');
    await writeFile(join(begun.directory, 'note.txt'), 'hello');
    const kept = await workspace.evidence.read('a~1~m~x');
    expect(kept?.attempts).toEqual([
      { attempt: 1, directory: begun.directory, dispatch: { document: {} }, files: [{ path: 'note.txt', bytes: 5 }] },
    ]);
    await workspace.close();
    await workspace.close();
    expect(existsSync(begun.directory)).toBe(false);
    await expect(workspace.store.changes(0)).rejects.toMatchObject({ code: 'SCHEDULE_CLOSED' });
  });

  it('[OC-8] a folder that the caller chose stays', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'everdue-memory-'));
    const workspace = memoryWorkspace({ directory });
    const begun = await workspace.evidence.begin('a~1~m~x', 1, {});
    await workspace.close();
    expect(begun !== 'exists' && begun.directory.startsWith(directory) && existsSync(begun.directory)).toBe(true);
    await rm(directory, { recursive: true });
  });

  it('[ST-5] workspaces on the same data are one catalogue, and closing one leaves the data', async () => {
    const data = memoryData();
    const [one, two] = [memoryWorkspace({ data }), memoryWorkspace({ data })];
    await commitOn(one.store, [writes(sampleSchedule('a'))]);
    expect((await one.lock.acquire()).kind).toBe('acquired');
    expect((await two.lock.acquire()).kind).toBe('held');
    await one.close();
    expect((await two.lock.acquire()).kind).toBe('acquired');
    expect((await two.store.changes(0)).schedules).toHaveLength(1);
    await two.close();
    await data.dispose();
  });

  it('[OW-1] a lost lease leaves no report, and an aborted call takes nothing', async () => {
    const data = memoryData();
    const lock = memoryLock(data);
    const signal = AbortSignal.abort();
    await expect(lock.acquire({ signal })).rejects.toMatchObject({ code: 'SCHEDULE_ABORTED' });
    const result = await lock.acquire();
    if (result.kind === 'held') throw new Error('it was free');
    await result.lease.release();
    const report = {
      pid: 1,
      host: 'x',
      epoch: 1,
      since: sampleSchedule('a').createdAt,
      lastTickAt: sampleSchedule('a').createdAt,
      running: [],
    };
    await expect(result.lease.note(report)).rejects.toMatchObject({ code: 'SCHEDULE_LOCK_LOST' });
    expect(await lock.status()).toEqual({ isHeld: false });
  });

  it('[OC-8] a result without an attempt is refused', async () => {
    await expect(memoryEvidence().finish('a~1~m~x', 1, {})).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
  });
});
