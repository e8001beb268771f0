/**
 * Collection: what a tick does to one schedule (CO-1 to CO-6, MF, OV, TB, EX-1).
 *
 * A pass takes due instants from `nextDue` up to its horizon, step by step: the misfire policy proposes, overlap and the
 * trigger budget decide. Its records and the new `nextDue` are one commit, made before anything is dispatched.
 */
import type { Accepted, Decision, DecisionContext, OwnerInput } from '../../model/input.js';
import { LIMITS } from '../../model/limits.js';
import type { HeldSpan, Schedule, ScheduleEntry, TakenSpan } from '../../model/schedule.js';
import { expiryOf, gateSpans, isCollectable, isPastExpiry } from '../../policy/hold.js';
import { dueWindow } from '../../policy/lateness.js';
import { nextStep, type Step } from '../../policy/misfire.js';
import { type Admission, admission } from '../../policy/overlap.js';
import { isBudgetLow, occurrencesLeft } from '../../policy/trigger-budget.js';
import { type EpochMs, epochMs } from '../../time/instant.js';
import type { CompiledTrigger } from '../../trigger/compile.js';
import { closeCollection, expire, newOccurrence } from '../closing.js';
import { accept, clear, type Draft, draftOf, hold, optional, record, set } from '../draft.js';
import { followSources } from '../due-basis.js';
import { takenBeyond } from '../taken-spans.js';
import { triggerOf } from '../trigger-of.js';

type Tick = Extract<OwnerInput, { kind: 'tick' }>;

/** A catch-up that met its limit goes on no sooner than this (CO-3). */
const CATCH_UP_PAUSE_MS = 1000;

/** Instants that overlap refused, to be one record (OV-5). */
interface Refused {
  readonly firstAt: EpochMs;
  lastAt: EpochMs;
  readonly isMissed: boolean;
  readonly by: Extract<Admission, { kind: 'refuse' }>;
}

/** A pass under way. */
interface Pass {
  readonly draft: Draft;
  readonly context: DecisionContext;
  readonly trigger: CompiledTrigger;
  readonly spans: readonly HeldSpan[];
  readonly now: EpochMs;
  /** Skips that wait for a run that may take the last of the budget for them (TB-1). */
  carried: Step[];
  /** Instants that overlap refused so far, to be one record (OV-5). */
  refused: Refused | undefined;
  admitted: number;
  caughtUp: number;
}

/** What a tick does to a schedule; `unchanged` when there is nothing to record. @internal */
export function tick(context: DecisionContext, entry: ScheduleEntry, input: Tick, now: EpochMs): Decision {
  const draft = draftOf(context, entry);
  const spans = [...input.spans, ...gateSpans(context.gate)];
  if (isPastExpiry(entry.schedule, now)) {
    return expire(draft, context, now, spans) ? accept(draft, now) : { kind: 'unchanged' };
  }
  if (!isCollectable(entry.schedule)) return { kind: 'unchanged' };
  const result = triggerOf(entry.schedule.definition.declaration, context);
  if (!result.ok) return quarantine(draft, result.issues[0]?.message ?? 'it is not valid', now);
  followSources(draft, result.value, context);
  const isCollecting = input.collects && !context.gate.isPaused && entry.schedule.status === 'active';
  const hasMore = isCollecting && collect(draft, context, result.value, spans, now);
  if (isSame(draft, entry)) return { kind: 'unchanged' };
  return accept(draft, now, hasMore ? { hasMore } : {});
}

/** Whether nothing happened that is worth a commit; a pause of the catch-up that is over is not. */
function isSame(draft: Draft, { schedule }: ScheduleEntry): boolean {
  const next = draft.schedule;
  if (draft.ended.length > 0 || draft.notices.length > 0) return false;
  return (
    next.collectedThrough === schedule.collectedThrough &&
    next.nextDue === schedule.nextDue &&
    (next.collectNotBefore ?? schedule.collectNotBefore) === schedule.collectNotBefore &&
    next.isBacklogged === schedule.isBacklogged &&
    next.zoneData === schedule.zoneData &&
    next.calendarDigest === schedule.calendarDigest
  );
}

function quarantine(draft: Draft, detail: string, now: EpochMs): Accepted {
  set(draft, { quarantine: { reason: 'triggerBroken', since: now, epoch: 0, detail } });
  hold(draft, { cause: 'quarantined', from: now });
  return accept(draft, now);
}

