/** Roll-over: history files, snapshot, segments; under load, after crashes in the middle, with pruning and removal. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { realDisk } from '../../../src/adapters/fs/disk/real-disk.js';
import { CatalogueReader } from '../../../src/adapters/fs/journal/catalogue-reader.js';
import { HeadFile } from '../../../src/adapters/fs/journal/head-mark.js';
import { isRollOverDue } from '../../../src/adapters/fs/journal/roll-over.js';
import { documentPath, historyPath, segmentPath } from '../../../src/adapters/fs/layout.js';
import { storedWorkspace } from '../../../src/adapters/fs/open-layout.js';
import { checkWorkspace } from '../../../src/checker/check-workspace.js';
import { digestOf } from '../../../src/codec/digest.js';
import { occurrenceId } from '../../../src/core/model/occurrence.js';
import type { Definition } from '../../../src/core/model/schedule.js';
import type { RowChange } from '../../../src/ports/schedule-store.js';
import {
  commitOn,
  records,
  sampleAt,
  sampleMark,
  sampleOccurrence,
  sampleSchedule,
  writes,
} from '../../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, endMany, namesOf, openAt, systemError, takeWarnings, watchedDisk, wholeHistory } from './ground.js';

/** Records enough for the journal to be rolled over. */
const MANY = 1100;

function idsOf(history: readonly { readonly id: string }[]): string[] {
  return history.map(({ id }) => id).reverse();
}

function verdictOn(occurrence: string): RowChange {
  const verdict = { verdict: 'done', note: 'seen', by: 'operator', at: sampleAt(99) } as const;
  return { kind: 'verdict', scheduleId: 'a', occurrence, verdict };
}

function defined(id: string, documentDigest: string): Definition {
  return { ...sampleSchedule(id).definition, documentDigest };
}

