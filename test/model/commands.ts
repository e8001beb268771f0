/**
 * Commands of the model test: each does the same to the world under test and to the naive reference, and compares.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { AttemptOutcome, Decision, Settlement } from '../../src/core/model/input.js';
import type { Occurrence } from '../../src/core/model/occurrence.js';
import { epochMs } from '../../src/core/time/instant.js';
import { MINUTE, SECOND, type World } from '../support/builders.js';
import { type Config, configs, declared, referenceRules } from './random-config.js';
import type { ReferenceOccurrence } from './reference-collection.js';
import type { Answer, ReferenceEnd, ReferenceMachine } from './reference-machine.js';

type Machine = fc.Command<ReferenceMachine, World>;

/** Key of a record that both sides can make. */
function keyOf({ id, revision, origin, dueAt }: Occurrence): string {
  return origin === 'manual' ? `${revision}~m~${id.split('~m~')[1]}` : `${revision}~${dueAt}`;
}

function line(one: Occurrence): string {
  const { firstAt, lastAt, count } = one.window ?? { firstAt: one.dueAt, lastAt: one.dueAt, count: 1 };
  const window = one.origin === 'manual' ? 'manual' : `${firstAt}..${lastAt} x${count}`;
  return `${keyOf(one)} ${one.status} ${one.reason ?? '-'} ${window}${one.isClosing ? ' closing' : ''}`;
}

function referenceLine(one: ReferenceOccurrence): string {
  const window = one.isManual ? 'manual' : `${one.first}..${one.last} x${one.count}`;
  return `${one.id} ${one.status} ${one.reason ?? '-'} ${window}${one.isClosing ? ' closing' : ''}`;
}

/** Everything that both sides know. */
export function compare(model: ReferenceMachine, world: World): void {
  const { life } = model;
  expect(world.entry === undefined, 'there is a schedule').toBe(life === undefined);
  if (life === undefined || world.entry === undefined) return;
  const { schedule, pending } = world.entry;
  expect({
    status: schedule.status,
    revision: schedule.revision,
    version: schedule.version,
    spent: schedule.spent,
    nextDue: schedule.nextDue,
    failuresInRow: schedule.failuresInRow,
    skipsInRow: schedule.skipsInRow,
    isQuarantined: schedule.quarantine !== undefined,
    unresolved: schedule.unresolved.length,
    pending: pending.map((one) => `${keyOf(one)} ${one.status} ${one.retryAt ?? '-'}`).sort(),
    ended: world.ended.map(line).sort(),
  }).toEqual({
    status: life.status,
    revision: life.revision,
    version: life.version,
    spent: life.spent,
    nextDue: model.due,
    failuresInRow: life.failures,
    skipsInRow: life.skips,
    isQuarantined: life.quarantinedIn !== undefined,
    unresolved: life.unresolved.length,
    pending: life.pending.map((one) => `${one.id} ${one.status} ${one.retryAt ?? '-'}`).sort(),
    ended: life.ended.map(referenceLine).sort(),
  });
}

function answerOf(decision: Decision): string {
  if (decision.kind === 'accepted') return 'ok';
  return decision.kind === 'refused' ? decision.refusal.code : 'unchanged';
}

type Step = (model: ReferenceMachine, world: World) => readonly [Answer, Decision] | undefined;

/** A command that first lets time pass; it is left out where what it needs is not there. */
function command(
  name: string,
  waitMs: number,
  run: Step,
  needs: 'none' | 'schedule' | 'pending' = 'schedule',
): Machine {
  return {
    check: ({ life }) => needs === 'none' || (life !== undefined && (needs === 'schedule' || life.pending.length > 0)),
    run: (model, world) => {
      model.now += waitMs;
      world.now = epochMs(world.now + waitMs);
      const answers = run(model, world);
      if (answers !== undefined) expect(answerOf(answers[1]), name).toBe(answers[0]);
      compare(model, world);
    },
    toString: () => `${name} after ${waitMs / SECOND} s`,
  };
}

const waits = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 90 }).map((seconds) => seconds * SECOND) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 2000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 20 }).map((minutes) => minutes * MINUTE) },
);

const index = fc.nat({ max: 5 });
const often = fc.integer({ min: 0, max: 9 }).map((n) => n < 7);

