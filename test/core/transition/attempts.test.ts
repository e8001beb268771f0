/** Dispatch, claims and the ends of attempts: OC-2 to OC-7, OC-11, OW-2. */
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../../src/core/model/declaration.js';
import type { AttemptOutcome, Settlement } from '../../../src/core/model/input.js';
import { keyHolds } from '../../../src/core/policy/hold.js';
import { epochMs } from '../../../src/core/time/instant.js';
import { compareDispatch, readyAt, readyOccurrence } from '../../../src/core/transition/owner/dispatch-order.js';
import { brief, later, minute, refusalOf, SECOND, T0, World } from '../../support/builders.js';

const backoff = { initialSeconds: 60, factor: 1, maxSeconds: 60 };
const failed: AttemptOutcome = { kind: 'failed', fault: { code: 'handlerFailed', message: 'no' } };
const verified: AttemptOutcome = { kind: 'succeeded', verification: { isVerified: true, receipts: [] } };
const unverified: AttemptOutcome = { kind: 'succeeded', verification: { isVerified: false, receipts: [] } };

function runningWorld(declared: Partial<Declaration> = {}): World {
  const world = World.of(declared);
  world.at(T0).tick();
  world.claim();
  return world;
}

interface Row {
  readonly title: string;
  readonly declared?: Partial<Declaration>;
  readonly asked?: 'cancel' | 'stop';
  readonly outcome: AttemptOutcome;
  readonly more?: Partial<Settlement>;
  readonly becomes: string;
}

const rows: readonly Row[] = [
  { title: '[OC-7] verified is succeeded', outcome: verified, becomes: '0 succeeded' },
  { title: '[OC-7] not verified is failed', outcome: unverified, becomes: '0 failed retriesSpent' },
  { title: '[OC-5] a failure without retries is failed', outcome: failed, becomes: '0 failed retriesSpent' },
  {
    title: '[OC-5] with retries the next claim is the same commit',
    declared: { maxRetries: 1 },
    outcome: failed,
    becomes: '0 running',
  },
  {
    title: '[OC-5] with back-off it waits',
    declared: { maxRetries: 1, retryBackoff: backoff },
    outcome: failed,
    becomes: '0 retrying',
  },
  {
    title: '[OC-5] a waiting retry survives a stop',
    declared: { maxRetries: 1, retryBackoff: backoff },
    outcome: failed,
    more: { isStopping: true },
    becomes: '0 retrying',
  },
  {
    title: '[OC-5] without back-off a stop before the next claim interrupts it',
    declared: { maxRetries: 1 },
    outcome: failed,
    more: { isStopping: true },
    becomes: '0 interrupted ownerStopped',
  },
  {
    title: '[OC-5] a stop changes nothing where no retry is left',
    outcome: failed,
    more: { isStopping: true },
    becomes: '0 failed retriesSpent',
  },
  {
    title: '[OC-5] failed at once when the retry would start after maxElapsedSeconds',
    declared: { maxRetries: 1, retryBackoff: backoff },
    outcome: failed,
    more: { elapsedMs: 3_590_000 },
    becomes: '0 failed elapsedBudget',
  },
  {
    title: '[OC-5] failed at once when the retry would start after expiresAt',
    declared: { maxRetries: 1, retryBackoff: backoff, expiresAt: '2026-11-30T08:00:40.000Z' },
    outcome: failed,
    becomes: '0 failed expired',
  },
  {
    title: '[OC-5] an attempt that reached maxElapsedSeconds is failed',
    declared: { maxRetries: 1 },
    outcome: failed,
    more: { abort: 'elapsed' },
    becomes: '0 failed elapsedBudget',
  },
  {
    title: '[OC-5] not retried when a cancellation is asked',
    declared: { maxRetries: 1 },
    asked: 'cancel',
    outcome: failed,
    more: { abort: 'timeout' },
    becomes: '0 failed cancelled',
  },
  {
    title: '[OC-10, OC-11] a timeout is a failed attempt, which may be retried',
    declared: { maxRetries: 1 },
    outcome: failed,
    more: { abort: 'timeout' },
    becomes: '0 running',
  },
  {
    title: '[OC-11] cancelled after a request to cancel',
    declared: { maxRetries: 1 },
    asked: 'cancel',
    outcome: failed,
    more: { abort: 'cancel' },
    becomes: '0 cancelled cancelled',
  },
  {
    title: '[OC-11, CT-11] cancelled after a stop of this occurrence',
    declared: { maxRetries: 1 },
    asked: 'stop',
    outcome: failed,
    more: { abort: 'cancel' },
    becomes: '0 cancelled stopped',
  },
  {
    title: '[CT-6, OC-11] a failure before the abort was heard ends as asked too',
    declared: { maxRetries: 1 },
    asked: 'cancel',
    outcome: failed,
    becomes: '0 cancelled cancelled',
  },
  {
    title: '[OC-11] interrupted after the stop of the owner',
    declared: { maxRetries: 1 },
    outcome: failed,
    more: { abort: 'stop' },
    becomes: '0 interrupted ownerStopped',
  },
  {
    title: '[OC-11] the first request stands',
    declared: { maxRetries: 1 },
    asked: 'cancel',
    outcome: failed,
    more: { abort: 'stop' },
    becomes: '0 interrupted ownerStopped',
  },
  {
    title: '[OC-11] a verified success is succeeded after any request',
    asked: 'cancel',
    outcome: verified,
    more: { abort: 'cancel' },
    becomes: '0 succeeded',
  },
  {
    title: '[OC-11] an unverified one ends as asked',
    asked: 'cancel',
    outcome: unverified,
    more: { abort: 'cancel' },
    becomes: '0 cancelled cancelled',
  },
  {
    title: '[OC-11] a handler that does not end is interrupted, whatever was asked',
    asked: 'cancel',
    outcome: { kind: 'unresponsive' },
    more: { abort: 'cancel' },
    becomes: '0 interrupted unresponsive',
  },
  {
    title: '[CO-6, OC-6] an attempt directory that exists is never run',
    declared: { maxRetries: 1 },
    outcome: { kind: 'attemptExists' },
    becomes: '0 interrupted attemptExists',
  },
];

