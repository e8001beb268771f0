/**
 * What to write in place of a refused time zone (TR-9).
 *
 * Much of what people write for a zone is no misspelt name but another thing: an offset, an abbreviation that several
 * places use, a name of Windows. The nearest name to it would be another clock, so each kind has advice of its own, and
 * only what is none of them is compared with the table.
 */

import { digits } from './civil.js';
import { editDistance, folded, nearestNames, suggestion } from './nearest-names.js';

/**
 * The tail of a refusal: the nearest names, or what kind of thing stands there in place of a name; empty where nothing can
 * be said. `names` is the table.
 *
 * @internal
 */
export function zoneAdvice(text: string, names: readonly string[]): string {
  const exact = byLastPart(text, names);
  if (exact.length > 0) return suggestion(exact);
  const other = offsetAdvice(text) ?? windowsAdvice(text) ?? wordAdvice(text);
  if (other !== undefined) return `; ${other}`;
  return suggestion(nearestZones(text, names));
}

/** Suggestions for one name. */
const MOST_NAMES = 3;

/** Groups of older names: of countries and their parts, or of offsets, and not of cities. */
const NO_CITIES = /^(etc|us|canada|mexico|brazil|chile|systemv)\//i;

/** Letters of a bare word from which it may be a misspelt city: a shorter one is near to too many. */
const SHORTEST_CITY = 6;

/** The names of the table that are nearest to a misspelt one; without a continent it is compared with cities alone. */
function nearestZones(text: string, names: readonly string[]): readonly string[] {
  const near = names.filter((name) => name.includes('/') && isNearCity(lastPart(text), lastPart(name)));
  if (text.includes('/')) return nearestNames(text, near, MOST_NAMES);
  if (text.length < SHORTEST_CITY) return [];
  return near.filter((name) => !NO_CITIES.test(name) && !isWithinRegion(name)).slice(0, MOST_NAMES);
}

/** Whether a city may be meant: the first letter is right, and of eight letters one may be wrong, of more two. */
function isNearCity(text: string, city: string): boolean {
  const [wanted, known] = [folded(text), folded(city)];
  if (wanted[0] !== known[0] || wanted.length < 3) return false;
  return editDistance(wanted, known) <= (Math.max(wanted.length, known.length) > 8 ? 2 : 1);
}

/** Whether a city lies in a part of a continent, as `America/Indiana/Petersburg` does: few who name it alone mean that one. */
function isWithinRegion(name: string): boolean {
  return name.indexOf('/') !== name.lastIndexOf('/');
}

/** The names that were written with blanks or under a wrong continent, or as a city alone. */
function byLastPart(text: string, names: readonly string[]): readonly string[] {
  const spelt = names.filter((name) => name !== text && folded(name) === folded(text));
  if (spelt.length > 0) return spelt.slice(0, MOST_NAMES);
  const wanted = folded(lastPart(text));
  if (wanted.length < 3) return [];
  const places = names.filter((name) => name !== text && !name.startsWith('Etc/') && folded(lastPart(name)) === wanted);
  return places.filter((name) => name.includes('/') && !isWithinRegion(name)).slice(0, MOST_NAMES);
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

const OFFSET = /^(etc\/)?(?:utc|gmt|z)?\s*([+-])\s*(\d{1,2})(?::?([0-5]\d))?$/i;

/** `UTC2`: meant as `UTC+2`. */
const BARE_OFFSET = /^(utc|gmt)\s*(?=\d)/i;

/** A fixed offset: the one name for it, if there is one, whose sign is not the one that was written. */
function offsetAdvice(text: string): string | undefined {
  const match = OFFSET.exec(text.trim().replace(BARE_OFFSET, '$1+'));
  if (match === null) return undefined;
  const [, etc, written, hours, minutes = '00'] = match;
  const isEast = (written === '+') === (etc === undefined);
  const hour = Number(hours);
  const shown = `UTC${isEast ? '+' : '-'}${digits(hour, 2)}:${minutes}`;
  const place = 'prefer the name of a place, such as "Europe/Berlin", whose clock also knows summer time';
  if (hour === 0 && minutes === '00') return 'write "UTC"';
  if (minutes !== '00' || hour > (isEast ? 14 : 12)) return `no name means ${shown} for all time: ${place}`;
  const name = `Etc/GMT${isEast ? '-' : '+'}${hour}`;
  return `${shown} for all time is ${JSON.stringify(name)}, with the sign reversed; ${place}`;
}

/** A name that Windows has for a zone: the TZID of calendars from Outlook, or what its settings show. */
function windowsAdvice(text: string): string | undefined {
  const isWindows = /(standard|daylight|summer) time$|^russia time zone \d+$|^\((utc|gmt)/i.test(text.trim());
  if (!isWindows) return undefined;
  return 'this is a name that Windows has for a zone; give the IANA name of the place, such as "Europe/Berlin"';
}

/** Places where an abbreviation is used; many are used elsewhere with another meaning. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  ACST: 'Australia/Darwin',
  AEDT: 'Australia/Sydney',
  AEST: 'Australia/Sydney',
  AKST: 'America/Anchorage',
  AST: 'America/Halifax',
  AWST: 'Australia/Perth',
  BRT: 'America/Sao_Paulo',
  BST: 'Europe/London',
  CAT: 'Africa/Maputo',
  CDT: 'America/Chicago',
  CEST: 'Europe/Berlin',
  CST: 'America/Chicago',
  CT: 'America/Chicago',
  EAT: 'Africa/Nairobi',
  EDT: 'America/New_York',
  EEST: 'Europe/Helsinki',
  ET: 'America/New_York',
  HKT: 'Asia/Hong_Kong',
  IST: 'Asia/Kolkata',
  JST: 'Asia/Tokyo',
  KST: 'Asia/Seoul',
  MDT: 'America/Denver',
  MSK: 'Europe/Moscow',
  MT: 'America/Denver',
  NST: 'America/St_Johns',
  NYC: 'America/New_York',
  NZDT: 'Pacific/Auckland',
  NZST: 'Pacific/Auckland',
  PDT: 'America/Los_Angeles',
  PST: 'America/Los_Angeles',
  PT: 'America/Los_Angeles',
  SAST: 'Africa/Johannesburg',
  SGT: 'Asia/Singapore',
  SST: 'Pacific/Pago_Pago',
  UK: 'Europe/London',
  WEST: 'Europe/Lisbon',
};

/** Words that stand for the zone of the machine, which never decides. */
const OWN_ZONE = /^(local|localtime|local time|system|host|default|auto|browser)$/i;

/** A word that is no name, but means something. */
function wordAdvice(text: string): string | undefined {
  const word = text.trim();
  if (word === '') return 'it is empty';
  if (OWN_ZONE.test(word)) return 'the zone of the machine never decides: name the place, such as "Europe/Berlin"';
  if (/^z$/i.test(word)) return 'write "UTC"';
  const isAbbreviation = /^[A-Z]{2,5}$/.test(word) || Object.hasOwn(ABBREVIATIONS, word.toUpperCase());
  if (!isAbbreviation) return undefined;
  const place = ABBREVIATIONS[word.toUpperCase()] ?? 'Europe/Berlin';
  return `an abbreviation means different clocks in different places: name the place, such as ${JSON.stringify(place)}`;
}
