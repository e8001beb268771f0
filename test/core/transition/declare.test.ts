/** Create and update: CT-3, CT-4, CT-7, TR-8, CO-5. */
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../../src/core/model/declaration.js';
import { formatInstant } from '../../../src/core/time/instant.js';
import { every, later, MINUTE, minute, refusalOf, SECOND, T0, World } from '../../support/builders.js';

function created(changes: Partial<Declaration>, isPaused = false): World {
  const world = new World(T0);
  const answer = world.create(changes, isPaused);
  expect(refusalOf(answer)).toBe('accepted');
  return world;
}

describe('create', () => {
  const rows = [
    {
      title: '[CT-4] the first due instant at or after now',
      trigger: every(60, later(-90 * SECOND)),
      nextDue: later(30 * SECOND),
    },
    { title: '[CT-4] now itself counts', trigger: every(60), nextDue: T0 },
    { title: '[CT-4] at or after start', trigger: every(60, minute(5)), nextDue: minute(5) },
    {
      title: '[CT-4] once may lie up to the grace in the past',
      trigger: { kind: 'once', at: formatInstant(later(-30 * SECOND)) },
      nextDue: later(-30 * SECOND),
    },
    { title: '[CT-15] manual has none', trigger: { kind: 'manual' }, nextDue: undefined },
  ] as const;
  it.each(rows)('$title', ({ trigger, nextDue }) => {
    const { schedule } = created({ trigger });
    expect(schedule).toMatchObject({
      status: 'active',
      revision: 1,
      version: 1,
      spent: 0,
      collectedThrough: Math.min(T0, nextDue ?? T0) - 1,
    });
    expect(schedule.nextDue).toBe(nextDue);
  });

  it('[CT-4] the lateness of a once counts from its registration', () => {
    const world = created({
      trigger: { kind: 'once', at: formatInstant(later(-30 * SECOND)) },
      misfire: 'skip',
      maxLatenessSeconds: 30,
    });
    world.at(later(30 * SECOND)).tick();
    expect(world.waiting).toEqual(['-0.5 queued']);
    world.at(later(30 * SECOND)).claim();
    expect(world.waiting).toEqual(['-0.5 running']);
  });

  const never = [
    {
      title: '[TR-8] with the last instant that it had',
      trigger: every(60, later(-MINUTE * 5), later(-MINUTE)),
      last: later(-MINUTE),
    },
    {
      title: '[TR-8] beyond the grace a once is in the past',
      trigger: { kind: 'once', at: formatInstant(later(-31 * SECOND)) },
      last: later(-31 * SECOND),
    },
    {
      title: '[TR-8] without one where it never had any',
      trigger: { kind: 'cron', expression: '0 0 30 2 *', timezone: 'UTC' },
      last: undefined,
    },
  ] as const;
  it.each(never)('$title a trigger that is never due is refused', ({ trigger, last }) => {
    const answer = new World(T0).create({ trigger });
    expect(answer).toEqual({
      kind: 'refused',
      refusal: last === undefined ? { code: 'neverDue' } : { code: 'neverDue', last },
    });
  });

  it('[CT-3] expiresAt must lie after the registration', () => {
    const expiresAt = formatInstant(T0);
    expect(new World(T0).create({ expiresAt })).toEqual({
      kind: 'refused',
      refusal: { code: 'expiresInPast', expiresAt: T0 },
    });
    expect(new World(later(-1)).create({ expiresAt }).kind).toBe('accepted');
  });

  it('[CO-4] a trigger that cannot be evaluated is refused with what is wrong', () => {
    const answer = new World(T0).create({ trigger: { kind: 'cron', expression: 'nonsense', timezone: 'UTC' } });
    expect(answer).toMatchObject({
      kind: 'refused',
      refusal: { code: 'triggerBroken', issues: [{ path: 'trigger.expression' }] },
    });
  });

  it('[CT-1] it may begin paused', () => {
    const { schedule } = created({}, true);
    expect(schedule).toMatchObject({
      status: 'paused',
      statusNote: { reason: 'pausedByControl' },
      held: [{ cause: 'paused', from: T0 }],
    });
  });

  it('[CT-7] an id that is taken is refused', () => {
    expect(created({}).create({})).toEqual({ kind: 'refused', refusal: { code: 'exists', id: 'job' } });
  });

  it('[CT-7] an id that is used again goes on from its revision and what was collected', () => {
    const world = created({});
    world.tick();
    world.runAll();
    world.delete();
    world.create({});
    expect(world.schedule).toMatchObject({ revision: 2, collectedThrough: T0, nextDue: minute(1) });
  });

  it('[CT-7] and must be spelled as before', () => {
    const world = created({});
    world.delete();
    const answer = world.create({ id: 'JOB' });
    expect(answer).toEqual({ kind: 'refused', refusal: { code: 'spelling', id: 'job' } });
  });

  it('[CT-7, TR-8] a once that its mark accounts for is not due again', () => {
    const trigger = { kind: 'once', at: formatInstant(T0) } as const;
    const world = created({ trigger });
    world.tick();
    world.runAll();
    world.delete();
    expect(refusalOf(world.at(later(SECOND)).create({ trigger }))).toBe('neverDue');
  });
});

