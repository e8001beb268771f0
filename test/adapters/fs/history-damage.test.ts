/** A history or a document that is not what was written is refused with file, offset and rule, and a check finds it. */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentPath, historyPath } from '../../../src/adapters/fs/layout.js';
import { checkWorkspace } from '../../../src/checker/check-workspace.js';
import { digestOf } from '../../../src/codec/digest.js';
import type { RowChange } from '../../../src/ports/schedule-store.js';
import {
  commitOn,
  SAMPLE_DOCUMENT,
  sampleAt,
  sampleSchedule,
  writes,
} from '../../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, endMany, namesOf, openAt, takeWarnings, wholeHistory } from './ground.js';

const CORRUPT = 'SCHEDULE_CATALOGUE_CORRUPT';
/** Records enough for the journal to be rolled over. */
const MANY = 1100;

function filesOf(root: string, id: string): string[] {
  const directory = historyPath(namesOf(root), id);
  return readdirSync(directory)
    .sort()
    .map((name) => join(directory, name));
}

function verdictOn(scheduleId: string, occurrence: string): RowChange {
  const verdict = { verdict: 'done', note: 'seen', by: 'operator', at: sampleAt(99) } as const;
  return { kind: 'verdict', scheduleId, occurrence, verdict };
}

/** A closed workspace with files of records and verdicts for `a` and `b`; `rounds` rolls `a` over more often. */
async function twoHistories(rounds = 1): Promise<{ root: string; records: string; verdicts: string }> {
  const root = emptyRoot();
  const { store, close } = await openAt(root);
  await commitOn(store, [writes(sampleSchedule('a')), writes(sampleSchedule('b'))]);
  for (const id of ['a', 'b']) {
    for (let round = 0; round < (id === 'a' ? rounds : 1); round++) await endMany(store, id, round * 5000, MANY);
    await store.settled();
  }
  await commitOn(store, [verdictOn('a', 'a~1~m~r1'), verdictOn('b', 'b~1~m~r1')]);
  for (const id of ['a', 'b']) await endMany(store, id, 90_000, MANY);
  await store.settled();
  await close();
  const files = filesOf(root, 'a');
  return { root, records: files[0] ?? '', verdicts: files.at(-1) ?? '' };
}

