/**
 * Laws of `decide`: what holds in every life of a schedule, whatever its declaration and whatever happens to it.
 */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, vi } from 'vitest';
import type { Input } from '../../src/core/model/input.js';
import { type EpochMs, epochMs } from '../../src/core/time/instant.js';
import { decide } from '../../src/core/transition/decide.js';
import { readyAt, readyOccurrence } from '../../src/core/transition/owner/dispatch-order.js';
import { compileTrigger } from '../../src/core/trigger/compile.js';
import { type Config, configs, declared } from '../model/random-config.js';
import { definition, frozen, MINUTE, release, SECOND, T0, World } from '../support/builders.js';
import { steps, take, WatchedWorld } from './decide-walk.js';

const numRuns = Number(process.env['EVERDUE_RUNS'] ?? 300);

vi.setConfig({ testTimeout: 600_000 });

function started(config: Config, isPaused = false): WatchedWorld {
  const world = new WatchedWorld(T0);
  world.register(config, isPaused);
  return world;
}

/** Inputs of every kind, fitting or not. */
function anyInputs(world: World, config: Config, n: number): readonly Input[] {
  const expected = n % 3 === 0 ? { revision: n } : n % 3 === 1 ? { version: n } : {};
  const by = 'tester';
  const occurrence = world.pending[n]?.id ?? world.ended[n]?.id ?? 'none';
  const next = definition(declared(config, world.now), world.now);
  const verdict = { verdict: 'done', note: '', by, at: world.now } as const;
  const stale = { epoch: n % 3, attempt: n % 2, fencingToken: 0, elapsedMs: n * MINUTE, stages: [], isStopping: false };
  const taken = [{ from: world.now, until: epochMs(world.now + n * MINUTE) }];
  return [
    { kind: 'create', definition: next, isPaused: n % 2 === 0, by },
    { kind: 'update', expected, definition: next, isCosmetic: n % 2 === 0, by },
    { kind: 'update', expected, definition: next, isCosmetic: false, pending: 'withdraw', activate: n % 2 === 0, by },
    { kind: 'pause', expected, by },
    { kind: 'resume', expected, by, missed: 'catchUp' },
    { kind: 'cancel', expected, by },
    { kind: 'delete', expected, by },
    { kind: 'trigger', expected, requestId: `r${n}`, isRequestKept: n % 2 === 0, by },
    { kind: 'trigger', expected, requestId: 'x', isRequestKept: true, replaces: occurrence, by },
    { kind: 'stop', expected, occurrence, by },
    { kind: 'resolve', expected, occurrence, verdict },
    { kind: 'tick', spans: [{ cause: 'ownerDown', from: T0 }], collects: n % 2 === 0 },
    { kind: 'claim', occurrence, epoch: n, order: n, hasWorkspace: false },
    { kind: 'settle', occurrence, ...stale, outcome: { kind: 'unresponsive' } },
    {
      kind: 'settle',
      occurrence,
      ...stale,
      outcome: { kind: 'failed', fault: { code: '', message: '' } },
      abort: 'stop',
    },
    { kind: 'settle', occurrence, ...stale, outcome: { kind: 'attemptExists' } },
    { kind: 'recover', epoch: n, notDispatched: [occurrence], stillRunning: [] },
    { kind: 'recover', epoch: n, notDispatched: [], stillRunning: [occurrence] },
    { kind: 'handlerEnded', occurrence },
    { kind: 'acceptClock', acceptedAt: epochMs(world.now - n * MINUTE), taken },
  ];
}

