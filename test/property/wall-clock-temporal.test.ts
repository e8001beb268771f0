/** The table of transitions agrees with Temporal, which shares no code with it, in every zone and most of all near a change. */
import { Temporal } from '@js-temporal/polyfill';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLocal, formatOffset, instantsShowing, wallTimeAt } from '../../src/core/time/wall-clock.js';
import { findZone } from '../../src/core/time/zones.js';
import { EVERY_ZONE } from '../support/every-zone.js';

const HOUR_MS = 3_600_000;
const ZONES = EVERY_ZONE.filter((name) => findZone(name) !== undefined);

/** A zone, and an instant from 1970 to 2100 within three days of a change of its clock, where it has one. */
const nearChange = fc
  .record({
    name: fc.constantFrom(...ZONES),
    from: fc.integer({ min: 0, max: Date.UTC(2099, 0) }),
    offMs: fc.integer({ min: -72 * HOUR_MS, max: 72 * HOUR_MS }),
  })
  .map(({ name, from, offMs }) => {
    const changed = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(name).getTimeZoneTransition('next');
    return { name, at: (changed?.epochMilliseconds ?? from) + offMs };
  });

function zoneOf(name: string) {
  const zone = findZone(name);
  if (zone === undefined) throw new Error(`no zone ${name}`);
  return zone;
}

describe('wall clocks against Temporal', () => {
  it('[TR-9, TR-10] show the same local time and offset', () => {
    fc.assert(
      fc.property(nearChange, ({ name, at }) => {
        const there = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name);
        expect(formatLocal(zoneOf(name), at)).toBe(there.toPlainDateTime().toString({ smallestUnit: 'second' }));
        expect(formatOffset(zoneOf(name), at)).toBe(there.offset);
      }),
      { numRuns: 400 },
    );
  });

  it('[TR-3, TR-6] name no instant in a gap, two in a repeat, and the same ones', () => {
    fc.assert(
      fc.property(nearChange, ({ name, at }) => {
        const zone = zoneOf(name);
        const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name).toPlainDateTime();
        const walls = [-HOUR_MS, 0, HOUR_MS].map((ms) => ({
          wall: wallTimeAt(zone, at) + ms,
          plain: local.add({ milliseconds: ms }),
        }));
        for (const { wall, plain } of walls) {
          const candidates = (['earlier', 'later'] as const).map((disambiguation) =>
            plain.toZonedDateTime(name, { disambiguation }),
          );
          const shown = candidates.filter((candidate) => candidate.toPlainDateTime().equals(plain));
          const expected = [...new Set(shown.map(({ epochMilliseconds }) => epochMilliseconds))];
          expect(instantsShowing(zone, wall)).toEqual(expected);
        }
      }),
      { numRuns: 400 },
    );
  });
});
