/**
 * Points in time: whole milliseconds since 1970-01-01T00:00Z inside, ISO 8601 UTC text outside.
 *
 * Reading is strict: a text must say its offset, must name a date and a time that exist, and must lie in the years
 * 1800..9999 (DE-2). Writing has one form only, so that equal instants are equal texts.
 */

import { civilOf, DAY_MS, dateOf, dayIfReal, digits, formatDate, monthOf, parseDate, yearOf } from './civil.js';

declare const brand: unique symbol;

/**
 * A point in time in whole milliseconds since 1970-01-01T00:00:00Z, between {@link MIN_INSTANT} and
 * {@link MAX_INSTANT}.
 *
 * @public
 */
export type EpochMs = number & { readonly [brand]: 'EpochMs' };

/**
 * What a function takes for an instant: ISO 8601 text with an offset, a valid `Date`, or anything that has whole
 * `epochMilliseconds`, such as a `Temporal.Instant` or a `Temporal.ZonedDateTime` (DE-2).
 *
 * @public
 */
export type InstantInput = string | Date | { readonly epochMilliseconds: number };

/** The earliest instant: 1800-01-01T00:00:00.000Z (DE-2). @public */
export const MIN_INSTANT = -5_364_662_400_000 as EpochMs;

/** The latest instant: 9999-12-31T23:59:59.999Z (DE-2). @public */
export const MAX_INSTANT = 253_402_300_799_999 as EpochMs;

/**
 * Brands a number that is known to be whole and in range; checks nothing.
 *
 * @internal
 */
export function epochMs(n: number): EpochMs {
  return n as EpochMs;
}

const ISO_TEXT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):(\d\d))$/;

/**
 * Reads `YYYY-MM-DDTHH:mm[:ss[.fraction]]` followed by `Z` or `±HH:mm`; digits beyond milliseconds are cut, toward the
 * past. Anything else, an hour 24, a second 60, a date that does not exist or a year outside 1800..9999 is `undefined`
 * (DE-2).
 *
 * @public
 */
export function parseInstant(text: string): EpochMs | undefined {
  const match = ISO_TEXT.exec(text);
  if (match === null) return undefined;
  const day = dayIfReal(Number(match[1]), Number(match[2]), Number(match[3]));
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  const second = Number(match[6] ?? '0');
  if (day === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = offsetMinutes(match[8], match[9], match[10]);
  if (offset === undefined) return undefined;
  const millisecond = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  return inRange(day * DAY_MS + ((hour * 60 + minute - offset) * 60 + second) * 1000 + millisecond);
}

function offsetMinutes(sign: string | undefined, hours: string | undefined, minutes: string | undefined) {
  if (sign === undefined) return 0;
  const hour = Number(hours);
  const minute = Number(minutes);
  if (hour > 23 || minute > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (hour * 60 + minute);
}

/**
 * The one text of an instant: `YYYY-MM-DDTHH:mm:ss.sssZ`.
 *
 * @public
 */
export function formatInstant(ms: EpochMs): string {
  return `${formatWallTime(ms)}.${digits(ms - Math.floor(ms / 1000) * 1000, 3)}Z`;
}

/**
 * `YYYY-MM-DDTHH:mm:ss` of a wall time in milliseconds "as if UTC".
 *
 * @internal
 */
export function formatWallTime(wall: number): string {
  const day = Math.floor(wall / DAY_MS);
  const second = Math.floor((wall - day * DAY_MS) / 1000);
  const minute = (second / 60) | 0;
  return `${formatDate(day)}T${digits((minute / 60) | 0, 2)}:${digits(minute % 60, 2)}:${digits(second % 60, 2)}`;
}

const WALL_TEXT = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;

/**
 * Reads `YYYY-MM-DDTHH:mm` or `YYYY-MM-DDTHH:mm:ss` as a wall time in milliseconds "as if UTC"; anything else, or a date
 * that does not exist, is `undefined`.
 *
 * @internal
 */
export function parseWallTime(text: string): number | undefined {
  const match = WALL_TEXT.exec(text);
  const day = match === null ? undefined : parseDate(match[1] as string);
  if (match === null || day === undefined) return undefined;
  return day * DAY_MS + ((Number(match[2]) * 60 + Number(match[3])) * 60 + Number(match[4] ?? 0)) * 1000;
}

/**
 * The text of an instant that fits into ids and file names: `YYYYMMDDTHHmmsssssZ`, as in `20261130T080000000Z` (OC-1).
 *
 * @internal
 */
export function compactInstant(ms: EpochMs): string {
  const day = Math.floor(ms / DAY_MS);
  const civil = civilOf(day);
  const rest = ms - day * DAY_MS;
  const minute = (rest / 60_000) | 0;
  const date = digits(yearOf(civil) * 10_000 + monthOf(civil) * 100 + dateOf(civil), 8);
  return `${date}T${digits(((minute / 60) | 0) * 100 + (minute % 60), 4)}${digits(rest % 60_000, 5)}Z`;
}

const COMPACT_TEXT = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/;

/**
 * Reads what {@link compactInstant} writes; anything else is `undefined` (OC-1).
 *
 * @internal
 */
export function parseCompactInstant(text: string): EpochMs | undefined {
  const match = COMPACT_TEXT.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, millisecond] = match;
  return parseInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
}

/**
 * The instant that an input names, or `undefined` where it names none: a text that {@link parseInstant} refuses, an
 * invalid `Date`, a number that is not whole or lies outside the years 1800..9999 (DE-2).
 *
 * @public
 */
export function toEpochMs(input: InstantInput): EpochMs | undefined {
  if (typeof input === 'string') return parseInstant(input);
  if (typeof input !== 'object' || input === null) return undefined;
  if ('epochMilliseconds' in input) return inRange(input.epochMilliseconds);
  return typeof input.getTime === 'function' ? inRange(input.getTime()) : undefined;
}

function inRange(ms: unknown): EpochMs | undefined {
  return Number.isInteger(ms) && (ms as number) >= MIN_INSTANT && (ms as number) <= MAX_INSTANT
    ? (((ms as number) + 0) as EpochMs)
    : undefined;
}
