/** Evidence on disk beside its contract: where it stands, in which order it becomes durable, and what is not followed. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { occurrenceId } from '../../../src/core/model/occurrence.js';
import { sampleAt } from '../../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, openAt, systemError, watchedDisk } from './ground.js';

const TRIGGERED = occurrenceId('nightly', 1, sampleAt(60));

describe('evidence in the workspace', () => {
  it('[OC-8] stands where its id says: schedule, month or manual, occurrence, attempt', async () => {
    const root = emptyRoot();
    const { evidence } = await openAt(root);
    const places: string[] = [];
    for (const [id, attempt] of [
      [TRIGGERED, 1],
      [TRIGGERED, 2],
      ['nightly~3~m~by-hand', 1],
    ] as const) {
      const begun = await evidence.begin(id, attempt, { seq: 1 });
      if (begun === 'exists') throw new Error('it is new');
      places.push(relative(root, begun.directory));
    }
    expect(places).toEqual([
      'occurrences/nightly/2026-01/nightly~1~20260105T080100000Z/attempt-1',
      'occurrences/nightly/2026-01/nightly~1~20260105T080100000Z/attempt-2',
      'occurrences/nightly/manual/nightly~3~m~by-hand/attempt-1',
    ]);
    expect(readFileSync(join(root, places[0] ?? '', 'dispatch.json'), 'utf8')).toBe('{\n  "seq": 1\n}\n');
  });

  it('[OC-3] the record is durable before it has its name, and every name before the call returns', async () => {
    const steps: string[] = [];
    const root = emptyRoot();
    const disk = watchedDisk((call, args) => {
      if (!['makeDirectory', 'flushDirectory', 'flush', 'rename'].includes(call)) return;
      const path = relative(root, String(call === 'rename' ? args[1] : args[0]));
      steps.push(call === 'flush' ? call : `${call} ${path.split('/').slice(1).join('/')}`);
    });
    const { evidence } = await openAt(root, {}, disk);
    steps.length = 0;
    await evidence.begin('a~1~m~x', 1, {});
    expect(steps).toEqual([
      'makeDirectory a',
      'makeDirectory a/manual',
      'makeDirectory a/manual/a~1~m~x',
      'makeDirectory a/manual/a~1~m~x/attempt-1',
      'flush',
      'rename a/manual/a~1~m~x/attempt-1/dispatch.json',
      'flushDirectory a/manual/a~1~m~x/attempt-1',
      'flushDirectory a/manual/a~1~m~x',
      'flushDirectory ',
      'flushDirectory a',
      'flushDirectory a/manual',
    ]);
    steps.length = 0;
    await evidence.begin('a~1~m~y', 1, {});
    expect(steps.filter((step) => step.startsWith('flush'))).toHaveLength(4);
  });

  it('[OC-3] an attempt whose record could not be written exists, so it is never begun again', async () => {
    const root = emptyRoot();
    let isFull = false;
    const disk = watchedDisk((call) => {
      if (isFull && call === 'write') throw systemError('ENOSPC');
    });
    const { evidence } = await openAt(root, {}, disk);
    isFull = true;
    await expect(evidence.begin(TRIGGERED, 1, {})).rejects.toMatchObject({ code: 'SCHEDULE_STORE_UNAVAILABLE' });
    isFull = false;
    expect(await evidence.begin(TRIGGERED, 1, {})).toBe('exists');
    expect(await evidence.attempts(TRIGGERED)).toEqual([1]);
    expect(await evidence.attempted('nightly', sampleAt(0))).toEqual([sampleAt(60)]);
  });

  it('[OC-8] whatever a handler puts in the place of a record, it is replaced and not followed', async () => {
    const root = emptyRoot();
    const { evidence } = await openAt(root);
    const begun = await evidence.begin('a~1~m~x', 1, {});
    if (begun === 'exists') throw new Error('it is new');
    const victim = join(root, 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, join(begun.directory, 'result.json'));
    await evidence.finish('a~1~m~x', 1, { outcome: 'succeeded' });
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    await evidence.finish('a~1~m~x', 1, { outcome: 'again' });
    expect((await evidence.read('a~1~m~x'))?.attempts[0]?.result).toEqual({ outcome: 'again' });
  });

  it('[CT-12] files below an attempt are listed with their sizes, links are not followed', async () => {
    const root = emptyRoot();
    const { evidence } = await openAt(root);
    const begun = await evidence.begin('a~1~m~x', 1, {});
    if (begun === 'exists') throw new Error('it is new');
    mkdirSync(join(begun.directory, 'out', 'deep'), { recursive: true });
    writeFileSync(join(begun.directory, 'out', 'deep', 'report.txt'), 'hello');
    writeFileSync(join(begun.directory, 'log'), 'x');
    symlinkSync(root, join(begun.directory, 'out', 'link'));
    expect((await evidence.read('a~1~m~x'))?.attempts[0]?.files).toEqual([
      { path: 'log', bytes: 1 },
      { path: 'out/deep/report.txt', bytes: 5 },
    ]);
    writeFileSync(join(begun.directory, 'result.json'), '{');
    await expect(evidence.read('a~1~m~x')).rejects.toMatchObject({ code: 'SCHEDULE_CATALOGUE_CORRUPT' });
  });

  it('[ST-8] a link in the place of a shared directory is refused, and nothing is made behind it', async () => {
    const root = emptyRoot();
    const { evidence } = await openAt(root);
    const outside = emptyRoot();
    symlinkSync(outside, join(root, 'occurrences', 'a'));
    await expect(evidence.begin('a~1~m~x', 1, {})).rejects.toMatchObject({ code: 'SCHEDULE_WORKSPACE_UNUSABLE' });
    expect(readdirSync(outside)).toEqual([]);
  });

  it('[ST-8] ids that are none are refused before anything is made', async () => {
    const root = emptyRoot();
    const { evidence } = await openAt(root);
    for (const id of ['', 'a', '../x~1~m~y', 'a~x~m~y', 'a~1~m~../../y', 'a~1~20260105', 'a~1~m~x~y']) {
      await expect(evidence.begin(id, 1, {}), id).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
    }
    for (const attempt of [0, -1, 1.5, Number.NaN]) {
      await expect(evidence.begin(TRIGGERED, attempt, {})).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
    }
    await expect(evidence.finish(TRIGGERED, 1, {})).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
    expect(readdirSync(join(root, 'occurrences'))).toEqual([]);
  });

  it('[CT-12] a closed workspace answers no more', async () => {
    const workspace = await openAt(emptyRoot());
    await workspace.close();
    await workspace.close();
    const isClosed = { code: 'SCHEDULE_CLOSED' };
    await expect(workspace.evidence.read(TRIGGERED)).rejects.toMatchObject(isClosed);
    await expect(workspace.store.document('sha256:x')).rejects.toMatchObject(isClosed);
    expect(() => workspace.store.watch(() => undefined)).toThrow(expect.objectContaining(isClosed));
    await expect(workspace.lock.status()).rejects.toMatchObject(isClosed);
  });
});
