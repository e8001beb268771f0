/** Controls of a schedule that exists: CT-2, CT-5 to CT-9, CT-11, CT-14, CT-15, OC-1. */
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/core/model/input.js';
import { epochMs } from '../../../src/core/time/instant.js';
import { every, later, MINUTE, minute, refusalOf, SECOND, T0, World } from '../../support/builders.js';

const CONTROLS: Readonly<Record<string, (world: World) => Decision>> = {
  update: (world) => world.update({ trigger: every(60) }),
  pause: (world) => world.pause(),
  resume: (world) => world.resume(),
  cancel: (world) => world.cancel(),
  delete: (world) => world.delete(),
  trigger: (world) => world.trigger('a'),
  rerun: (world) => world.trigger('a', { replaces: 'job~1~m~z' }),
};

/** A world whose schedule has a status, with nothing pending. */
function worldThatIs(status: string): World {
  const world = World.of({
    trigger: every(60, T0, status === 'completed' ? T0 : minute(99)),
    ...(status === 'expired' ? { expiresAt: '2026-11-30T08:01:00.000Z' } : {}),
  });
  world.at(T0).tick();
  world.runAll();
  if (status === 'paused') world.pause();
  if (status === 'cancelled') world.cancel();
  if (status === 'expired') world.at(minute(1)).tick();
  if (status === 'completed') world.update({ trigger: every(60, later(1), later(1)) });
  if (status === 'completed') world.at(later(1)).tick();
  expect(world.runAll().schedule.status).toBe(status);
  return world;
}

describe('what a status allows', () => {
  const rows = [
    {
      title: '[CT-15] active: all but resume',
      status: 'active',
      allowed: ['update', 'pause', 'cancel', 'delete', 'trigger', 'rerun'],
    },
    {
      title: '[CT-15] paused: all but pause',
      status: 'paused',
      allowed: ['update', 'resume', 'cancel', 'delete', 'trigger', 'rerun'],
    },
    {
      title: '[CT-15] completed: update, trigger, rerun, delete',
      status: 'completed',
      allowed: ['update', 'trigger', 'rerun', 'delete'],
    },
    { title: '[CT-15] cancelled: update, rerun, delete', status: 'cancelled', allowed: ['update', 'rerun', 'delete'] },
  ];
  it.each(rows)('$title', ({ status, allowed }) => {
    for (const [name, control] of Object.entries(CONTROLS)) {
      const world = worldThatIs(status);
      if (allowed.includes(name)) expect(control(world).kind, name).toBe('accepted');
      else expect(refusalOf(control(world)), name).toBe(`notApplicable: ${status}`);
    }
  });

  it('[CT-15, EX-1] expired: update and delete, whose expiry must be a new one', () => {
    for (const [name, control] of Object.entries(CONTROLS)) {
      const world = worldThatIs('expired');
      const isRun = name === 'trigger' || name === 'rerun';
      const refusal = isRun ? 'notApplicable: pastExpiry' : 'notApplicable: expired';
      const expected = name === 'delete' ? 'accepted' : name === 'update' ? 'expiresInPast' : refusal;
      expect(refusalOf(control(world)), name).toBe(expected);
    }
    const world = worldThatIs('expired');
    world.update({ expiresAt: '2026-12-01T00:00:00.000Z' });
    expect(world.schedule.status).toBe('active');
  });

  it('[CT-15] a change of words is allowed in every status', () => {
    for (const status of ['active', 'paused', 'completed', 'expired', 'cancelled']) {
      const world = worldThatIs(status);
      world.update({ objective: 'in other words' }, { isCosmetic: true });
      expect(world.schedule.status).toBe(status);
      expect(world.schedule.definition.declaration.objective).toBe('in other words');
    }
  });

  it('[CT-15] quarantined: trigger and rerun are refused, resume takes away only the mark', () => {
    const world = World.of();
    world.pause();
    const { schedule } = world;
    const quarantine = { reason: 'triggerBroken', since: T0, epoch: 1, detail: '' } as const;
    world.entry = { schedule: { ...schedule, quarantine }, pending: [] };
    expect(refusalOf(world.trigger('a'))).toBe('notApplicable: quarantined');
    expect(refusalOf(world.trigger('a', { replaces: 'x' }))).toBe('notApplicable: quarantined');
    expect(world.at(minute(1)).tick().kind).toBe('unchanged');
    world.resume();
    expect(world.schedule.status).toBe('paused');
    expect(world.schedule.quarantine).toBeUndefined();
  });

  it('[CT-2] where no schedule is, every control but create is refused', () => {
    const by = 'tester';
    const world = new World();
    for (const kind of ['pause', 'resume', 'cancel', 'delete'] as const) {
      expect(world.do({ kind, expected: { revision: 1 }, by })).toEqual({
        kind: 'refused',
        refusal: { code: 'notFound', what: 'schedule' },
      });
    }
    expect(refusalOf(world.trigger('a'))).toBe('notFound');
    expect(refusalOf(world.tick())).toBe('notFound');
  });
});