/** One pending occurrence by number, on both sides; a name that nothing has where none is pending. */
function pick(model: ReferenceMachine, world: World, wanted: number, status?: string): { ref: string; real: string } {
  const all = [...(model.life?.pending ?? [])].sort((a, b) => a.first - b.first);
  const some = status === undefined ? all : all.filter((one) => one.status === status);
  const ref = (some.length > 0 ? some : all)[wanted % Math.max(1, some.length || all.length)]?.id ?? 'none';
  return { ref, real: world.pending.find((one) => keyOf(one) === ref)?.id ?? 'none' };
}

function create(wait: number, config: Config, isPaused: boolean): Machine {
  const text = `create ${isPaused ? 'paused ' : ''}${JSON.stringify(config)}`;
  return command(
    text,
    wait,
    (model, world) => [
      model.create(referenceRules(config, model.now), isPaused),
      world.create(declared(config, world.now), isPaused),
    ],
    'none',
  );
}

function update(wait: number, config: Config, isWithdrawn: boolean, activate: boolean, isRight: boolean): Machine {
  const text = `update ${isWithdrawn ? 'withdraw ' : ''}${activate} ${isRight} ${JSON.stringify(config)}`;
  return command(text, wait, (model, world) => {
    if (world.entry === undefined) return undefined;
    const changes = withoutOptional(declared(config, world.now));
    const pending = isWithdrawn ? ({ pending: 'withdraw' } as const) : {};
    const expected = { revision: world.schedule.revision + (isRight ? 0 : 1) };
    const decision = world.update(changes, { ...pending, activate, expected });
    if (!isRight) {
      expect(answerOf(decision)).toBe('revision');
      return undefined;
    }
    return [model.update(referenceRules(config, model.now), isWithdrawn, activate), decision];
  });
}

/** Optional fields that the new declaration does not have must not stay from the old one. */
function withoutOptional(changes: ReturnType<typeof declared>): ReturnType<typeof declared> {
  const none = {
    retryBackoff: undefined,
    maxLatenessSeconds: undefined,
    expiresAt: undefined,
    pauseAfterFailures: undefined,
  };
  return { ...none, ...changes } as ReturnType<typeof declared>;
}

const ends: fc.Arbitrary<ReferenceEnd> = fc.record({
  outcome: fc.oneof(
    { weight: 5, arbitrary: fc.constant('verified' as const) },
    { weight: 6, arbitrary: fc.constant('failed' as const) },
    { weight: 1, arbitrary: fc.constantFrom('unverified' as const, 'unresponsive' as const) },
  ),
  signature: fc.constantFrom('one', 'two'),
  isRetryable: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
  abort: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('cancel', 'stop', 'timeout', 'elapsed') },
  ),
  isStopping: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
});

function outcomeOf(end: ReferenceEnd): AttemptOutcome {
  switch (end.outcome) {
    case 'failed':
      return { kind: 'failed', fault: { code: end.signature, message: `${Math.PI}`, isRetryable: end.isRetryable } };
    case 'unresponsive':
      return { kind: 'unresponsive' };
    default:
      return { kind: 'succeeded', verification: { isVerified: end.outcome === 'verified', receipts: [] } };
  }
}

function finish(wait: number, wanted: number, end: ReferenceEnd): Machine {
  return command(`finish ${JSON.stringify(end)}`, wait, (model, world) => {
    const { ref, real } = pick(model, world, wanted, 'running');
    const occurrence = world.pending.find(({ id }) => id === real);
    if (occurrence?.status !== 'running') return undefined;
    const more: Partial<Settlement> = { occurrence: real, isStopping: end.isStopping };
    const decision = world.settle(outcomeOf(end), end.abort === undefined ? more : { ...more, abort: end.abort });
    return [model.settle(ref, end, () => retryAtOf(world, occurrence)), decision];
  });
}

/** When the retry is to start: as stored, or, where it was refused for its time, beyond all bounds (the reason is compared). */
function retryAtOf(world: World, before: Occurrence): number | undefined {
  const waiting = world.pending.find(({ id }) => id === before.id)?.retryAt;
  if (waiting !== undefined) return waiting;
  const { reason } = world.ended.at(-1) ?? {};
  const expiresAt = world.schedule.definition.declaration.expiresAt;
  const longest = world.now + 500 * SECOND;
  if (reason === 'expired' && expiresAt !== undefined && longest >= Date.parse(expiresAt)) return Date.parse(expiresAt);
  return longest;
}

