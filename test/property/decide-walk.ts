/**
 * Random walks through the life of a schedule, in a world that watches every decision.
 *
 * The watch knows laws, not rules: what must hold whatever is decided. It keeps every id that was ever seen, and for
 * each revision the due instants that it has to account for.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Accepted, Decision, Input } from '../../src/core/model/input.js';
import { isTerminal, OCCURRENCE_TRANSITIONS, type Occurrence } from '../../src/core/model/occurrence.js';
import type { ScheduleEntry } from '../../src/core/model/schedule.js';
import { epochMs } from '../../src/core/time/instant.js';
import { type Config, configs, declared, dueInstants } from '../model/random-config.js';
import { MINUTE, SECOND, World } from '../support/builders.js';

interface Account {
  readonly due: readonly number[];
  readonly expiry: number;
  /** Instants up to here are not its own. */
  readonly from: number;
  /** Instants that its records stand for, in the order of recording. */
  readonly covered: number[];
  endedAt: number | undefined;
}

/** A world that checks each decision against the laws that need no second opinion. */
export class WatchedWorld extends World {
  readonly ids = new Set<string>();
  readonly records: Occurrence[] = [];
  readonly accounts: Account[] = [];
  readonly #terminal = new Set<string>();
  #config: Config | undefined;

  /** Registers or updates with a random declaration. */
  register(config: Config, isPaused: boolean): Decision {
    this.#config = config;
    return this.create(declared(config, this.now), isPaused);
  }

  revise(config: Config, more: { readonly pending?: 'withdraw'; readonly activate?: boolean }): Decision {
    this.#config = config;
    const none = {
      retryBackoff: undefined,
      maxLatenessSeconds: undefined,
      expiresAt: undefined,
      pauseAfterFailures: undefined,
    };
    return this.update({ ...none, ...declared(config, this.now) } as Parameters<World['update']>[0], more);
  }

  override do(input: Input): Decision {
    const before = this.entry;
    const first = this.ask(input);
    expect(this.ask(input), 'equal arguments give equal answers').toEqual(first);
    const decision = super.do(input);
    if (decision.kind === 'accepted') this.#watch(before, decision, input);
    return decision;
  }

  #watch(before: ScheduleEntry | undefined, accepted: Accepted, input: Input): void {
    this.#followRevision(before, accepted);
    const known = new Map((before?.pending ?? []).map((one) => [one.id, one]));
    const after = accepted.entry?.pending ?? [];
    for (const one of [...accepted.ended, ...after]) this.#watchOccurrence(known.get(one.id), one, accepted);
    for (const one of accepted.ended) {
      expect(isTerminal(one.status), one.id).toBe(true);
      expect(this.#terminal.has(one.id), `${one.id} ended twice`).toBe(false);
      this.#terminal.add(one.id);
    }
    const left = [...known.keys()].filter((id) => !after.some((one) => one.id === id));
    expect(
      left.every((id) => this.#terminal.has(id)),
      'nothing pending is forgotten',
    ).toBe(true);
    expect(new Set(after.map(({ id }) => id)).size, 'pending ids are different').toBe(after.length);
    if (before === undefined || accepted.entry === undefined || input.kind === 'acceptClock') return;
    expect(accepted.entry.schedule.collectedThrough).toBeGreaterThanOrEqual(before.schedule.collectedThrough);
  }

  #watchOccurrence(before: Occurrence | undefined, one: Occurrence, accepted: Accepted): void {
    expect(this.#terminal.has(one.id), `${one.id} has ended before`).toBe(false);
    if (before === undefined) {
      expect(['queued', 'skipped']).toContain(one.status);
      expect(this.ids.has(one.id), `${one.id} is made again`).toBe(false);
      this.ids.add(one.id);
      this.records.push(one);
      this.#cover(one);
    } else if (before.status !== one.status) {
      expect(OCCURRENCE_TRANSITIONS[before.status], `${one.id} from ${before.status}`).toContain(one.status);
    } else if (before.claim?.attempt !== one.claim?.attempt) {
      expect(accepted.isClaimedAgain).toBe(true);
    }
  }

  #cover(one: Occurrence): void {
    const account = this.accounts.at(-1 - ((this.entry?.schedule.revision ?? one.revision) - one.revision));
    if (one.origin === 'manual' || account === undefined) return;
    const { firstAt, lastAt, count } = one.window ?? { firstAt: one.dueAt, lastAt: one.dueAt, count: 1 };
    const stood = account.due.filter((at) => firstAt <= at && at <= lastAt);
    expect(count, `${one.id} counts its window`).toBe(stood.length);
    expect(lastAt, 'a window is named by its last instant').toBe(one.dueAt);
    account.covered.push(...stood);
  }