describe('revision and version', () => {
  it('[CT-2] another revision or version is refused, with both numbers', () => {
    const world = World.of();
    for (const expected of [{ revision: 2 }, { version: 2 }, { revision: 1, version: 7 }]) {
      const answer = world.do({ kind: 'pause', expected, by: 'tester' });
      expect(answer).toEqual({
        kind: 'refused',
        refusal: { code: 'revision', given: expected, revision: 1, version: 1 },
      });
    }
    expect(world.do({ kind: 'pause', expected: { revision: 1, version: 1 }, by: 'tester' }).kind).toBe('accepted');
  });

  it('[CT-2] the revision comes before the status', () => {
    expect(refusalOf(worldThatIs('cancelled').do({ kind: 'pause', expected: { revision: 9 }, by: 'x' }))).toBe(
      'revision',
    );
  });

  it('[CT-2] version counts every accepted control, revision only declarations', () => {
    const world = World.of();
    world.pause();
    world.resume();
    world.trigger('a');
    world.stop();
    expect(world.schedule).toMatchObject({ revision: 1, version: 5 });
    world.update({ labels: { a: 'b' } }, { isCosmetic: true });
    expect(world.schedule).toMatchObject({ revision: 1, version: 6 });
    world.update({ graceSeconds: 1 });
    expect(world.schedule).toMatchObject({ revision: 2, version: 7 });
    world.pause();
    expect(refusalOf(world.pause())).toBe('notApplicable: paused');
    expect(world.schedule.version).toBe(8);
  });

  it("[CT-2] an owner's work is no control", () => {
    const world = World.of();
    world.at(T0).tick();
    world.claim();
    world.succeed();
    expect(world.schedule.version).toBe(1);
  });
});

