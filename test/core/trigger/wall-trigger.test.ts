/** Clocks made up for the purpose: changes at, before and after the borders of the table of spans. */
import { describe, expect, it } from 'vitest';
import { createZone, type OffsetSource } from '../../../src/core/time/zone-spans.js';
import { cronPattern } from '../../../src/core/trigger/cron/cron-pattern.js';
import { type CronFields, parseCron } from '../../../src/core/trigger/cron/cron-syntax.js';
import { wallTrigger } from '../../../src/core/trigger/wall-trigger.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Spans are kept in chunks of 100 days; this is where one ends. */
const BORDER = 200 * 100 * DAY;

/** A clock that is at UTC, and changes once by some minutes. */
function changesOnce(at: number, minutes: number): OffsetSource {
  return { offsetAt: (t) => (t < at ? 0 : minutes * MINUTE) };
}

/** Due instants by the definition, minute by minute. */
function byDefinition(
  source: OffsetSource,
  minutes: readonly number[],
  policy: { everyPass: boolean; shift: boolean },
  from: number,
  to: number,
) {
  const wants = (wall: number) => minutes.includes((wall / MINUTE) % 60);
  const shown = new Set<number>();
  const due: number[] = [];
  let last = from - 3 * DAY + source.offsetAt(from - 3 * DAY) - MINUTE;
  for (let at = from - 3 * DAY; at < to; at += MINUTE) {
    const wall = at + source.offsetAt(at);
    let isDue = wants(wall) && (policy.everyPass || !shown.has(wall));
    for (let missing = last + MINUTE; policy.shift && missing < wall; missing += MINUTE) isDue ||= wants(missing);
    if (isDue && at >= from) due.push(at);
    shown.add(wall);
    last = wall;
  }
  return due;
}

const PLACES = [-25 * 60, -180, -60, -30, -1, 0, 1, 30, 60, 180];
const CHANGES = [-120, -60, -30, -1, 30, 60, 120];
const POLICIES = [true, false].flatMap((everyPass) => [true, false].map((shift) => ({ everyPass, shift })));

describe('changes of the clock around a border of the table', () => {
  it.each(POLICIES)(
    '[TR-3] everyPass $everyPass, shift $shift: as the definition says, in both directions',
    (policy) => {
      const pattern = cronPattern(parseCron('0,20,45 0-23 * * *', {}) as CronFields);
      for (const place of PLACES) {
        for (const change of CHANGES) {
          const source = changesOnce(BORDER + place * MINUTE, change);
          const trigger = wallTrigger('cron', createZone('Made/Up', source), pattern, policy);
          const from = BORDER - 2 * DAY;
          const expected = byDefinition(source, [0, 20, 45], policy, from, BORDER + 2 * DAY);
          const about = `${change} minutes at ${place} minutes from the border`;
          expect(trigger.list(from - 1, expected.length), about).toEqual(expected);
          const backward: number[] = [];
          for (let at = trigger.previous(BORDER + 2 * DAY); at !== undefined && at >= from; at = trigger.previous(at))
            backward.push(at);
          expect(backward.reverse(), `${about}, backwards`).toEqual(expected);
        }
      }
    },
  );

  it('[TR-1] a change is found to the second, and offsets may have seconds', () => {
    const at = BORDER + 12_345_000;
    const source: OffsetSource = { offsetAt: (t) => (t < at ? -2_670_000 : -2_671_000) };
    const zone = createZone('Made/Up', source);
    const pattern = cronPattern(parseCron('* * * * * *', {}) as CronFields);
    const first = wallTrigger('cron', zone, pattern, { everyPass: false, shift: false });
    expect(first.list(at - 3000, 4)).toEqual([at - 2000, at - 1000, at + 1000, at + 2000]);
    const every = wallTrigger('cron', zone, pattern, { everyPass: true, shift: false });
    expect(every.list(at - 3000, 4)).toEqual([at - 2000, at - 1000, at, at + 1000]);
  });
});
