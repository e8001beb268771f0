/**
 * What the runtime makes of its ports: cases for the clauses that bind it, and for those whose breach shows in what
 * owners and clients do (S-3, S-4, S-5, L-1, E-1). Each runs in a world of its own.
 */
import assert from 'node:assert/strict';
import { isScheduleError } from '../../../src/errors.js';
import type { ContractCase } from '../../../src/testing/contracts/contract-case.js';
import { crashingWorkspace } from '../../../src/testing/crash-workspace.js';
import { held } from '../../../src/testing/scripted-execution.js';
import { type Broken, World } from './world.js';

/** Makes one case that runs in a world of its own. */
export function caseIn(broken: Broken) {
  return (clause: string, title: string, judge: (world: World) => Promise<void>): ContractCase => ({
    clause,
    title,
    run: async () => {
      const world = new World(broken);
      try {
        await judge(world);
        return { kind: 'held' };
      } finally {
        await world.close();
      }
    },
  });
}

/** See the head of this file. */
export function ownerCases(broken: Broken = {}): readonly ContractCase[] {
  const make = caseIn(broken);
  return [
    make('X-2', 'a dispatch comes after a claim that survives a death at that very moment', claimIsDurable),
    ...(['before', 'after'] as const).map((when) => ({
      clause: 'S-5',
      title: `an owner that dies ${when} the effect of any of its calls leaves nothing lost and nothing run twice`,
      run: async () => {
        await dieEverywhere(broken, when);
        return { kind: 'held' } as const;
      },
    })),
    make('S-3', 'of two clients that update from one revision, one is refused', twoUpdates),
    make('L-1', 'a second owner is refused while the first one lives', secondOwner),
    make('S-4', 'an owner that was replaced can commit nothing and says so', formerOwner),
    make('E-1', 'what evidence knows of is not run again, whatever the catalogue has forgotten', olderBackup),
  ];
}

async function claimIsDurable(world: World): Promise<void> {
  const onExecute = async ({ occurrence, attempt }: { readonly occurrence: string; readonly attempt: number }) => {
    const { schedules } = await (await world.afterDeath()).changes(0);
    const found = schedules.flatMap(({ entry }) => entry.pending).find(({ id }) => id === occurrence);
    assert.deepEqual([found?.status, found?.claim?.attempt], ['running', attempt], 'its claim would be lost');
  };
  let error: unknown;
  const schedules = await world.openWith(
    { id: 'a', overlap: 'queue' },
    {
      onExecute: (request) =>
        onExecute(request).catch((reason: unknown) => {
          error ??= reason;
        }),
    },
  );
  const { occurrence } = await schedules.trigger('a', { requestId: 'one' });
  await schedules.trigger('a', { requestId: 'two' });
  await world.clock.runUntil(schedules.owner().tick());
  if (error !== undefined) throw error;
  assert.equal(world.executed.length, 2, 'an attempt was dispatched twice');
  const { status, attempts, plan } = await schedules.waitFor(occurrence);
  assert.deepEqual([status, attempts.length, world.executed[0]?.plan.digest], ['succeeded', 1, plan?.digest]);
}

/** Kills an owner at each of its calls, and judges what its successor makes of it. */
async function dieEverywhere(broken: Broken, when: 'before' | 'after'): Promise<void> {
  for (let call = 1; ; call += 1) {
    const world = new World(broken);
    try {
      if (!(await dieAt(world, call, when))) return assert.ok(call > 15, `an owner makes ${call} calls only`);
    } finally {
      await world.close();
    }
  }
}

