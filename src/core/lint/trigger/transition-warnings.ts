/**
 * Warnings about changes of the clock: wall times of a trigger that a gap leaves out or that come twice (TR-3, TR-12).
 *
 * Only the changes themselves are looked at, of which a zone has a handful in two years; what happens there is what
 * preview says (TR-11). The first gap and the first repeat are named. Where the author has said what is to happen
 * (`gap: "shift"`, `repeat: "both"`), there is nothing to warn of; nor where a wildcard job asks for every hour, since
 * such a job keeps its rhythm through every change.
 */

import type { Trigger } from '../../model/trigger.js';
import { DAY_MS } from '../../time/civil.js';
import { type EpochMs, epochMs, formatWallTime } from '../../time/instant.js';
import { type Span, spanAt } from '../../time/zone-spans.js';
import { compileTrigger } from '../../trigger/compile.js';
import { isDueSet } from '../../trigger/due/due-set.js';
import type { ExcludedDays } from '../../trigger/due/excluded-days.js';
import { ALL_HOURS } from '../../trigger/pattern/time-set.js';
import { previewTrigger } from '../../trigger/preview/preview.js';
import type { SkippedWallTime } from '../../trigger/preview/skipped.js';
import { isRecurrence } from '../../trigger/rrule/recurrence-trigger.js';
import { isWallTrigger, type WallTrigger } from '../../trigger/wall-trigger.js';
import type { Outlook } from '../outlook.js';
import { type Warning, warning } from '../warning.js';
import { type Single, singlesOf } from './singles.js';

/** How far ahead changes are looked for: two years. */
const AHEAD_MS = 731 * DAY_MS;

/** Warnings of `transition`: at most one for a gap and one for a repeat. @internal */
export function transitionWarnings(seen: Outlook): readonly Warning[] {
  if (seen.trigger === undefined || seen.first === undefined) return [];
  const exclusion = isDueSet(seen.trigger) ? seen.trigger.exclusion : undefined;
  const clocks = singlesOf(seen).flatMap(({ compiled, ...others }) =>
    isWallTrigger(compiled) ? [{ compiled, ...others, exclusion }] : [],
  );
  const found = clocks.map((clock) => clockWarnings(clock, seen));
  const gap = found.find((one) => one.gap !== undefined)?.gap;
  const repeat = found.find((one) => one.repeat !== undefined)?.repeat;
  return [gap, repeat].filter((one) => one !== undefined);
}

/** A trigger of a wall clock, and which days are left out of it. */
interface Clock extends Single {
  readonly compiled: WallTrigger;
  readonly exclusion: ExcludedDays | undefined;
}

interface ClockWarnings {
  readonly gap: Warning | undefined;
  readonly repeat: Warning | undefined;
}

function clockWarnings(clock: Clock, { now, expiry }: Outlook): ClockWarnings {
  const { compiled, exclusion } = clock;
  let gap: Warning | undefined;
  let repeat: Warning | undefined;
  if (compiled.everyPass && compiled.pattern.times.hours === ALL_HOURS) return { gap, repeat };
  const until = Math.min(now + AHEAD_MS, expiry - 1, compiled.end);
  let span = spanAt(compiled.zone, Math.max(now, compiled.start));
  while (span.end <= until && (gap === undefined || repeat === undefined)) {
    const later = spanAt(compiled.zone, span.end);
    const isLeftOut = exclusion?.isExcluded(span.end) === true;
    if (!isLeftOut && later.offset > span.offset) gap ??= gapWarning(clock, span.end);
    if (!isLeftOut && later.offset < span.offset) repeat ??= repeatWarning(clock, span, later, now);
    span = later;
  }
  return { gap, repeat };
}

function gapWarning({ compiled, trigger, path }: Clock, changeAt: number): Warning | undefined {
  const range = { from: epochMs(changeAt), until: epochMs(changeAt), count: 1 };
  const { skipped: all, isSkippedCut } = previewTrigger(compiled, range);
  const skipped = all.filter((one) => !isPutIn(compiled, one));
  const [one] = skipped;
  if (one === undefined) return undefined;
  const others = skipped.length === 1 ? '' : ` (and ${isSkippedCut ? 'at least ' : ''}${skipped.length - 1} more)`;
  const instead = canShift(compiled, trigger) ? '; with `gap: "shift"` it is due as the gap ends' : '';
  return warning(
    'transition',
    path,
    `${one.time} on ${one.date}${others} does not exist in ${one.timezone}, whose clock jumps over it: nothing is due in its place${instead}`,
  );
}

/** Whether `gap: "shift"` would help: with fixed-time jobs alone, those that are due in both passes of a repeat included. */
function canShift(compiled: WallTrigger, trigger: Trigger): boolean {
  if (compiled.shift || compiled.kind === 'rrule') return false;
  if (!compiled.everyPass) return true;
  if (trigger.kind !== 'cron' || trigger.repeat !== 'both') return false;
  const once = compileTrigger({ ...trigger, repeat: 'first' });
  return once.ok && isWallTrigger(once.value) && !once.value.everyPass;
}

/** Whether `rdates` name a wall time: that has a warning of its own. */
function isPutIn(compiled: WallTrigger, { date, time }: SkippedWallTime): boolean {
  return (
    isRecurrence(compiled) && compiled.recurrence.rdates.some((wall) => formatWallTime(wall) === `${date}T${time}`)
  );
}

function repeatWarning(
  { compiled, trigger, path }: Clock,
  before: Span,
  after: Span,
  now: EpochMs,
): Warning | undefined {
  if (trigger.kind === 'cron' && trigger.repeat === 'both') return undefined;
  const repeatedFrom = before.end - (before.offset - after.offset);
  const range = { from: epochMs(Math.max(now, repeatedFrom)), until: epochMs(before.end - 1), count: 1 };
  const [one] = previewTrigger(compiled, range).instants;
  if (one === undefined || !one.notes.includes('repeatedFirst')) return undefined;
  const [date, time] = one.local.split('T');
  return warning(
    'transition',
    path,
    `${time} on ${date} comes twice in ${one.timezone}, whose clock is set back: ${whichPass(compiled, trigger, one.at)}`,
  );
}

function whichPass(compiled: WallTrigger, trigger: Trigger, first: string): string {
  if (compiled.everyPass && compiled.kind === 'rrule') return 'a rule that comes back within the day is due both times';
  if (compiled.everyPass) return 'a job with `*` in its second, minute or hour field is due both times';
  const instead = trigger.kind === 'cron' ? '; with `repeat: "both"` it is due both times' : '';
  return `it is due the first time alone, at ${first}${instead}`;
}