describe('the end of an attempt', () => {
  it.each(rows)('$title', ({ declared, asked, outcome, more, becomes }) => {
    const world = runningWorld(declared);
    if (asked === 'cancel') world.cancel();
    if (asked === 'stop') world.stop();
    world.at(later(SECOND)).settle(outcome, more);
    expect([...world.ended, ...world.pending].map(brief)).toEqual([becomes]);
  });

  it('[OC-5] an occurrence of an older revision is not retried', () => {
    const world = runningWorld({ maxRetries: 2, trigger: { kind: 'once', at: '2026-11-30T08:00:00.000Z' } });
    world.at(minute(1)).update({ trigger: { kind: 'manual' } }, { pending: 'withdraw' });
    world.fail();
    expect(world.history).toEqual(['0 failed superseded']);
  });

  it('[OC-5] every attempt is recorded, with its fault; the last refusal is named', () => {
    const world = runningWorld({
      maxRetries: 2,
      budget: { maxAttempts: 3, maxRepeatedFailures: 3, maxElapsedSeconds: 3600, timeoutPerStageSeconds: 600 },
    });
    world.at(later(10)).fail({ code: 'one' });
    expect(world.pending[0]?.claim).toMatchObject({ attempt: 2, claimedAt: later(10), epoch: 1 });
    world.fail({ code: 'two' });
    world.fail({ code: 'three', message: 'x'.repeat(3000) });
    const record = world.ended[0];
    expect(record).toMatchObject({ status: 'failed', reason: 'retriesSpent', firstClaimedAt: T0 });
    expect(record?.attempts.map(({ attempt, outcome, fault }) => [attempt, outcome, fault?.code])).toEqual([
      [1, 'failed', 'one'],
      [2, 'failed', 'two'],
      [3, 'failed', 'three'],
    ]);
    expect(record?.attempts[2]?.fault?.message).toHaveLength(2000);
    expect(record).not.toHaveProperty('claim');
  });

  it('[OC-11] what a fault was is kept after a request', () => {
    const world = runningWorld();
    world.fail({ code: 'deep' }, { abort: 'stop' });
    expect(world.ended[0]?.attempts[0]).toMatchObject({ outcome: 'interrupted', fault: { code: 'deep' } });
    expect(world.ended[0]).toMatchObject({ nativeState: 'unknown' });
  });

  it.each(['notDispatched', 'planFailed', 'providerDenied', 'evidenceUnavailable'])(
    '[OC-8, OW-4] what a stop overtook before its dispatch (%s) says so, and is not run again',
    (code) => {
      const world = runningWorld({ maxRetries: 1 });
      world.fail({ code }, { abort: 'stop' });
      expect(world.ended).toMatchObject([{ status: 'interrupted', nativeState: 'not-dispatched' }]);
      expect(world.pending).toEqual([]);
    },
  );

  it('[OC-8] a retry that a stop keeps from being claimed says what is known of its last attempt', () => {
    const world = runningWorld({ maxRetries: 1 });
    world.fail({ code: 'evidenceUnavailable' }, { isStopping: true });
    expect(world.ended[0]).toMatchObject({ reason: 'ownerStopped', nativeState: 'not-dispatched' });
  });

  it('[OC-8] a handler that ran is not believed when its fault has such a code', () => {
    const stage = { name: 'main', startedAt: T0, durationMs: 1, outcome: 'failed' } as const;
    const world = runningWorld();
    world.fail({ code: 'notDispatched' }, { abort: 'stop', stages: [stage] });
    expect(world.ended[0]).toMatchObject({ nativeState: 'unknown' });
  });

  it('[OC-4] the plan of the first settlement is pinned, and one that differs is recorded', () => {
    const world = runningWorld({ maxRetries: 1 });
    world.fail({}, { plan: { id: 'p2', digest: 'sha256:02' } });
    world.succeed({ plan: { id: 'p3', digest: 'sha256:03' } });
    expect(world.ended[0]).toMatchObject({ plan: { id: 'p2', digest: 'sha256:02' }, isPlanChanged: true });
    const same = runningWorld();
    same.succeed({ plan: { id: 'other name', digest: 'sha256:01' } });
    expect(same.ended[0]).not.toHaveProperty('isPlanChanged');
  });

  it('[OC-11] an answer to another claim is refused', () => {
    const world = runningWorld({ maxRetries: 1 });
    expect(refusalOf(world.succeed({ attempt: 2 }))).toBe('stale');
    expect(refusalOf(world.succeed({ epoch: 2 }))).toBe('stale');
    world.succeed();
    expect(refusalOf(world.do({ ...stale, occurrence: world.ended[0]?.id ?? '' }))).toBe('stale');
  });

  it('[OC-11, CT-15] unresponsive: quarantined, its key held, until the handler ends', () => {
    const world = runningWorld({ concurrencyKey: 'press' });
    world.settle({ kind: 'unresponsive' });
    const id = world.ended[0]?.id ?? '';
    expect(world.schedule.quarantine).toMatchObject({
      reason: 'unresponsive',
      epoch: 1,
      occurrence: id,
      concurrencyKey: 'press',
    });
    expect(world.entry && keyHolds(world.entry, world.gate)).toEqual([
      { key: 'press', occurrence: id, isActive: true },
    ]);
    expect(world.at(minute(1)).tick().kind).toBe('unchanged');
    expect(refusalOf(world.resume())).toBe('notApplicable: quarantined');
    expect(world.do({ kind: 'handlerEnded', occurrence: 'another' }).kind).toBe('unchanged');
    world.do({ kind: 'handlerEnded', occurrence: id });
    world.at(minute(1.75)).tick();
    expect(world.pending[0]?.window?.causes).toEqual(['quarantined']);
  });

  it('[OC-11, CT-15] a new owner in the process of the handler keeps the mark; one in another process lifts it', () => {
    const world = runningWorld({ concurrencyKey: 'press' });
    world.settle({ kind: 'unresponsive' });
    const id = world.ended[0]?.id ?? '';
    world.restart([], [id]);
    expect(world.schedule.quarantine).toMatchObject({ occurrence: id, epoch: 2, since: T0, concurrencyKey: 'press' });
    world.do({ kind: 'handlerEnded', occurrence: id });
    expect(world.schedule).not.toHaveProperty('quarantine');
    const other = runningWorld();
    other.settle({ kind: 'unresponsive' });
    other.restart([], ['another']);
    expect(other.schedule).not.toHaveProperty('quarantine');
  });

  it('[OC-11, OW-2] what a new owner finds running in its own process is interrupted, and its key stays held', () => {
    const world = runningWorld({ concurrencyKey: 'press' });
    const id = world.pending[0]?.id ?? '';
    world.restart([id], [id]);
    expect(world.ended[0]).toMatchObject({ status: 'interrupted', reason: 'ownerDied', nativeState: 'unknown' });
    expect(world.entry && keyHolds(world.entry, world.gate)).toEqual([
      { key: 'press', occurrence: id, isActive: true },
    ]);
  });

  it('[OC-11, CT-15, MF-4] an update does not end an unresponsive quarantine, and its span stays known', () => {
    const world = runningWorld();
    world.settle({ kind: 'unresponsive' });
    world.at(minute(0.5)).update({ graceSeconds: 10 });
    expect(world.schedule).toMatchObject({
      quarantine: { reason: 'unresponsive' },
      held: [{ cause: 'quarantined', from: T0 }],
    });
    world.restart();
    expect(world.schedule).not.toHaveProperty('quarantine');
  });

  it('[CT-16] an interrupted one is on a list until it is resolved, and stays interrupted', () => {
    const world = runningWorld();
    world.restart();
    const id = world.ended[0]?.id ?? '';
    expect(world.schedule.unresolved).toEqual([id]);
    const verdict = { verdict: 'done', note: 'seen', by: 'op', at: T0 } as const;
    expect(refusalOf(world.do({ kind: 'resolve', expected: {}, occurrence: 'none', verdict }))).toBe('notFound');
    world.do({ kind: 'resolve', expected: {}, occurrence: id, verdict });
    expect(world.schedule.unresolved).toEqual([]);
    expect(world.ended[0]).toMatchObject({ status: 'interrupted', verdict });
  });
});

