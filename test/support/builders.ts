/**
 * Builders for tests of the core: declarations, definitions, contexts, and a world that applies decisions.
 *
 * The default schedule is due every minute from {@link T0} on, so that the n-th due instant is minute n. A world
 * freezes what it hands to `decide`: whoever writes to it fails the test.
 */
import type { DeletedMark, Gate } from '../../src/core/model/catalogue.js';
import type { Declaration, MisfirePolicy } from '../../src/core/model/declaration.js';
import type {
  Accepted,
  AttemptOutcome,
  Control,
  Decision,
  DecisionContext,
  Input,
  Notice,
  Settlement,
} from '../../src/core/model/input.js';
import { type Fault, manualOccurrenceId, type Occurrence } from '../../src/core/model/occurrence.js';
import type { Definition, HeldSpan, Schedule, ScheduleEntry } from '../../src/core/model/schedule.js';
import type { IntervalTrigger } from '../../src/core/model/trigger.js';
import { type EpochMs, epochMs, formatInstant } from '../../src/core/time/instant.js';
import type { ZoneData } from '../../src/core/time/zone-data.js';
import { runtimeZoneData } from '../../src/core/time/zones.js';
import { decide } from '../../src/core/transition/decide.js';
import { wakeAt } from '../../src/core/transition/owner/wake.js';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The first due instant of the default trigger. */
export const T0 = epochMs(Date.UTC(2026, 10, 30, 8));

/** The instant so many milliseconds after {@link T0}. */
export function later(ms: number): EpochMs {
  return epochMs(T0 + ms);
}

/** The instant so many minutes after {@link T0}: the due instant of that number of the default trigger. */
export function minute(n: number): EpochMs {
  return later(Math.round(n * MINUTE));
}

/** An interval trigger, due every so many seconds from an instant on. */
export function every(seconds: number, start: EpochMs = T0, end?: EpochMs): IntervalTrigger {
  const trigger: IntervalTrigger = { kind: 'interval', start: formatInstant(start), everySeconds: seconds };
  return end === undefined ? trigger : { ...trigger, end: formatInstant(end) };
}

/** A declaration in normal form: every minute, `queue`, `runOnce`, a grace of 30 seconds, an unlimited budget. */
export function declaration(changes: Partial<Declaration> = {}): Declaration {
  return {
    id: 'job',
    objective: 'Test the core',
    allowedProviders: [],
    trigger: every(60),
    overlap: 'queue',
    misfire: 'runOnce',
    graceSeconds: 30,
    maxCatchUp: 10,
    maxOccurrences: 'unlimited',
    maxRetries: 0,
    budget: { maxAttempts: 3, maxRepeatedFailures: 2, maxElapsedSeconds: 3600, timeoutPerStageSeconds: 600 },
    labels: {},
    ...changes,
  };
}

/** A definition of such a declaration, registered at an instant. */
export function definition(changes: Partial<Declaration>, registeredAt: EpochMs): Definition {
  return {
    declaration: declaration(changes),
    documentDigest: 'sha256:00',
    documentKind: 'test/1',
    plan: { id: 'plan-1', digest: 'sha256:01' },
    caller: 'tester',
    registeredAt,
  };
}

/** The same value with everything in it frozen. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

/** A record in one line: minutes of its due instants, status, reason, and how many instants it stands for. */
export function brief({ dueAt, status, reason, window, origin, isClosing }: Occurrence): string {
  const at = (ms: number): string => String((ms - T0) / MINUTE);
  const due = window === undefined ? at(dueAt) : `${at(window.firstAt)}..${at(window.lastAt)}(${window.count})`;
  const words = [origin === 'manual' ? 'manual' : due, status, reason, isClosing ? 'closing' : undefined];
  return words.filter((word) => word !== undefined).join(' ');
}

type Loose<T> = T extends { readonly by: string } ? Omit<T, 'by' | 'kind'> : never;
type Of<K extends Control['kind']> = Loose<Extract<Control, { kind: K }>>;

const releases = new Map<string, ZoneData>();

/** The runtime's own zone data under a version, the same object for the same version. */
export function release(version: string): ZoneData {
  const known = releases.get(version) ?? runtimeZoneData(version);
  releases.set(version, known);
  return known;
}