describe('roll-over', () => {
  it('[ST-1, ST-6] history goes to files, the journal goes on, and a fresh handle sees the same', async () => {
    const root = emptyRoot();
    const { store, close } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a')), writes(sampleSchedule('b'))]);
    const ids = await endMany(store, 'a', 0, MANY);
    await store.settled();
    ids.push(...(await endMany(store, 'a', MANY, 50)));
    expect(idsOf(await wholeHistory(store, 'a'))).toEqual(ids);
    expect(existsSync(segmentPath(namesOf(root), 2))).toBe(true);
    expect(readdirSync(historyPath(namesOf(root), 'a')).length).toBeGreaterThan(0);
    const before = await store.changes(0);
    await close();
    const again = await openAt(root);
    expect(await again.store.changes(0)).toEqual(before);
    expect(idsOf(await wholeHistory(again.store, 'a'))).toEqual(ids);
    expect(await checkWorkspace(root)).toEqual([]);
  });

  it('[ST-5, ST-6] two handles commit while the journal is rolled over again and again', async () => {
    const root = emptyRoot();
    const handles = [(await openAt(root)).store, (await openAt(root)).store];
    await commitOn(handles[0] as (typeof handles)[0], [writes(sampleSchedule('a')), writes(sampleSchedule('b'))]);
    const work = handles.map(async (store, index) => {
      const id = index === 0 ? 'a' : 'b';
      const ids: string[] = [];
      for (let from = 0; from < 2000; from += 250) ids.push(...(await endMany(store, id, from, 250)));
      return { id, ids };
    });
    for (const { id, ids } of await Promise.all(work)) {
      for (const store of handles) expect(idsOf(await wholeHistory(store, id)), id).toEqual(ids);
    }
    for (const store of handles) await store.settled();
    expect(readdirSync(namesOf(root).journal).length).toBeLessThan(5);
    expect(await checkWorkspace(root)).toEqual([]);
  });

  it.each([
    [200, 0, 0, false],
    [300, 0, 0, true],
    [300, 10_000, 0, false],
    [6000, 10_000, 0, true],
    [300, 10_000, 5000, true],
    [200, 10_000, 5000, false],
  ])('[ST-1] with %i KiB of journal, a snapshot of %i KiB and %i records in memory one is due: %s', (...row) => {
    const [journal, snapshot, unexported, isDue] = row;
    const sizes = { journalBytes: journal * 1024, snapshotBytes: snapshot * 1024 };
    expect(isRollOverDue({ ...sizes, state: { unexported } })).toBe(isDue);
  });

  it('[ST-1] counts the ended records that are in memory alone', async () => {
    const root = emptyRoot();
    const { store } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a'))]);
    await endMany(store, 'a', 0, 30);
    const opened = { layout: namesOf(root), workspace: await storedWorkspace(realDisk, namesOf(root)) };
    const head = new HeadFile(realDisk, opened.layout.head);
    const reader = new CatalogueReader(realDisk, opened, head);
    const replica = await reader.readOn();
    expect(replica.state.unexported).toBe(30);
    replica.state.markExported(replica.state.seq);
    expect(replica.state.unexported).toBe(0);
    await reader.close();
    await head.close();
  });

  it('[ST-6] a page goes on at its cursor although what follows was moved to files', async () => {
    const { store } = await openAt(emptyRoot());
    await commitOn(store, [writes(sampleSchedule('a'))]);
    const ids = await endMany(store, 'a', 0, 300);
    const first = await store.history({ scheduleId: 'a', limit: 10 });
    ids.push(...(await endMany(store, 'a', 300, MANY)));
    await store.settled();
    const second = await store.history({ scheduleId: 'a', limit: 10, before: first.next ?? '' });
    expect(second.records.map(({ id }) => id)).toEqual(ids.slice(280, 290).reverse());
    expect((await store.history({ scheduleId: 'a', limit: 5, occurrence: ids[7] ?? '' })).records).toHaveLength(1);
    expect((await store.history({ scheduleId: 'a', limit: 5, revision: 2 })).records).toEqual([]);
  });

  it('[CT-16] a verdict is seen on a record in memory, in a file, and on its way between them', async () => {
    const root = emptyRoot();
    let onHistory: (() => void) | undefined;
    const disk = watchedDisk((call, args) => {
      if (call === 'open' && String(args[0]).includes('/history/')) onHistory?.();
    });
    const { store, close } = await openAt(root, {}, disk);
    await commitOn(store, [writes(sampleSchedule('a'))]);
    const [early = '', middle = '', late = ''] = await endMany(store, 'a', 0, 100);
    await commitOn(store, [verdictOn(early)]);
    let committing: Promise<unknown> | undefined;
    onHistory = () => {
      committing ??= commitOn(store, [verdictOn(middle)]);
    };
    await endMany(store, 'a', 100, MANY);
    await store.settled();
    await committing;
    expect(committing).toBeDefined();
    await commitOn(store, [verdictOn(late)]);
    const withVerdict = (found: readonly { readonly id: string; readonly verdict?: unknown }[]) =>
      found.filter(({ verdict }) => verdict !== undefined).map(({ id }) => id);
    expect(withVerdict(await wholeHistory(store, 'a'))).toEqual([late, middle, early]);
    await endMany(store, 'a', 3000, MANY);
    await store.settled();
    await close();
    expect(withVerdict(await wholeHistory((await openAt(root)).store, 'a'))).toEqual([late, middle, early]);
  });

  it('[ST-6] pruning takes whole files and leaves the newest records; nothing runs again', async () => {
    const root = emptyRoot();
    const { store } = await openAt(root, { retention: { perSchedule: 100 } });
    await commitOn(store, [writes(sampleSchedule('a'))]);
    const ids = await endMany(store, 'a', 0, 6000);
    await store.settled();
    const kept = idsOf(await wholeHistory(store, 'a', 1000));
    expect(kept.length).toBeGreaterThanOrEqual(100);
    expect(kept.length).toBeLessThan(ids.length);
    expect(kept).toEqual(ids.slice(-kept.length));
    for (const name of readdirSync(historyPath(namesOf(root), 'a'))) {
      expect(statSync(join(historyPath(namesOf(root), 'a'), name)).size).toBeLessThanOrEqual(1_048_576);
    }
    expect(await checkWorkspace(root)).toEqual([]);
  });

  it('[CO-6, ST-6] the last due instant that pruning took is kept with its schedule, whatever revision follows', async () => {
    const root = emptyRoot();
    const workspace = await openAt(root, { retention: { perSchedule: 1 } });
    const { store } = workspace;
    await commitOn(store, [writes(sampleSchedule('a'))]);
    for (let from = 0; from < 4500; from += 100) {
      const changes = Array.from({ length: 100 }, (_, index) => {
        const dueAt = sampleAt(from + index);
        const id = occurrenceId('a', 1, dueAt);
        return records(sampleOccurrence('a', 'x', 'skipped', { id, dueAt, origin: 'trigger' }));
      });
      await commitOn(store, changes);
      if (from % 1500 === 0) await store.settled();
    }
    await store.settled();
    const [oldest] = (await wholeHistory(store, 'a')).slice(-1);
    const expected = sampleAt(((oldest?.dueAt ?? 0) - sampleAt(0)) / 1000 - 1);
    expect((await store.changes(0)).schedules).toMatchObject([{ prunedThrough: expected }]);
    await workspace.close();
    const again = await openAt(root);
    expect((await again.store.changes(0)).schedules).toMatchObject([{ prunedThrough: expected }]);
    await commitOn(again.store, [writes(sampleSchedule('a', { revision: 2, version: 2 }))]);
    expect((await again.store.changes(0)).schedules).toMatchObject([{ prunedThrough: expected }]);
    // The rows of a sample keep no budget (I9).
    expect((await checkWorkspace(root)).filter(({ invariant }) => invariant !== 'I9')).toEqual([]);
  });

  it('[CT-7] removing a schedule removes its history, and a new one of that id begins without any', async () => {
    const root = emptyRoot();
    const { store } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a'))]);
    await endMany(store, 'a', 0, MANY);
    await store.settled();
    const directory = historyPath(namesOf(root), 'a');
    const [file = ''] = readdirSync(directory);
    const left = readFileSync(join(directory, file));
    await commitOn(store, [{ kind: 'remove', mark: sampleMark('a') }]);
    expect(existsSync(directory)).toBe(false);
    expect(await store.history({ scheduleId: 'a', limit: 10 })).toEqual({ records: [] });
    await commitOn(store, [writes(sampleSchedule('a', { revision: 2, version: 2 }))]);
    // As if the directory could not be removed then.
    await endMany(store, 'a', 5000, MANY);
    await store.settled();
    writeFileSync(join(directory, file), left);
    expect(await wholeHistory(store, 'a')).toHaveLength(MANY);
    await endMany(store, 'a', 9000, MANY);
    await store.settled();
    expect(readdirSync(directory)).not.toContain(file);
  });

  it('[ST-9] documents that nothing names go after an hour, those that are named stay', async () => {
    const root = emptyRoot();
    const { store } = await openAt(root);
    const documents = ['one', 'two', 'three'].map((text) => {
      const document = { version: 'sample/1', text };
      return { digest: digestOf(document), document };
    });
    const paths = documents.map(({ digest }) => documentPath(namesOf(root), digest));
    const named = (index: number) => {
      const definition = defined('a', documents[index]?.digest ?? '');
      return writes(sampleSchedule('a', { revision: index + 1, version: index + 1, definition }));
    };
    for (const index of [0, 1, 2]) await commitOn(store, [named(index)], { documents });
    const longAgo = new Date(Date.now() - 7_200_000);
    for (const index of [0, 2]) utimesSync(paths[index] ?? '', longAgo, longAgo);
    await endMany(store, 'a', 0, MANY);
    await store.settled();
    expect(paths.map((path) => existsSync(path))).toEqual([false, true, true]);
    // It is written again where it is named again, although this process wrote it before.
    await commitOn(store, [writes(sampleSchedule('b', { definition: defined('b', documents[0]?.digest ?? '') }))], {
      documents,
    });
    expect(await store.document(documents[0]?.digest ?? '')).toEqual(documents[0]?.document);
  });

  it('[ST-3] without the snapshot the one before stands for the same catalogue', async () => {
    const root = emptyRoot();
    const { store, close } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a'))]);
    for (let round = 0; round < 3; round++) {
      await endMany(store, 'a', round * 2000, MANY);
      await store.settled();
    }
    const before = await store.changes(0);
    const history = await wholeHistory(store, 'a');
    await close();
    const { snapshot, formerSnapshot } = namesOf(root);
    rmSync(snapshot);
    const lost = await openAt(root);
    await expect(lost.store.changes(0)).rejects.toMatchObject({ code: 'SCHEDULE_CATALOGUE_CORRUPT' });
    await lost.close();
    expect(await checkWorkspace(root)).toMatchObject([
      { file: snapshot, rule: 'missing', advice: expect.stringContaining('everdue repair') },
    ]);
    writeFileSync(snapshot, readFileSync(formerSnapshot));
    const again = await openAt(root);
    expect(await again.store.changes(0)).toEqual(before);
    expect(await wholeHistory(again.store, 'a')).toEqual(history);
  });

  it('[ST-2] dying at any step of a roll-over loses and doubles nothing', async () => {
    const calls: readonly (keyof Disk)[] = [
      'open',
      'write',
      'flush',
      'flushDirectory',
      'makeDirectory',
      'rename',
      'link',
    ];
    for (let step = 1, isDone = false; !isDone; step += 2) {
      const root = emptyRoot();
      let left = Number.POSITIVE_INFINITY;
      const disk = watchedDisk((call, args) => {
        const isBegun = call === 'open' && String(args[0]).endsWith('roll-over.lock') && args[1] !== 'create';
        if (isBegun) left = step;
        if (calls.includes(call) && left-- <= 0) throw systemError('EIO');
      });
      const first = await openAt(root, {}, disk);
      await commitOn(first.store, [writes(sampleSchedule('a'))]);
      const ids = await endMany(first.store, 'a', 0, MANY);
      await first.store.settled();
      isDone = left > 0;
      left = Number.POSITIVE_INFINITY;
      for (const warning of takeWarnings()) expect(warning, `step ${step}`).toMatch(/EIO|could not be undone/);
      const second = await openAt(root);
      const known = idsOf(await wholeHistory(second.store, 'a'));
      expect(known, `step ${step}`).toEqual(ids);
      const more = await endMany(second.store, 'a', 5000, MANY);
      await second.store.settled();
      expect(idsOf(await wholeHistory(second.store, 'a')), `step ${step}`).toEqual([...ids, ...more]);
      await first.close();
      await second.close();
      const findings = await checkWorkspace(root);
      expect(findings, `step ${step}`).toEqual([]);
    }
  }, 60_000);

  it('[ST-2] a line torn at the end of a history file is marked and written again behind it', async () => {
    for (const torn of ['torn line', `${'0'.repeat(64)} \0\0\0\n`, '~\n', '\0\0\0']) {
      const root = emptyRoot();
      const { store } = await openAt(root);
      await commitOn(store, [writes(sampleSchedule('a'))]);
      const ids = await endMany(store, 'a', 0, MANY);
      await store.settled();
      const directory = historyPath(namesOf(root), 'a');
      const [file = ''] = readdirSync(directory);
      writeFileSync(join(directory, file), torn, { flag: 'a' });
      const text = readFileSync(join(directory, file), 'utf8');
      expect(idsOf(await wholeHistory(store, 'a'))).toEqual(ids);
      ids.push(...(await endMany(store, 'a', MANY, MANY)));
      await store.settled();
      expect(idsOf(await wholeHistory(store, 'a'))).toEqual(ids);
      expect(readFileSync(join(directory, file), 'utf8').startsWith(text)).toBe(true);
      expect(await checkWorkspace(root)).toEqual([]);
    }
  });

  it('[ST-6] records that two processes moved at once, twice and in any order, are read once', async () => {
    const root = emptyRoot();
    const { store } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a'))]);
    const ids = await endMany(store, 'a', 0, MANY);
    await store.settled();
    const path = join(historyPath(namesOf(root), 'a'), readdirSync(historyPath(namesOf(root), 'a'))[0] ?? '');
    const lines = readFileSync(path, 'utf8').split(/(?<=\n)/);
    writeFileSync(path, [...lines.slice(0, 300), ...lines, ...lines.slice(20, 60)].join(''));
    expect(idsOf(await wholeHistory(store, 'a'))).toEqual(ids);
    expect(await checkWorkspace(root)).toEqual([]);
  });

  it('[ST-3] a history with a bad line or a missing file is refused', async () => {
    const root = emptyRoot();
    const { store } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a'))]);
    await endMany(store, 'a', 0, MANY);
    await store.settled();
    const directory = historyPath(namesOf(root), 'a');
    const [file = ''] = readdirSync(directory);
    const path = join(directory, file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('~r3"', '~r4"'));
    await expect(wholeHistory(store, 'a')).rejects.toMatchObject({
      code: 'SCHEDULE_CATALOGUE_CORRUPT',
      details: { file: path },
    });
    rmSync(path);
    await expect(wholeHistory(store, 'a')).rejects.toMatchObject({ code: 'SCHEDULE_CATALOGUE_CORRUPT' });
    expect(await checkWorkspace(root)).toMatchObject([{ rule: 'history' }]);
  });

  it('[OC-1] a record that ends in one commit is in memory and in files under one number', async () => {
    const { store } = await openAt(emptyRoot());
    await commitOn(store, [writes(sampleSchedule('a'))]);
    await commitOn(store, [records(sampleOccurrence('a', 'one', 'skipped'))]);
    await expect(commitOn(store, [records(sampleOccurrence('a', 'one'))])).rejects.toMatchObject({
      code: 'SCHEDULE_ADAPTER_BROKEN',
      details: { rule: 'terminal' },
    });
  });
});
