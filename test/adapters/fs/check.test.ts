/** What a check tells: everything that would make use fail, and what was lost that only guards; it changes nothing. */
import {
  linkSync,
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
import { segmentPath } from '../../../src/adapters/fs/layout.js';
import { checkWorkspace } from '../../../src/checker/check-workspace.js';
import { commitOn, sampleSchedule, writes } from '../../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, endMany, namesOf, openAt } from './ground.js';

/** A closed workspace with one commit. */
async function oneCommit(): Promise<string> {
  const root = emptyRoot();
  const { store, close } = await openAt(root);
  await commitOn(store, [writes(sampleSchedule('a'))]);
  await close();
  return root;
}

/** A closed workspace that was rolled over twice, so that a former snapshot has a segment of its own. */
async function rolledTwice(): Promise<string> {
  const root = emptyRoot();
  const { store, close } = await openAt(root);
  await commitOn(store, [writes(sampleSchedule('a'))]);
  for (let round = 0; round < 3; round++) {
    await endMany(store, 'a', round * 5000, 1100);
    await store.settled();
  }
  await close();
  return root;
}

function linked(path: string): void {
  renameSync(path, `${path}.moved`);
  symlinkSync(`${path}.moved`, path);
}

function directory(path: string): void {
  rmSync(path, { force: true });
  mkdirSync(path);
}

describe('a check', () => {
  it('[ST-3, ST-8] finds directories that are missing, links, or files', async () => {
    for (const name of ['journal', 'documents', 'history', 'locks', 'tmp', 'quarantine', 'occurrences'] as const) {
      for (const [rule, damage] of [
        ['missing', (path: string) => rmSync(path, { recursive: true })],
        ['place', linked],
        [
          'place',
          (path: string) => {
            renameSync(path, `${path}.moved`);
            writeFileSync(path, '');
          },
        ],
      ] as const) {
        const root = await oneCommit();
        damage(namesOf(root)[name]);
        const [first] = await checkWorkspace(root);
        expect(first, `${name}: ${rule}`).toMatchObject({ severity: 'error', file: namesOf(root)[name], rule });
        expect(first?.advice).not.toBe('');
      }
    }
  });

  it('[ST-3, ST-8] finds locks and the report of the owner that are links, directories or files with two names', async () => {
    for (const name of ['ownerLock', 'stateLock', 'rollOverLock', 'owner', 'head'] as const) {
      for (const damage of [linked, directory]) {
        const root = await oneCommit();
        const path = namesOf(root)[name];
        writeFileSync(path, name === 'head' ? readFileSync(path) : '');
        damage(path);
        const findings = await checkWorkspace(root);
        const place = findings.filter(({ file }) => file === path);
        expect(place, name).toMatchObject([{ severity: 'error', rule: 'place', offset: 0 }]);
      }
    }
    const root = await oneCommit();
    linkSync(namesOf(root).stateLock, join(root, 'second'));
    expect(await checkWorkspace(root)).toMatchObject([{ file: namesOf(root).stateLock, rule: 'place' }]);
  });

  it('[ST-3] reads the older segment that the advice on a lost snapshot needs', async () => {
    const root = await rolledTwice();
    const { journal, snapshot } = namesOf(root);
    const [older = ''] = readdirSync(journal).sort();
    const path = join(journal, older);
    const whole = readFileSync(path);
    expect(await checkWorkspace(root)).toEqual([]);
    const damages: readonly (readonly [string, () => void])[] = [
      ['bytes', () => writeFileSync(path, Buffer.from(whole).fill(88, 500, 510))],
      ['missing', () => rmSync(path)],
    ];
    for (const [rule, damage] of damages) {
      damage();
      // Use does not need it, so a check alone can tell.
      const { store, close } = await openAt(root);
      expect((await store.changes(0)).schedules).toHaveLength(1);
      await close();
      const [finding, ...others] = await checkWorkspace(root);
      expect(finding).toMatchObject({ file: path, rule, advice: expect.stringContaining('backup') });
      expect(others).toEqual([]);
      renameSync(snapshot, `${snapshot}.kept`);
      const lost = (await checkWorkspace(root)).find(({ file }) => file === snapshot);
      expect(lost?.advice, 'not a way that leads nowhere').not.toContain('repair');
      renameSync(`${snapshot}.kept`, snapshot);
      writeFileSync(path, whole, { mode: 0o600 });
    }
    rmSync(snapshot);
    expect(await checkWorkspace(root)).toMatchObject([{ file: snapshot, advice: expect.stringContaining('repair') }]);
  });

  it('[ST-3] notes a head mark that is lost, which stops nobody, and the next commit writes it anew', async () => {
    for (const damage of [
      (path: string) => rmSync(path),
      (path: string) => truncateSync(path, 0),
      (path: string) => truncateSync(path, 100),
      (path: string) => writeFileSync(path, 'x'.repeat(512)),
      (path: string) => writeFileSync(path, ' '.repeat(512)),
    ]) {
      const root = await oneCommit();
      const { head } = namesOf(root);
      damage(head);
      expect(await checkWorkspace(root)).toMatchObject([{ severity: 'note', rule: 'head', file: head, offset: 0 }]);
      const { store, close } = await openAt(root);
      expect((await store.changes(0)).seq).toBe(1);
      expect(await commitOn(store, [])).toBe(2);
      expect(await checkWorkspace(root)).toEqual([]);
      // Lost while it is open: noticed as well.
      damage(head);
      expect(await commitOn(store, [])).toBe(3);
      expect(await checkWorkspace(root)).toEqual([]);
      await close();
      truncateSync(segmentPath(namesOf(root), 1), 0);
      await expect((await openAt(root)).store.changes(0)).rejects.toMatchObject({ code: 'SCHEDULE_CATALOGUE_CORRUPT' });
    }
  });
});
