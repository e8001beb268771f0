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

/** Texts of the last instants that were asked for, each in the place that its number points to. */
const KEPT = 256;
const keptInstants = new Float64Array(KEPT).fill(Number.NaN);
const keptTexts: string[] = new Array(KEPT).fill('');

/**
 * The one text of an instant: `YYYY-MM-DDTHH:mm:ss.sssZ`.
 *
 * @remarks A commit speaks of few instants in many rows, so the last texts are kept.
 * @public
 */
export function formatInstant(ms: EpochMs): string {
  const place = ms & (KEPT - 1);
  if (keptInstants[place] !== ms) {
    keptTexts[place] = `${formatWallTime(ms)}.${digits(ms - Math.floor(ms / 1000) * 1000, 3)}Z`;
    keptInstants[place] = ms;
  }
  return keptTexts[place] as string;
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

/** Whether a value is a whole number of milliseconds in the years 1800..9999. @internal */
export function isInstant(value: unknown): value is EpochMs {
  return Number.isInteger(value) && (value as number) >= MIN_INSTANT && (value as number) <= MAX_INSTANT;
}

function inRange(ms: unknown): EpochMs | undefined {
  return isInstant(ms) ? ((ms + 0) as EpochMs) : undefined;
}

/**
 * Why a value names no instant, as the end of a sentence that begins with its path: one reader for every door, so that
 * each says the same of the same fault (DE-2). Ask it about what {@link toEpochMs} refuses.
 *
 * @public
 */
export function instantFault(value: unknown): string {
  if (typeof value === 'string') return textFault(value);
  if (typeof value === 'number') {
    return 'must be an instant, not a number: ISO 8601 text, or in JavaScript `new Date(n)` for epoch milliseconds';
  }
  if (typeof value !== 'object' || value === null) return `must be ${WANTED}`;
  if ('epochMilliseconds' in value) return 'must have whole `epochMilliseconds` within the years 1800..9999';
  if (typeof (value as Date).getTime !== 'function') return `must be ${WANTED}`;
  return 'must be a valid Date within the years 1800..9999';
}

const WANTED =
  'an instant: ISO 8601 text with `Z` or an offset, a valid Date, or an object with whole `epochMilliseconds`, such as a Temporal.Instant';

const EXAMPLE = '`2026-11-30T08:00:00Z` or `2026-11-30T09:00:00+01:00`';
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?$/;

/** Faults of texts, the first that fits; each is told by what stands there, or by what is left without it. */
const TEXT_FAULTS: readonly (readonly [fits: RegExp, fault: string])[] = [
  [/\[.*\]$/, 'must have an offset alone, without a zone in brackets'],
  [/^\d{4}-\d\d-\d\d$/, 'must say a time of day and its offset from UTC beside the date: `T00:00:00Z`'],
  [LOCAL, 'must say its offset from UTC: add `Z`, or an offset such as `+02:00`'],
  [/T[\d:.]+[+-](\d{4}|\d\d)$/, 'must write its offset as `+HH:MM` or `-HH:MM`, with a colon'],
  [/^[+-]?\d{5,}-\d\d-\d\dT|^-\d{4}-/, 'must lie within the years 1800..9999'],
  [/^\d{4}-\d\d-\d\d[t ]|z$/, `must be written with \`T\` and \`Z\`, as in ${EXAMPLE}`],
];

/** A longer text is no slip in the form of an instant. */
const LONGEST_SLIP = 64;

function textFault(text: string): string {
  const found = text.length > LONGEST_SLIP ? undefined : TEXT_FAULTS.find(([fits]) => fits.test(text));
  if (found !== undefined) return found[1];
  const match = ISO_TEXT.exec(text);
  if (match === null) return `must be an instant: ISO 8601 text with \`Z\` or an offset, such as ${EXAMPLE}`;
  if (dayIfReal(Number(match[1]), Number(match[2]), Number(match[3])) === undefined)
    return 'must name a date that exists';
  if (Number(match[4]) > 23 || Number(match[5]) > 59 || Number(match[6] ?? '0') > 59) {
    return 'must name a time that exists: hours 00..23, minutes and seconds 00..59';
  }
  if (offsetMinutes(match[8], match[9], match[10]) === undefined) return 'must have an offset of at most 23:59';
  return 'must lie within the years 1800..9999';
}
