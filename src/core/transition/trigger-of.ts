/**
 * The due instants of a declaration, compiled once, and what they stand on: a release of the zone data, and the state of
 * a calendar where the declaration names one (TR-10, DE-12).
 *
 * The cache is keyed by the declaration, which never changes, and by what it was compiled with, so that it cannot make a
 * result depend on the past.
 */
import type { Declaration } from '../model/declaration.js';
import type { DecisionContext } from '../model/input.js';
import type { Schedule } from '../model/schedule.js';
import type { ZoneData } from '../time/zone-data.js';
import { zoneName } from '../time/zones.js';
import { type CompileDueResult, compileDue } from '../trigger/due/compile-due.js';
import { zonesOf } from '../trigger/due/zones-of.js';

/** What due instants are computed with. @internal */
export type DueSources = Pick<DecisionContext, 'zoneData' | 'calendars' | 'zoneFaults'>;

interface Known {
  readonly zoneData: ZoneData;
  readonly calendarDigest: string | undefined;
  readonly result: CompileDueResult;
}

const compiled = new WeakMap<Declaration, Known>();

/** The due instants of a declaration, or why they cannot be computed here (CO-4). @internal */
export function triggerOf(declaration: Declaration, sources: DueSources): CompileDueResult {
  const fault = faultOf(declaration, sources);
  if (fault !== undefined) return fault;
  const { zoneData, calendars = {} } = sources;
  const { calendarDigest } = basisOf(declaration, sources);
  const known = compiled.get(declaration);
  if (known?.zoneData === zoneData && known.calendarDigest === calendarDigest) return known.result;
  const result = compileDue(declaration, { calendars, zoneData });
  compiled.set(declaration, { zoneData, calendarDigest, result });
  return result;
}

/** The same as if the calendar that the declaration names had no day in it. @internal */
export function withoutCalendar(declaration: Declaration, sources: DueSources): CompileDueResult {
  // Where no calendars are known, one that is named leaves nothing out.
  return faultOf(declaration, sources) ?? compileDue(declaration, { zoneData: sources.zoneData });
}

/** What a next due instant that is computed now stands on. @internal */
export function basisOf(
  { exclude }: Declaration,
  { zoneData, calendars = {} }: DueSources,
): Pick<Schedule, 'zoneData' | 'calendarDigest'> {
  const name = exclude?.calendar;
  const calendar = name !== undefined && Object.hasOwn(calendars, name) ? calendars[name] : undefined;
  const { version } = zoneData;
  return calendar === undefined ? { zoneData: version } : { zoneData: version, calendarDigest: calendar.digest };
}

/** That a zone of a declaration is known to have no usable data. */
function faultOf(declaration: Declaration, { zoneFaults = [] }: DueSources): CompileDueResult | undefined {
  if (zoneFaults.length === 0) return undefined;
  const zones = zonesOf(declaration).map((name) => zoneName(name) ?? name);
  const message = zoneFaults.find(({ zone }) => zones.includes(zone))?.message;
  return message === undefined ? undefined : { ok: false, issues: [{ path: 'trigger', rule: 'CO-4', message }] };
}
