/**
 * What is known outside of the disk: what callers were told, what handlers did, and what was found to be wrong.
 */

/** A commit that somebody was told of. */
export interface ToldCommit {
  readonly seq: number;
  readonly hash: string;
  readonly by: string;
}

/** A call that was answered. */
export interface Answered {
  readonly call: string;
  readonly by: string;
  /** Wall clock. */
  readonly atMs: number;
  readonly scheduleId: string;
  /** What the answer says of the schedule. */
  readonly revision?: number;
  readonly version?: number;
  readonly nextDue?: string | undefined;
  /** An occurrence that exists from then on. */
  readonly occurrence?: string;
  /** True: it has ended from then on, or somebody has asked it to. */
  readonly isEnding?: boolean;
  /** A verdict that stands beside it from then on. */
  readonly verdict?: string;
}

/** A handler that was called. */
export interface Effected {
  readonly occurrence: string;
  readonly attempt: number;
  readonly fencingToken: number;
  readonly by: string;
  readonly atMs: number;
}

/** Something that must not be. */
export interface Violation {
  readonly rule: string;
  readonly found: string;
  /** Virtual milliseconds since the beginning. */
  readonly atMs: number;
}

/** See the head of this file. */
export class Ledger {
  readonly commits = new Map<number, ToldCommit>();
  readonly answers: Answered[] = [];
  readonly effects: Effected[] = [];
  readonly violations: Violation[] = [];
  /** Marks of commits whose callers were told that nothing was committed. */
  readonly refusedCommits = new Map<string, string>();
  /** Occurrences whose callers were told that nothing was committed. */
  readonly refusedRequests = new Map<string, string>();
  /** Schedules that somebody has asked to delete, answered or not. */
  readonly deletions = new Set<string>();
  /** Times at which an operator accepted the clock, answered or not. */
  acceptances = 0;
  /** Times that an older backup of the catalogue was put back. */
  restores = 0;
  /** Handlers that were called before. */
  effectsBefore = 0;
  /** Times that an owner found the catalogue behind its evidence. */
  catalogueStops = 0;
  /** Errors of calls, by call and code. */
  readonly refusals = new Map<string, number>();
  #calls = 0;
  readonly #now: () => number;
  /** Ended records that each schedule keeps. */
  historyKept: number;

  constructor(now: () => number, historyKept: number) {
    this.#now = now;
    this.historyKept = historyKept;
  }

  /** The same knowledge, to go on apart by a time of its own. */
  fork(now: () => number): Ledger {
    const copy = new Ledger(now, this.historyKept);
    for (const [seq, commit] of this.commits) copy.commits.set(seq, commit);
    copy.answers.push(...this.answers);
    copy.effects.push(...this.effects);
    copy.violations.push(...this.violations);
    for (const [mark, code] of this.refusedCommits) copy.refusedCommits.set(mark, code);
    for (const [request, code] of this.refusedRequests) copy.refusedRequests.set(request, code);
    for (const id of this.deletions) copy.deletions.add(id);
    copy.acceptances = this.acceptances;
    copy.restores = this.restores;
    copy.#calls = this.#calls;
    return copy;
  }

  /** An older backup was put back: what was told since then is gone, what was done is not. */
  goBackTo(backup: Ledger): void {
    this.restores += 1;
    this.effectsBefore = this.effects.length;
    this.commits.clear();
    for (const [seq, commit] of backup.commits) this.commits.set(seq, commit);
    this.answers.splice(0, this.answers.length, ...backup.answers);
  }

  /** Highest number of a commit that anybody was told of. */
  get lastCommit(): number {
    return Math.max(0, ...this.commits.keys());
  }

  /** A mark for a commit that is tried. */
  nextMark(): string {
    this.#calls += 1;
    return `sim-${this.#calls}`;
  }

  /** Notes a commit. */
  told(commit: ToldCommit): void {
    const other = this.commits.get(commit.seq);
    if (other !== undefined) {
      this.violate(
        'S-2',
        `commit ${commit.seq} was told twice: to ${other.by} (${other.hash}) and to ${commit.by} (${commit.hash})`,
      );
    }
    this.commits.set(commit.seq, commit);
  }

  /** Notes a call of a handler. */
  effected(effect: Effected): void {
    const other = this.effects.find((one) => one.occurrence === effect.occurrence && one.attempt === effect.attempt);
    if (other !== undefined) {
      this.violate(
        'OC-3',
        `attempt ${effect.attempt} of ${effect.occurrence} ran in ${other.by} and again in ${effect.by}`,
      );
    }
    const twice = this.effects.find((one) => isSameInstant(one.occurrence, effect.occurrence));
    if (twice !== undefined) {
      this.violate('CO-6', `${effect.occurrence} ran in ${effect.by}, and ${twice.occurrence} had run in ${twice.by}`);
    }
    if (!this.commits.has(effect.fencingToken)) {
      this.violate('OC-3', `${effect.occurrence} ran by claim ${effect.fencingToken}, which nobody was told of`);
    }
    this.effects.push(effect);
  }

  /** Notes that a call was refused. */
  refused(call: string, code: string): void {
    const key = `${call} ${code}`;
    this.refusals.set(key, (this.refusals.get(key) ?? 0) + 1);
  }

  /** Notes what must not be. */
  violate(rule: string, found: string): void {
    this.violations.push({ rule, found, atMs: this.#now() });
  }
}

/** The same due instant of a schedule, under two revisions. */
function isSameInstant(one: string, other: string): boolean {
  const [schedule, revision, due, request] = one.split('~');
  const [otherSchedule, otherRevision, otherDue] = other.split('~');
  return schedule === otherSchedule && due === otherDue && request === undefined && revision !== otherRevision;
}
