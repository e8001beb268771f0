/**
 * The whole life of one schedule, naively: controls, claims, ends of attempts, crashes, in maps and lists.
 *
 * Each operation answers `ok`, `unchanged` or the code of the refusal. It shares no code with what it judges.
 */
import {
  type Collection,
  newReferenceOccurrence,
  type ReferenceMisfire,
  type ReferenceOccurrence,
  type ReferenceRules,
  referenceClose,
  referenceCollect,
  referenceDue,
} from './reference-collection.js';

/** Rules of the attempts of an occurrence beside those of the collection. */
export interface MachineRules extends ReferenceRules {
  readonly maxRetries: number;
  readonly maxAttempts: number;
  readonly maxRepeatedFailures: number;
  readonly maxElapsedMs: number;
  readonly isBackoff: boolean;
  readonly pauseAfterFailures: number;
}

export type Answer =
  | 'ok'
  | 'unchanged'
  | 'notFound'
  | 'exists'
  | 'workPending'
  | 'notApplicable'
  | 'neverDue'
  | 'stale';

/** How an attempt ended, and what was asked first. */
export interface ReferenceEnd {
  readonly outcome: 'verified' | 'unverified' | 'failed' | 'unresponsive';
  readonly signature: string;
  readonly isRetryable: boolean;
  readonly abort: 'cancel' | 'stop' | 'timeout' | 'elapsed' | undefined;
  readonly isStopping: boolean;
}

interface Ending {
  readonly status: string;
  readonly reason: string | undefined;
}

interface Life extends Collection {
  rules: MachineRules;
  status: string;
  version: number;
  failures: number;
  skips: number;
  unresolved: string[];
  requests: string[];
  quarantinedIn: number | undefined;
}

const WAITING = ['queued', 'retrying'];

export class ReferenceMachine {
  now = 0;
  epoch = 1;
  isGatePaused = false;
  life: Life | undefined;
  #mark: { revision: number; through: number } | undefined;

  get due(): number | undefined {
    return this.life === undefined ? undefined : referenceDue(this.life);
  }

