/**
 * One due instant for a person: as the clock of its zone shows it, and why it is worth a second look (TR-11).
 */

import { type EpochMs, epochMs, formatInstant } from '../../time/instant.js';
import { formatLocal, formatOffset, instantsShowing, wallTimeAt } from '../../time/wall-clock.js';
import type { Zone } from '../../time/zone-spans.js';
import { findZone } from '../../time/zones.js';
import { type AnyOfCompiled, isAnyOf } from '../any-of-trigger.js';
import { type CompiledTrigger, isDueAt } from '../compiled-trigger.js';
import { isDueSet } from '../due/due-set.js';
import { isWallTrigger, type WallTrigger } from '../wall-trigger.js';
import { wallInPlaceOf } from './skipped.js';

/**
 * Why an instant is worth a second look: it is the second pass of a repeated wall time, or the first pass of one that
 * comes again, or the end of a gap in place of a wall time inside it.
 *
 * @public
 */
export type PreviewNote = 'secondPass' | 'repeatedFirst' | 'shifted';

/**
 * One due instant as the trigger's clock shows it.
 *
 * @public
 */
export interface PreviewInstant {
  /** ISO UTC text. */
  readonly at: string;
  /** `YYYY-MM-DDTHH:mm:ss` in the zone. */
  readonly local: string;
  /** `±HH:mm`, local time minus UTC. */
  readonly offset: string;
  /** The trigger's zone, or `UTC` where it has none; for `anyOf` that of the first trigger that is due. */
  readonly timezone: string;
  /** Why it is worth a second look; empty for all but a few instants about a clock change. */
  readonly notes: readonly PreviewNote[];
  /** For `anyOf`: the places of the triggers that are due then, from 0, in the order in which they were given. */
  readonly members?: readonly number[];
  /** Where instants are spread: the one that the trigger named, and how far it was put off (DE-12). */
  readonly spread?: { readonly before: string; readonly offsetMs: number };
}

/** A due instant as a compiled trigger shows it. @internal */
export function shownInstant(compiled: CompiledTrigger, at: EpochMs): PreviewInstant {
  const zone = zoneAt(compiled, at);
  const shown = {
    at: formatInstant(at),
    local: formatLocal(zone, at),
    offset: formatOffset(zone, at),
    timezone: zone.name,
  };
  if (isAnyOf(compiled)) return { ...shownInstant(dueMember(compiled, at), at), members: dueMembers(compiled, at) };
  if (!isDueSet(compiled)) return { ...shown, notes: isWallTrigger(compiled) ? notesOf(compiled, at) : [] };
  const { base, offsetMs } = compiled;
  const before = shownInstant(base, epochMs(at - offsetMs));
  return offsetMs === 0 ? before : { ...before, ...shown, spread: { before: before.at, offsetMs } };
}

/** The zone in which an instant of a trigger is shown: that of what is due then, or UTC. @internal */
export function zoneAt(compiled: CompiledTrigger, at: number): Zone {
  if (isWallTrigger(compiled)) return compiled.zone;
  if (isDueSet(compiled)) return zoneAt(compiled.base, at - compiled.offsetMs);
  return isAnyOf(compiled) ? zoneAt(dueMember(compiled, at), at) : (findZone('UTC') as Zone);
}

/** The first trigger of a union that is due at an instant; the first one of all where none is. */
function dueMember(union: AnyOfCompiled, at: number): CompiledTrigger {
  return union.of[dueMembers(union, at)[0] ?? 0] as CompiledTrigger;
}

function dueMembers({ of }: AnyOfCompiled, at: number): readonly number[] {
  return of.flatMap((member, place) => (isDueAt(member, at) ? [place] : []));
}

function notesOf(trigger: WallTrigger, at: EpochMs): PreviewNote[] {
  if (wallInPlaceOf(trigger, at) !== undefined) return ['shifted'];
  const passes = instantsShowing(trigger.zone, wallTimeAt(trigger.zone, at));
  if (passes.length < 2) return [];
  return [passes[0] === at ? 'repeatedFirst' : 'secondPass'];
}
