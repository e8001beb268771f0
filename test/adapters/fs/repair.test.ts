/** A repair mends what it can prove, keeps what it replaces, says what it did, and leaves everything else as it was. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realDisk } from '../../../src/adapters/fs/disk/real-disk.js';
import { kernelLocks } from '../../../src/adapters/fs/locks/native-lock.js';
import { repairWorkspace } from '../../../src/adapters/fs/repair/repair-workspace.js';
import { checkWorkspace } from '../../../src/checker/check-workspace.js';
import { digestOf } from '../../../src/codec/digest.js';
import { commitOn, sampleSchedule, writes } from '../../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, endMany, namesOf, openAt, wholeHistory } from './ground.js';

/** A closed workspace that was rolled over several times, and what it holds. */
async function rolled(): Promise<{ root: string; seq: number; history: readonly string[] }> {
  const root = emptyRoot();
  const { store, close } = await openAt(root);
  await commitOn(store, [writes(sampleSchedule('a'))]);
  for (let round = 0; round < 3; round++) {
    await endMany(store, 'a', round * 5000, 1100);
    await store.settled();
  }
  await commitOn(store, []);
  const { seq } = await store.changes(0);
  const history = (await wholeHistory(store, 'a', 1000)).map(({ id }) => id);
  await close();
  return { root, seq, history };
}

/** Every file below a folder with its bytes, but for the locks that are made when they are taken. */
function everything(root: string): ReadonlyMap<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(root, path)).isFile(),
  );
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), 'latin1')]));
}

async function holds(root: string, { seq, history }: { seq: number; history: readonly string[] }): Promise<void> {
  const { store, close } = await openAt(root);
  expect((await store.changes(0)).seq).toBe(seq);
  expect((await wholeHistory(store, 'a', 1000)).map(({ id }) => id)).toEqual(history);
  expect(await commitOn(store, [])).toBe(seq + 1);
  await close();
}

type Names = ReturnType<typeof namesOf>;

/** What is damaged, by the name of its path. */
type Damaged =
  | 'head'
  | 'snapshot'
  | 'formerSnapshot'
  | 'failed'
  | 'store'
  | 'journal'
  | 'quarantine'
  | 'locks'
  | 'tmp'
  | 'occurrences';

const cut = (path: string) => truncateSync(path, 300);

const MENDED: readonly (readonly [
  what: string,
  kind: string,
  Damaged,
  damage: (path: string) => void,
  isKept: boolean,
])[] = [
  ['a lost head', 'head', 'head', rmSync, false],
  ['a head of rubbish', 'head', 'head', (path) => writeFileSync(path, 'x'.repeat(512)), true],
  ['a lost snapshot', 'snapshot', 'snapshot', rmSync, false],
  ['a cut snapshot', 'snapshot', 'snapshot', cut, true],
  ['a cut spare snapshot', 'snapshot', 'formerSnapshot', cut, true],
  ['a failed flush', 'failedFlush', 'failed', (path) => writeFileSync(path, '{}\n', { mode: 0o600 }), true],
  ['an open mode of a file', 'mode', 'store', (path) => chmodSync(path, 0o644), false],
  ['an open mode of a directory', 'mode', 'journal', (path) => chmodSync(path, 0o755), false],
  ['a lost directory', 'directory', 'quarantine', (path) => rmSync(path, { recursive: true }), false],
  ['a lost directory of temporary files', 'directory', 'tmp', (path) => rmSync(path, { recursive: true }), false],
  ['a lost directory of locks', 'directory', 'locks', (path) => rmSync(path, { recursive: true }), false],
  ['a lost, empty directory of evidence', 'directory', 'occurrences', (path) => rmdirSync(path), false],
];

