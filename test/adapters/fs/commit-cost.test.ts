/** What a commit costs, counted in steps: one flush, and nothing of its own record is read back as rows. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { commitOn, sampleSchedule, writes } from '../../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, openAt, watchedDisk } from './ground.js';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the cost of a commit', () => {
  it('[ST-1, ST-2] is one flush of one file', async () => {
    const flushed: string[] = [];
    const disk = watchedDisk((call) => {
      if (call === 'flush' || call === 'flushDirectory') flushed.push(call);
    });
    const { store, close } = await openAt(emptyRoot(), {}, disk);
    await commitOn(store, [writes(sampleSchedule('a'))]);
    for (let version = 2; version < 12; version += 1) {
      flushed.length = 0;
      await commitOn(store, [writes(sampleSchedule('a', { version }))]);
      expect(flushed).toEqual(['flush']);
    }
    await close();
  });

  it('[ST-1] decodes no row that it has just written', async () => {
    const { store, close } = await openAt(emptyRoot());
    await commitOn(store, [writes(sampleSchedule('a'))]);
    const parse = vi.spyOn(JSON, 'parse');
    await commitOn(store, [writes(sampleSchedule('a', { version: 2 }))]);
    expect(parse.mock.calls.filter(([text]) => text.includes('"ops"') || text.includes('"schedule"'))).toEqual([]);
    parse.mockRestore();
    await close();
  });

  it('[S-10, OW-8] is no news to the handle that made it, and to every other one', async () => {
    const root = emptyRoot();
    const [own, other] = [await openAt(root), await openAt(root)];
    const told = { own: 0, other: 0 };
    await other.store.changes(0);
    own.store.watch(() => {
      told.own += 1;
    });
    other.store.watch(() => {
      told.other += 1;
    });
    await commitOn(own.store, [writes(sampleSchedule('a'))]);
    await vi.waitFor(() => expect(told.other).toBeGreaterThan(0), { timeout: 5000 });
    expect(told.own).toBe(0);
    await commitOn(other.store, [writes(sampleSchedule('a', { version: 2 }))]);
    await vi.waitFor(() => expect(told.own).toBeGreaterThan(0), { timeout: 5000 });
    for (const { close } of [own, other]) await close();
  });

  it('[ST-1, ST-3] refuses a row that could not be read, and writes nothing of the commit', async () => {
    const { store, close } = await openAt(emptyRoot());
    await commitOn(store, [writes(sampleSchedule('a'))]);
    const before = await store.changes(0);
    const bad = sampleSchedule('a', { version: 1.5 });
    await expect(commitOn(store, [writes(bad)])).rejects.toMatchObject({
      code: 'SCHEDULE_ADAPTER_BROKEN',
      details: { rule: 'row' },
      message: expect.stringContaining('version: must be a whole number'),
    });
    expect(await store.changes(0)).toEqual(before);
    await close();
  });
});