describe('laws of decide', () => {
  test.prop([configs, steps, configs, fc.nat({ max: 9 }), fc.integer()], { numRuns })(
    '[CO-1] every pairing of state and input has one answer, and nothing that was given changes',
    (config, walk, other, n, skew) => {
      const world = started(config, n === 0);
      for (const step of walk) take(world, step);
      for (const at of [world.now, epochMs(world.now + (skew % (90 * MINUTE)))]) {
        const contexts = [world.context(), { ...world.context(), isKeyHeld: true, keyPending: 'other~1~m~1' }];
        const bare = {
          gate: world.gate,
          zoneData: release('2026b'),
          isKeyHeld: false,
          mark: { id: 'JOB', revision: 3, collectedThrough: T0, deletedAt: T0 },
        };
        for (const context of [...contexts, bare]) {
          for (const input of anyInputs(world, other, n)) {
            const answer = decide(frozen(context), frozen(input), at);
            expect(decide(context, input, at), input.kind).toEqual(answer);
          }
        }
      }
    },
  );

  test.prop([configs, steps], { numRuns })(
    '[CO-5, OV-5, MF-4] each due instant of a revision is accounted for exactly once; no id comes twice; ends are final',
    (config, walk) => {
      const world = started(config);
      for (const step of walk) {
        take(world, step);
        world.checkAccounts();
      }
    },
  );

  test.prop([configs, steps], { numRuns })(
    '[TB-1] the spend is what the trigger recorded in this revision, and never more than its budget',
    (config, walk) => {
      const world = started(config);
      for (const step of walk) {
        take(world, step);
        if (world.entry === undefined) continue;
        const {
          spent,
          definition: { declaration },
        } = world.schedule;
        expect(spent).toBe(world.recorded);
        if (declaration.maxOccurrences !== 'unlimited') expect(spent).toBeLessThanOrEqual(declaration.maxOccurrences);
      }
    },
  );

  test.prop([configs, steps, fc.integer({ min: 0, max: 60 * MINUTE })], { numRuns })(
    '[OW-3, OW-8] a tick has something to do exactly from the time on that the schedule is to be woken',
    (config, walk, later) => {
      const world = started(config);
      // A clock that goes back may turn a backlog into work that is in time again; its next ending wakes the schedule.
      for (const step of walk.filter(({ waitMs }) => waitMs >= 0)) {
        take(world, step);
        const { entry, wakeAt } = world;
        if (entry === undefined) continue;
        const near = wakeAt === undefined ? [] : [wakeAt - 1, wakeAt];
        for (const at of [world.now, world.now + later, ...near.filter((one) => one >= world.now)]) {
          const answer = decide(world.context(), { kind: 'tick', spans: [], collects: true }, epochMs(at));
          expect(answer.kind, `at ${at - T0}, wake ${(wakeAt ?? 0) - T0}`).toBe(
            wakeAt !== undefined && wakeAt <= at ? 'accepted' : 'unchanged',
          );
        }
      }
    },
  );

  test.prop([configs, steps], { numRuns })(
    '[CO-6] a second tick at the same time changes nothing, and asks to be woken later',
    (config, walk) => {
      const world = started(config);
      for (const step of walk) {
        take(world, step);
        if (world.entry === undefined) continue;
        world.tick();
        expect(world.tick().kind).toBe('unchanged');
        expect(world.wakeAt ?? Number.POSITIVE_INFINITY).toBeGreaterThan(world.now);
      }
    },
  );

  test.prop([configs, steps], { numRuns })(
    '[MF-3, CO-3] a tick admits at most maxCatchUp late instants, and then waits a second',
    (config, walk) => {
      const world = started(config);
      for (const step of walk) {
        take(world, step);
        if (world.entry === undefined) continue;
        const before = new Set(world.ids);
        const notBefore = world.schedule.collectNotBefore;
        world.tick();
        const { graceSeconds, maxCatchUp } = world.schedule.definition.declaration;
        const late = world.pending.filter(
          ({ id, dueAt, window }) =>
            !before.has(id) && window === undefined && world.now - dueAt > graceSeconds * SECOND,
        );
        expect(late.length).toBeLessThanOrEqual(maxCatchUp);
        const { collectNotBefore } = world.schedule;
        if ((collectNotBefore ?? notBefore) !== notBefore) expect(collectNotBefore).toBe(world.now + SECOND);
      }
    },
  );

  test.prop(
    [
      configs,
      fc.array(fc.integer({ min: 1, max: 59 }), { maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 59 }), { maxLength: 40 }),
    ],
    { numRuns },
  )(
    '[CO-1, OV-2] with a queue and ticks within the grace, how the ticks are spaced makes no difference',
    (config, some, others) => {
      const prompt: Config = {
        ...config,
        overlap: 'queue',
        graceSeconds: 60,
        maxLatenessSeconds: undefined,
        expiresSeconds: undefined,
      };
      const span = Math.max(sum(some), sum(others)) * SECOND;
      const [one, two] = [some, others].map((gaps) => {
        const world = started(prompt);
        for (const gap of gaps) world.at(epochMs(world.now + gap * SECOND)).tick();
        while (world.now < T0 + span) world.at(epochMs(Math.min(world.now + MINUTE, T0 + span))).tick();
        return world.waiting;
      });
      if (config.trigger !== 'once') expect(one).toEqual(two);
    },
  );

  test.prop([configs, steps, fc.integer({ min: -30, max: 10 })], { numRuns })(
    '[CO-6] an accepted clock makes nothing due twice',
    (config, walk, minutes) => {
      const world = started(config);
      for (const step of walk) take(world, step);
      if (world.entry === undefined) return;
      const acceptedAt = epochMs(world.now + minutes * MINUTE);
      const { revision } = world.schedule;
      const taken = world.records
        .filter((record) => record.origin === 'trigger' && record.revision === revision)
        .map(({ dueAt, window }) => ({ from: window?.firstAt ?? dueAt, until: dueAt }));
      world.at(acceptedAt).do({ kind: 'acceptClock', acceptedAt, taken });
      const { nextDue, collectedThrough } = world.schedule;
      if (nextDue !== undefined && ['active', 'paused'].includes(world.schedule.status)) {
        expect(nextDue).toBeGreaterThanOrEqual(acceptedAt);
        expect(collectedThrough).toBeLessThan(nextDue);
        expect(taken.some(({ from, until }) => from <= nextDue && nextDue <= until)).toBe(false);
      }
      for (let i = 0; i < 5; i++) world.at(epochMs(world.now + 20 * MINUTE)).tick();
      const covered = world.accounts.flatMap((account) =>
        account.covered.map((at) => `${world.accounts.indexOf(account)} ${at}`),
      );
      expect(new Set(covered).size).toBe(covered.length);
    },
  );

  test.prop([configs, steps], { numRuns })(
    '[OC-2] what is ready can be claimed, what is not cannot, and no two are active under one key',
    (config, walk) => {
      const world = started(config);
      for (const step of walk) {
        take(world, step);
        if (world.entry === undefined) continue;
        const active = world.pending.filter(({ status }) => status === 'running');
        expect(active.length).toBeLessThanOrEqual(1);
        const ready = readyOccurrence(world.entry, world.gate, world.now);
        const isFree = world.pending.every(({ status }) => status === 'queued');
        for (const one of world.pending) {
          const answer = world.ask({ kind: 'claim', occurrence: one.id, epoch: 1, order: 1, hasWorkspace: true });
          if (ready === undefined) expect(answer.kind).toBe('refused');
          else if (one.id === ready.id && isFree) expect(answer.kind).toBe('accepted');
        }
        const at: EpochMs | undefined = readyAt(world.entry, world.gate);
        if (at !== undefined) expect(world.pending.some(({ retryAt }) => retryAt === at)).toBe(true);
      }
    },
  );

  const zoned = fc.constantFrom(
    { kind: 'cron', expression: '*/30 * * * *', timezone: 'Europe/Berlin' } as const,
    { kind: 'cron', expression: '30 2 * * *', timezone: 'Europe/Berlin', gap: 'shift' } as const,
    { kind: 'calendar', timezone: 'America/New_York', times: ['01:30', '02:30'] } as const,
  );
  test.prop([zoned, configs, fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 40 })], { numRuns })(
    '[CO-5, TR-1] the windows of successive ticks join across a change of the clock',
    (trigger, config, gaps) => {
      const start = epochMs(Date.UTC(2026, 9, 24, 12, 17));
      const world = new World(start);
      const { trigger: _interval, ...changes } = declared({ ...config, expiresSeconds: undefined }, start);
      world.create({ ...changes, trigger });
      for (const minutes of gaps) {
        world.at(epochMs(world.now + minutes * MINUTE)).tick();
        if (minutes % 3 === 0) world.runAll();
      }
      const result = compileTrigger(trigger);
      if (!result.ok) throw new Error('the trigger is valid');
      const records = [...world.ended, ...world.pending].sort((a, b) => a.dueAt - b.dueAt);
      const stood = records.flatMap(({ dueAt, window }) => {
        const { firstAt, lastAt, count } = window ?? { firstAt: dueAt, lastAt: dueAt, count: 1 };
        const instants = result.value.list(firstAt - 1, count);
        expect(instants.at(-1)).toBe(lastAt);
        return instants;
      });
      expect(stood).toEqual(result.value.list(start - 1, stood.length));
      const isAll = world.schedule.status === 'active' && world.schedule.nextDue !== undefined;
      if (isAll) expect(world.schedule.nextDue).toBe(result.value.next(stood.at(-1) ?? start - 1));
    },
  );
});

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
