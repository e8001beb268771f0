/**
 * Collection once more, naively: lists of due instants and loops over all of them, written from the rules alone.
 *
 * A pass first lists what it would record if the trigger budget had no end, instant by instant, and then lets the
 * budget cut that list. Nothing here is fast, and nothing is shared with the code that it judges.
 */

export type ReferenceMisfire = 'skip' | 'runOnce' | 'catchUp';

/** The part of a declaration that collection reads, in milliseconds. */
export interface ReferenceRules {
  readonly due: readonly number[];
  readonly isManual: boolean;
  readonly isOnce: boolean;
  readonly registeredAt: number;
  readonly overlap: 'queue' | 'skip' | 'coalesce';
  readonly misfire: ReferenceMisfire;
  readonly graceMs: number;
  readonly maxCatchUp: number;
  readonly maxOccurrences: number;
  readonly maxLatenessMs: number;
  readonly expiresAt: number;
}

export interface ReferenceOccurrence {
  readonly id: string;
  readonly revision: number;
  readonly isManual: boolean;
  status: string;
  reason: string | undefined;
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly isClosing: boolean;
  epoch: number;
  attempts: string[];
  firstClaimedAt: number | undefined;
  retryAt: number | undefined;
  isEndAsked: boolean;
}

export interface Collection {
  rules: ReferenceRules;
  revision: number;
  /** False once the revision takes no more instants: its budget is spent, or it was cancelled or has expired. */
  isOpen: boolean;
  /** Every due instant up to here is accounted for. */
  through: number;
  spent: number;
  resume: { readonly missed: ReferenceMisfire; readonly until: number } | undefined;
  notBefore: number;
  pending: ReferenceOccurrence[];
  ended: ReferenceOccurrence[];
}

type Kind = 'run' | 'misfire' | 'tooLate' | 'refused';

interface Proposal {
  readonly kind: Kind;
  readonly instants: readonly number[];
  /** Every due instant up to here is accounted for with it. */
  readonly through: number;
}

export function referenceDue(state: Collection): number | undefined {
  return state.isOpen ? state.rules.due.find((at) => at > state.through) : undefined;
}

export function newReferenceOccurrence(
  state: Collection,
  instants: readonly number[],
  status: string,
  reason?: string,
): ReferenceOccurrence {
  const first = instants[0] ?? Number.NaN;
  const last = instants.at(-1) ?? Number.NaN;
  return {
    id: `${state.revision}~${last}`,
    revision: state.revision,
    isManual: false,
    status,
    reason,
    first,
    last,
    count: instants.length,
    isClosing: false,
    epoch: 0,
    attempts: [],
    firstClaimedAt: undefined,
    retryAt: undefined,
    isEndAsked: false,
  };
}

/** What one tick does, expiry left aside; `isKeyPending`: work of another schedule under its key is in the way. */
export function referenceCollect(state: Collection, now: number, isKeyPending: boolean, onSkip: () => void): void {
  const due = referenceDue(state);
  if (due === undefined || due > now || now < state.notBefore) return;
  state.notBefore = Number.NEGATIVE_INFINITY;
  const { proposals, isTickFull } = propose(state, now, isKeyPending);
  if (isTickFull) state.notBefore = now + 1000;
  for (const { kind, instants, through } of cutByBudget(proposals, state.rules.maxOccurrences - state.spent)) {
    state.spent += 1;
    state.through = through;
    if (kind === 'run') {
      state.pending.push(newReferenceOccurrence(state, instants, 'queued'));
    } else {
      const refusal = state.rules.overlap === 'skip' ? 'overlap' : 'coalesced';
      state.ended.push(newReferenceOccurrence(state, instants, 'skipped', kind === 'refused' ? refusal : kind));
      onSkip();
    }
  }
  if (state.spent >= state.rules.maxOccurrences) referenceClose(state, now, 'budgetSpent');
}

