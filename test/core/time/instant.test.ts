/** Instants in and out: strict reading, one way of writing. */
import { describe, expect, it } from 'vitest';
import {
  compactInstant,
  epochMs,
  formatInstant,
  MAX_INSTANT,
  MIN_INSTANT,
  parseCompactInstant,
  parseInstant,
  toEpochMs,
} from '../../../src/core/time/instant.js';

describe('reading instants', () => {
  it.each([
    ['2026-11-30T08:00:00Z', '2026-11-30T08:00:00.000Z'],
    ['2026-11-30T08:00Z', '2026-11-30T08:00:00.000Z'],
    ['2026-11-30T08:00:00.5Z', '2026-11-30T08:00:00.500Z'],
    ['2026-11-30T08:00:00.123999999Z', '2026-11-30T08:00:00.123Z'],
    ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
    ['2026-11-30T08:00:00+05:45', '2026-11-30T02:15:00.000Z'],
    ['2026-11-30T08:00:00-23:59', '2026-12-01T07:59:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['1800-01-01T00:00:00Z', '1800-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('[DE-2] %s is %s', (text, written) => {
    expect(formatInstant(parseInstant(text) as never)).toBe(written);
  });

  it.each([
    '2026-11-30T08:00:00',
    '2026-11-30',
    '2026-11-30 08:00:00Z',
    '2026-11-30T24:00:00Z',
    '2026-11-30T23:59:60Z',
    '2026-11-30T08:60:00Z',
    '2026-11-31T08:00:00Z',
    '2023-02-29T08:00:00Z',
    '2026-13-01T08:00:00Z',
    '2026-11-30T8:00:00Z',
    '2026-11-30T08:00:00z',
    '2026-11-30t08:00:00Z',
    '2026-11-30T08:00:00+24:00',
    '2026-11-30T08:00:00+05:60',
    '2026-11-30T08:00:00+0545',
    '2026-11-30T08:00:00+05',
    '2026-11-30T08:00:00.Z',
    '2026-11-30T08:00:00.1234567891Z',
    '2026-11-30T08:00:00Z ',
    '\n2026-11-30T08:00:00Z',
    '1799-12-31T23:59:59Z',
    '+012026-11-30T08:00:00Z',
    '12026-11-30T08:00Z',
    '1800-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2026-11-30T08:00:00Z[Europe/Berlin]',
    '',
    'now',
  ])('[DE-2] %j is refused', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it('[DE-2] text, dates and Temporal-like values name the same instant', () => {
    const ms = Date.UTC(2026, 10, 30, 8);
    expect(toEpochMs('2026-11-30T08:00:00Z')).toBe(ms);
    expect(toEpochMs(new Date(ms))).toBe(ms);
    expect(toEpochMs({ epochMilliseconds: ms })).toBe(ms);
  });

  it.each([
    new Date(Number.NaN),
    new Date(8e15),
    { epochMilliseconds: 0.5 },
    { epochMilliseconds: Number.NaN },
    { epochMilliseconds: '0' },
    { epochMilliseconds: 1e300 },
    0,
    null,
    undefined,
    {},
    [],
  ])('[DE-2] %j names no instant', (input) => {
    expect(toEpochMs(input as never)).toBeUndefined();
  });

  it('[DE-2] minus zero is zero', () => {
    expect(Object.is(toEpochMs({ epochMilliseconds: -0 }), 0)).toBe(true);
  });
});

describe('writing instants', () => {
  it.each([MIN_INSTANT, -1, 0, 1, 951_782_400_000, 4_102_444_799_999, MAX_INSTANT])(
    '[DE-2] %i is written as the language does',
    (ms) => {
      const text = formatInstant(epochMs(ms));
      expect(text).toBe(new Date(ms).toISOString());
      expect(parseInstant(text)).toBe(ms);
    },
  );

  it.each([
    ['2026-11-30T08:00:00.000Z', '20261130T080000000Z'],
    ['1969-12-31T23:59:59.999Z', '19691231T235959999Z'],
    ['2026-01-02T03:04:05.006Z', '20260102T030405006Z'],
  ])('[OC-1] %s is %s in an id', (text, compact) => {
    const ms = parseInstant(text);
    expect(compactInstant(ms as never)).toBe(compact);
    expect(parseCompactInstant(compact)).toBe(ms);
  });

  it.each(['20261130T080000Z', '20261131T080000000Z', '20261130T240000000Z', '2026-11-30T08:00:00.000Z', ''])(
    '[OC-1] %j is no instant of an id',
    (text) => {
      expect(parseCompactInstant(text)).toBeUndefined();
    },
  );
});
