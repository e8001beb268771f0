/**
 * Warnings about when a trigger is due: never, rarely, or more often than its work allows (TR-8, TR-12).
 */

import { DAY_MS } from '../time/civil.js';
import { type EpochMs, formatInstant } from '../time/instant.js';
import type { CompiledTrigger } from '../trigger/compile.js';
import { cronWarnings } from './cron-warnings.js';
import { type Outlook, SECOND_MS } from './outlook.js';
import { transitionWarnings } from './transition-warnings.js';
import { type Warning, warning } from './warning.js';

/** Four years with a day to spare: from one 29 February to the next is no rarity. */
const FOUR_YEARS_MS = (4 * 365 + 2) * DAY_MS;
/** Due instants whose distances are measured, and how far ahead: enough to see a usual week of any rhythm. */
const MEASURED = 100;
const MEASURED_MS = 366 * DAY_MS;

/** Everything about the trigger of a declaration alone. @internal */
export function triggerWarnings(seen: Outlook, recentRunSeconds: number | undefined): readonly Warning[] {
  const { declaration, trigger, first } = seen;
  if (trigger === undefined || trigger.kind === 'manual') return [];
  const text = declaration.trigger.kind === 'cron' ? cronWarnings(declaration.trigger) : [];
  if (first === undefined) return [neverDue(trigger, seen.now), ...text];
  return [
    ...rarelyDue(trigger, first, seen),
    ...text,
    ...transitionWarnings(seen),
    ...shortInterval(trigger, first, seen, recentRunSeconds),
  ];
}

function neverDue(trigger: CompiledTrigger, now: EpochMs): Warning {
  const last = trigger.previous(now + 1);
  const past = last === undefined ? 'it never had one' : `the last one was ${formatInstant(last)}`;
  return warning('neverDue', 'trigger', `the trigger has no due instant from ${formatInstant(now)} on; ${past}`);
}

function rarelyDue(trigger: CompiledTrigger, first: EpochMs, { now, expiry }: Outlook): readonly Warning[] {
  const firstText = formatInstant(first);
  if (first - now > FOUR_YEARS_MS) {
    return [warning('rarelyDue', 'trigger', `the next due instant is ${firstText}, more than four years ahead`)];
  }
  const second = trigger.next(first);
  if (second === undefined || second >= expiry || second - first <= FOUR_YEARS_MS) return [];
  const text = `after ${firstText} the trigger is not due until ${formatInstant(second)}, more than four years later`;
  return [warning('rarelyDue', 'trigger', text)];
}

function shortInterval(
  trigger: CompiledTrigger,
  first: EpochMs,
  { declaration, now, expiry }: Outlook,
  recentRunSeconds = 0,
): readonly Warning[] {
  const shortest = shortestGapMs(trigger, first, Math.min(now + MEASURED_MS, expiry - 1));
  if (!(shortest < recentRunSeconds * SECOND_MS)) return [];
  const effect = {
    queue: 'runs queue up behind it',
    skip: 'due instants that meet a run are skipped',
    coalesce: 'of the due instants that meet a run all but one are dropped',
  }[declaration.overlap];
  const text = `due instants come as close as ${shortest / SECOND_MS} s, and a run recently took ${recentRunSeconds} s: ${effect}`;
  return [warning('shortInterval', 'trigger', text)];
}

/** The least distance between neighbours among the first {@link MEASURED} due instants; `Infinity` for a single one. */
function shortestGapMs(trigger: CompiledTrigger, first: EpochMs, until: number): number {
  let shortest = Number.POSITIVE_INFINITY;
  let at: EpochMs = first;
  for (let measured = 1; measured < MEASURED; measured += 1) {
    const next = trigger.next(at);
    if (next === undefined || next > until) break;
    shortest = Math.min(shortest, next - at);
    at = next;
  }
  return shortest;
}
