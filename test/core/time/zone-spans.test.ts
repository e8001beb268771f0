/** How the changes of a clock are found from nothing but its offset at chosen instants, and how few of them it takes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createZone, type OffsetSource, spanAt } from '../../../src/core/time/zone-spans.js';

const SECOND = 1000;
const QUARTER = 900 * SECOND;
const DAY = 86_400 * SECOND;
const HOUR = 3600 * SECOND;

/** A clock at UTC that is an hour ahead from an instant on, and the number of times that it was asked. */
function clock(changeAt: number): OffsetSource & { asked: number } {
  const source = {
    asked: 0,
    offsetAt(at: number) {
      source.asked += 1;
      return at < changeAt ? 0 : HOUR;
    },
  };
  return source;
}

/** Whole seconds from 1850 to 2190: any, and those on or beside a quarter of an hour and the border of a chunk. */
const changes = fc
  .tuple(fc.integer({ min: -43_000, max: 80_000 }), fc.integer({ min: 0, max: 95 }), fc.integer({ min: -2, max: 2 }))
  .map(([day, quarter, seconds]) => day * DAY + quarter * QUARTER + seconds * SECOND);
const atBorders = fc
  .tuple(fc.integer({ min: -430, max: 800 }), fc.integer({ min: -700_000, max: 700_000 }))
  .map(([chunk, seconds]) => chunk * 100 * DAY + seconds * SECOND);

describe('spans of a zone', () => {
  it('[TR-9, TR-10] a change at any whole second is found at that second', () => {
    fc.assert(
      fc.property(fc.oneof(changes, atBorders), (changeAt) => {
        const zone = createZone('Made/Up', clock(changeAt));
        const [before, after] = [spanAt(zone, changeAt - 1), spanAt(zone, changeAt)];
        expect([before.offset, before.end, after.start, after.offset]).toEqual([0, changeAt, changeAt, HOUR]);
      }),
    );
  });

  it('[TR-8] a first answer asks for few offsets, and for none when it comes again', () => {
    const changeAt = Date.UTC(2026, 2, 29, 1);
    const source = clock(changeAt);
    const zone = createZone('Made/Up', source);
    spanAt(zone, changeAt);
    const { asked } = source;
    expect(asked).toBeLessThanOrEqual(40);
    spanAt(zone, changeAt + DAY);
    expect(source.asked).toBe(asked);
  });
});