/** One pass; true when more is to be collected at once in a further commit (CO-3). */
function collect(
  draft: Draft,
  context: DecisionContext,
  trigger: CompiledTrigger,
  spans: readonly HeldSpan[],
  now: EpochMs,
): boolean {
  const { schedule } = draft;
  const notBefore = schedule.collectNotBefore ?? Number.NEGATIVE_INFINITY;
  if (schedule.nextDue === undefined || schedule.nextDue > now || now < notBefore) return false;
  const pass: Pass = {
    draft,
    context,
    trigger,
    spans: [...schedule.held, ...(schedule.isBacklogged ? [backlog(schedule, now)] : []), ...spans],
    now,
    carried: [],
    refused: undefined,
    admitted: 0,
    caughtUp: 0,
  };
  clear(draft, 'collectNotBefore', 'isBacklogged');
  let hasMore = false;
  for (let step = stepOf(pass); step !== undefined; step = stepOf(pass)) {
    if ((step.isCatchUp && isCatchUpFull(pass)) || (step.kind === 'run' && isQueueFull(pass))) break;
    if (pass.admitted >= LIMITS.admissionsPerCommit.max) {
      hasMore = true;
      break;
    }
    if (step.kind === 'skip' && pass.refused !== undefined) {
      recordOpen(pass);
      continue;
    }
    take(pass, step);
  }
  finish(pass);
  return hasMore;
}

function backlog(schedule: Schedule, now: EpochMs): HeldSpan {
  return { cause: 'backlog', from: schedule.nextDue ?? now, until: now };
}

/** The next step of a pass, or undefined when nothing is due any more up to now (CO-1, CT-5). */
function stepOf(pass: Pass): Step | undefined {
  const { draft, trigger, now } = pass;
  const { schedule } = draft;
  const due = schedule.nextDue;
  if (due === undefined || due > now || occurrencesLeft(schedule) === 0) return undefined;
  const { resume } = schedule;
  if (resume !== undefined && due > resume.until) {
    clear(draft, 'resume');
    return stepOf(pass);
  }
  const expiry = expiryOf(schedule) ?? Number.POSITIVE_INFINITY;
  if (due >= expiry) return undefined;
  const ahead = schedule.taken?.[0];
  if (ahead !== undefined && due >= ahead.from) {
    passOver(pass, ahead);
    return stepOf(pass);
  }
  const free = ahead === undefined ? now : ahead.from - 1;
  const horizon = epochMs(Math.min(now, expiry - 1, resume?.until ?? now, free));
  const policy = resume?.missed ?? schedule.definition.declaration.misfire;
  return nextStep(schedule, trigger, policy, due, horizon, now);
}

/** Due instants that were accounted for while the clock was wrong are left alone (CO-6). */
function passOver(pass: Pass, { until }: TakenSpan): void {
  recordOpen(pass);
  const { draft, trigger } = pass;
  const { taken = [] } = draft.schedule;
  const collectedThrough = epochMs(Math.max(draft.schedule.collectedThrough, until));
  clear(draft, 'nextDue', 'taken');
  set(draft, {
    collectedThrough,
    ...optional('nextDue', trigger.next(collectedThrough)),
    ...takenBeyond(taken.slice(1), collectedThrough),
  });
}

/** MF-3: so many late ones a tick, and so many pending at a time. */
function isCatchUpFull(pass: Pass): boolean {
  const { draft, now } = pass;
  const { maxCatchUp } = draft.schedule.definition.declaration;
  const isTickFull = pass.caughtUp >= maxCatchUp;
  const isFull = draft.pending.length >= maxCatchUp;
  if (isTickFull) set(draft, { collectNotBefore: epochMs(now + CATCH_UP_PAUSE_MS) });
  if (isFull) set(draft, { isBacklogged: true });
  return isTickFull || isFull;
}

/** OV-2: no schedule has so many pending that their end, by one control or at its expiry, would be no commit any more. */
function isQueueFull({ draft }: Pass): boolean {
  const isFull = draft.pending.length >= LIMITS.pendingPerSchedule.max;
  if (isFull) set(draft, { isBacklogged: true });
  return isFull;
}

/** Applies overlap and the trigger budget to a step, records it, and moves on. */
function take(pass: Pass, step: Step): void {
  const { draft, trigger } = pass;
  if (step.isCatchUp) pass.caughtUp++;
  if (step.kind === 'skip') takeSkip(pass, step);
  else takeRun(pass, step);
  const last = pass.refused?.lastAt ?? step.lastAt;
  const collectedThrough = epochMs(Math.max(draft.schedule.collectedThrough, step.through, last));
  const nextDue = trigger.next(collectedThrough);
  clear(draft, 'nextDue');
  set(draft, { collectedThrough, ...optional('nextDue', nextDue) });
}

