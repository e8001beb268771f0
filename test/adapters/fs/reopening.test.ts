/**
 * Files that the store keeps open and has to open again: after a roll-over, after a failed flush, after a file was replaced.
 * Where opening fails just then, nobody may go on with a file that was closed, or with one that has lost its name.
 */
import { describe, expect, it } from 'vitest';
import { layoutOf, segmentPath } from '../../../src/adapters/fs/layout.js';
import { isScheduleError } from '../../../src/errors.js';
import {
  commitOn,
  records,
  sampleBatch,
  sampleOccurrence,
  sampleSchedule,
  writes,
} from '../../../src/testing/contracts/sample-catalogue.js';
import type { Effect, Hook, Step } from '../../sim/disk/sim-disk.js';
import type { SimMedium } from '../../sim/disk/sim-medium.js';
import { AT, faultsOn, newMedium, type OpenedOn, openOn } from '../../sim/disk/workspace-on.js';

const LAYOUT = layoutOf(AT);
const FIRST = segmentPath(LAYOUT, 1);
const UNAVAILABLE = 'SCHEDULE_STORE_UNAVAILABLE';
const FAILED = 'SCHEDULE_STORE_FAILED';

/** Fails the openings that a test is after, so many of them. */
interface Trouble {
  isAt: (step: Step) => boolean;
  left: number;
  met: number;
}

function openings(trouble: Trouble, also: Hook = () => undefined): Hook {
  return (step) => {
    const isMet = step.call === 'open' && trouble.left > 0 && trouble.isAt(step);
    if (!isMet) return also(step);
    trouble.left -= 1;
    trouble.met += 1;
    return { kind: 'fail', code: 'EMFILE' };
  };
}

const calm = (): Trouble => ({ isAt: () => false, left: 0, met: 0 });

/** A medium with schedule `a`, and a process that has it open under a hook. */
async function opened(trouble: Trouble, also?: Hook): Promise<{ medium: SimMedium; process: OpenedOn }> {
  const medium = newMedium();
  const process = await openOn(medium, openings(trouble, also));
  await commitOn(process.store, [writes(sampleSchedule('a'))]);
  return { medium, process };
}

/** A flush of the first segment that fails, once the trouble of a test has begun; on the same file no other one would tell. */
function failingFlush(trouble: Trouble): { readonly fails: Hook; hasFailed: boolean } {
  const flush = {
    hasFailed: false,
    fails: ({ call, path, isNow }: Step): Effect | undefined => {
      if (isNow || call !== 'flush' || path !== FIRST || flush.hasFailed || trouble.left === 0) return undefined;
      flush.hasFailed = true;
      return { kind: 'fail', code: 'EIO' };
    },
  };
  return flush;
}

let names = 0;

/** Admits one more occurrence, and says what became of it. */
async function admit({ store }: OpenedOn): Promise<string> {
  const { seq } = await store.changes(0);
  const batch = sampleBatch(seq, [records(sampleOccurrence('a', `n${++names}`))]);
  return store.commit(batch).then(({ kind }) => kind, codeOf);
}

function codeOf(error: unknown): string {
  return isScheduleError(error) ? error.code : String(error);
}

async function pendingIn({ store }: OpenedOn): Promise<number> {
  return (await store.changes(0)).schedules[0]?.entry.pending.length ?? -1;
}

/** Goes on in the same process, and holds what it says against what a fresh one reads. */
async function goesOn(medium: SimMedium, process: OpenedOn, known: number): Promise<void> {
  expect(await admit(process)).toBe('committed');
  expect(await admit(process)).toBe('committed');
  const fresh = await openOn(medium);
  expect([await pendingIn(process), await pendingIn(fresh)]).toEqual([known + 2, known + 2]);
  expect(await admit(fresh)).toBe('committed');
  expect(await pendingIn(process), 'it reads on in a file that nobody writes').toBe(known + 3);
  expect(await faultsOn(medium)).toEqual([]);
  await process.close();
  await fresh.close();
  expect(openFiles(medium), 'files that were left open').toEqual([]);
}

/** Paths of the files that somebody has open. */
function openFiles(medium: SimMedium): readonly string[] {
  const newest = medium.open(LAYOUT.store, 'read');
  medium.close(newest);
  const paths: string[] = [];
  for (let handle = 1; handle < newest; handle++) if (medium.pathOf(handle) !== '?') paths.push(medium.pathOf(handle));
  return paths;
}

