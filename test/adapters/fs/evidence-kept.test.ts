/** How much evidence is kept: what goes at a compaction, what never goes, and what a crash leaves of it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { occurrencePath } from '../../../src/adapters/fs/evidence/evidence-place.js';
import { manualOccurrenceId, occurrenceId } from '../../../src/core/model/occurrence.js';
import type { Schedule } from '../../../src/core/model/schedule.js';
import {
  commitOn,
  records,
  sampleAt,
  sampleMark,
  sampleOccurrence,
  sampleSchedule,
  writes,
} from '../../../src/testing/contracts/sample-catalogue.js';
import {
  emptyRoot,
  endMany,
  namesOf,
  type OpenedWorkspace,
  openAt,
  systemError,
  takeWarnings,
  watchedDisk,
} from './ground.js';

const MINUTE = 60;
const DAY_MS = 86_400_000;
/** As many as make a compaction due. */
const MANY = 1200;

/** The id of the occurrence of a schedule that is due at a minute. */
function due(minute: number, schedule = 'a', revision = 1): string {
  return occurrenceId(schedule, revision, sampleAt(minute * MINUTE));
}

function schedule(id: string, fields: Partial<Schedule> = {}): ReturnType<typeof writes> {
  return writes(sampleSchedule(id, { collectedThrough: sampleAt(1000 * MINUTE), ...fields }));
}

/** A workspace with a schedule `a`, and one that makes compactions due. */
async function opened(root: string, options: Parameters<typeof openAt>[1] = {}, disk?: Disk): Promise<OpenedWorkspace> {
  const workspace = await openAt(root, options, disk);
  const { schedules } = await workspace.store.changes(0);
  if (schedules.length === 0) await commitOn(workspace.store, [schedule('a'), schedule('filler')]);
  return workspace;
}

async function begun({ evidence }: OpenedWorkspace, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await evidence.begin(id, 1, { id });
    await evidence.finish(id, 1, { outcome: 'succeeded' });
  }
}

let rounds = 0;
async function compact({ store }: OpenedWorkspace): Promise<void> {
  await endMany(store, 'filler', 10_000 * rounds++, MANY);
  await store.settled();
}

function isKept(root: string, id: string): boolean {
  return existsSync(join(occurrencePath(namesOf(root), id), 'attempt-1', 'result.json'));
}

function keptOf(root: string, ids: readonly string[]): readonly string[] {
  return ids.filter((id) => isKept(root, id));
}

/** As if an occurrence had been begun and ended so many days ago. */
function aged(root: string, id: string, days: number): void {
  const at = new Date(Date.now() - days * DAY_MS);
  const path = occurrencePath(namesOf(root), id);
  for (const name of ['attempt-1', '.']) utimesSync(join(path, name), at, at);
}

