/** Warnings about changes of the clock: New York jumps from 02:00 to 03:00 on 2027-03-14, and back on 2026-11-01. */
import { describe, expect, it } from 'vitest';
import type { Trigger } from '../../../src/core/model/trigger.js';
import { calendar, codesOf, cron, messagesOf } from './lint-one.js';

const GAP =
  '02:30:00 on 2027-03-14 does not exist in America/New_York, whose clock jumps over it: nothing is due in its place';
const REPEAT = '01:30:00 on 2026-11-01 comes twice in America/New_York, whose clock is set back: ';
const AT = 'it is due the first time alone, at 2026-11-01T05:30:00.000Z';

describe('transitions', () => {
  it.each<[string, Trigger, readonly string[]]>([
    ['[TR-12] a cron time in a gap', cron('30 2 * * *'), [`${GAP}; with \`gap: "shift"\` it is due as the gap ends`]],
    [
      '[TR-12] a calendar time in a gap',
      calendar({ hour: 2, minute: 30 }),
      [`${GAP}; with \`gap: "shift"\` it is due as the gap ends`],
    ],
    [
      '[TR-12, TR-13] a time in a gap of a job that is due in both passes of a repeat can be shifted as well',
      cron('30 2 * * *', { repeat: 'both' }),
      [`${GAP}; with \`gap: "shift"\` it is due as the gap ends`],
    ],
    [
      '[TR-12, TR-13] a wildcard job cannot, whatever it says of repeats',
      cron('*/30 2 * * *', { repeat: 'both' }),
      [
        '02:00:00 on 2027-03-14 (and 1 more) does not exist in America/New_York, whose clock jumps over it: nothing is due in its place',
      ],
    ],
    ['[TR-12] a time in a gap that is shifted is meant', cron('30 2 * * *', { gap: 'shift' }), []],
    [
      '[TR-12] a cron time in a repeat',
      cron('30 1 * * *'),
      [`${REPEAT}${AT}; with \`repeat: "both"\` it is due both times`],
    ],
    ['[TR-12] a calendar time in a repeat', calendar({ hour: 1, minute: 30 }), [`${REPEAT}${AT}`]],
    ['[TR-12] a time in a repeat that is due twice is meant', cron('30 1 * * *', { repeat: 'both' }), []],
    ['[TR-12] a time beside the changes', cron('30 3 * * *'), []],
    ['[TR-12] a time in the gap on other days alone', cron('30 2 * * MON'), []],
    ['[TR-12] a zone without changes', cron('30 2 * * *', { timezone: 'Asia/Tokyo' }), []],
    ['[TR-12] a wildcard job of every hour keeps its rhythm', cron('*/15 * * * *'), []],
    [
      '[TR-12] a trigger of elapsed time has no wall clock',
      { kind: 'interval', start: '2026-10-12T00:00:00Z', everySeconds: 1800 },
      [],
    ],
    ['[TR-12] a trigger that starts after two years', cron('30 2 * * *', { start: '2028-11-20T00:00:00.000Z' }), []],
    ['[TR-12] a trigger that ends before the change', cron('30 2 * * *', { end: '2027-03-13T00:00:00.000Z' }), []],
    [
      '[TR-12] a wildcard job of one hour',
      cron('*/30 1 * * *'),
      [
        '01:00:00 on 2026-11-01 comes twice in America/New_York, whose clock is set back: a job with `*` in its second, minute or hour field is due both times',
      ],
    ],
    [
      '[TR-12] a wildcard job cannot be shifted',
      cron('*/30 2 * * *', { gap: 'shift' }),
      [
        '02:00:00 on 2027-03-14 (and 1 more) does not exist in America/New_York, whose clock jumps over it: nothing is due in its place',
      ],
    ],
  ])('%s', (_title, trigger, expected) => {
    expect(messagesOf('transition', { trigger })).toEqual(expected);
  });

  it('[TR-12] a trigger that falls in both kinds of change is told of both, once each', () => {
    expect(codesOf({ trigger: calendar({ hour: [1, 2], minute: 30 }) })).toEqual(['transition', 'transition']);
  });

  it('[TR-12] changes after the expiry do not matter', () => {
    const trigger = cron('30 2 * * *');
    expect(codesOf({ trigger, expiresAt: '2027-03-14T07:00:00.000Z' })).toEqual([]);
    expect(codesOf({ trigger, expiresAt: '2027-03-14T07:00:00.001Z' })).toEqual(['transition']);
  });

  it('[TR-12] a gap that swallows very many times names the first', () => {
    const [message] = messagesOf('transition', { trigger: cron('0-59 0-59 2 * * *') });
    expect(message).toMatch(/^02:00:00 on 2027-03-14 \(and at least 99 more\) does not exist/);
  });
});