describe('a repair', () => {
  it.each(MENDED)('[ST-3] mends %s', async (_, kind, name, damage, isKept) => {
    const made = await rolled();
    const { root } = made;
    const file = namesOf(root)[name];
    damage(file);
    const before = everything(root);
    const found = await checkWorkspace(root);
    expect(found.length).toBeGreaterThan(0);
    const rehearsed = await repairWorkspace(root, { dryRun: true });
    expect(rehearsed).toMatchObject({ actions: [{ kind, file }], findings: found });
    expect(everything(root)).toEqual(before);
    const { actions, findings } = await repairWorkspace(root);
    expect(actions).toMatchObject([{ kind, file }]);
    expect(findings).toEqual([]);
    const { keptAt } = actions[0] ?? {};
    expect(keptAt !== undefined).toBe(isKept);
    if (keptAt !== undefined) {
      expect(keptAt).toMatch(/quarantine.[a-z.]+\.\d{8}T\d{9}Z$/);
      expect(readFileSync(keptAt, 'latin1')).toBe(before.get(file.slice(root.length + 1)));
    }
    await holds(root, made);
    expect(await repairWorkspace(root)).toEqual({ actions: [], findings: [] });
  });

  it('[ST-3, OW-1] makes the locks anew alone, since a process may hold a removed one; the next repair does the rest', async () => {
    const made = await rolled();
    const { locks, head, ownerLock, stateLock, rollOverLock } = namesOf(made.root);
    rmSync(locks, { recursive: true });
    rmSync(head);
    const first = await repairWorkspace(made.root);
    expect(first).toMatchObject({ actions: [{ file: locks, did: expect.stringContaining('repair again') }] });
    expect([ownerLock, stateLock, rollOverLock].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o600, 0o600, 0o600,
    ]);
    expect(existsSync(head)).toBe(false);
    expect(await repairWorkspace(made.root)).toMatchObject({ actions: [{ kind: 'head' }], findings: [] });
    await holds(made.root, made);
  });

  it('[ST-3] mends several things at once, a snapshot before the head that rests on it', async () => {
    const made = await rolled();
    const { head, snapshot, tmp } = namesOf(made.root);
    rmSync(head);
    truncateSync(snapshot, 10);
    const left = join(tmp, 'left.tmp');
    writeFileSync(left, 'half a file', { mode: 0o600 });
    const young = join(tmp, 'young.tmp');
    writeFileSync(young, 'on its way', { mode: 0o600 });
    utimesSync(left, new Date(0), new Date(0));
    const { actions, findings } = await repairWorkspace(made.root);
    expect(actions.map(({ kind }) => kind)).toEqual(['snapshot', 'head', 'leftover']);
    expect(findings).toEqual([]);
    expect([existsSync(left), existsSync(young)]).toEqual([false, true]);
    await holds(made.root, made);
  });

  it('[ST-3] touches nothing where nobody can tell what was lost, and lists it', async () => {
    const damages: readonly ((names: Names) => void)[] = [
      // The journal.
      ({ journal }) => truncateSync(join(journal, readdirSync(journal).sort().at(-1) ?? ''), 400),
      ({ journal }) => rmSync(join(journal, readdirSync(journal).sort().at(-1) ?? '')),
      // Both snapshots.
      ({ snapshot, formerSnapshot }) => {
        truncateSync(snapshot, 100);
        truncateSync(formerSnapshot, 100);
      },
      // A history, a document.
      ({ history }) => truncateSync(join(history, 'a', readdirSync(join(history, 'a'))[0] ?? ''), 500),
      ({ documents }) => truncateSync(join(documents, readdirSync(documents)[0] ?? ''), 3),
    ];
    for (const damage of damages) {
      const { root } = await rolled();
      damage(namesOf(root));
      const before = everything(root);
      const found = await checkWorkspace(root);
      expect(found.some(({ severity }) => severity === 'error')).toBe(true);
      expect(await repairWorkspace(root)).toEqual({ actions: [], findings: found });
      expect(everything(root)).toEqual(before);
    }
  }, 60_000);

  it('[ST-3] a journal that was cut short behind a lost head is not given a new mark where evidence knows better', async () => {
    const { root } = await rolled();
    const { head, occurrences } = namesOf(root);
    rmSync(head);
    const attempt = join(occurrences, 'a/manual/a~1~m~late/attempt-1');
    mkdirSync(attempt, { recursive: true });
    const document = { version: 'x/1' };
    const documentDigest = digestOf(document);
    const facts = {
      seq: 9999,
      hash: 'a'.repeat(64),
      epoch: 1,
      attempt: 1,
      occurrence: 'a~1~m~late',
      scheduleId: 'a',
      revision: 1,
    };
    writeFileSync(join(attempt, 'dispatch.json'), JSON.stringify({ ...facts, documentDigest, document }));
    const { actions, findings } = await repairWorkspace(root);
    expect(actions).toEqual([]);
    expect(findings.map(({ invariant }) => invariant)).toContain('I10');
    expect(existsSync(head)).toBe(false);
  });

  it('[OW-1, ST-3] is refused while an owner lives, and while another process compacts', async () => {
    const { root } = await rolled();
    rmSync(namesOf(root).head);
    const { lock, close } = await openAt(root);
    const acquired = await lock.acquire();
    if (acquired.kind !== 'acquired') throw new Error(acquired.kind);
    for (const dryRun of [true, false]) {
      await expect(repairWorkspace(root, { dryRun })).rejects.toMatchObject({ code: 'SCHEDULE_LOCK_HELD' });
    }
    await acquired.lease.release();
    await close();
    const rollOver = await (await kernelLocks(realDisk))(namesOf(root).rollOverLock);
    rollOver.tryLock();
    await expect(repairWorkspace(root)).rejects.toMatchObject({ code: 'SCHEDULE_CONTENTION' });
    await rollOver.close();
    expect((await repairWorkspace(root)).actions).toHaveLength(1);
  });

  it('[ST-3] is refused where there is no catalogue, or none that it can read the name of', async () => {
    const root = emptyRoot();
    await expect(repairWorkspace(root)).rejects.toMatchObject({ code: 'SCHEDULE_WORKSPACE_UNUSABLE' });
    expect(readdirSync(root)).toEqual([]);
    const made = await rolled();
    rmSync(namesOf(made.root).store);
    await expect(repairWorkspace(made.root)).rejects.toMatchObject({ code: 'SCHEDULE_CATALOGUE_CORRUPT' });
  });
});
