/** Which zone names exist, and what their clocks show. */
import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../../src/core/time/instant.js';
import { formatLocal, formatOffset, instantsShowing, wallTimeAt } from '../../../src/core/time/wall-clock.js';
import { ZONE_NAMES } from '../../../src/core/time/zone-names.js';
import { createZone, spanAt, type Zone } from '../../../src/core/time/zone-spans.js';
import { adviceOnZone, findZone, intlSource, temporalSource, zoneName } from '../../../src/core/time/zones.js';

const names = ZONE_NAMES.split(' ');
const at = (text: string) => parseInstant(text) as number;
const zone = (name: string) => findZone(name) as Zone;

describe('zone names', () => {
  it('[TR-9] the table has every name that the runtime lists, and the old links', () => {
    expect(names).toEqual([...new Set(names)].sort());
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !names.includes(name))).toEqual([]);
    for (const link of [
      'US/Pacific',
      'Asia/Calcutta',
      'GB',
      'Etc/GMT+5',
      'EET',
      'UTC',
      'Etc/UTC',
      'Europe/Kiev',
      'Europe/Kyiv',
    ]) {
      expect(names).toContain(link);
    }
  });

  it('[TR-9] a name is taken in any case of letters and keeps its own spelling, a link too', () => {
    expect(zoneName('europe/berlin')).toBe('Europe/Berlin');
    expect(zoneName('ASIA/CALCUTTA')).toBe('Asia/Calcutta');
    expect(findZone('us/pacific')?.name).toBe('US/Pacific');
    expect(findZone('Europe/Berlin')).toBe(findZone('EUROPE/BERLIN'));
  });

  it.each([
    'PST',
    'UTC+2',
    'UTC+25',
    'GMT+99',
    '+02:00',
    '-0500',
    'Z',
    'Local',
    'local',
    '',
    ' ',
    'Europe/Berlin ',
    'Europe Berlin',
    'America/New York',
    '../etc/passwd',
    'America/New_York\u0000',
    'Factory',
    'posix/Europe/Berlin',
    '__proto__',
    'constructor',
  ])('[TR-9] %j is no zone', (name) => {
    expect(zoneName(name)).toBeUndefined();
    expect(findZone(name)).toBeUndefined();
  });

  it.each([
    ['Europe/Berln', 'Europe/Berlin'],
    ['America/NewYork', 'America/New_York'],
    ['America/New York', 'America/New_York'],
    ['Asia/Tokio', 'Asia/Tokyo'],
    ['Europe/Kiew', 'Europe/Kiev'],
    ['Amsterdm', 'Europe/Amsterdam'],
    ['us/pacifik', 'US/Pacific'],
    ['Berlin', 'Europe/Berlin'],
    ['new york', 'America/New_York'],
    ['ROME', 'Europe/Rome'],
    ['Europe/Sao_Paulo', 'America/Sao_Paulo'],
    ['posix/Europe/Berlin', 'Europe/Berlin'],
  ])('[TR-9] %j is near to %s', (name, near) => {
    expect(adviceOnZone(name)).toMatch(new RegExp(`; did you mean .*"${near}"`));
    expect(adviceOnZone(name).split(' or ').length).toBeLessThanOrEqual(3);
  });

  it.each([
    ['UTC+2', 'UTC+02:00 for all time is "Etc/GMT-2", with the sign reversed; prefer the name of a place'],
    ['utc +02', 'is "Etc/GMT-2"'],
    ['UTC2', 'UTC+02:00 for all time is "Etc/GMT-2", with the sign reversed; prefer the name of a place'],
    ['GMT5', 'UTC+05:00 for all time is "Etc/GMT-5"'],
    ['utc 5:30', 'no name means UTC+05:30 for all time'],
    ['UTC0', 'write "UTC"'],
    ['GMT-5', 'UTC-05:00 for all time is "Etc/GMT+5"'],
    ['+02:00', 'UTC+02:00 for all time is "Etc/GMT-2"'],
    ['-0500', 'is "Etc/GMT+5"'],
    ['Etc/GMT+02', 'UTC-02:00 for all time is "Etc/GMT+2"'],
    ['+05:30', 'no name means UTC+05:30 for all time'],
    ['UTC+25', 'no name means UTC+25:00 for all time'],
    ['+00:00', 'write "UTC"'],
    ['Z', 'write "UTC"'],
    ['PST', 'such as "America/Los_Angeles"'],
    ['BST', 'such as "Europe/London"'],
    ['ist', 'such as "Asia/Kolkata"'],
    ['XYZT', 'an abbreviation means different clocks'],
    ['Local', 'the zone of the machine never decides'],
    ['Eastern Standard Time', 'a name that Windows has'],
    ['W. Europe Standard Time', 'a name that Windows has'],
    ['(UTC+01:00) Amsterdam, Berlin', 'a name that Windows has'],
    ['', 'it is empty'],
  ])('[TR-9] %j is told for what it is: %s', (name, told) => {
    expect(adviceOnZone(name)).toContain(told);
    expect(adviceOnZone(name)).not.toContain('did you mean');
  });

  it.each([
    'Factory',
    'China',
    'Europe/',
    'Europe/Oxford',
    '__proto__',
    'constructor',
    'Mars/Olympus_Mons',
    ...[
      'Asia/Mumbai',
      'Mumbai',
      'Boston',
      'Dallas',
      'Geneva',
      'Atlanta',
      'Portland',
      'Ireland',
      'Malawi',
      'Canada',
      'Island',
    ],
    ...['America', 'America/Rio', 'Europe/Petersburg', 'Petersburg', 'Asia/Bangalore', 'Iraq'],
    'x'.repeat(100_000),
  ])('[TR-9] nothing is suggested that is far from %j', (name) => {
    expect(adviceOnZone(name)).toBe('');
  });

  it('[TR-9] every Etc name that is advised for an offset shows that offset', () => {
    for (let hour = -12; hour <= 14; hour += 1) {
      if (hour === 0) continue;
      const offset = `${hour < 0 ? '-' : '+'}${String(Math.abs(hour)).padStart(2, '0')}:00`;
      const [, name = ''] = /is "(.*?)"/.exec(adviceOnZone(offset)) ?? [];
      expect(formatOffset(zone(name), 0), name).toBe(offset);
    }
  });

  it('[TR-9] a zone that the runtime lacks has no source', () => {
    expect(intlSource('Mars/Olympus_Mons')).toBeUndefined();
  });
});