describe('opening again fails', () => {
  it.each([1, 4])(
    '[ST-4, ST-1] the segment behind a roll-over, %i times: what cannot be committed says so, and the next one is written there',
    async (times) => {
      const trouble = calm();
      const { medium, process } = await opened(trouble);
      const next = segmentPath(LAYOUT, 2);
      // Making it succeeds; opening what was made does not.
      Object.assign(trouble, {
        isAt: ({ path }: Step) => path === next && medium.look(next) !== undefined,
        left: times,
      });
      await fillSegment(process);
      await process.store.settled();
      expect(process.warnings, 'the roll-over tells of it').toHaveLength(1);
      const ends: string[] = [];
      for (let n = 0; n < 20 && trouble.left > 0; n++) ends.push(await admit(process).catch(codeOf));
      expect(trouble.met).toBe(times);
      expect(ends).toEqual(ends.map(() => UNAVAILABLE));
      expect(await pendingIn(process)).toBe(0);
      await goesOn(medium, process, 0);
      expect(medium.look(next)?.bytes).toBeGreaterThan(1000);
    },
  );

  it('[ST-4, ST-2] the copy that a failed flush was made good on: everybody stops until an owner starts, then the same process goes on', async () => {
    const trouble = calm();
    const flush = failingFlush(trouble);
    const { medium, process } = await opened(trouble, flush.fails);
    const known = await pendingIn(process);
    // The first opening for reading makes the copy, the second one takes it in the place of the file before.
    let readings = 0;
    Object.assign(trouble, {
      isAt: ({ path }: Step) => flush.hasFailed && path === FIRST && ++readings === 2,
      left: 1,
    });
    expect(await admit(process)).toBe(FAILED);
    expect(trouble.met).toBe(1);
    expect(await admit(process)).toBe(FAILED);
    await beOwner(process);
    expect(await pendingIn(process)).toBe(known + 1);
    await goesOn(medium, process, known + 1);
  });

  it('[ST-4] the file to append to, after such a copy: the record is durable, and the next one is appended to the copy', async () => {
    const trouble = calm();
    const flush = failingFlush(trouble);
    const { medium, process } = await opened(trouble, flush.fails);
    const known = await pendingIn(process);
    let readings = 0;
    Object.assign(trouble, { isAt: ({ path }: Step) => flush.hasFailed && path === FIRST && ++readings > 2, left: 1 });
    expect(await admit(process)).toBe('committed');
    expect(trouble.met).toBe(1);
    await goesOn(medium, process, known + 1);
  });

  it('[ST-4] the head mark: a commit does not need it, a reader is told, and neither is left with a file that is closed', async () => {
    const trouble = calm();
    const { medium, process } = await opened(trouble);
    const known = await pendingIn(process);
    medium.unlink(LAYOUT.head);
    Object.assign(trouble, { isAt: ({ path }: Step) => path === LAYOUT.head, left: 4 });
    const ends = [await admit(process).catch(codeOf), await admit(process).catch(codeOf)];
    trouble.left = 0;
    expect(trouble.met).toBeGreaterThan(0);
    const made = (await pendingIn(process)) - known;
    expect(made).toBe(ends.filter((end) => end === 'committed').length);
    await goesOn(medium, process, known + made);
    expect(medium.look(LAYOUT.head), 'it is written anew').toBeDefined();
  });

  it('[ST-4, ST-5] the state lock, after its file was replaced: the commit says so, and the next one takes the new file', async () => {
    const trouble = calm();
    const { medium, process } = await opened(trouble);
    expect(await admit(process)).toBe('committed');
    const known = await pendingIn(process);
    medium.unlink(LAYOUT.stateLock);
    Object.assign(trouble, { isAt: ({ path }: Step) => path === LAYOUT.stateLock, left: 2 });
    expect([await admit(process), await admit(process)]).toEqual([UNAVAILABLE, UNAVAILABLE]);
    expect(trouble.met).toBe(2);
    await goesOn(medium, process, known);
  });

  it('[ST-4, ST-1, ST-5] any file, at any moment of commits, a failed flush and a roll-over: the same process always goes on', async () => {
    let met = 0;
    let rolled = 0;
    for (let opening = 1; ; opening++) {
      const trouble = calm();
      let isFailing = false;
      const { medium, process } = await opened(trouble, ({ call, path, isNow }) => {
        if (isNow || !isFailing || call !== 'flush' || path !== FIRST) return undefined;
        isFailing = false;
        return { kind: 'fail', code: 'EIO' };
      });
      let count = 0;
      Object.assign(trouble, { isAt: () => ++count === opening, left: 1 });
      isFailing = true;
      await admit(process).catch(codeOf);
      // Where a flush could not be made good, an owner has to write the journal anew.
      await beOwner(process);
      medium.unlink(LAYOUT.stateLock);
      medium.unlink(LAYOUT.head);
      await fillSegment(process).catch(codeOf);
      await admit(process).catch(codeOf);
      await process.store.settled();
      trouble.left = 0;
      await beOwner(process);
      await goesOn(medium, process, await pendingIn(process));
      if (medium.look(segmentPath(LAYOUT, 2)) !== undefined) rolled += 1;
      met += trouble.met;
      if (trouble.met === 0) break;
    }
    expect(met).toBeGreaterThan(20);
    expect(rolled).toBeGreaterThan(met / 2);
  }, 60_000);
});

/** Takes the owner lock and gives it back, if it can. */
async function beOwner({ lock }: OpenedOn): Promise<void> {
  const taken = await lock.acquire().catch(codeOf);
  if (typeof taken !== 'string' && taken.kind === 'acquired') await taken.lease.release();
}

/** Makes a roll-over due, and lets it be made. */
async function fillSegment({ store }: OpenedOn): Promise<void> {
  for (let n = 0; n < 10; n++) {
    const changes = Array.from({ length: 100 }, () => records(sampleOccurrence('a', `e${++names}`, 'skipped')));
    const { seq } = await store.changes(0);
    await store.commit(sampleBatch(seq, changes));
  }
}
