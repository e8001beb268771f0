/** Unions: each instant once, whichever members name it, in both directions. */
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../../src/core/time/instant.js';
import type { AnyOfCompiled } from '../../../src/core/trigger/any-of-trigger.js';
import { compileTrigger } from '../../../src/core/trigger/compile.js';
import { due, issuesOf, latestBefore, upcoming } from '../../support/due.js';

const BERLIN = { timezone: 'Europe/Berlin' };
const nine = { kind: 'cron', expression: '0 9 * * *', ...BERLIN };
const mondays = { kind: 'cron', expression: '0 8,9 * * MON', ...BERLIN };
const noon = { kind: 'calendar', hour: 12, timezone: 'America/New_York' };
const once = { kind: 'once', at: '2026-12-01T08:00:00Z' };
const all = { kind: 'anyOf', of: [nine, mondays, { kind: 'anyOf', of: [noon, once] }] };

describe('anyOf', () => {
  it('[TR-1] is due whenever a member is, each instant once, in the order of time', () => {
    expect(upcoming(all, '2026-11-29T23:00:00Z', 7)).toEqual([
      '2026-11-30T07:00:00.000Z',
      '2026-11-30T08:00:00.000Z',
      '2026-11-30T17:00:00.000Z',
      '2026-12-01T08:00:00.000Z',
      '2026-12-01T17:00:00.000Z',
      '2026-12-02T08:00:00.000Z',
      '2026-12-02T17:00:00.000Z',
    ]);
  });

  it('[TR-1] previous is its mirror, and count agrees with the list', () => {
    const union = due(all);
    const from = Date.parse('2026-11-29T23:00:00Z');
    const list = union.list(from, 40);
    const back: number[] = [];
    for (let at = union.previous((list.at(-1) ?? 0) + 1); at !== undefined && at > from; at = union.previous(at)) {
      back.unshift(at);
    }
    expect(back).toEqual(list);
    expect(union.count(from, list[19] ?? 0, 1000)).toBe(20);
    expect(union.count(from, Number.POSITIVE_INFINITY, 7)).toBe(7);
    expect(latestBefore(all, '2026-12-01T08:00:00.001Z')).toBe('2026-12-01T08:00:00.000Z');
  });

  it('[TR-1] ends with the last of its members', () => {
    const end = { kind: 'anyOf', of: [once, { kind: 'once', at: '2026-12-02T08:00:00Z' }] };
    expect(upcoming(end, '2026-11-30T00:00:00Z', 5)).toEqual(['2026-12-01T08:00:00.000Z', '2026-12-02T08:00:00.000Z']);
    expect(upcoming(end, '2026-12-02T08:00:00Z', 5)).toEqual([]);
    expect(latestBefore(end, '2026-12-01T08:00:00Z')).toBeUndefined();
    expect(due(end).next(Number.NaN)).toBeUndefined();
  });

  it('[DE-1] in the normal form equal members stand once, in one order', () => {
    const normalOf = (of: readonly unknown[]) => {
      const result = compileTrigger({ kind: 'anyOf', of });
      return result.ok ? result.normalized : result.issues;
    };
    const lower = { ...nine, expression: ' 0  9 * * *', timezone: 'europe/berlin' };
    expect(normalOf([once, nine, mondays, lower])).toEqual(normalOf([mondays, nine, once]));
    expect(normalOf([once, nine])).toMatchObject({ kind: 'anyOf', of: [{ kind: 'cron' }, { kind: 'once' }] });
    const again = compileTrigger(normalOf([once, nine, { kind: 'anyOf', of: [noon] }]));
    expect(again).toMatchObject({ ok: true, normalized: normalOf([once, nine, { kind: 'anyOf', of: [noon] }]) });
  });

  it('[TR-1] has no zone of its own; its members have', () => {
    const union = due(all) as AnyOfCompiled;
    expect(union.timezone).toBeUndefined();
    expect(union.of.map(({ kind }) => kind)).toEqual(['cron', 'cron', 'anyOf']);
  });

  it.each([
    ['no list', { kind: 'anyOf' }, [['of', 'DE-1']]],
    ['an empty list', { kind: 'anyOf', of: [] }, [['of', 'DE-1']]],
    ['too many', { kind: 'anyOf', of: Array.from({ length: 401 }, () => once) }, [['of', 'DE-11']]],
    ['manual', { kind: 'anyOf', of: [nine, { kind: 'manual' }] }, [['of[1].kind', 'DE-11']]],
    [
      'three deep',
      { kind: 'anyOf', of: [{ kind: 'anyOf', of: [nine, { kind: 'anyOf', of: [once] }] }] },
      [['of[0].of[1].kind', 'DE-11']],
    ],
    [
      'faults in several members',
      { kind: 'anyOf', of: [{ ...nine, expression: '61 * * * *' }, 5, { ...noon, hours: 1 }] },
      [
        ['of[0].expression', 'TR-7'],
        ['of[1]', 'DE-1'],
        ['of[2].hours', 'DE-1'],
      ],
    ],
  ])('[DE-1, DE-11] %s is refused with its path', (_, trigger, expected) => {
    expect(issuesOf(trigger).map(({ path, rule }) => [path, rule])).toEqual(expected);
  });

  it('[DE-11] 400 members are allowed, and a step looks at each once', () => {
    const of = Array.from({ length: 400 }, (_, i) => ({ kind: 'once', at: formatInstant((i * 1000) as never) }));
    expect(due({ kind: 'anyOf', of }).list(-1, 1000)).toHaveLength(400);
    expect(issuesOf({ kind: 'anyOf', of: [{ kind: 'manual' }] })[0]?.message).toContain('never due');
  });
});