const stale: Settlement = {
  kind: 'settle',
  occurrence: '',
  epoch: 1,
  attempt: 1,
  fencingToken: 1,
  outcome: verified,
  elapsedMs: 0,
  stages: [],
  isStopping: false,
};

describe('pauseAfterFailures', () => {
  it('[OC-5, CT-5] so many terminal failures in a row pause the schedule, with the reason', () => {
    const world = World.of({ pauseAfterFailures: 2 });
    for (const n of [0, 1]) {
      world.at(minute(n)).tick();
      world.claim();
      world.fail();
    }
    expect(world.schedule).toMatchObject({
      status: 'paused',
      statusNote: { reason: 'failuresInRow', by: 'owner', at: minute(1) },
    });
    world.resume();
    expect(world.schedule).toMatchObject({ status: 'active', failuresInRow: 0 });
  });

  it('[OC-5] a success in between starts the count anew', () => {
    const world = World.of({ pauseAfterFailures: 2 });
    for (const n of [0, 1, 2]) {
      world.at(minute(n)).tick();
      world.claim();
      if (n === 1) world.succeed();
      else world.fail();
    }
    expect(world.schedule).toMatchObject({ status: 'active', failuresInRow: 1 });
  });
});

describe('dispatch', () => {
  it('[OC-2] within a schedule the due instant, the admission and the id decide', () => {
    const world = World.of({ graceSeconds: 300 });
    world.at(minute(1)).trigger('b');
    world.at(minute(1)).trigger('a');
    world.at(minute(2)).tick();
    const order: string[] = [];
    while (world.entry !== undefined && world.pending.length > 0) {
      const { id } = readyOccurrence(world.entry, world.gate, world.now) ?? { id: '' };
      order.push(id);
      world.claim(id);
      world.succeed();
    }
    expect(order.map((id) => id.split('~').slice(2).join('~'))).toEqual([
      '20261130T080000000Z',
      'm~a',
      'm~b',
      '20261130T080100000Z',
      '20261130T080200000Z',
    ]);
  });

  it('[OC-2] among schedules the one whose last claim is oldest comes first', () => {
    const [one, two] = [World.of(), World.of({ id: 'other' })];
    for (const world of [one, two]) world.at(T0).tick();
    two.order = 5;
    two.claim();
    if (one.entry === undefined || two.entry === undefined) throw new Error('both exist');
    expect(compareDispatch(one.entry, two.entry)).toBeLessThan(0);
    one.order = 7;
    one.claim();
    expect(compareDispatch(one.entry, two.entry)).toBeGreaterThan(0);
  });

  it('[OC-2] a key that another schedule holds, or another occurrence of its own, refuses the claim', () => {
    const world = World.of();
    world.at(T0).tick();
    world.isKeyHeld = true;
    expect(refusalOf(world.claim())).toBe('stale');
    world.isKeyHeld = false;
    world.claim();
    world.at(minute(1)).tick();
    expect(refusalOf(world.claim(world.pending[1]?.id))).toBe('stale');
  });

  it('[OC-2, CT-5] a waiting retry holds its key, a held one does not', () => {
    const world = runningWorld({ maxRetries: 1, retryBackoff: backoff });
    world.fail();
    if (world.entry === undefined) throw new Error('it exists');
    expect(keyHolds(world.entry, world.gate)).toMatchObject([{ isActive: true }]);
    expect(readyAt(world.entry, world.gate)).toBe(world.pending[0]?.retryAt);
    expect(refusalOf(world.claim())).toBe('stale');
    world.pause();
    expect(keyHolds(world.entry, world.gate)).toEqual([]);
    expect(readyAt(world.entry, world.gate)).toBeUndefined();
    world.at(epochMs((world.pending[0]?.retryAt ?? T0) + 1));
    expect(refusalOf(world.claim())).toBe('stale');
    world.resume();
    world.claim();
    expect(world.pending[0]).toMatchObject({ status: 'running', claim: { attempt: 2 }, firstClaimedAt: T0 });
  });

  it('[OC-3] a claim carries attempt, epoch and time', () => {
    const world = runningWorld();
    expect(world.pending[0]).toMatchObject({ claim: { attempt: 1, epoch: 1, claimedAt: T0, hasWorkspace: true } });
    expect(world.schedule.lastClaim).toBe(1);
  });
});

