/**
 * Warnings about when a trigger is due: never, rarely, or more often than its work allows (TR-8, TR-12).
 */

import { DAY_MS } from '../../time/civil.js';
import { type EpochMs, formatInstant } from '../../time/instant.js';
import type { CompiledTrigger } from '../../trigger/compile.js';
import { isDueSet } from '../../trigger/due/due-set.js';
import { type Outlook, SECOND_MS, shortestGapMs } from '../outlook.js';
import { type Warning, warning } from '../warning.js';
import { cronWarnings } from './cron-warnings.js';
import { memberWarnings, spreadWarnings } from './due-warnings.js';
import { dateWarnings } from './recurrence-warnings.js';
import { shortPeriods } from './short-periods.js';
import { singlesOf } from './singles.js';
import { transitionWarnings } from './transition-warnings.js';
import { zoneWarnings } from './zone-warnings.js';

/** Four years with a day to spare: from one 29 February to the next is no rarity. */
const FOUR_YEARS_MS = (4 * 365 + 2) * DAY_MS;

/** Everything about when a declaration is due. @internal */
export function triggerWarnings(seen: Outlook, recentRunSeconds: number | undefined): readonly Warning[] {
  const { trigger, first } = seen;
  if (trigger === undefined || trigger.kind === 'manual') return [];
  const singles = singlesOf(seen);
  const text = [
    ...singles.flatMap((single) => cronWarnings(single, seen.isAuthored)),
    ...singles.flatMap(shortPeriods),
    ...singles.flatMap(dateWarnings),
    ...zoneWarnings(seen, singles),
  ];
  if (first === undefined) return [neverDue(trigger, seen.now), ...text];
  return [
    ...rarelyDue(trigger, first, seen),
    ...text,
    ...memberWarnings(seen),
    ...transitionWarnings(seen),
    ...spreadWarnings(seen),
    ...shortInterval(seen, recentRunSeconds),
  ];
}

function neverDue(trigger: CompiledTrigger, now: EpochMs): Warning {
  const last = trigger.previous(now + 1);
  const past = last === undefined ? 'it never had one' : `the last one was ${formatInstant(last)}`;
  const left = isDueSet(trigger) ? trigger.base.next(now - 1) : undefined;
  if (left !== undefined) {
    const text = `all due instants from ${formatInstant(left)} on are left out by \`exclude\``;
    return warning('neverDue', 'exclude', text);
  }
  return warning('neverDue', 'trigger', `the trigger has no due instant from ${formatInstant(now)} on; ${past}`);
}

function rarelyDue(trigger: CompiledTrigger, first: EpochMs, { now, expiry }: Outlook): readonly Warning[] {
  const found = rarityOf(trigger, first, now, expiry);
  if (found === undefined) return [];
  const base = isDueSet(trigger) ? trigger.base : undefined;
  const firstOfBase = base?.next(now - 1);
  // Where the trigger by itself is not rare, what is left out makes it so.
  const isByExclusion =
    base !== undefined && firstOfBase !== undefined && rarityOf(base, firstOfBase, now, expiry) === undefined;
  if (!isByExclusion) return [warning('rarelyDue', 'trigger', found)];
  return [warning('rarelyDue', 'exclude', `${found}: all others are left out by \`exclude\``)];
}

/** Why a trigger is rare; `undefined` where it is not. */
function rarityOf(trigger: CompiledTrigger, first: EpochMs, now: EpochMs, expiry: number): string | undefined {
  const firstText = formatInstant(first);
  if (first - now > FOUR_YEARS_MS) return `the next due instant is ${firstText}, more than four years ahead`;
  const second = trigger.next(first);
  if (second === undefined || second >= expiry || second - first <= FOUR_YEARS_MS) return undefined;
  return `after ${firstText} the trigger is not due until ${formatInstant(second)}, more than four years later`;
}

function shortInterval(seen: Outlook, recentRunSeconds = 0): readonly Warning[] {
  const shortest = shortestGapMs(seen);
  if (!(shortest < recentRunSeconds * SECOND_MS)) return [];
  const effect = {
    queue: 'runs queue up behind it',
    skip: 'due instants that meet a run are skipped',
    coalesce: 'of the due instants that meet a run all but one are dropped',
  }[seen.declaration.overlap];
  const text = `due instants come as close as ${shortest / SECOND_MS} s, and a run recently took ${recentRunSeconds} s: ${effect}`;
  return [warning('shortInterval', 'trigger', text)];
}
