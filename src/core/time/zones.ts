/**
 * Time zones by name. The only file of the core that asks the runtime for anything: the offset of a zone at an instant.
 *
 * Which names exist is decided by the generated table and by nothing else (TR-9); the runtime is asked about names in
 * the table alone. It answers through `Temporal` where it has one, else through `Intl`; the two agree. What a zone is
 * asked for is kept for the life of the process, so no warm path comes here.
 */

import { DAY_MS, dayOf } from './civil.js';
import { zoneAdvice } from './zone-advice.js';
import { checkedSource, type ZoneData } from './zone-data.js';
import { ZONE_NAMES } from './zone-names.js';
import { createZone, type OffsetSource, spanAt, type Zone } from './zone-spans.js';

/** Names in the table that mean UTC for all time; they need nothing of the runtime. */
const ALWAYS_UTC = /^(Etc\/)?(UTC|UCT|Universal|Zulu|GMT|GMT0|GMT[+-]0|Greenwich)$/;

const names = ZONE_NAMES.split(' ');
let spelling: Map<string, string> | undefined;

/** Zones by name, as they were asked for. */
type Zones = Map<string, Zone | undefined>;

const runtimeZones: Zones = new Map();
/** Zones of other zone data, for as long as somebody holds it. */
const zonesOfData = new WeakMap<ZoneData, Zones>();

/**
 * The table's spelling of a zone name given in any case of letters, or `undefined` where the table has no such name
 * (TR-9). A link keeps its own name.
 *
 * @internal
 */
export function zoneName(name: string): string | undefined {
  spelling ??= new Map(names.map((known) => [known.toLowerCase(), known]));
  return spelling.get(name.toLowerCase());
}

/**
 * The zone of a name, in any case of letters; `undefined` where the table has no such name, or where the runtime's zone
 * data lacks it (TR-9): {@link zoneName} tells the two apart. Zone data that is given stands in place of the runtime's.
 *
 * @internal
 */
export function findZone(name: string, zoneData?: ZoneData): Zone | undefined {
  const zones = zoneData === undefined ? runtimeZones : zonesIn(zoneData);
  const asked = zones.get(name);
  if (asked !== undefined) return asked;
  const known = zoneName(name);
  if (known === undefined) return undefined;
  if (zones.has(known)) return zones.get(known);
  const source = sourceOf(known, zones === runtimeZones ? undefined : zoneData);
  const zone = source && createZone(known, source);
  zones.set(known, zone);
  return zone;
}

/**
 * The runtime's own zone data under a version of your choice, such as what `process.versions.tz` says in Node. Every such
 * object shares one store of zones. The offset of a zone that the runtime lacks is `NaN`, which is none.
 *
 * @public
 */
export function runtimeZoneData(version: string): ZoneData {
  const offsetAt = (name: string, at: number) => {
    const zone = findZone(name);
    return zone === undefined ? Number.NaN : spanAt(zone, at).offset;
  };
  const zoneData: ZoneData = { version, offsetAt };
  zonesOfData.set(zoneData, runtimeZones);
  return zoneData;
}

function zonesIn(zoneData: ZoneData): Zones {
  let zones = zonesOfData.get(zoneData);
  if (zones === undefined) {
    zones = new Map();
    zonesOfData.set(zoneData, zones);
  }
  return zones;
}

function sourceOf(name: string, zoneData: ZoneData | undefined): OffsetSource | undefined {
  if (ALWAYS_UTC.test(name)) return { offsetAt: () => 0, nextChange: () => undefined };
  return zoneData === undefined ? runtimeSource(name) : checkedSource(name, zoneData);
}

/**
 * The tail of a refusal of a zone name: what to write in its place, or nothing (TR-9).
 *
 * @internal
 */
export function adviceOnZone(name: string): string {
  return zoneAdvice(name, names);
}

function runtimeSource(name: string): OffsetSource | undefined {
  return temporalSource(name) ?? intlSource(name);
}

/** The little of `Temporal` that is used here. */
interface ZonedTime {
  readonly epochMilliseconds: number;
  readonly offsetNanoseconds: number;
  getTimeZoneTransition?(direction: 'next'): ZonedTime | null;
}
interface TemporalGlobal {
  readonly Instant: { fromEpochMilliseconds(ms: number): { toZonedDateTimeISO(zone: string): ZonedTime } };
}

/**
 * Offsets of a zone from the runtime's own `Temporal`; `undefined` where it has none, or none that knows the zone.
 *
 * @internal
 */
export function temporalSource(name: string): OffsetSource | undefined {
  const { Temporal } = globalThis as { readonly Temporal?: TemporalGlobal };
  if (Temporal === undefined) return undefined;
  const zoned = (at: number): ZonedTime => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name);
  try {
    if (zoned(0).getTimeZoneTransition === undefined) return undefined;
  } catch {
    return undefined;
  }
  return {
    offsetAt: (at) => zoned(at).offsetNanoseconds / 1_000_000,
    nextChange: (after) => zoned(after).getTimeZoneTransition?.('next')?.epochMilliseconds,
  };
}

/**
 * Offsets of a zone from `Intl`; `undefined` where the runtime's zone data lacks it.
 *
 * @internal
 */
export function intlSource(name: string): OffsetSource | undefined {
  let clock: Intl.DateTimeFormat;
  try {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
  return { offsetAt: (at) => readClock(clock.format(at)) - Math.floor(at / 1000) * 1000 };
}

/** The wall time in a text such as `11/30/2026, 08:00:00`: six numbers, whatever stands between them. */
function readClock(text: string): number {
  const parts = [0, 0, 0, 0, 0, 0];
  let part = -1;
  let inside = false;
  for (let i = 0; i < text.length; i += 1) {
    const digit = text.charCodeAt(i) - 48;
    const isDigit = digit >= 0 && digit <= 9;
    if (isDigit) {
      if (!inside) part += 1;
      parts[part] = (parts[part] as number) * 10 + digit;
    }
    inside = isDigit;
  }
  const [month, day, year, hour, minute, second] = parts as [number, number, number, number, number, number];
  return dayOf(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000;
}