describe('clocks', () => {
  it.each([
    ['Europe/Berlin', '2026-07-01T00:00:00Z', '2026-07-01T02:00:00', '+02:00'],
    ['America/St_Johns', '2026-01-01T00:00:00Z', '2025-12-31T20:30:00', '-03:30'],
    ['Asia/Kathmandu', '2026-01-01T00:00:00Z', '2026-01-01T05:45:00', '+05:45'],
    ['Africa/Monrovia', '1971-01-01T00:00:00Z', '1970-12-31T23:15:30', '-00:44:30'],
    ['Pacific/Kiritimati', '2026-01-01T00:00:00Z', '2026-01-01T14:00:00', '+14:00'],
    ['UTC', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00', '+00:00'],
    ['America/New_York', '1800-01-01T12:00:00Z', '1800-01-01T07:03:58', '-04:56:02'],
    ['Europe/Berlin', '2500-07-01T00:00:00Z', '2500-07-01T02:00:00', '+02:00'],
  ])('[TR-9] %s shows at %s the time %s', (name, instant, local, offset) => {
    expect(formatLocal(zone(name), at(instant))).toBe(local);
    expect(formatOffset(zone(name), at(instant))).toBe(offset);
  });

  it.each([
    ['America/New_York', '2024-03-10T02:30:00Z', []],
    ['America/New_York', '2024-11-03T01:30:00Z', ['2024-11-03T05:30:00Z', '2024-11-03T06:30:00Z']],
    ['Australia/Lord_Howe', '2024-04-07T01:45:00Z', ['2024-04-06T14:45:00Z', '2024-04-06T15:15:00Z']],
    ['Pacific/Apia', '2011-12-30T12:00:00Z', []],
    ['Pacific/Apia', '2011-12-31T00:00:00Z', ['2011-12-30T10:00:00Z']],
    ['America/Havana', '2024-11-03T00:00:00Z', ['2024-11-03T04:00:00Z', '2024-11-03T05:00:00Z']],
  ])('[TR-3] in %s the wall time %s is shown at %j', (name, wall, instants) => {
    expect(instantsShowing(zone(name), at(wall))).toEqual(instants.map(at));
  });

  it('[TR-9] spans agree with the runtime at every tenth day, and on both sides of every border', () => {
    for (const name of [
      'America/New_York',
      'Africa/Casablanca',
      'Asia/Gaza',
      'Europe/Riga',
      'Africa/Tunis',
      'Asia/Tokyo',
    ]) {
      const own = createZone(name, intlSource(name) as never);
      const source = intlSource(name);
      let last = spanAt(own, at('1900-01-01T00:00:00Z'));
      for (let t = at('1900-01-01T00:00:00Z'); t < at('2100-01-01T00:00:00Z'); t += 864_000_000) {
        expect(spanAt(own, t).offset).toBe(source?.offsetAt(t));
        for (; last.end <= t; last = spanAt(own, last.end)) {
          expect(source?.offsetAt(last.end - 1000)).toBe(last.offset);
          expect(source?.offsetAt(last.end)).toBe(spanAt(own, last.end).offset);
        }
      }
    }
  });

  it('[TR-10] the order in which a zone is asked changes nothing', () => {
    const times = [
      at('2100-06-01T00:00:00Z'),
      at('1950-01-01T00:00:00Z'),
      at('2024-03-10T07:00:00Z'),
      at('2024-03-10T06:59:59Z'),
    ];
    const one = createZone('America/New_York', intlSource('America/New_York') as never);
    const other = createZone('America/New_York', intlSource('America/New_York') as never);
    const forward = times.map((t) => wallTimeAt(one, t));
    const backward = [...times].reverse().map((t) => wallTimeAt(other, t));
    expect(backward.reverse()).toEqual(forward);
  });

  it.runIf('Temporal' in globalThis)('[TR-9] native Temporal and Intl give equal spans', () => {
    for (const name of names.filter((_, i) => i % 7 === 0)) {
      const native = createZone(name, temporalSource(name) as never);
      const intl = createZone(name, intlSource(name) as never);
      for (let t = at('1970-01-01T00:00:00Z'); t < at('2040-01-01T00:00:00Z'); t = spanAt(native, t).end) {
        expect(spanAt(native, t), name).toEqual(spanAt(intl, t));
      }
    }
  });
});