/** TB-1: where one is left, a skip waits for a run in the same pass, whose window then covers it. */
function takeSkip(pass: Pass, step: Step): void {
  if (occurrencesLeft(pass.draft.schedule) === 1) pass.carried.push(step);
  else recordSkip(pass, step);
}

function takeRun(pass: Pass, step: Step): void {
  const { draft, now, trigger } = pass;
  const { overlap } = draft.schedule.definition.declaration;
  const verdict = admission(overlap, draft.pending, pass.context.keyPending);
  if (verdict.kind === 'refuse') {
    refuse(pass, step, verdict);
    return;
  }
  const firstAt = pass.carried[0]?.firstAt ?? step.firstAt;
  pass.carried = [];
  const occurrence = newOccurrence(draft, step.lastAt, now);
  const isWindow = step.isMissed || firstAt !== step.lastAt;
  const window = isWindow ? dueWindow(trigger, firstAt, step.lastAt, pass.spans) : undefined;
  draft.pending.push({ ...occurrence, ...optional('window', window) });
  pass.admitted++;
  spend(draft);
}

/** OV-5: what is refused in one pass for one reason is one record; an instant in time refused drags all later ones with it. */
function refuse(pass: Pass, step: Step, by: Extract<Admission, { kind: 'refuse' }>): void {
  const { draft, trigger, now } = pass;
  const resumeUntil = draft.schedule.resume?.until ?? now;
  const expiry = expiryOf(draft.schedule) ?? Number.POSITIVE_INFINITY;
  const free = (draft.schedule.taken?.[0]?.from ?? Number.POSITIVE_INFINITY) - 1;
  const reach = step.isCatchUp ? step.lastAt : Math.min(now, resumeUntil, expiry - 1, free);
  const lastAt = step.isCatchUp ? step.lastAt : epochMs(Math.max(step.lastAt, trigger.previous(reach + 1) ?? 0));
  if (pass.refused === undefined) pass.refused = { firstAt: step.firstAt, lastAt, isMissed: step.isMissed, by };
  else pass.refused.lastAt = lastAt;
}

/** Records what the pass still carries, gives notice of a low budget, and closes a spent revision (TB-1, TB-4, CO-5). */
function finish(pass: Pass): void {
  const { draft, now } = pass;
  recordOpen(pass);
  const { schedule } = draft;
  if (!schedule.isBudgetNoticed && isBudgetLow(schedule)) {
    const { maxOccurrences } = schedule.definition.declaration;
    draft.notices.push({ kind: 'budgetLow', spent: schedule.spent, of: Number(maxOccurrences) });
    set(draft, { isBudgetNoticed: true });
  }
  if (occurrencesLeft(schedule) === 0) closeCollection(draft, pass.context, 'budgetSpent', now, pass.spans);
  dropAccounted(draft);
}

/** Records carried skips, then what overlap refused; where the budget ends first, the rest is left to the closing record. */
function recordOpen(pass: Pass): void {
  const { draft, carried, refused } = pass;
  const records = carried.map((step) => ({ firstAt: step.firstAt, record: () => recordSkip(pass, step) }));
  if (refused !== undefined) records.push({ firstAt: refused.firstAt, record: () => recordRefused(pass, refused) });
  pass.carried = [];
  pass.refused = undefined;
  for (const { firstAt, record } of records) {
    if (occurrencesLeft(draft.schedule) === 0) {
      set(draft, { nextDue: firstAt });
      return;
    }
    record();
  }
}

function recordRefused(pass: Pass, { firstAt, lastAt, isMissed, by }: Refused): void {
  const { draft, now, trigger } = pass;
  const isWindow = isMissed || firstAt !== lastAt;
  const window = isWindow ? dueWindow(trigger, firstAt, lastAt, pass.spans) : undefined;
  const occurrence = { ...newOccurrence(draft, lastAt, now), behind: by.behind, ...optional('window', window) };
  spend(draft);
  record(draft, occurrence, { status: 'skipped', reason: by.reason }, now);
}

function recordSkip(pass: Pass, step: Step): void {
  const { draft, now, trigger } = pass;
  const window = dueWindow(trigger, step.firstAt, step.lastAt, pass.spans);
  spend(draft);
  const reason = step.reason ?? 'misfire';
  record(draft, { ...newOccurrence(draft, step.lastAt, now), window }, { status: 'skipped', reason }, now);
}

function spend(draft: Draft): void {
  set(draft, { spent: draft.schedule.spent + 1 });
}

/** Forgets spans that lie wholly before what is accounted for. */
function dropAccounted(draft: Draft): void {
  const { held, collectedThrough } = draft.schedule;
  const kept = held.filter(({ until }) => until === undefined || until > collectedThrough);
  if (kept.length !== held.length) set(draft, { held: kept });
}