  #followRevision(before: ScheduleEntry | undefined, accepted: Accepted): void {
    const { schedule } = accepted.entry ?? {};
    const account = this.accounts.at(-1);
    const isNew = schedule !== undefined && schedule.revision !== before?.schedule.revision;
    // An instant of the very moment of an update is the new revision's, where that is due then (CT-3).
    const last = schedule?.nextDue === this.now && schedule.createdAt !== this.now ? this.now - 1 : this.now;
    if (account !== undefined && isNew) account.endedAt ??= Math.max(last, before?.schedule.collectedThrough ?? 0);
    // CT-7: what was due and not collected before a deletion is recorded nowhere, since the history goes too.
    if (account !== undefined && schedule === undefined) account.endedAt ??= accepted.mark?.collectedThrough;
    if (!isNew || this.#config === undefined) return;
    const { expiresSeconds } = this.#config;
    this.accounts.push({
      due: dueInstants(this.#config, this.now),
      expiry: this.now + (expiresSeconds ?? 1e9) * SECOND,
      from: schedule.collectedThrough,
      covered: [],
      endedAt: undefined,
    });
  }

  /** CO-5: each due instant of each revision is accounted for exactly once, from its first to where it stands or ended. */
  checkAccounts(): void {
    for (const [position, account] of this.accounts.entries()) {
      const isLast = position === this.accounts.length - 1 && this.entry !== undefined;
      if (isLast && this.#isClosed) account.endedAt ??= Math.max(this.now, this.schedule.collectedThrough);
      const through = account.endedAt ?? this.schedule.collectedThrough;
      const owed = account.due.filter((at) => at > account.from && at <= through && at < account.expiry);
      const covered = [...account.covered].sort((a, b) => a - b);
      expect(covered.slice(0, owed.length), `revision ${position}`).toEqual(owed);
      expect(covered.length, `revision ${position}: nothing twice`).toBe(owed.length);
    }
  }

  get #isClosed(): boolean {
    const { status, nextDue } = this.schedule;
    return nextDue === undefined || status === 'cancelled' || status === 'expired' || status === 'completed';
  }

  /** TB-1: what this revision recorded from its trigger, closing records left aside. */
  get recorded(): number {
    const { revision } = this.schedule;
    return this.records.filter((one) => one.revision === revision && one.origin === 'trigger' && !one.isClosing).length;
  }
}

/** One step of a walk. */
export interface Step {
  readonly waitMs: number;
  readonly act: string;
  readonly n: number;
  readonly config: Config;
}

const ACTS = [
  ...Array.from({ length: 12 }, () => 'tick'),
  ...[
    'claim',
    'claim',
    'claim',
    'claim',
    'succeed',
    'succeed',
    'fail',
    'fail',
    'abort',
    'unresponsive',
    'restart',
    'ended',
  ],
  ...['pause', 'resume', 'resume', 'cancel', 'update', 'update', 'reword', 'trigger', 'stop', 'gate', 'key', 'delete'],
] as const;

/** Steps, most of them forward in time. */
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    waitMs: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 8, arbitrary: fc.integer({ min: 1, max: 90 * SECOND }) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 20 }).map((minutes) => minutes * MINUTE) },
      { weight: 1, arbitrary: fc.integer({ min: -5 * MINUTE, max: 0 }) },
    ),
    act: fc.constantFrom(...ACTS),
    n: fc.nat({ max: 7 }),
    config: configs,
  }),
  { minLength: 5, maxLength: 35, size: 'max' },
);

/** Makes a step; one that does not fit is refused by the world, which is part of the walk. */
export function take(world: WatchedWorld, { waitMs, act, n, config }: Step): void {
  world.at(epochMs(world.now + waitMs));
  if (world.entry === undefined) {
    world.register(config, n === 0);
    return;
  }
  const one = world.pending[n % Math.max(1, world.pending.length)]?.id ?? 'none';
  const missed = (['skip', 'runOnce', 'catchUp', undefined] as const)[n % 4];
  switch (act) {
    case 'claim': {
      const waiting = world.pending.filter(({ status }) => status !== 'running');
      world.claim(waiting[n % Math.max(1, waiting.length)]?.id ?? 'none');
      return;
    }
    case 'succeed':
    case 'fail':
    case 'abort':
    case 'unresponsive':
      settleOne(world, act, n);
      return;
    case 'restart':
      world.restart();
      return;
    case 'ended':
      world.do({ kind: 'handlerEnded', occurrence: world.schedule.quarantine?.occurrence ?? one });
      return;
    case 'pause':
      world.pause();
      return;
    case 'resume':
      world.resume(missed);
      return;
    case 'cancel':
      world.cancel();
      return;
    case 'update':
      world.revise(config, { ...(n > 2 ? { pending: 'withdraw' } : {}), activate: n % 2 === 0 });
      return;
    case 'reword':
      world.update({ objective: `in other words ${n}` }, { isCosmetic: true });
      return;
    case 'trigger':
      world.trigger(`r${n}`);
      return;
    case 'stop':
      world.stop(one);
      return;
    case 'gate':
      world.gate = { isPaused: n < 3 };
      return;
    case 'key':
      world.keyPending = n < 4 ? 'other~1~m~x' : undefined;
      return;
    case 'delete':
      world.delete();
      return;
    default:
      world.tick();
  }
}

function settleOne(world: WatchedWorld, act: string, n: number): void {
  const running = world.pending.filter(({ status }) => status === 'running');
  const one = running[n % Math.max(1, running.length)];
  if (one === undefined) return;
  const more = { occurrence: one.id, isStopping: n === 7 };
  if (act === 'succeed') world.succeed(more);
  else if (act === 'unresponsive') world.settle({ kind: n === 0 ? 'attemptExists' : 'unresponsive' }, more);
  else if (act === 'fail') world.fail({ code: `f${n % 2}` }, more);
  else world.fail({}, { ...more, abort: (['cancel', 'stop', 'timeout', 'elapsed'] as const)[n % 4] ?? 'stop' });
}