/** False where the owner makes fewer calls. */
async function dieAt(world: World, call: number, when: 'before' | 'after'): Promise<boolean> {
  const trigger = { kind: 'interval', start: '2026-11-30T08:00:10Z', everySeconds: 10 } as const;
  const client = await world.openWith({ id: 'due', trigger, maxOccurrences: 2, overlap: 'queue' });
  await client.create({
    objective: 'x',
    id: 'asked',
    document: { version: 'x/1' },
    allowedProviders: ['scripted'],
    trigger: { kind: 'manual' },
  });
  const { occurrence } = await client.trigger('asked', { requestId: 'one' });
  let isCrashed = () => false;
  const doomed = await world
    .open({
      needsWorkspace: true,
      wrap: (workspace) => {
        const mortal = crashingWorkspace(workspace, { call, when });
        isCrashed = () => mortal.isCrashed;
        return mortal;
      },
    })
    .catch((error: unknown) => {
      assert.ok(isCrashed(), String(error));
      return undefined;
    });
  const stop = new AbortController();
  const death = doomed
    ?.owner()
    .run({ signal: stop.signal })
    .catch((error: unknown) => error);
  await world.clock.advance(25_000);
  stop.abort();
  if (death !== undefined) await world.clock.runUntil(death);
  await world.restart();
  const next = await world.open();
  for (let ticks = 0; ticks < 3; ticks += 1) {
    await world.clock.runUntil(next.owner().tick());
    await world.clock.advance(1000);
  }
  const attempts = world.executed.map(({ occurrence: id, attempt }) => `${id}#${attempt}`);
  assert.deepEqual(attempts, [...new Set(attempts)], 'an attempt was dispatched twice');
  const asked = await next.get('asked');
  assert.deepEqual(
    asked.history.map(({ id }) => id),
    [occurrence],
    'what a client was promised is not there',
  );
  const { history } = await next.get('due');
  assert.equal(
    history.reduce((sum, { window }) => sum + (window?.count ?? 1), 0),
    2,
    'a due instant is lost',
  );
  return isCrashed();
}

async function twoUpdates(world: World): Promise<void> {
  const first = await world.openWith({ id: 'a' });
  const second = await world.open();
  const { revision } = await second.get('a').then(({ schedule }) => schedule);
  const changes = [first, second].map((client, n) =>
    client.update('a', { document: { version: 'sample/1', from: n } }, { revision }).then(
      () => 'made',
      (error: unknown) => (isScheduleError(error) ? error.code : String(error)),
    ),
  );
  assert.deepEqual((await Promise.all(changes)).sort(), ['SCHEDULE_REVISION_CONFLICT', 'made']);
}

async function secondOwner(world: World): Promise<void> {
  const first = await world.open();
  const owner = first.owner();
  await owner.start();
  const second = await world.open();
  const answer = await second
    .owner()
    .tick()
    .then(() => 'ticked', codeOf);
  await owner.stop();
  assert.equal(answer, 'SCHEDULE_LOCK_HELD');
}

/** The lock of the first owner is taken from it behind its back, and its lease does not notice: only the epoch is left. */
async function formerOwner(world: World): Promise<void> {
  const blind = await world.openWith(
    { id: 'a' },
    {
      steps: [held()],
      wrap: (workspace) => ({
        ...workspace,
        lock: { ...workspace.lock, acquire: async () => ({ kind: 'acquired', lease: BLIND }) },
      }),
    },
  );
  const { occurrence } = await blind.trigger('a', { requestId: 'one' });
  const end = blind
    .owner()
    .run()
    .then(() => 'ended', codeOf);
  await world.clock.settle();
  assert.equal(world.executed.length, 1, 'the sample must run');
  const next = await world.open();
  await world.clock.runUntil(next.owner().tick());
  await blind.trigger('a', { requestId: 'two' });
  await world.clock.advance(60_000);
  const isOver = await Promise.race([end, world.clock.settle().then(() => 'it still owns')]);
  assert.equal(isOver, 'SCHEDULE_LOCK_LOST');
  assert.equal((await next.waitFor(occurrence)).status, 'interrupted');
}

const BLIND = { isHeld: () => true, note: async () => {}, release: async () => {} };

async function olderBackup(world: World): Promise<void> {
  const first = await world.openWith({ id: 'a' }, { needsWorkspace: true });
  const before = world.commits;
  await first.trigger('a', { requestId: 'one' });
  await world.clock.runUntil(first.owner().tick());
  assert.equal(world.executed.length, 1, 'the sample must run');
  await world.restoreBackup(before);
  const next = await world.open({ needsWorkspace: true });
  const { occurrence } = await next.trigger('a', { requestId: 'one' });
  await world.clock.runUntil(next.owner().tick());
  assert.equal(world.executed.length, 1, 'it ran again');
  assert.equal((await next.waitFor(occurrence)).status, 'interrupted');
}

function codeOf(error: unknown): string {
  return isScheduleError(error) ? error.code : String(error);
}
