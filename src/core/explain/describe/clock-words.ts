/**
 * What becomes of times that the clock repeats or skips, in English, where the usual words do not say it (TR-3, TR-6, TR-13).
 *
 * It is told where a zone has set its clock back over a time that the trigger asks for, on whatever date: `at 02:30 every
 * day` means once, and `every 15 minutes` each time, and all else is said.
 */

import { DAY_MS, dayOf, modulo } from '../../time/civil.js';
import { spanAt } from '../../time/zone-spans.js';
import { type TimeSet, wantedTimeFrom } from '../../trigger/pattern/time-set.js';
import type { WallTrigger } from '../../trigger/wall-trigger.js';
import type { TimeWords } from './time-words.js';

/** Changes of the clock are looked for in these years: those of the last ten come again every year after them. */
const [FIRST_MS, LATE_MS, LAST_MS] = [1970, 2030, 2040].map((year) => dayOf(year, 1, 1) * DAY_MS) as [
  number,
  number,
  number,
];
const DAY_SECONDS = DAY_MS / 1000;

/** Words that follow on a trigger and its zone; empty where its usual words say all. @internal */
export function clockWords(trigger: WallTrigger, { isWholeDay, isList }: TimeWords): string {
  const shift = trigger.shift ? '; a time that the clock skips is moved to the end of the gap' : '';
  const isSaid = trigger.everyPass ? isWholeDay : isList;
  if (isSaid || !isEverRepeated(trigger)) return shift;
  return `${shift}; a time that the clock repeats counts ${trigger.everyPass ? 'both times' : 'once'}`;
}

/** Whether a clock change can repeat a time of day that a trigger asks for, from its start on. */
function isEverRepeated({ zone, pattern, start }: WallTrigger): boolean {
  const from = Math.min(Math.max(start, FIRST_MS), LATE_MS);
  for (let span = spanAt(zone, from); span.start < LAST_MS; span = spanAt(zone, span.end)) {
    const shownFrom = span.start + span.offset;
    const repeatedUntil = Math.min(span.freshFrom, span.end + span.offset);
    if (shownFrom < repeatedUntil && hasTimeIn(pattern.times, shownFrom, repeatedUntil)) return true;
  }
  return false;
}

/** Whether a time of day lies between two wall times that are at most a day apart. */
function hasTimeIn(times: TimeSet, from: number, until: number): boolean {
  const first = modulo(from, DAY_MS) / 1000;
  const last = first + (until - from) / 1000;
  const found = wantedTimeFrom(times, first);
  return (found >= 0 && found < last) || times.first + DAY_SECONDS < last;
}