describe('recovery', () => {
  it('[OW-2, OC-6] claims of older epochs are interrupted and never run again', () => {
    const world = runningWorld({ maxRetries: 2 });
    world.restart();
    expect(world.history).toEqual(['0 interrupted ownerDied']);
    expect(world.ended[0]).toMatchObject({
      nativeState: 'unknown',
      attempts: [{ attempt: 1, outcome: 'interrupted', epoch: 1 }],
    });
    expect(world.restart().kind).toBe('unchanged');
  });

  it('[OW-2] claims of its own epoch stand', () => {
    const world = runningWorld();
    expect(world.do({ kind: 'recover', epoch: world.epoch, notDispatched: [], stillRunning: [] }).kind).toBe(
      'unchanged',
    );
    expect(world.waiting).toEqual(['0 running']);
  });

  it('[OW-2] where no attempt directory is there, it was not dispatched', () => {
    const world = runningWorld();
    world.restart([world.pending[0]?.id ?? '']);
    expect(world.ended[0]).toMatchObject({ status: 'interrupted', nativeState: 'not-dispatched' });
  });

  it('[OC-5] a waiting retry and queued work survive', () => {
    const world = runningWorld({ maxRetries: 1, retryBackoff: backoff });
    world.fail();
    world.at(minute(1)).tick();
    world.restart();
    expect(world.waiting).toEqual(['0 retrying', '1 queued']);
  });
});