describe('evidence that is too old', () => {
  it('[ST-9] all of it stays where nothing else is said', async () => {
    const root = emptyRoot();
    const workspace = await opened(root);
    const ids = [1, 2, 3].map((minute) => due(minute));
    await begun(workspace, ids);
    for (const id of ids) aged(root, id, 4000);
    await compact(workspace);
    expect(keptOf(root, ids)).toEqual(ids);
    expect(existsSync(namesOf(root).removedEvidence)).toBe(false);
  });

  it('[ST-9, CO-6] the newest of each schedule stay, and what goes is noted as accounted for', async () => {
    const root = emptyRoot();
    const workspace = await opened(root, { evidence: { keep: { newest: 3 } } });
    const manual = sampleOccurrence('a', 'By-Hand', 'skipped', { isRequestKept: true });
    await commitOn(workspace.store, [schedule('b'), records(manual)]);
    const ids = [1, 2, 3, 4, 5].map((minute) => due(minute));
    const others = [1, 2, 3].map((minute) => due(minute, 'b'));
    await begun(workspace, [...ids, ...others, manual.id]);
    await compact(workspace);
    expect(keptOf(root, [...ids, manual.id])).toEqual([...ids.slice(-2), manual.id]);
    expect(keptOf(root, others)).toEqual(others);
    expect(readdirSync(namesOf(root).removedEvidence)).toEqual([]);
    const find = async (from: OpenedWorkspace) =>
      (await from.store.changes(0)).schedules.find(({ entry }) => entry.schedule.id === 'a');
    expect(await find(workspace)).toMatchObject({ prunedThrough: sampleAt(3 * MINUTE), requests: ['By-Hand'] });
    expect(await workspace.evidence.attempts(ids[0] ?? '')).toEqual([]);
    await workspace.close();
    expect(await find(await openAt(root))).toMatchObject({ prunedThrough: sampleAt(3 * MINUTE) });
  });

  it('[ST-9] what was begun or ended within so many days stays, however old it was when it ran', async () => {
    const root = emptyRoot();
    const workspace = await opened(root, { evidence: { keep: { days: 30 } } });
    const manual = ['old', 'new'].map((name) => sampleOccurrence('a', name, 'skipped', { isRequestKept: true }));
    await commitOn(workspace.store, manual.map(records));
    const ids = [1, 2, 3].map((minute) => due(minute));
    await begun(workspace, [...ids, ...manual.map(({ id }) => id)]);
    for (const id of [ids[0], ids[1], manual[0]?.id]) aged(root, id ?? '', 31);
    const again = join(occurrencePath(namesOf(root), ids[1] ?? ''), 'attempt-2');
    mkdirSync(again);
    aged(root, ids[2] ?? '', 29);
    await compact(workspace);
    expect(keptOf(root, [...ids, ...manual.map(({ id }) => id)])).toEqual([ids[1], ids[2], manual[1]?.id]);
  });

  it('[ST-9, CO-6] nothing goes that is pending, unresolved, or all that is known of what ran', async () => {
    const root = emptyRoot();
    const workspace = await opened(root, { evidence: { keep: { newest: 1 } } });
    const running = sampleOccurrence('a', 'x', 'running', {
      id: due(1),
      origin: 'trigger',
      claim: { attempt: 1, epoch: 1, claimedAt: sampleAt(60), hasWorkspace: true },
    });
    const quarantine = {
      reason: 'unresponsive',
      since: sampleAt(1),
      epoch: 1,
      detail: '',
      occurrence: due(3),
    } as const;
    await commitOn(workspace.store, [schedule('a', { unresolved: [due(2)], quarantine }), records(running)]);
    const kept = [
      due(1),
      due(2),
      due(3),
      due(1001),
      due(6, 'a', 2),
      manualOccurrenceId('a', 1, 'unknown'),
      ...[1, 2].map((minute) => due(minute, 'nobody')),
    ];
    const gone = [due(4), due(5), manualOccurrenceId('a', 1, '0123456789ab')];
    await begun(workspace, [...kept, ...gone]);
    aged(root, gone[2] ?? '', 4000);
    // Newer than all of them.
    await begun(workspace, [manualOccurrenceId('a', 1, 'newest')]);
    await compact(workspace);
    expect(keptOf(root, [...kept, ...gone])).toEqual(kept);
  });

  it('[ST-9, CT-7] former revisions and deleted schedules keep no more than the rule says', async () => {
    const root = emptyRoot();
    const workspace = await opened(root, { evidence: { keep: { newest: 1 } } });
    const ids = [due(1), manualOccurrenceId('a', 1, 'unknown'), due(2, 'a', 2)];
    const former = [1, 2, 3].map((minute) => due(minute, 'b'));
    await begun(workspace, [...ids, ...former]);
    aged(root, ids[1] ?? '', 4000);
    await commitOn(workspace.store, [schedule('a', { revision: 2, version: 2 }), schedule('b')]);
    await commitOn(workspace.store, [
      { kind: 'remove', mark: { ...sampleMark('b'), collectedThrough: sampleAt(1000 * MINUTE) } },
    ]);
    await compact(workspace);
    expect(keptOf(root, [...ids, ...former])).toEqual([due(2, 'a', 2), due(3, 'b')]);
  });

  it('[ST-8, ST-9] links are removed and never followed', async () => {
    const root = emptyRoot();
    const workspace = await opened(root, { evidence: { keep: { newest: 1 } } });
    const outside = emptyRoot();
    const ids = [1, 2].map((minute) => due(minute));
    await begun(workspace, ids);
    mkdirSync(join(outside, '2026-01', due(1, 'linked')), { recursive: true });
    mkdirSync(join(outside, '2026-01', due(2, 'linked')));
    writeFileSync(join(outside, 'mine'), 'mine');
    symlinkSync(outside, join(occurrencePath(namesOf(root), ids[0] ?? ''), 'attempt-1', 'link'));
    symlinkSync(join(outside, 'mine'), join(occurrencePath(namesOf(root), ids[0] ?? ''), 'attempt-1', 'file'));
    symlinkSync(outside, join(root, 'occurrences', 'linked'));
    await commitOn(workspace.store, [schedule('linked')]);
    await compact(workspace);
    expect(keptOf(root, ids)).toEqual([ids[1]]);
    expect(readFileSync(join(outside, 'mine'), 'utf8')).toBe('mine');
    expect(readdirSync(join(outside, '2026-01'))).toHaveLength(2);
  });

  it('[ST-2, ST-9] dying at any step leaves whole evidence or none, and the next compaction goes on', async () => {
    const calls: readonly (keyof Disk)[] = ['rename', 'flushDirectory', 'unlink', 'removeDirectory', 'makeDirectory'];
    const ids = [1, 2, 3].map((minute) => due(minute));
    for (let step = 0, isDone = false; !isDone; step += 1) {
      const root = emptyRoot();
      let left = Number.POSITIVE_INFINITY;
      const disk = watchedDisk((call, args) => {
        const isEvidence = String(args[0]).startsWith(namesOf(root).occurrences);
        if (isEvidence && calls.includes(call) && left-- <= 0) throw systemError('EIO');
      });
      const first = await opened(root, { evidence: { keep: { newest: 1 } } }, disk);
      await begun(first, ids);
      left = step;
      await compact(first);
      isDone = left > 0;
      left = Number.POSITIVE_INFINITY;
      for (const warning of takeWarnings()) expect(warning, `step ${step}`).toContain('EIO');
      for (const id of ids) {
        const isThere = existsSync(occurrencePath(namesOf(root), id));
        expect(isKept(root, id), `step ${step}, ${id}`).toBe(isThere);
      }
      await first.close();
      const second = await opened(root, { evidence: { keep: { newest: 1 } } });
      await compact(second);
      expect(keptOf(root, ids), `step ${step}`).toEqual(ids.slice(-1));
      expect(readdirSync(namesOf(root).removedEvidence), `step ${step}`).toEqual([]);
    }
  }, 60_000);

  it('[ST-9] one compaction removes a bounded number, the next ones the rest', async () => {
    const root = emptyRoot();
    const workspace = await opened(root, { evidence: { keep: { newest: 5 } } });
    const ids = Array.from({ length: 250 }, (_, index) => due(index));
    for (const id of ids) {
      const path = join(occurrencePath(namesOf(root), id), 'attempt-1');
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, 'result.json'), '{}');
    }
    await compact(workspace);
    expect(keptOf(root, ids)).toEqual(ids.slice(200));
    await compact(workspace);
    expect(keptOf(root, ids)).toEqual(ids.slice(-5));
  });

  it('[ST-9] a rule that is none is refused before anything is opened', async () => {
    const wrong: readonly unknown[] = [{ newest: 0 }, { newest: 1.5 }, { newest: 100_001 }, { days: 0 }, {}, 'none'];
    for (const keep of [...wrong, { newest: 1, days: 1 }]) {
      const root = join(emptyRoot(), 'new');
      await expect(openAt(root, { evidence: { keep: keep as 'all' } })).rejects.toMatchObject({
        code: 'SCHEDULE_CONFIG_INVALID',
      });
      expect(existsSync(root)).toBe(false);
    }
  });
});
