/** Collection over several ticks: CO, MF, OV, TB, EX, TR-10. */
import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/core/time/instant.js';
import { every, HOUR, later, minute, refusalOf, SECOND, T0, World } from '../../support/builders.js';

describe('collection over several ticks', () => {
  it('[CO-3] one commit admits at most 1000, more follow in further commits of the same tick', () => {
    const world = World.of({ trigger: every(1), graceSeconds: 86_400 });
    world.at(later(2500 * SECOND));
    const tick = { kind: 'tick', spans: [], collects: true } as const;
    expect(world.do(tick)).toMatchObject({ hasMore: true });
    expect(world.pending).toHaveLength(1000);
    expect(world.do(tick)).toMatchObject({ hasMore: true });
    expect(world.do(tick)).not.toHaveProperty('hasMore');
    expect(world.pending).toHaveLength(2501);
  });

  it('[CO-3] after a tick that met maxCatchUp the next one comes no sooner than a second later', () => {
    const world = World.of({ misfire: 'catchUp', maxCatchUp: 1 });
    world.at(minute(3)).tick();
    world.runAll();
    expect(world.wakeAt).toBe(world.now + SECOND);
    expect(world.at(epochMs(world.now + 999)).tick().kind).toBe('unchanged');
    world.at(epochMs(world.now + 1)).tick();
    expect(world.waiting).toEqual(['1 queued']);
  });

  it('[CO-4, CT-15] a trigger that cannot be evaluated is quarantined, and nothing throws', () => {
    const world = World.of();
    const broken = { kind: 'cron', expression: 'nonsense', timezone: 'UTC' } as const;
    const { schedule, pending } = world.entry ?? { schedule: world.schedule, pending: [] };
    const declaration = { ...schedule.definition.declaration, trigger: broken };
    world.entry = { schedule: { ...schedule, definition: { ...schedule.definition, declaration } }, pending };
    world.at(minute(1)).tick();
    expect(world.schedule.quarantine).toMatchObject({ reason: 'triggerBroken', since: minute(1) });
    expect(world.schedule.held).toEqual([{ cause: 'quarantined', from: minute(1) }]);
    expect(world.wakeAt).toBeUndefined();
    expect(refusalOf(world.trigger('a'))).toBe('notApplicable: quarantined');
    expect(refusalOf(world.resume())).toBe('notApplicable: quarantined');
    world.update({ trigger: every(60) });
    expect(world.schedule.quarantine).toBeUndefined();
  });

  it('[CO-6] a clock that goes back makes nothing due twice', () => {
    const world = World.of({ graceSeconds: 300 });
    world.at(minute(2)).tick();
    expect(world.at(minute(0)).tick().kind).toBe('unchanged');
    expect(world.at(minute(2)).tick().kind).toBe('unchanged');
    world.at(minute(3)).tick();
    expect(world.waiting).toEqual(['0 queued', '1 queued', '2 queued', '3 queued']);
  });

  it('[CO-6] an accepted clock takes the first instant from it on that nothing accounts for', () => {
    const world = World.of();
    world.at(minute(5)).tick();
    world
      .at(minute(2))
      .do({ kind: 'acceptClock', acceptedAt: minute(2), taken: [{ from: minute(6), until: minute(7) }] });
    expect(world.schedule).toMatchObject({
      nextDue: minute(8),
      collectedThrough: minute(8) - 1,
      acceptedClockAt: minute(2),
    });
    expect(world.do({ kind: 'acceptClock', acceptedAt: minute(2), taken: [] }).kind).toBe('unchanged');
  });

  it('[CO-5, CO-6] what was owed before a clock that was behind is accepted stays owed', () => {
    const world = World.of();
    world.at(minute(5)).tick();
    world.pause();
    world.at(minute(9)).do({ kind: 'acceptClock', acceptedAt: minute(9), isClockBehind: true, taken: [] });
    expect(world.schedule).toMatchObject({
      nextDue: minute(6),
      collectedThrough: minute(5),
      acceptedClockAt: minute(9),
    });
  });

  it('[CO-6] a manual occurrence in the queue accounts for no due instant', () => {
    const world = World.of();
    world.at(minute(3)).trigger('a');
    world.do({ kind: 'acceptClock', acceptedAt: minute(3), taken: [] });
    expect(world.schedule.nextDue).toBe(minute(3));
  });

  it('[MF-3] a backlog is woken by time only where instants of it become too late', () => {
    const declared = { misfire: 'catchUp', maxCatchUp: 1 } as const;
    const patient = World.of(declared);
    patient.at(minute(5)).tick();
    expect(patient.wakeAt).toBeUndefined();
    const strict = World.of({ ...declared, maxLatenessSeconds: 600 });
    strict.at(minute(5)).tick();
    expect(strict.wakeAt).toBe(minute(11) + 1);
  });

  it('[MF-4] a window names the causes that are known', () => {
    const world = World.of();
    world.pause();
    world.at(minute(2)).resume();
    world.spans = [
      { cause: 'gate', from: minute(3), until: minute(4) },
      { cause: 'ownerDown', from: later(-HOUR), until: later(-1) },
    ];
    world.at(minute(4.75)).tick();
    expect(world.pending.map(({ window }) => window)).toEqual([
      { firstAt: minute(0), lastAt: minute(2), count: 3, isFloor: false, causes: ['paused'] },
      { firstAt: minute(3), lastAt: minute(4), count: 2, isFloor: false, causes: ['gate'] },
    ]);
  });

  it('[MF-4] a backlog is a cause', () => {
    const world = World.of({ misfire: 'catchUp', maxCatchUp: 1, maxLatenessSeconds: 600 });
    world.at(minute(5)).tick();
    world.at(minute(15)).tick();
    expect(world.ended.map(({ window }) => window?.causes)).toEqual([['backlog']]);
  });

  it('[MF-4] instants are counted up to 10000, then the count is a floor', () => {
    const world = World.of({ trigger: every(1) });
    world.at(later(5 * HOUR)).tick();
    expect(world.pending[0]?.window).toMatchObject({
      count: 10_000,
      isFloor: true,
      firstAt: T0,
      lastAt: later(5 * HOUR),
    });
  });

  it('[MF-5] too late at the first claim is skipped without a second spend', () => {
    const world = World.of({ maxLatenessSeconds: 120 });
    world.at(T0).tick();
    world.at(minute(2)).claim();
    expect(world.waiting).toEqual(['0 running']);
    const late = World.of({ maxLatenessSeconds: 120 });
    late.at(T0).tick();
    late.at(epochMs(minute(2) + 1)).claim();
    expect(late.history).toEqual(['0 skipped tooLate']);
    expect(late.schedule.spent).toBe(1);
  });

  it('[MF-5] it is not checked for a manual one, nor at a retry', () => {
    const world = World.of({
      maxLatenessSeconds: 1,
      maxRetries: 1,
      retryBackoff: { initialSeconds: 60, factor: 1, maxSeconds: 60 },
    });
    world.trigger('a');
    world.at(minute(0.5)).claim();
    world.fail();
    world.at(minute(1.5)).claim();
    expect(world.waiting).toEqual(['manual running']);
  });

  it('[MF-5, CT-5] the horizon of a resume does not part what is too late', () => {
    const world = World.of({ maxLatenessSeconds: 60 });
    world.pause();
    world.at(minute(2)).resume();
    world.at(minute(8)).tick();
    expect(world.history).toEqual(['0..6(7) skipped tooLate']);
    expect(world.waiting).toEqual(['7..8(2) queued']);
  });

  it('[OV-3, OV-4] a refused record names what was in its way', () => {
    for (const overlap of ['skip', 'coalesce'] as const) {
      const world = World.of({ overlap });
      world.at(T0).tick();
      world.at(minute(1)).tick();
      expect(world.ended[0]?.behind).toBe('job~1~20261130T080000000Z');
    }
    const other = World.of({ overlap: 'skip' });
    other.keyPending = 'other~1~m~x';
    other.at(T0).tick();
    expect(other.ended[0]?.behind).toBe('other~1~m~x');
  });

  it('[TB-1] spent and nothing pending is completed, with the reason', () => {
    const world = World.of({ maxOccurrences: 1 });
    world.at(T0).tick();
    world.runAll();
    expect(world.schedule).toMatchObject({ status: 'completed', statusNote: { reason: 'budgetSpent', by: 'owner' } });
  });

  it('[TB-2] a spent trigger is completed, with the reason; a manual one never is', () => {
    const world = World.of({ trigger: { kind: 'once', at: '2026-11-30T08:00:00.000Z' } });
    world.at(T0).tick();
    world.runAll();
    expect(world.schedule).toMatchObject({ status: 'completed', statusNote: { reason: 'triggerSpent' } });
    const manual = World.of({ trigger: { kind: 'manual' } });
    manual.trigger('a');
    manual.runAll();
    expect(manual.schedule.status).toBe('active');
  });

  it('[TB-3] each revision has its own budget', () => {
    const world = World.of({ maxOccurrences: 1 });
    world.at(T0).tick();
    world.runAll();
    world.update({ maxOccurrences: 2 });
    expect(world.schedule).toMatchObject({ status: 'active', spent: 0, nextDue: minute(1) });
  });

  it('[TB-4] at 90 % an event says so, once', () => {
    const world = World.of({ maxOccurrences: 10 });
    for (let n = 0; n < 10; n++) world.at(minute(n)).tick();
    expect(world.notices).toEqual([{ kind: 'budgetLow', spent: 9, of: 10 }]);
  });

  it('[EX-1] a waiting retry fails', () => {
    const world = World.of({
      expiresAt: '2026-11-30T08:02:00.000Z',
      maxRetries: 1,
      retryBackoff: { initialSeconds: 60, factor: 1, maxSeconds: 60 },
    });
    world.at(T0).tick();
    world.claim();
    world.fail();
    expect(world.waiting).toEqual(['0 retrying']);
    world.at(minute(2)).tick();
    expect(world.history).toEqual(['0 failed expired', '1..1(1) skipped expired closing']);
  });

  it('[EX-1] nothing is dispatched at or after it, and clients judge by the instant', () => {
    const world = World.of({ expiresAt: '2026-11-30T08:01:00.000Z' });
    world.at(T0).tick();
    world.at(minute(1));
    expect(refusalOf(world.claim())).toBe('stale');
    expect(refusalOf(world.trigger('a'))).toBe('notApplicable: pastExpiry');
    for (const answer of [world.pause(), world.resume(), world.cancel()])
      expect(refusalOf(answer)).toBe('notApplicable: expired');
    expect(world.schedule.status).toBe('active');
    world.update({ expiresAt: '2026-12-01T00:00:00.000Z' }, { pending: 'withdraw' });
    expect(world.history).toEqual(['0 skipped expired']);
    expect(world.schedule).toMatchObject({ status: 'active', revision: 2 });
  });

  it('[TR-10] other zone data moves nextDue to the first instant after what is collected, and says so', () => {
    const trigger = { kind: 'cron', expression: '0 9 * * *', timezone: 'Europe/Berlin' } as const;
    const world = World.of({ trigger });
    const { schedule } = world;
    expect(schedule).toMatchObject({ nextDue: T0, zoneData: '2026a' });
    world.entry = { schedule: { ...schedule, nextDue: later(HOUR) }, pending: [] };
    world.zoneData = '2026b';
    world.tick();
    const moved = { kind: 'nextDueMoved', cause: 'zoneData', from: later(HOUR), to: T0, zoneData: '2026b' };
    expect(world.notices).toEqual([moved]);
    expect(world.schedule).toMatchObject({ nextDue: T0, zoneData: '2026b' });
    world.zoneData = '2026c';
    world.tick();
    expect(world.schedule.zoneData).toBe('2026c');
    expect(world.notices).toHaveLength(1);
  });

  it('[TR-10] a trigger without a zone takes no notice', () => {
    const world = World.of();
    world.zoneData = '2026b';
    expect(world.tick().kind).toBe('unchanged');
  });

  it('[CT-9] behind a paused gate nothing is collected or dispatched, manual work is', () => {
    const world = World.of();
    world.at(T0).tick();
    world.gate = { isPaused: true };
    world.at(minute(1));
    expect(world.tick().kind).toBe('unchanged');
    expect(world.wakeAt).toBeUndefined();
    expect(refusalOf(world.claim())).toBe('stale');
    world.trigger('a');
    expect(world.claim('job~1~m~a').kind).toBe('accepted');
  });

  it('[CT-16] three, ten and a hundred skips in a row are told', () => {
    const world = World.of({ overlap: 'skip' });
    world.at(T0).tick();
    for (let n = 1; n <= 100; n++) world.at(minute(n)).tick();
    expect(world.notices).toEqual([3, 10, 100].map((count) => ({ kind: 'skipsInRow', count })));
    expect(world.schedule.skipsInRow).toBe(100);
    world.claim();
    world.succeed();
    expect(world.schedule.skipsInRow).toBe(0);
  });

  it('[OW-9] an owner that does not collect notes an expiry all the same', () => {
    const world = World.of({ expiresAt: '2026-11-30T08:01:00.000Z' });
    expect(world.at(T0).tick(false).kind).toBe('unchanged');
    world.at(minute(1)).tick(false);
    expect(world.schedule.status).toBe('expired');
  });
});
