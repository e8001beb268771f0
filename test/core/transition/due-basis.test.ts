/** What a next due instant stands on: zone data that breaks or moves, calendars that are edited. */
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../../src/core/model/declaration.js';
import { epochMs } from '../../../src/core/time/instant.js';
import type { ZoneData } from '../../../src/core/time/zone-data.js';
import { runtimeZoneData } from '../../../src/core/time/zones.js';
import { DAY, later, refusalOf, T0, World } from '../../support/builders.js';
import { movedZone } from '../../support/moved-zone.js';

const daily = { kind: 'cron', expression: '0 9 * * *', timezone: 'Europe/Berlin' } as const;
const byCalendar: Partial<Declaration> = { trigger: daily, exclude: { calendar: 'holidays' } };

function holidays(...dates: readonly string[]) {
  return { holidays: { dates, digest: `sha256:${dates.join()}` } };
}

/** A world whose daily schedule leaves out the days of a calendar; its first due instant is {@link T0}. */
function calendarWorld(...dates: readonly string[]): World {
  const world = new World();
  world.calendars = holidays(...dates);
  world.create(byCalendar);
  return world;
}

describe('a calendar', () => {
  it('[DE-12] that does not exist is refused at create and at update, with the nearest names', () => {
    const world = new World();
    world.calendars = holidays();
    const exclude = { calendar: 'holyday' };
    const answer = world.ask({
      kind: 'create',
      definition: { ...calendarWorld().schedule.definition, declaration: declared({ exclude }) },
      isPaused: false,
      by: 'tester',
    });
    expect(answer).toMatchObject({
      kind: 'refused',
      refusal: { code: 'triggerBroken', issues: [{ path: 'exclude.calendar', rule: 'DE-12' }] },
    });
    world.create({ trigger: daily });
    expect(refusalOf(world.update({ exclude }))).toBe('triggerBroken');
  });

  it('[DE-12] stands by its digest beside nextDue; an edit moves nextDue and says why', () => {
    const world = calendarWorld();
    expect(world.schedule).toMatchObject({ nextDue: T0, calendarDigest: 'sha256:' });
    world.calendars = holidays('2026-11-30');
    world.tick();
    expect(world.schedule).toMatchObject({ nextDue: later(DAY), calendarDigest: 'sha256:2026-11-30' });
    const moved = { kind: 'nextDueMoved', cause: 'calendar', from: T0, to: later(DAY), calendar: 'holidays' };
    expect(world.notices).toEqual([{ ...moved, zoneData: '2026a' }]);
    world.calendars = holidays('2026-11-30', '2027-01-01');
    world.tick();
    expect(world.schedule.calendarDigest).toBe('sha256:2026-11-30,2027-01-01');
    expect(world.notices).toHaveLength(1);
    expect(world.tick().kind).toBe('unchanged');
  });

  it('[DE-12] is never collected by in a state that is no more', () => {
    const world = calendarWorld();
    world.calendars = holidays('2026-11-30');
    world.at(later(DAY)).tick();
    expect([world.waiting, world.schedule.collectedThrough]).toEqual([['1440 queued'], later(DAY)]);
  });

  it('[DE-12] brings back what it left out and nobody has accounted for', () => {
    const world = calendarWorld('2026-11-30', '2026-12-01');
    expect(world.schedule.nextDue).toBe(later(2 * DAY));
    world.calendars = holidays('2026-11-30');
    world.at(later(DAY)).tick();
    expect(world.waiting).toEqual(['1440 queued']);
    expect(world.schedule.nextDue).toBe(later(2 * DAY));
  });

  it('[DE-12, TB-2] that leaves out everything completes nothing: another edit brings the schedule back', () => {
    const world = calendarWorld();
    world.calendars = holidays('2026-01-01/2199-12-31');
    world.tick();
    expect(world.schedule).toMatchObject({ status: 'active' });
    expect(world.schedule.nextDue).toBeUndefined();
    expect(world.notices[0]).not.toHaveProperty('to');
    world.calendars = holidays('2026-11-30');
    world.tick();
    expect(world.schedule.nextDue).toBe(later(DAY));
    expect(world.notices[1]).toMatchObject({ to: later(DAY) });
    expect(world.notices[1]).not.toHaveProperty('from');
  });

  it('[DE-12, TR-10, TB-2] that leaves out everything completes nothing by the zone data of the host, where the runtime has none left', () => {
    const world = new World();
    world.zoneData = movedZone('2026z', 'Europe/Berlin', '2026-01-01T00:00:00Z');
    world.calendars = holidays();
    world.create({ ...byCalendar, trigger: { ...daily, start: '2026-12-01T00:00:00Z', end: '2026-12-01T07:30:00Z' } });
    expect(world.schedule.nextDue).toBe(later(DAY - 3_600_000));
    world.calendars = holidays('2026-12-01');
    world.tick();
    expect(world.schedule).toMatchObject({ status: 'active' });
    expect(world.schedule.nextDue).toBeUndefined();
  });

  it('[DE-12, TR-8] that leaves nothing is refused at the registration', () => {
    expect(refusalOf(emptied(new World(), holidays('2026-01-01/2199-12-31')))).toBe('neverDue');
    expect(refusalOf(new World().create({ trigger: daily, exclude: { weekdays: [0, 1, 2, 3, 4, 5, 6] } }))).toBe(
      'neverDue',
    );
  });

  it('[DE-12, CO-5] a cancellation closes by the calendar as it is now', () => {
    const world = calendarWorld();
    world.calendars = holidays('2026-11-30');
    world.at(later(2 * DAY)).cancel();
    expect(world.history).toEqual(['1440..2880(2) skipped cancelled closing']);
    const kept = calendarWorld();
    kept.calendars = holidays('2026-11-30/2026-12-02');
    kept.at(later(2 * DAY)).cancel();
    expect(kept.history).toEqual([]);
  });

  it('[DE-12] an update takes a new calendar at once, or none', () => {
    const world = calendarWorld('2026-11-30');
    world.at(T0).update({ exclude: { weekdays: [1] } });
    expect(world.schedule).toMatchObject({ nextDue: T0, revision: 2 });
    expect(world.schedule.calendarDigest).toBeUndefined();
  });

  it('[DE-12, CT-4] a one-shot that is put off may lie up to the grace in the past', () => {
    const at = '2026-11-30T08:00:00.000Z';
    const plain = new World(later(10_000));
    plain.create({ trigger: { kind: 'once', at } });
    expect(plain.schedule.nextDue).toBe(T0);
    const put = new World(later(3_600_000));
    put.create({ trigger: { kind: 'once', at }, spreadSeconds: 86_400, graceSeconds: 0 });
    expect(put.schedule.nextDue).toBeGreaterThan(later(3_600_000));
  });
});