/** One schedule in a catalogue of its own: applies what `decide` accepts and keeps what ended. */
export class World {
  now: EpochMs;
  entry: ScheduleEntry | undefined;
  mark: DeletedMark | undefined;
  gate: Gate = { isPaused: false };
  /** Zone data, or the version of a release that has the runtime's own offsets. */
  zoneData: ZoneData | string = '2026a';
  calendars: DecisionContext['calendars'];
  keyPending: string | undefined;
  isKeyHeld = false;
  epoch = 1;
  order = 0;
  spans: readonly HeldSpan[] = [];
  readonly ended: Occurrence[] = [];
  readonly notices: Notice[] = [];
  /** By folded id the manual occurrences whose request ids are kept, as a store would. */
  readonly kept = new Map<string, string>();

  constructor(now: EpochMs = epochMs(T0 - 1)) {
    this.now = now;
  }

  /** A world with a schedule that was created just before {@link T0}. */
  static of(changes: Partial<Declaration> = {}): World {
    const world = new World();
    world.create(changes);
    return world;
  }

  get schedule(): Schedule {
    if (this.entry === undefined) throw new Error('there is no schedule');
    return this.entry.schedule;
  }

  get pending(): readonly Occurrence[] {
    return this.entry?.pending ?? [];
  }

  /** Pending work in the form of {@link brief}. */
  get waiting(): readonly string[] {
    return this.pending.map(brief);
  }

  /** Ended records in the form of {@link brief}. */
  get history(): readonly string[] {
    return this.ended.map(brief);
  }

  get wakeAt(): EpochMs | undefined {
    return this.entry === undefined ? undefined : wakeAt(this.entry, this.gate);
  }

  at(now: EpochMs): this {
    this.now = now;
    return this;
  }

  context(input?: Input): DecisionContext {
    const existing = input?.kind === 'trigger' ? this.existing(input.requestId) : undefined;
    return {
      ...(existing === undefined ? {} : { existing }),
      ...(this.entry === undefined ? {} : { entry: this.entry }),
      ...(this.mark === undefined ? {} : { mark: this.mark }),
      ...(this.keyPending === undefined ? {} : { keyPending: this.keyPending }),
      gate: this.gate,
      zoneData: typeof this.zoneData === 'string' ? release(this.zoneData) : this.zoneData,
      ...(this.calendars === undefined ? {} : { calendars: this.calendars }),
      isKeyHeld: this.isKeyHeld,
    };
  }

  private existing(requestId: string): string | undefined {
    const { id = '', revision = 0 } = this.entry?.schedule ?? {};
    return this.kept.get(manualOccurrenceId(id, revision, requestId).toLowerCase());
  }

  /** Decides without applying. */
  ask(input: Input): Decision {
    return decide(frozen(this.context(input)), frozen(input), this.now);
  }

  /** Decides and applies what was accepted. */
  do(input: Input): Decision {
    const decision = this.ask(input);
    if (decision.kind !== 'accepted') return decision;
    this.apply(decision);
    return decision;
  }

  private apply({ entry, mark, ended, notices, verdict }: Accepted): void {
    this.ended.push(...ended.map(frozen));
    this.notices.push(...notices);
    for (const { id, isRequestKept } of [...ended, ...(entry?.pending ?? [])]) {
      if (isRequestKept) this.kept.set(id.toLowerCase(), id);
    }
    this.entry = frozen(entry);
    if (mark !== undefined) this.ended.length = 0;
    this.mark = mark;
    const at = this.ended.findIndex(({ id }) => id === verdict?.occurrence);
    const record = this.ended[at];
    if (record !== undefined && verdict !== undefined) this.ended[at] = frozen({ ...record, verdict: verdict.verdict });
  }

  create(changes: Partial<Declaration> = {}, isPaused = false): Decision {
    return this.do({ kind: 'create', definition: definition(changes, this.now), isPaused, by: 'tester' });
  }

