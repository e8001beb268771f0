/**
 * What to write in place of a refused time zone (TR-9).
 *
 * Much of what people write for a zone is no misspelt name but another thing: an offset, an abbreviation that several
 * places use, a name of Windows. The nearest name to it would be another clock, so each kind has advice of its own, and
 * only what is none of them is compared with the table.
 */

import { digits } from './civil.js';
import { folded, nearestNames, suggestion } from './nearest-names.js';

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

/** Letters of a bare word from which it may be a misspelt city: a shorter one is near to too many. */
const SHORTEST_CITY = 6;

/** The names of the table that are nearest to a misspelt one; a bare city is compared with the last part of each. */
function nearestZones(text: string, names: readonly string[]): readonly string[] {
  const near = nearestNames(text, names, names.length).filter((name) => isNear(lastPart(text), lastPart(name)));
  if (near.length > 0 || text.includes('/') || text.length < SHORTEST_CITY) return near.slice(0, MOST_NAMES);
  const cities = new Map(names.filter((name) => name.includes('/')).map((name) => [lastPart(name), name]));
  return nearestNames(text, [...cities.keys()], MOST_NAMES).map((city) => cities.get(city) as string);
}

/** Whether a city is near to another: a continent that both names begin with says nothing. */
function isNear(text: string, city: string): boolean {
  return text === city || nearestNames(text, [city], 1).length > 0;
}

/** The places of which the last part is what was written, such as `Berlin`, or `Europe/New York` under a wrong continent. */
function byLastPart(text: string, names: readonly string[]): readonly string[] {
  const wanted = folded(lastPart(text));
  if (wanted.length < 3) return [];
  const places = names.filter((name) => name !== text && !name.startsWith('Etc/') && folded(lastPart(name)) === wanted);
  return places.filter((name) => name.includes('/')).slice(0, MOST_NAMES);
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

const OFFSET = /^(etc\/)?(?:utc|gmt|z)?\s*([+-])\s*(\d{1,2})(?::?([0-5]\d))?$/i;

/** A fixed offset: the one name for it, if there is one, whose sign is not the one that was written. */
function offsetAdvice(text: string): string | undefined {
  const match = OFFSET.exec(text.trim());
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
  AEST: 'Australia/Sydney',
  AEDT: 'Australia/Sydney',
  AKST: 'America/Anchorage',
  AST: 'America/Halifax',
  AWST: 'Australia/Perth',
  BRT: 'America/Sao_Paulo',
  BST: 'Europe/London',
  CDT: 'America/Chicago',
  CEST: 'Europe/Berlin',
  CST: 'America/Chicago',
  CT: 'America/Chicago',
  EDT: 'America/New_York',
  EEST: 'Europe/Helsinki',
  ET: 'America/New_York',
  IST: 'Asia/Kolkata',
  JST: 'Asia/Tokyo',
  KST: 'Asia/Seoul',
  MDT: 'America/Denver',
  MSK: 'Europe/Moscow',
  MT: 'America/Denver',
  NST: 'America/St_Johns',
  NZDT: 'Pacific/Auckland',
  NZST: 'Pacific/Auckland',
  PDT: 'America/Los_Angeles',
  PST: 'America/Los_Angeles',
  PT: 'America/Los_Angeles',
  SGT: 'Asia/Singapore',
  SST: 'Pacific/Pago_Pago',
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