describe('update', () => {
  it('[CT-3] nextDue is the first due instant at or after now; an edit owes nothing from before', () => {
    const world = created({});
    world.at(minute(5)).update({ trigger: every(300, later(-MINUTE * 5)) });
    expect(world.schedule).toMatchObject({
      revision: 2,
      spent: 0,
      nextDue: minute(5),
      collectedThrough: minute(5) - 1,
    });
  });

  it('[CO-5] what had elapsed and nobody collected is one closing record', () => {
    const world = created({});
    world.at(minute(2.5)).update({ graceSeconds: 5 });
    expect(world.history).toEqual(['0..2(3) skipped superseded closing']);
    expect(world.ended[0]?.revision).toBe(1);
    expect(world.schedule).toMatchObject({ spent: 0, skipsInRow: 0, nextDue: minute(3) });
  });

  it('[CO-6] it never makes due what is collected, also where the clock went back', () => {
    const world = created({});
    world.at(minute(5)).tick();
    world.runAll();
    world.at(minute(3)).update({ graceSeconds: 5 });
    expect(world.schedule).toMatchObject({ nextDue: minute(6), collectedThrough: minute(5) });
  });

  it('[CT-3] it is refused while work is pending', () => {
    const world = created({});
    world.tick();
    expect(world.update({ graceSeconds: 5 })).toMatchObject({
      refusal: { code: 'workPending', pending: [world.pending[0]?.id] },
    });
  });

  it('[CT-3] withdraw: queued is skipped, waiting cancelled, an active run finishes under its old revision', () => {
    const retryBackoff = { initialSeconds: 600, factor: 1, maxSeconds: 600 };
    const waiting = created({ maxRetries: 1, retryBackoff });
    waiting.tick();
    waiting.claim();
    waiting.fail();
    waiting.update({ graceSeconds: 5 }, { pending: 'withdraw' });
    expect(waiting.history).toEqual(['0 cancelled superseded']);

    const world = created({ graceSeconds: 300 });
    world.at(minute(1)).tick();
    world.claim();
    world.at(minute(1.5)).update({ graceSeconds: 5 }, { pending: 'withdraw' });
    expect(world.history).toEqual(['1 skipped superseded']);
    expect(world.pending).toMatchObject([{ revision: 1, status: 'running' }]);
    world.succeed();
    expect(world.ended.at(-1)).toMatchObject({ revision: 1, status: 'succeeded' });
  });

  it('[CT-3] a change of words is no new revision and leaves everything else', () => {
    const world = created({});
    world.tick();
    const { definition: _old, version: _version, ...before } = world.schedule;
    world.at(minute(3)).update({ objective: 'in other words' }, { isCosmetic: true });
    const { definition, version, ...after } = world.schedule;
    expect(after).toEqual(before);
    expect(version).toBe(2);
    expect(definition).toMatchObject({ registeredAt: T0, declaration: { objective: 'in other words' } });
    expect(world.waiting).toEqual(['0 queued']);
  });

  it('[CT-3] it reactivates a completed, cancelled or paused schedule', () => {
    const completed = created({ maxOccurrences: 1 });
    completed.tick();
    completed.runAll();
    const cancelled = created({});
    cancelled.cancel();
    const paused = created({}, true);
    for (const world of [completed, cancelled, paused]) {
      world.at(minute(1)).update({ graceSeconds: 5 });
      expect(world.schedule).toMatchObject({ status: 'active', spent: 0, nextDue: minute(1), held: [] });
      expect(world.schedule.statusNote).toBeUndefined();
    }
  });

  it('[CT-3] a paused one stays so with activate: false', () => {
    const world = created({}, true);
    world.at(minute(2.5)).update({ graceSeconds: 5 }, { activate: false });
    expect(world.schedule).toMatchObject({
      status: 'paused',
      nextDue: minute(3),
      statusNote: { reason: 'pausedByControl' },
    });
    world.at(minute(4)).resume();
    world.at(minute(4.75)).tick();
    expect(world.waiting).toEqual(['3..4(2) queued']);
    expect(world.pending[0]?.window?.causes).toEqual(['paused']);
  });

  it('[CT-3] a cancelled one does not stay so', () => {
    const world = created({});
    world.cancel();
    world.update({ graceSeconds: 5 }, { activate: false });
    expect(world.schedule.status).toBe('active');
  });

  it('[CT-3, TR-8] a refused update changes nothing', () => {
    const world = created({});
    const { entry } = world;
    world.at(minute(1));
    expect(refusalOf(world.update({ trigger: { kind: 'once', at: formatInstant(T0) } }))).toBe('neverDue');
    expect(refusalOf(world.update({ expiresAt: formatInstant(minute(1)) }))).toBe('expiresInPast');
    expect(world.entry).toBe(entry);
  });

  it('[CT-5] what a resume still owes ends with the revision', () => {
    const world = created({}, true);
    world.at(minute(3)).resume('catchUp');
    world.at(minute(3.5)).update({ graceSeconds: 5 });
    expect(world.schedule.resume).toBeUndefined();
    expect(world.history).toEqual(['0..3(4) skipped superseded closing']);
  });
});