  create(rules: MachineRules, isPaused: boolean): Answer {
    if (this.life !== undefined) return 'exists';
    const at = rules.due[0] ?? this.now;
    const isOwed = rules.isOnce && at < this.now && this.now - at <= rules.graceMs;
    const through = Math.max((isOwed ? at : this.now) - 1, this.#mark?.through ?? Number.NEGATIVE_INFINITY);
    if (!rules.isManual && !rules.due.some((one) => one > through)) return 'neverDue';
    this.life = {
      rules,
      revision: (this.#mark?.revision ?? 0) + 1,
      version: 1,
      status: isPaused ? 'paused' : 'active',
      isOpen: true,
      through,
      spent: 0,
      resume: undefined,
      notBefore: Number.NEGATIVE_INFINITY,
      pending: [],
      ended: [],
      failures: 0,
      skips: 0,
      unresolved: [],
      requests: [],
      quarantinedIn: undefined,
    };
    this.#mark = undefined;
    return 'ok';
  }

  update(rules: MachineRules, isWithdrawn: boolean, isActivated: boolean): Answer {
    const life = this.life;
    if (life === undefined) return 'notFound';
    if (this.#working(life).length > 0 && !isWithdrawn) return 'workPending';
    const through = Math.max(life.through, this.now - 1);
    if (!rules.isManual && !rules.due.some((one) => one > through)) return 'neverDue';
    if (this.#isPastExpiry(life)) this.#expire(life);
    this.#endWaiting(life, 'skipped', 'cancelled', 'superseded');
    // An instant of this very moment is the new revision's, where that is due now (CT-3).
    const isDueNow = this.now > through && rules.due.includes(this.now);
    if (isLiving(life)) referenceClose(life, isDueNow ? this.now - 1 : this.now, 'superseded');
    const isStillPaused = life.status === 'paused' && !isActivated;
    Object.assign(life, {
      rules,
      through,
      spent: 0,
      resume: undefined,
      isOpen: true,
      requests: [],
      failures: 0,
      skips: 0,
    });
    life.notBefore = Number.NEGATIVE_INFINITY;
    life.revision += 1;
    life.status = isStillPaused ? 'paused' : 'active';
    return this.#count(life);
  }

  reword(): Answer {
    return this.life === undefined ? 'notFound' : this.#count(this.life);
  }

  pause(): Answer {
    const life = this.life;
    if (life === undefined) return 'notFound';
    if (this.#statusOf(life) !== 'active') return 'notApplicable';
    life.status = 'paused';
    return this.#count(life);
  }

  resume(missed: ReferenceMisfire | undefined): Answer {
    const life = this.life;
    if (life === undefined) return 'notFound';
    if (life.quarantinedIn !== undefined || this.#statusOf(life) !== 'paused') return 'notApplicable';
    life.status = 'active';
    life.failures = 0;
    life.resume = { missed: missed ?? life.rules.misfire, until: this.now };
    return this.#count(life);
  }

  cancel(): Answer {
    const life = this.life;
    if (life === undefined) return 'notFound';
    if (!['active', 'paused'].includes(this.#statusOf(life))) return 'notApplicable';
    this.#endWaiting(life, 'cancelled', 'cancelled', 'cancelled');
    for (const occurrence of life.pending) this.#askEnd(occurrence, 'cancelled');
    referenceClose(life, this.now, 'cancelled');
    life.status = 'cancelled';
    return this.#count(life);
  }

  /** What is pending still, once what an expiry has ended is left out. */
  #working(life: Life): readonly ReferenceOccurrence[] {
    return life.pending.filter(({ status }) => status === 'running' || !this.#isPastExpiry(life));
  }

  delete(): Answer {
    const life = this.life;
    if (life === undefined) return 'notFound';
    if (this.#working(life).length > 0 || life.quarantinedIn !== undefined) return 'workPending';
    if (this.#isPastExpiry(life)) this.#expire(life);
    this.#mark = { revision: life.revision, through: life.through };
    this.life = undefined;
    return 'ok';
  }

  trigger(request: string, isRerun: boolean): Answer {
    const life = this.life;
    if (life === undefined) return 'notFound';
    if (life.requests.includes(request.toLowerCase())) return 'unchanged';
    const isAllowed = isRerun ? life.status !== 'expired' : !['expired', 'cancelled'].includes(life.status);
    if (!isAllowed || this.#isPastExpiry(life) || life.quarantinedIn !== undefined) return 'notApplicable';
    life.requests.push(request.toLowerCase());
    const isHeld = (one: ReferenceOccurrence): boolean =>
      one.status !== 'running' && !one.isManual && (this.isGatePaused || life.status === 'paused');
    const others = life.pending.filter((one) => !isHeld(one));
    const { overlap } = life.rules;
    const isRefused =
      (overlap === 'skip' && others.length > 0) ||
      (overlap === 'coalesce' && others.some(({ status }) => status === 'queued'));
    const made = newReferenceOccurrence(life, [this.now], isRefused ? 'skipped' : 'queued');
    const occurrence = { ...made, id: `${life.revision}~m~${request}`, isManual: true };
    if (isRefused) this.#end(life, occurrence, 'skipped', overlap === 'skip' ? 'overlap' : 'coalesced');
    else life.pending.push(occurrence);
    return this.#count(life);
  }

  stop(id: string): Answer {
    const life = this.life;
    const occurrence = life?.pending.find((one) => one.id === id);
    if (life === undefined || occurrence === undefined) return 'notFound';
    if (occurrence.status !== 'running' && this.#isPastExpiry(life)) return 'notApplicable';
    if (occurrence.isEndAsked) return 'unchanged';
    if (occurrence.status === 'running') this.#askEnd(occurrence, 'stopped');
    else this.#end(life, occurrence, 'cancelled', 'stopped');
    return this.#count(life);
  }

  tick(): void {
    const life = this.life;
    if (life === undefined) return;
    if (this.#isPastExpiry(life)) this.#expire(life);
    else if (life.status === 'active' && !this.isGatePaused && life.quarantinedIn === undefined) {
      referenceCollect(life, this.now, false, () => {
        life.skips += 1;
      });
    }
    this.#complete(life);
  }

  claim(id: string): Answer {
    const life = this.life;
    const occurrence = life?.pending.find((one) => one.id === id);
    if (life === undefined) return 'notFound';
    if (occurrence === undefined || this.#isPastExpiry(life) || life.quarantinedIn !== undefined) return 'stale';
    if (!WAITING.includes(occurrence.status) || (occurrence.retryAt ?? this.now) > this.now) return 'stale';
    const isHeld = (one: ReferenceOccurrence): boolean =>
      !one.isManual && (this.isGatePaused || life.status === 'paused');
    if (isHeld(occurrence)) return 'stale';
    const isActive = (one: ReferenceOccurrence): boolean =>
      one.status === 'running' || (one.status === 'retrying' && !isHeld(one));
    if (life.pending.some((one) => one !== occurrence && isActive(one))) return 'stale';
    const owedFrom = life.rules.isOnce ? Math.max(occurrence.last, life.rules.registeredAt) : occurrence.last;
    const isTooLate = this.now - owedFrom > life.rules.maxLatenessMs;
    if (occurrence.firstClaimedAt === undefined && !occurrence.isManual && isTooLate) {
      this.#end(life, occurrence, 'skipped', 'tooLate');
    } else {
      occurrence.status = 'running';
      occurrence.epoch = this.epoch;
      occurrence.retryAt = undefined;
      occurrence.firstClaimedAt ??= this.now;
    }
    this.#complete(life);
    return 'ok';
  }

  /** `retryAt` is asked of the code under test, which alone knows its jitter. */
  settle(id: string, end: ReferenceEnd, retryAt: () => number | undefined): Answer {
    const life = this.life;
    const occurrence = life?.pending.find((one) => one.id === id);
    if (life === undefined) return 'notFound';
    if (occurrence?.status !== 'running') return 'stale';
    this.#settle(life, occurrence, end, retryAt);
    this.#complete(life);
    return 'ok';
  }

  #settle(life: Life, occurrence: ReferenceOccurrence, end: ReferenceEnd, retryAt: () => number | undefined): void {
    const ending = this.#endingOf(life, occurrence, end);
    if (ending !== undefined) this.#end(life, occurrence, ending.status, ending.reason);
    else if (life.rules.isBackoff) this.#wait(life, occurrence, retryAt());
    else if (end.isStopping) this.#end(life, occurrence, 'interrupted', 'ownerStopped');
  }

  /** How an attempt ends its occurrence; undefined: another attempt is to follow. */
  #endingOf(life: Life, occurrence: ReferenceOccurrence, end: ReferenceEnd): Ending | undefined {
    if (end.outcome === 'verified') return { status: 'succeeded', reason: undefined };
    if (end.outcome === 'unresponsive') {
      life.quarantinedIn = this.epoch;
      return { status: 'interrupted', reason: 'unresponsive' };
    }
    if (end.abort === 'stop') return { status: 'interrupted', reason: 'ownerStopped' };
    const isCancelled = end.abort === 'cancel' || (end.abort === undefined && occurrence.isEndAsked);
    if (isCancelled) return { status: 'cancelled', reason: occurrence.reason ?? 'cancelled' };
    occurrence.attempts.push(end.outcome === 'unverified' ? 'publicationUnverified' : end.signature);
    const reason = this.#whyNotRetried(life, occurrence, end);
    return reason === undefined ? undefined : { status: 'failed', reason };
  }

  #whyNotRetried(life: Life, occurrence: ReferenceOccurrence, end: ReferenceEnd): string | undefined {
    const { rules } = life;
    const { attempts } = occurrence;
    const equal = attempts.length - 1 - attempts.findLastIndex((one) => one !== attempts.at(-1));
    if (end.abort === 'elapsed') return 'elapsedBudget';
    if (occurrence.isEndAsked) return occurrence.reason;
    if (occurrence.revision !== life.revision) return 'superseded';
    if (this.#isPastExpiry(life)) return 'expired';
    if (!end.isRetryable && end.outcome === 'failed') return 'notRetryable';
    if (attempts.length - 1 >= rules.maxRetries) return 'retriesSpent';
    if (attempts.length >= rules.maxAttempts) return 'attemptBudget';
    if (equal >= rules.maxRepeatedFailures) return 'failureBudget';
    return this.now - (occurrence.firstClaimedAt ?? this.now) >= rules.maxElapsedMs ? 'elapsedBudget' : undefined;
  }

  #wait(life: Life, occurrence: ReferenceOccurrence, retryAt = Number.POSITIVE_INFINITY): void {
    const elapsedAtRetry = retryAt - (occurrence.firstClaimedAt ?? this.now);
    if (elapsedAtRetry > life.rules.maxElapsedMs) this.#end(life, occurrence, 'failed', 'elapsedBudget');
    else if (retryAt >= life.rules.expiresAt) this.#end(life, occurrence, 'failed', 'expired');
    else {
      occurrence.status = 'retrying';
      occurrence.retryAt = retryAt;
    }
  }

  /** A new owner: claims of older epochs are interrupted, an unresponsive handler is gone with its process. */
  restart(): void {
    this.epoch += 1;
    const life = this.life;
    if (life === undefined) return;
    life.quarantinedIn = undefined;
    for (const one of [...life.pending]) {
      if (one.status === 'running') this.#end(life, one, 'interrupted', 'ownerDied');
    }
    this.#complete(life);
  }

  /** An unresponsive handler has ended at last. */
  handlerEnded(): Answer {
    const life = this.life;
    if (life?.quarantinedIn === undefined) return 'unchanged';
    life.quarantinedIn = undefined;
    this.#complete(life);
    return 'ok';
  }

  #statusOf(life: Life): string {
    return this.#isPastExpiry(life) && isLiving(life) ? 'expired' : life.status;
  }

  #isPastExpiry(life: Life): boolean {
    return this.now >= life.rules.expiresAt;
  }

  #expire(life: Life): void {
    this.#endWaiting(life, 'skipped', 'failed', 'expired');
    if (!isLiving(life)) return;
    referenceClose(life, this.now, 'expired');
    life.status = 'expired';
  }

  #endWaiting(life: Life, queued: string, retrying: string, reason: string): void {
    for (const one of [...life.pending]) {
      if (one.status === 'queued') this.#end(life, one, queued, reason);
      else if (one.status === 'retrying') this.#end(life, one, retrying, reason);
    }
  }

  #askEnd(occurrence: ReferenceOccurrence, reason: string): void {
    if (occurrence.isEndAsked) return;
    occurrence.isEndAsked = true;
    occurrence.reason = reason;
  }

  #end(life: Life, occurrence: ReferenceOccurrence, status: string, reason: string | undefined): void {
    life.pending = life.pending.filter((one) => one !== occurrence);
    life.ended.push({ ...occurrence, status, reason });
    if (status === 'succeeded') life.failures = 0;
    if (status === 'skipped') life.skips += 1;
    else if (status !== 'cancelled') life.skips = 0;
    if (status === 'interrupted') life.unresolved.push(occurrence.id);
    if (status !== 'failed') return;
    life.failures += 1;
    if (life.failures >= life.rules.pauseAfterFailures && life.status === 'active') life.status = 'paused';
  }

  #count(life: Life): Answer {
    life.version += 1;
    this.#complete(life);
    return 'ok';
  }

  #complete(life: Life): void {
    if (life.status !== 'active' || life.pending.length > 0 || life.rules.isManual) return;
    if (referenceDue(life) === undefined && life.quarantinedIn === undefined) life.status = 'completed';
  }
}

function isLiving(life: Life): boolean {
  return life.status === 'active' || life.status === 'paused';
}
