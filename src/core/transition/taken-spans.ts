/**
 * Due instants that are accounted for already, as spans: what an accepted clock found, and what it leaves ahead (CO-6).
 *
 * They belong to the schedule, not to a revision: an update, a cancellation or a deletion makes none of them due again.
 */
import type { Occurrence } from '../model/occurrence.js';
import type { TakenSpan } from '../model/schedule.js';
import type { EpochMs } from '../time/instant.js';
import type { CompiledTrigger } from '../trigger/compile.js';

/** Spans in order, with those joined that no due instant parts. @internal */
export function inOrder(trigger: CompiledTrigger, spans: readonly TakenSpan[]): readonly TakenSpan[] {
  const joined: TakenSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    const free = last === undefined ? undefined : trigger.next(last.until);
    if (last === undefined || (free !== undefined && free < span.from)) joined.push(span);
    else if (span.until > last.until) joined[joined.length - 1] = { from: last.from, until: span.until };
  }
  return joined;
}

/** The first due instant at or after a time that no span holds; spans are in order. @internal */
export function firstUntaken(
  trigger: CompiledTrigger,
  taken: readonly TakenSpan[],
  from: EpochMs,
): EpochMs | undefined {
  let candidate = trigger.next(from - 1);
  for (const span of taken) {
    if (candidate === undefined || candidate < span.from) return candidate;
    if (candidate <= span.until) candidate = trigger.next(span.until);
  }
  return candidate;
}

/** Those of a list that reach beyond what is collected, as the field of a schedule. @internal */
export function takenBeyond(taken: readonly TakenSpan[], through: EpochMs): { readonly taken?: readonly TakenSpan[] } {
  const ahead = taken.filter(({ until }) => until > through);
  return ahead.length === 0 ? {} : { taken: ahead };
}

/** What an occurrence of the trigger stands for; nothing for a manual one. @internal */
export function spanOf({ origin, dueAt, window }: Occurrence): readonly TakenSpan[] {
  return origin === 'trigger' ? [{ from: window?.firstAt ?? dueAt, until: dueAt }] : [];
}