const policies = fc.constantFrom(undefined, 'skip' as const, 'runOnce' as const, 'catchUp' as const);
const requests = fc.constantFrom('a', 'A', 'b', 'c', 'd', 'e');

/** The same so many times, since `fc.commands` draws from a list without weights. */
function times(weight: number, one: fc.Arbitrary<Machine>): readonly fc.Arbitrary<Machine>[] {
  return Array.from({ length: weight }, () => one);
}

const tick: Step = (model, world) => {
  model.tick();
  world.tick();
  return undefined;
};

const restart: Step = (model, world) => {
  model.restart();
  world.restart();
  return undefined;
};

const handlerEnded: Step = (model, world) => {
  const occurrence = world.schedule.quarantine?.occurrence ?? 'none';
  return [model.handlerEnded(), world.do({ kind: 'handlerEnded', occurrence })];
};

function gate(isPaused: boolean): Step {
  return (model, world) => {
    model.isGatePaused = isPaused;
    world.gate = { isPaused };
    return undefined;
  };
}

function onOne(
  wanted: number,
  apply: (m: ReferenceMachine, w: World, ref: string, real: string) => [Answer, Decision],
): Step {
  return (model, world) => {
    const { ref, real } = pick(model, world, wanted);
    return apply(model, world, ref, real);
  };
}

/** The first command of a run: without a schedule there is little to do. */
export const firstCommand: fc.Arbitrary<Machine> = fc
  .tuple(configs, fc.integer({ min: 0, max: 9 }))
  .map(([config, n]) => create(0, config, n === 0));

/** All others, weighted so that most runs have work to do. */
export const commands: fc.Arbitrary<Machine>[] = [
  ...times(
    2,
    fc.tuple(waits, configs, often).map(([wait, config, isActive]) => create(wait, config, !isActive)),
  ),
  ...times(
    2,
    fc.tuple(waits, configs, often, often, often).map((parts) => update(...parts)),
  ),
  ...times(
    1,
    waits.map((wait) => command('reword', wait, (m, w) => [m.reword(), w.update({}, { isCosmetic: true })])),
  ),
  ...times(
    2,
    waits.map((wait) => command('pause', wait, (m, w) => [m.pause(), w.pause()])),
  ),
  ...times(
    3,
    fc
      .tuple(waits, policies)
      .map(([wait, missed]) => command(`resume ${missed}`, wait, (m, w) => [m.resume(missed), w.resume(missed)])),
  ),
  ...times(
    1,
    waits.map((wait) => command('cancel', wait, (m, w) => [m.cancel(), w.cancel()])),
  ),
  ...times(
    1,
    waits.map((wait) => command('delete', wait, (m, w) => [m.delete(), w.delete()])),
  ),
  ...times(
    2,
    fc
      .tuple(waits, requests, often)
      .map(([wait, request, isPlain]) =>
        command(`trigger ${request} ${isPlain}`, wait, (m, w) => [
          m.trigger(request, !isPlain),
          w.trigger(request, isPlain ? {} : { replaces: 'job~1~m~z' }),
        ]),
      ),
  ),
  ...times(
    14,
    waits.map((wait) => command('tick', wait, tick)),
  ),
  ...times(
    9,
    fc.tuple(waits, index).map(([wait, wanted]) =>
      command(
        `claim ${wanted}`,
        wait,
        onOne(wanted, (m, w, ref, real) => [m.claim(ref), w.claim(real)]),
        'pending',
      ),
    ),
  ),
  ...times(
    11,
    fc.tuple(waits, index, ends).map((parts) => finish(...parts)),
  ),
  ...times(
    1,
    waits.map((wait) => command('crash and restart', wait, restart)),
  ),
  ...times(
    1,
    waits.map((wait) => command('handler ended', wait, handlerEnded)),
  ),
  ...times(
    2,
    fc.tuple(waits, index).map(([wait, wanted]) =>
      command(
        `stop ${wanted}`,
        wait,
        onOne(wanted, (m, w, ref, real) => [m.stop(ref), w.stop(real)]),
        'pending',
      ),
    ),
  ),
  ...times(
    1,
    waits.map((wait) => command('gate true', wait, gate(true))),
  ),
  ...times(
    2,
    waits.map((wait) => command('gate false', wait, gate(false))),
  ),
];
