/**
 * From the parts of a declaration that say when it is due to its due instants: trigger, exclusion, spread (DE-12).
 *
 * Everything that asks when a schedule is due asks what is compiled here: collection, controls, preview, lint.
 */

import type { Exclusion } from '../../model/exclusion.js';
import type { Issue } from '../../model/issue.js';
import { LIMITS } from '../../model/limits.js';
import type { Trigger } from '../../model/trigger.js';
import type { ZoneData } from '../../time/zone-data.js';
import type { Zone } from '../../time/zone-spans.js';
import { findZone } from '../../time/zones.js';
import { type CompiledTrigger, type CompileOptions, compileTrigger } from '../compile.js';
import type { CalendarInput } from '../due-input.js';
import { below, issue, readInteger } from '../read/field-reader.js';
import { spreadSet, thinnedSet } from './due-set.js';
import { type DayExclusion, excludedDays } from './excluded-days.js';
import { type ReadExclusion, readExclusion } from './read-exclusion.js';
import { spreadOffsetMs } from './spread.js';

/**
 * The parts of a declaration that say when it is due, untrusted; a whole declaration may stand for them.
 *
 * @public
 */
export interface DueParts {
  /** Id of the schedule; needed where it is spread. */
  readonly id?: string | undefined;
  /** See `Declaration.trigger`. */
  readonly trigger: unknown;
  /** See `Declaration.exclude`. */
  readonly exclude?: unknown;
  /** See `Declaration.spreadSeconds`. */
  readonly spreadSeconds?: unknown;
}

/**
 * What they are compiled with.
 *
 * @public
 */
export interface CompileDueOptions extends CompileOptions {
  /** Calendars of the catalogue by name. Absent: they are not known here, and one that is named leaves nothing out. */
  readonly calendars?: Readonly<Record<string, CalendarInput>> | undefined;
}

/**
 * Due instants with the parts in their normal form, or everything that is wrong.
 *
 * @public
 */
export type CompileDueResult =
  | {
      readonly ok: true;
      readonly value: CompiledTrigger;
      readonly normalized: { readonly trigger: Trigger; readonly exclude?: Exclusion };
    }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Checks and compiles the parts of a declaration that say when it is due (DE-12); never throws. Paths of issues begin with
 * the field of the declaration, such as `trigger.hour[1]` or `exclude.dates[2]`, those of faults in a calendar that is named
 * with `calendars`. What comes out may throw as what {@link compileTrigger} gives.
 *
 * @public
 */
export function compileDue(parts: DueParts, options: CompileDueOptions = {}): CompileDueResult {
  const { id, exclude, spreadSeconds } = parts;
  const { calendars, zoneData } = options;
  const issues: Issue[] = [];
  const compiled = compileTrigger(parts.trigger, { zoneData });
  if (!compiled.ok) issues.push(...compiled.issues.map((fault) => below('trigger', fault)));
  const hasZone = compiled.ok ? compiled.value.timezone !== undefined : undefined;
  const left = exclude === undefined ? undefined : readExclusion(exclude, { hasZone, calendars, zoneData }, issues);
  const offsetMs = spreadSeconds === undefined ? undefined : readSpread(spreadSeconds, id, issues);
  if (!compiled.ok || issues.length > 0) return { ok: false, issues };
  const { value: trigger, normalized } = compiled;
  const exclusion = left && daysOf(left, trigger, zoneData);
  return {
    ok: true,
    value: dueInstants(trigger, exclusion, offsetMs),
    normalized: left === undefined ? { trigger: normalized } : { trigger: normalized, exclude: left.normalized },
  };
}

function dueInstants(
  trigger: CompiledTrigger,
  exclusion: DayExclusion | undefined,
  offsetMs: number | undefined,
): CompiledTrigger {
  if (exclusion !== undefined) return thinnedSet(trigger, exclusion, offsetMs ?? 0);
  return offsetMs === undefined ? trigger : spreadSet(trigger, offsetMs);
}

function readSpread(value: unknown, id: unknown, issues: Issue[]): number | undefined {
  const seconds = readInteger(value, 'spreadSeconds', LIMITS.spreadSeconds, 'DE-12', issues);
  const isText = typeof id === 'string';
  if (!isText) issues.push(issue('id', 'DE-12', 'must be text; the spread follows from it', id));
  return seconds === undefined || !isText ? undefined : spreadOffsetMs(id, seconds);
}

/** The days that are left out, by the clock of the trigger or by that of the exclusion. */
function daysOf(
  { runs, weekdays, zone, sources }: ReadExclusion,
  { timezone }: CompiledTrigger,
  zoneData: ZoneData | undefined,
): DayExclusion {
  // One of the two has a zone, and that zone was found when it was read.
  const clock = zone ?? (findZone(timezone ?? 'UTC', zoneData) as Zone);
  return excludedDays(clock, runs, weekdays, sources);
}