describe('pause and resume', () => {
  it('[CT-5] a pause says who and why; queued work of the trigger is held, manual work is not', () => {
    const world = World.of();
    world.at(T0).tick();
    world.pause('inventory');
    expect(world.schedule).toMatchObject({
      status: 'paused',
      statusNote: { reason: 'pausedByControl', by: 'tester', at: T0, note: 'inventory' },
    });
    expect(refusalOf(world.claim())).toBe('stale');
    world.trigger('a');
    expect(world.claim('job~1~m~a').kind).toBe('accepted');
  });

  it('[CT-5] an active run finishes, its immediate retries included', () => {
    const world = World.of({ maxRetries: 1 });
    world.at(T0).tick();
    world.claim();
    world.pause();
    world.fail();
    expect(world.waiting).toEqual(['0 running']);
    world.succeed();
    expect(world.history).toEqual(['0 succeeded']);
  });

  const missed = [
    {
      title: '[CT-5] the declared policy',
      missed: undefined,
      pending: ['0..2(3) queued', '3..5(3) queued'],
      ended: [],
    },
    {
      title: '[CT-5] skip, chosen for this resume',
      missed: 'skip',
      pending: ['3..5(3) queued'],
      ended: ['0..2(3) skipped misfire'],
    },
    {
      title: '[CT-5] runOnce, chosen for this resume',
      missed: 'runOnce',
      pending: ['0..2(3) queued', '3..5(3) queued'],
      ended: [],
    },
    {
      title: '[CT-5] catchUp, chosen for this resume',
      missed: 'catchUp',
      pending: ['0 queued', '1 queued', '2 queued', '3..5(3) queued'],
      ended: [],
    },
  ] as const;
  it.each(missed)('$title holds up to the resume, then the declared one', ({ missed: choice, pending, ended }) => {
    const world = World.of();
    world.pause();
    world.at(minute(2.75)).resume(choice);
    expect(world.schedule.resume).toEqual({ missed: choice ?? 'runOnce', until: minute(2.75) });
    world.at(minute(5.75)).tick();
    expect(world.waiting).toEqual(pending);
    expect(world.history).toEqual(ended);
    expect(world.schedule.resume).toBeUndefined();
  });

  it('[CT-5] lateness counts against now, not against the horizon', () => {
    const world = World.of({ misfire: 'skip' });
    world.pause();
    world.at(minute(2.25)).resume();
    world.at(minute(2.75)).tick();
    expect(world.history).toEqual(['0..2(3) skipped misfire']);
  });

  it('[CT-5] a catch-up that takes several ticks keeps its choice', () => {
    const world = World.of({ maxCatchUp: 2 });
    world.pause();
    world.at(minute(3.75)).resume('catchUp');
    for (let n = 0; n < 3; n++)
      world
        .at(epochMs(world.now + 2 * SECOND))
        .runAll()
        .tick();
    expect(world.history.map((text) => text.split(' ')[0])).toEqual(['0', '1', '2', '3']);
    expect(world.schedule.nextDue).toBe(minute(4));
  });

  it('[CT-5, MF-3] a resume with another policy is not held up by the backlog of a catch-up', () => {
    const world = World.of({ misfire: 'catchUp', maxCatchUp: 1 });
    world.at(minute(3)).tick();
    expect(world.wakeAt).toBeUndefined();
    world.pause();
    world.at(minute(4.75)).resume('skip');
    expect(world.wakeAt).toBeLessThanOrEqual(epochMs(world.now + SECOND));
    world.at(epochMs(world.now + SECOND)).tick();
    expect(world.history).toEqual(['1..4(4) skipped misfire']);
    expect(world.ended[0]?.window?.causes).toEqual(['paused', 'backlog']);
  });

  it('[CT-5, TB-2] what was spent while paused is completed at the resume', () => {
    const world = World.of({ maxOccurrences: 1 });
    world.at(T0).tick();
    world.claim();
    world.pause();
    world.succeed();
    world.resume();
    expect(world.schedule.status).toBe('completed');
  });
});

describe('cancel, stop, delete', () => {
  it('[CT-6, CO-5] cancel ends waiting work, asks the active one to end, and closes the revision', () => {
    const world = World.of({ graceSeconds: 300 });
    world.at(minute(1)).tick();
    world.claim();
    world.at(minute(3)).cancel();
    expect(world.history).toEqual(['1 cancelled cancelled', '2..3(2) skipped cancelled closing']);
    expect(world.waiting).toEqual(['0 running']);
    expect(world.pending[0]?.endRequest).toEqual({ kind: 'cancel', by: 'tester', at: minute(3), reason: 'cancelled' });
    expect(world.schedule).toMatchObject({ status: 'cancelled', collectedThrough: minute(3) });
    expect(world.schedule.nextDue).toBeUndefined();
  });

  it('[CT-6] a waiting retry is cancelled too', () => {
    const world = World.of({ maxRetries: 1, retryBackoff: { initialSeconds: 60, factor: 1, maxSeconds: 60 } });
    world.at(T0).tick();
    world.claim();
    world.fail();
    world.cancel();
    expect(world.history).toEqual(['0 cancelled cancelled']);
  });

  it('[CT-11] stop ends one occurrence, and the schedule goes on', () => {
    const world = World.of({ graceSeconds: 300 });
    world.at(minute(1)).tick();
    world.claim();
    world.stop(world.pending[1]?.id);
    expect(world.history).toEqual(['1 cancelled stopped']);
    world.stop(world.pending[0]?.id);
    expect(world.pending[0]?.endRequest?.reason).toBe('stopped');
    expect(world.stop(world.pending[0]?.id).kind).toBe('unchanged');
    expect(world.schedule).toMatchObject({ status: 'active', nextDue: minute(2), version: 3 });
    expect(refusalOf(world.stop('none'))).toBe('notFound');
  });

  it('[CT-7] delete is refused while work is pending, and leaves a mark', () => {
    const world = World.of();
    world.at(T0).tick();
    expect(world.delete()).toEqual({
      kind: 'refused',
      refusal: { code: 'workPending', pending: [world.pending[0]?.id] },
    });
    world.runAll();
    world.at(minute(0.5)).delete();
    expect(world.entry).toBeUndefined();
    expect(world.mark).toEqual({ id: 'job', revision: 1, collectedThrough: T0, deletedAt: minute(0.5) });
  });
});

