/**
 * Warnings about policies and budgets that defeat one another, or end the schedule sooner than one would think (TR-12, TB-4).
 */

import { DAY_MS } from '../time/civil.js';
import { formatInstant } from '../time/instant.js';
import { nthDue } from './nth-due.js';
import { type Outlook, SECOND_MS } from './outlook.js';
import { type Warning, warning } from './warning.js';

/** A budget that ends within this time ends soon (TB-4). */
const SOON_DAYS = 90;
/** A default ends soon within this time: nobody chose it. */
const SOON_DEFAULT_DAYS = 366;
/** The outage that a catch-up is measured by. */
const OUTAGE_MS = DAY_MS;

/** Everything about the policies of a declaration, and about how they go with its trigger. @internal */
export function policyWarnings(seen: Outlook): readonly Warning[] {
  const isManual = seen.declaration.trigger.kind === 'manual';
  const byTrigger = isManual ? [] : [catchUpExceedsBudget(seen), catchUpDropped(seen), budgetEndsSoon(seen)];
  return [...byTrigger, unreachableRetries(seen), expiresBeforeFirst(seen)].filter((found) => found !== undefined);
}

function catchUpExceedsBudget({ declaration, trigger, first, expiry }: Outlook): Warning | undefined {
  const { misfire, maxCatchUp, maxOccurrences, maxLatenessSeconds = Number.POSITIVE_INFINITY } = declaration;
  if (misfire !== 'catchUp' || maxOccurrences === 'unlimited') return undefined;
  if (maxCatchUp > maxOccurrences) {
    const text = `maxCatchUp is ${maxCatchUp}, but maxOccurrences ends the schedule after ${maxOccurrences}`;
    return warning('catchUpExceedsBudget', 'maxCatchUp', text);
  }
  if (trigger === undefined || first === undefined) return undefined;
  const span = Math.min(OUTAGE_MS, maxLatenessSeconds * SECOND_MS);
  const until = Math.min(first + span, expiry) - 1;
  if (nthDue(trigger, first, maxOccurrences + 1, until) === undefined) return undefined;
  const text = `catching up after an outage of a day can use up all ${maxOccurrences} occurrences; raise maxOccurrences, lower maxLatenessSeconds, or use misfire \`runOnce\``;
  return warning('catchUpExceedsBudget', 'maxOccurrences', text);
}

function catchUpDropped({ declaration: { misfire, overlap } }: Outlook): Warning | undefined {
  if (misfire !== 'catchUp' || overlap === 'queue') return undefined;
  const kept = overlap === 'skip' ? 'while one is pending the others are skipped' : 'all but one queued are dropped';
  const text = `misfire \`catchUp\` admits every missed due instant, but with overlap \`${overlap}\` ${kept}; use overlap \`queue\` to run them all, or misfire \`runOnce\` to run one for them`;
  return warning('catchUpDropped', 'overlap', text);
}

function budgetEndsSoon({ declaration, trigger, first, now, expiry, isBudgetDefault }: Outlook): Warning | undefined {
  const { maxOccurrences } = declaration;
  if (trigger === undefined || first === undefined || maxOccurrences === 'unlimited') return undefined;
  const soonMs = (isBudgetDefault ? SOON_DEFAULT_DAYS : SOON_DAYS) * DAY_MS;
  const lastAt = nthDue(trigger, first, maxOccurrences, Math.min(now + soonMs, expiry - 1));
  const further = lastAt === undefined ? undefined : trigger.next(lastAt);
  if (lastAt === undefined || further === undefined || further >= expiry) return undefined;
  const days = Math.max(1, Math.ceil((lastAt - now) / DAY_MS));
  const [which, instead] = isBudgetDefault
    ? [
        `maxOccurrences is ${maxOccurrences} where nothing else is given; it`,
        'set a number that you mean, or "unlimited"',
      ]
    : [`maxOccurrences ${maxOccurrences}`, 'raise it, or use "unlimited"'];
  const text = `${which} is used up about ${formatInstant(lastAt)}, within ${days === 1 ? 'a day' : `${days} days`}, and the schedule ends although the trigger goes on; ${instead}`;
  return warning('budgetEndsSoon', 'maxOccurrences', text);
}

function unreachableRetries({ declaration: { maxRetries, budget } }: Outlook): Warning | undefined {
  const { maxRepeatedFailures } = budget;
  if (maxRetries < maxRepeatedFailures) return undefined;
  const text = `after ${maxRepeatedFailures} equal failures in a row nothing is retried, so a run that keeps failing alike has ${maxRepeatedFailures - 1} of its ${maxRetries} retries; raise budget.maxRepeatedFailures to ${maxRetries + 1}`;
  return warning('unreachableRetries', 'maxRetries', text);
}

function expiresBeforeFirst({ first, expiry }: Outlook): Warning | undefined {
  if (first === undefined || first < expiry) return undefined;
  const text = `the first due instant is ${formatInstant(first)}, and by then the schedule has expired`;
  return warning('expiresBeforeFirst', 'expiresAt', text);
}