describe('a damaged history', () => {
  it('[ST-3] a file cut anywhere, to nothing too, is refused and not read as a shorter history', async () => {
    const { root, records, verdicts } = await twoHistories();
    for (const path of [records, verdicts]) {
      const whole = readFileSync(path);
      const secondAt = whole.indexOf('\n') + 1;
      const ends = [0, 1, secondAt - 1, ...(path === records ? [secondAt, whole.length - 1] : [])];
      for (const length of ends) {
        writeFileSync(path, whole.subarray(0, length));
        const { store, close } = await openAt(root);
        const reading = wholeHistory(store, 'a');
        const details = { file: path, rule: 'history', offset: length < secondAt ? 0 : expect.any(Number) };
        await expect(reading, `${path} cut at ${length}`).rejects.toMatchObject({ code: CORRUPT, details });
        await close();
        const findings = await checkWorkspace(root);
        expect(findings, `cut at ${length}`).toMatchObject([{ ...details, severity: 'error' }]);
      }
      writeFileSync(path, whole);
    }
    expect(await checkWorkspace(root)).toEqual([]);
  });

  it('[ST-3] the oldest of several files is no less guarded, and pruning does not pass over it', async () => {
    const root = emptyRoot();
    const { store, close } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a'))]);
    for (let round = 0; filesOfOrNone(root).length < 2; round++) {
      await endMany(store, 'a', round * 5000, 1500);
      await store.settled();
    }
    await close();
    const [oldest = ''] = filesOf(root, 'a');
    truncateSync(oldest, 0);
    const again = await openAt(root, { retention: { perSchedule: 1 } });
    const isDamage = { code: CORRUPT, details: { file: oldest, offset: 0, rule: 'history' } };
    await expect(wholeHistory(again.store, 'a')).rejects.toMatchObject(isDamage);
    // A page that needs the newer file alone is read.
    expect((await again.store.history({ scheduleId: 'a', limit: 5 })).records).toHaveLength(5);
    await endMany(again.store, 'a', 90_000, MANY);
    await again.store.settled();
    expect(takeWarnings()).toEqual([expect.stringContaining(oldest)]);
    expect(filesOf(root, 'a')).toContain(oldest);
    expect(await checkWorkspace(root)).toMatchObject([{ file: oldest, rule: 'history' }]);
  });

  it('[ST-3, ST-6] the oldest file that is lost is not taken for one that was pruned', async () => {
    const root = emptyRoot();
    const { store, close } = await openAt(root, { retention: { perSchedule: 2500 } });
    await commitOn(store, [writes(sampleSchedule('a'))]);
    // Once something was pruned, and two files are left.
    let isPruned = false;
    for (let round = 0; (!isPruned || filesOf(root, 'a').length < 2) && round < 10; round++) {
      const [before] = filesOfOrNone(root);
      await endMany(store, 'a', round * 5000, 1500);
      await store.settled();
      isPruned ||= before !== undefined && !filesOf(root, 'a').includes(before);
    }
    const kept = await wholeHistory(store, 'a', 1000);
    expect(await checkWorkspace(root)).toEqual([]);
    const [oldest = '', next = ''] = filesOf(root, 'a');
    rmSync(oldest);
    const isDamage = { code: CORRUPT, details: { file: next, offset: 0, rule: 'history' } };
    await expect(wholeHistory(store, 'a')).rejects.toMatchObject(isDamage);
    expect((await store.history({ scheduleId: 'a', limit: 5 })).records.map(({ id }) => id)).toEqual(
      kept.slice(0, 5).map(({ id }) => id),
    );
    await close();
    await expect(wholeHistory((await openAt(root)).store, 'a')).rejects.toMatchObject(isDamage);
    expect(await checkWorkspace(root)).toMatchObject([{ invariant: 'I13', file: next, offset: 0 }]);
  });

  it('[ST-3] the history of another schedule, a verdict of it, or a file under another name is refused', async () => {
    const { root, records, verdicts } = await twoHistories();
    const others = filesOf(root, 'b');
    const [other = '', otherVerdicts = ''] = [others[0], others.at(-1)];
    const cases: readonly (readonly [string, () => void])[] = [
      [records, () => copyFileSync(other, records)],
      [verdicts, () => copyFileSync(otherVerdicts, verdicts)],
      [join(records, '..', '000000000007.jsonl'), () => renameSync(records, join(records, '..', '000000000007.jsonl'))],
    ];
    for (const [path, damage] of cases) {
      const kept = [records, verdicts].map((file) => readFileSync(file));
      damage();
      const { store, close } = await openAt(root);
      const details = { file: path, offset: 0, rule: 'history' };
      await expect(wholeHistory(store, 'a'), path).rejects.toMatchObject({ code: CORRUPT, details });
      await close();
      const findings = await checkWorkspace(root);
      expect(
        findings.filter(({ severity }) => severity === 'error'),
        path,
      ).toMatchObject([details]);
      rmSync(path);
      for (const [index, file] of [records, verdicts].entries())
        writeFileSync(file, kept[index] ?? '', { mode: 0o600 });
    }
    expect(await checkWorkspace(root)).toEqual([]);
  });

  it('[ST-3] lines of another schedule with fitting numbers are told by the schedule that they name', async () => {
    const root = emptyRoot();
    const { store, close } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a')), writes(sampleSchedule('b'))]);
    for (let from = 0; from < MANY; from += 50) {
      const change = (id: string) => endMany(store, id, from, 50);
      await change('a');
      await change('b');
    }
    await store.settled();
    await close();
    const [path = ''] = filesOf(root, 'a');
    const [other = ''] = filesOf(root, 'b');
    const lines = readFileSync(path, 'utf8').split(/(?<=\n)/);
    lines[60] = readFileSync(other, 'utf8').split(/(?<=\n)/)[60] ?? '';
    writeFileSync(path, lines.join(''));
    const offset = lines.slice(0, 60).join('').length;
    const details = { file: path, offset, rule: 'history' };
    const again = await openAt(root);
    await expect(wholeHistory(again.store, 'a')).rejects.toMatchObject({ code: CORRUPT, details });
    expect(await checkWorkspace(root)).toMatchObject([details]);
  });

  it('[ST-3] nothing is appended to files that were cut short', async () => {
    const { root, records } = await twoHistories();
    const whole = readFileSync(records);
    const cut = whole.subarray(0, whole.indexOf('\n') + 1);
    writeFileSync(records, cut);
    const { store } = await openAt(root);
    await endMany(store, 'a', 200_000, MANY);
    await store.settled();
    expect(new Set(takeWarnings())).toEqual(
      new Set([expect.stringContaining(`${records} at byte ${cut.length}: the history ends with record 1,`)]),
    );
    expect(readFileSync(records).equals(cut)).toBe(true);
  });

  it('[ST-8] a link in the place of a history is not followed', async () => {
    const { root } = await twoHistories();
    const directory = historyPath(namesOf(root), 'a');
    renameSync(directory, join(root, 'moved'));
    symlinkSync(join(root, 'moved'), directory);
    const isRefused = { code: 'SCHEDULE_WORKSPACE_UNUSABLE', details: { path: directory } };
    await expect(wholeHistory((await openAt(root)).store, 'a')).rejects.toMatchObject(isRefused);
    expect(await checkWorkspace(root)).toMatchObject([{ file: directory }]);
  });
});

describe('a damaged document', () => {
  it('[ST-3, DE-3] with a flipped byte, emptied or missing, it is refused where a definition names it', async () => {
    const digest = digestOf(SAMPLE_DOCUMENT);
    for (const damage of [
      (path: string) => {
        const bytes = readFileSync(path);
        bytes[10] = (bytes[10] as number) ^ 1;
        writeFileSync(path, bytes);
      },
      (path: string) => truncateSync(path, 0),
      (path: string) => rmSync(path),
    ]) {
      const root = emptyRoot();
      const { store, close } = await openAt(root);
      await commitOn(store, [writes(sampleSchedule('a'))]);
      await close();
      const path = documentPath(namesOf(root), digest);
      damage(path);
      const again = await openAt(root);
      const isDamage = { code: CORRUPT, details: { file: path, offset: 0, rule: 'document' } };
      await expect(again.store.document(digest)).rejects.toMatchObject(isDamage);
      expect(await checkWorkspace(root)).toMatchObject([{ ...isDamage.details, severity: 'error' }]);
    }
  });

  it('[ST-3] a commit does not name a damaged document that stands where its own would', async () => {
    const root = emptyRoot();
    const path = documentPath(namesOf(root), digestOf(SAMPLE_DOCUMENT));
    const { store } = await openAt(root);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '{}');
    const isDamage = { code: CORRUPT, details: { file: path, rule: 'document' } };
    await expect(commitOn(store, [writes(sampleSchedule('a'))])).rejects.toMatchObject(isDamage);
    expect(readFileSync(path, 'utf8')).toBe('{}');
    rmSync(path);
    expect(await commitOn(store, [writes(sampleSchedule('a'))])).toBe(1);
  });
});

function filesOfOrNone(root: string): readonly string[] {
  try {
    return filesOf(root, 'a');
  } catch {
    return [];
  }
}