describe('the size of a record', () => {
  const stages = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      name: `stage ${n}`,
      startedAt: T0,
      durationMs: 1,
      outcome: 'failed' as const,
    }));

  it('[OC-9, ST-1] keeps the stages of the newest attempts, 400 in all', () => {
    const world = runningWorld({
      maxRetries: 3,
      budget: { maxAttempts: 4, maxRepeatedFailures: 4, maxElapsedSeconds: 3600, timeoutPerStageSeconds: 60 },
    });
    for (const count of [300, 150, 200, 100]) world.fail({}, { stages: stages(count) });
    const [record] = world.ended;
    expect(record?.attempts.map((attempt) => attempt.stages.length)).toEqual([0, 0, 200, 100]);
  });

  it('[CT-16] a schedule keeps the newest 1000 unresolved interruptions in mind', () => {
    const world = World.of({ trigger: { kind: 'manual' } });
    const many = Array.from({ length: 1000 }, (_, n) => `a~1~m~${n}`);
    world.entry = { schedule: { ...world.schedule, unresolved: many }, pending: world.pending };
    world.do({ kind: 'trigger', expected: {}, requestId: 'last', isRequestKept: false, by: 'test' });
    world.claim();
    world.settle({ kind: 'unresponsive' });
    expect(world.schedule.unresolved).toHaveLength(1000);
    expect(world.schedule.unresolved.slice(0, 1)).toEqual(['a~1~m~1']);
    expect(world.schedule.unresolved.at(-1)).toBe('job~1~m~last');
  });
});