/** CO-5: the end of a revision takes what has elapsed and nobody collected. */
export function referenceClose(state: Collection, now: number, reason: string): void {
  const { rules, through, isOpen } = state;
  const left = isOpen ? rules.due.filter((at) => at > through && at <= now && at < rules.expiresAt) : [];
  if (left.length > 0) {
    state.ended.push({ ...newReferenceOccurrence(state, left, 'skipped', reason), isClosing: true });
    state.through = left.at(-1) ?? state.through;
  }
  state.isOpen = false;
  state.resume = undefined;
  state.notBefore = Number.NEGATIVE_INFINITY;
}

/** CO-1, CO-2, MF-1 to MF-5, OV-1 to OV-5, CT-5: what a pass would record without an end of the budget. */
function propose(
  state: Collection,
  now: number,
  isKeyPending: boolean,
): { proposals: Proposal[]; isTickFull: boolean } {
  const { rules } = state;
  const proposals: Proposal[] = [];
  let { through } = state;
  let pending = state.pending.length;
  let isQueued = state.pending.some(({ status }) => status === 'queued');
  let caughtUp = 0;
  const lateness = (at: number): number => now - (rules.isOnce ? Math.max(at, rules.registeredAt) : at);
  const isLate = (at: number): boolean => lateness(at) > rules.graceMs;
  const isTooLate = (at: number): boolean => lateness(at) > rules.maxLatenessMs;
  const add = (wanted: Kind, instants: readonly number[], upTo = instants.at(-1) ?? through): void => {
    const isInTheWay =
      rules.overlap === 'skip' ? pending > 0 || isKeyPending : rules.overlap === 'coalesce' && isQueued;
    const kind = wanted === 'run' && isInTheWay ? 'refused' : wanted;
    const before = proposals.at(-1);
    const isJoined = kind === 'refused' && before?.kind === 'refused';
    const joined = isJoined ? [...(proposals.pop()?.instants ?? []), ...instants] : instants;
    proposals.push({ kind, instants: joined, through: upTo });
    if (kind === 'run') {
      pending += 1;
      isQueued = true;
    }
    through = upTo;
  };
  for (;;) {
    const open = rules.due.filter((at) => at > through && at <= now && at < rules.expiresAt);
    const due = open[0];
    if (due === undefined) return { proposals, isTickFull: false };
    if (state.resume !== undefined && due > state.resume.until) state.resume = undefined;
    const horizon = state.resume === undefined ? now : Math.min(state.resume.until, now);
    const missed = open.filter((at) => at <= horizon);
    const last = missed.at(-1) ?? due;
    const policy = state.resume?.missed ?? rules.misfire;
    if (isTooLate(due)) add('tooLate', open.filter(isTooLate));
    else if (!isLate(due)) add('run', [due]);
    else if (policy === 'runOnce') add('run', missed, horizon);
    else if (policy === 'skip') {
      if (isLate(last)) add('misfire', missed, horizon);
      else add('misfire', missed.slice(0, -1));
    } else if (caughtUp >= rules.maxCatchUp) return { proposals, isTickFull: true };
    else if (pending >= rules.maxCatchUp) return { proposals, isTickFull: false };
    else {
      caughtUp += 1;
      add('run', [due]);
    }
  }
}

/** TB-1: each record takes one; the last one goes to a run that still follows, and it covers the skips before it. */
function cutByBudget(proposals: readonly Proposal[], left: number): readonly Proposal[] {
  if (left <= 0) return [];
  const taken = proposals.slice(0, left);
  const last = taken.at(-1);
  const from = taken.length - 1;
  const run = proposals.findIndex(({ kind }, index) => index > from && kind === 'run');
  if (taken.length < left || last === undefined || run < 0) return taken;
  if (last.kind !== 'misfire' && last.kind !== 'tooLate') return taken;
  const covered = proposals.slice(from, run + 1).flatMap(({ instants }) => instants);
  return [...taken.slice(0, -1), { kind: 'run', instants: covered, through: proposals[run]?.through ?? last.through }];
}