describe('trigger and rerun', () => {
  it('[CT-8] one occurrence now, which spends no trigger budget, also while paused or completed', () => {
    for (const status of ['active', 'paused', 'completed']) {
      const world = worldThatIs(status);
      const { spent } = world.schedule;
      const answer = world.trigger('a');
      expect(answer).toMatchObject({
        kind: 'accepted',
        admitted: 'queued',
        occurrence: `job~${world.schedule.revision}~m~a`,
      });
      expect(world.pending[0]).toMatchObject({ origin: 'manual', dueAt: world.now, status: 'queued' });
      expect(world.runAll().schedule).toMatchObject({ spent, status });
    }
  });

  it('[CT-8] with work pending it follows overlap, and says which', () => {
    for (const [overlap, admitted, reason] of [
      ['queue', 'queued', undefined],
      ['skip', 'skipped', 'overlap'],
      ['coalesce', 'skipped', 'coalesced'],
    ] as const) {
      const world = World.of({ overlap });
      world.at(T0).tick();
      expect(world.trigger('a')).toMatchObject({ admitted });
      expect(world.ended[0]?.reason).toBe(reason);
      expect(world.ended[0]?.behind).toBe(reason === undefined ? undefined : world.pending[0]?.id);
    }
  });

  it('[CT-8] work of another schedule under its key counts for skip', () => {
    const world = World.of({ overlap: 'skip' });
    world.keyPending = 'other~1~m~x';
    expect(world.trigger('a')).toMatchObject({ admitted: 'skipped' });
  });

  it('[CT-8] work held by a pause or the gate does not count as pending', () => {
    for (const overlap of ['skip', 'coalesce'] as const) {
      const paused = World.of({ overlap });
      paused.at(T0).tick();
      paused.pause();
      expect(paused.trigger('a')).toMatchObject({ admitted: 'queued' });
      const gated = World.of({ overlap });
      gated.at(T0).tick();
      gated.gate = { isPaused: true };
      expect(gated.trigger('a')).toMatchObject({ admitted: 'queued' });
    }
  });

  it('[CT-14] a rerun names what it replaces', () => {
    const world = worldThatIs('cancelled');
    world.trigger('again', { replaces: 'job~1~20261130T080000000Z' });
    expect(world.pending[0]).toMatchObject({ origin: 'manual', replaces: 'job~1~20261130T080000000Z' });
    expect(world.runAll().schedule.status).toBe('cancelled');
  });

  it('[OC-1] a request id that exists answers with its occurrence, before revision, status and overlap', () => {
    const world = World.of();
    world.trigger('Once');
    world.runAll();
    world.cancel();
    const answer = world.trigger('oNCE', { expected: { revision: 99 } });
    expect(answer).toEqual({ kind: 'unchanged', occurrence: 'job~1~m~Once' });
  });

  it('[OC-1] while it is pending too, also where the client made the id', () => {
    const world = World.of();
    world.trigger('x1', { isRequestKept: false });
    expect(world.trigger('X1', { isRequestKept: false })).toEqual({ kind: 'unchanged', occurrence: 'job~1~m~x1' });
    expect(world.pending[0]).not.toHaveProperty('isRequestKept');
  });

  it('[OC-1] another revision has request ids of its own', () => {
    const world = World.of();
    world.trigger('a');
    world.runAll();
    world.update({ graceSeconds: 1 });
    world.trigger('a');
    expect(world.pending[0]?.id).toBe('job~2~m~a');
  });

  it('[OC-1] ids are readable and carry the due instant', () => {
    const world = World.of({ trigger: every(60, later(MINUTE + 7)) });
    world.at(later(MINUTE + 7)).tick();
    expect(world.pending[0]?.id).toBe('job~1~20261130T080100007Z');
  });
});