  /** Ticks until nothing more is to be collected at this time; the last decision. */
  tick(collects = true): Decision {
    let decision = this.do({ kind: 'tick', spans: this.spans, collects });
    while (decision.kind === 'accepted' && decision.hasMore) {
      decision = this.do({ kind: 'tick', spans: this.spans, collects });
    }
    return decision;
  }

  update(changes: Partial<Declaration>, more: Partial<Of<'update'>> = {}): Decision {
    const isCosmetic = more.isCosmetic ?? false;
    const next = definition({ ...this.schedule.definition.declaration, ...changes }, this.now);
    return this.do({ kind: 'update', expected: this.seen, definition: next, by: 'tester', ...more, isCosmetic });
  }

  pause(note = 'holiday'): Decision {
    return this.do({ kind: 'pause', expected: this.seen, by: 'tester', note });
  }

  resume(missed?: MisfirePolicy): Decision {
    const input = { kind: 'resume', expected: this.seen, by: 'tester' } as const;
    return this.do(missed === undefined ? input : { ...input, missed });
  }

  cancel(): Decision {
    return this.do({ kind: 'cancel', expected: this.seen, by: 'tester' });
  }

  delete(): Decision {
    return this.do({ kind: 'delete', expected: this.seen, by: 'tester' });
  }

  trigger(requestId: string, more: Partial<Of<'trigger'>> = {}): Decision {
    return this.do({ kind: 'trigger', expected: {}, requestId, isRequestKept: true, by: 'tester', ...more });
  }

  stop(occurrence = this.first.id): Decision {
    return this.do({ kind: 'stop', expected: {}, occurrence, by: 'tester' });
  }

  /** Claims a pending occurrence, the first by default. */
  claim(occurrence = this.first.id): Decision {
    this.order += 1;
    return this.do({ kind: 'claim', occurrence, epoch: this.epoch, order: this.order, hasWorkspace: true });
  }

  /** Settles a running occurrence, the first running one by default. */
  settle(outcome: AttemptOutcome, more: Partial<Settlement> = {}): Decision {
    const occurrence = this.pending.find(({ id }) => id === (more.occurrence ?? this.running.id)) ?? this.running;
    const attempt = occurrence.claim?.attempt ?? 0;
    return this.do({
      kind: 'settle',
      occurrence: occurrence.id,
      epoch: this.epoch,
      attempt,
      fencingToken: 1,
      outcome,
      elapsedMs: this.now - (occurrence.firstClaimedAt ?? this.now),
      stages: [],
      isStopping: false,
      ...more,
    });
  }

  succeed(more: Partial<Settlement> = {}): Decision {
    return this.settle({ kind: 'succeeded', verification: { isVerified: true, receipts: [] } }, more);
  }

  fail(fault: Partial<Fault> = {}, more: Partial<Settlement> = {}): Decision {
    return this.settle({ kind: 'failed', fault: { code: 'handlerFailed', message: 'no', ...fault } }, more);
  }

  /** A new owner: every claim of the old one is recovered. */
  restart(notDispatched: readonly string[] = [], stillRunning: readonly string[] = []): Decision {
    this.epoch += 1;
    return this.do({ kind: 'recover', epoch: this.epoch, notDispatched, stillRunning });
  }

  /** Claims the first pending occurrence and lets it succeed, until nothing is pending; too late ones end at their claim. */
  runAll(): this {
    while (this.pending.length > 0) {
      this.claim();
      if (this.pending.some(({ status }) => status === 'running')) this.succeed();
    }
    return this;
  }

  private get seen(): { readonly revision: number } {
    return { revision: this.entry?.schedule.revision ?? 0 };
  }

  private get first(): Occurrence {
    const first = this.pending[0];
    if (first === undefined) throw new Error('nothing is pending');
    return first;
  }

  private get running(): Occurrence {
    const running = this.pending.find(({ status }) => status === 'running');
    if (running === undefined) throw new Error('nothing is running');
    return running;
  }
}

/** What a refused decision says: its code and, where there is one, the status that stood against it. */
export function refusalOf(decision: Decision): string {
  if (decision.kind !== 'refused') return decision.kind;
  const { refusal } = decision;
  return 'status' in refusal ? `${refusal.code}: ${refusal.status}` : refusal.code;
}