describe('zone data of a host', () => {
  it('[TR-10] moves nextDue where its clock differs, and nothing else', () => {
    const world = new World();
    world.zoneData = runtimeZoneData('a');
    world.create({ trigger: daily });
    world.zoneData = movedZone('b', 'Europe/Berlin', '2026-11-01T00:00:00Z');
    world.tick();
    const moved = { kind: 'nextDueMoved', cause: 'zoneData', from: T0, to: later(23 * 3_600_000), zoneData: 'b' };
    expect(world.notices).toEqual([moved]);
    world.zoneData = movedZone('c', 'Europe/Paris', '2026-11-01T00:00:00Z');
    world.tick();
    expect([world.schedule.nextDue, world.schedule.zoneData]).toEqual([T0, 'c']);
  });

  it('[TR-10] matters to a union and to an exclusion with zones, and to nothing that has none', () => {
    const interval = { kind: 'interval', start: '2026-11-30T08:00:00.000Z', everySeconds: 60 } as const;
    const outdated = (declared: Partial<Declaration>) => {
      const world = World.of(declared);
      world.zoneData = '2026b';
      return world.tick().kind === 'accepted';
    };
    expect(outdated({ trigger: interval, spreadSeconds: 60 })).toBe(false);
    expect(outdated({ trigger: { kind: 'anyOf', of: [interval] } })).toBe(false);
    expect(outdated({ trigger: { kind: 'anyOf', of: [interval, daily] } })).toBe(true);
    expect(outdated({ trigger: interval, exclude: { weekdays: [6], timezone: 'Europe/Berlin' } })).toBe(true);
  });

  const breakers: readonly (readonly [string, ZoneData['offsetAt']])[] = [
    [
      'throws',
      () => {
        throw new Error('no file');
      },
    ],
    ['gives NaN', () => Number.NaN],
    ['gives more than a day', () => 86_400_001],
    ['gives a fraction', () => 0.5],
    ['gives text', () => '1' as never],
  ];

  it.each(breakers)(
    '[CO-4, TR-10] that %s quarantines what is judged by it, until a resume finds it mended',
    (_, offsetAt) => {
      const world = new World();
      world.zoneData = runtimeZoneData('a');
      world.create({ trigger: { kind: 'anyOf', of: [daily, { ...daily, timezone: 'Asia/Tokyo' }] } });
      const broken: ZoneData = { version: 'b', offsetAt };
      world.zoneData = broken;
      world.tick();
      expect(world.schedule.quarantine).toMatchObject({ reason: 'triggerBroken' });
      expect(world.schedule.quarantine?.detail).toMatch(/the zone data "b" .* for (Europe\/Berlin|Asia\/Tokyo)$/);
      expect(refusalOf(world.resume())).toBe('notApplicable: quarantined');
      world.zoneData = runtimeZoneData('c');
      world.resume();
      expect(world.schedule).toMatchObject({ status: 'active', nextDue: T0, zoneData: 'c' });
      expect(world.schedule.quarantine).toBeUndefined();
    },
  );

  it('[CO-4] that is broken for one zone refuses that zone alone, and lets an update leave it', () => {
    const zoneData: ZoneData = {
      version: 'half',
      offsetAt: (zone) => (zone === 'Europe/Berlin' ? Number.NaN : 3_600_000),
    };
    const world = new World();
    world.zoneData = zoneData;
    expect(world.create({ trigger: daily })).toMatchObject({
      refusal: { code: 'triggerBroken', issues: [{ path: 'trigger', rule: 'CO-4' }] },
    });
    world.zoneData = runtimeZoneData('whole');
    world.create({ trigger: daily });
    world.zoneData = zoneData;
    world.update({ trigger: { ...daily, timezone: 'Europe/Paris' } });
    expect(world.schedule).toMatchObject({ revision: 2, nextDue: T0 });
  });

  it('[TR-10] changes are asked of the source where it knows them, and must go on', () => {
    const asked: number[] = [];
    const at = Date.parse('2026-12-01T00:00:00Z');
    const zoneData: ZoneData = {
      version: 'known',
      offsetAt: (_, instant) => (instant < at ? 0 : 3_600_000),
      nextChange: (_, after) => {
        asked.push(after);
        return after < at ? at : undefined;
      },
    };
    const world = new World();
    world.zoneData = zoneData;
    world.create({ trigger: daily });
    expect([world.schedule.nextDue, asked.length > 0]).toEqual([epochMs(Date.parse('2026-11-30T09:00:00Z')), true]);
    const stuck = new World();
    stuck.zoneData = { ...zoneData, nextChange: (_, after) => after };
    expect(refusalOf(stuck.create({ trigger: daily }))).toBe('triggerBroken');
  });
});

function declared(changes: Partial<Declaration>): Declaration {
  return { ...calendarWorld().schedule.definition.declaration, ...changes };
}

function emptied(world: World, calendars: World['calendars']) {
  world.calendars = calendars;
  return world.create(byCalendar);
}
