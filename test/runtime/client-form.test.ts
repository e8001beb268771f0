/** The form of calls and options, for callers whose compiler does not check it: every refusal is a ScheduleError. */
import { describe, expect, it, vi } from 'vitest';
import { inProcess } from '../../src/adapters/in-process/in-process.js';
import { memoryWorkspace } from '../../src/adapters/memory-workspace.js';
import { isScheduleError, ScheduleError } from '../../src/errors.js';
import { openSchedules } from '../../src/open-schedules.js';
import type { ScheduleStore } from '../../src/ports/schedule-store.js';
import type { Schedules } from '../../src/runtime/client/face.js';
import { scriptedExecution } from '../../src/testing/scripted-execution.js';
import { bench, hourly, manual } from './client-bench.js';

/** Schedules as JavaScript sees them. */
type Loose = { readonly [Name in keyof Schedules]: (...given: readonly unknown[]) => Promise<unknown> } & {
  readonly gate: { readonly pause: (given: unknown) => Promise<unknown> };
};

async function loose(): Promise<Loose> {
  const { schedules } = await bench();
  await schedules.create(hourly('a'));
  return schedules as unknown as Loose;
}

const BAD_CALLS: readonly (readonly [what: string, path: string, call: (on: Loose) => unknown])[] = [
  ['get without an id', 'id', (on) => on.get()],
  ['get with a number', 'id', (on) => on.get(5)],
  ['trigger with a number', 'id', (on) => on.trigger(7)],
  ['pause without options', 'revision', (on) => on.pause('a')],
  ['resume without options', 'revision', (on) => on.resume('a')],
  ['cancel without options', 'revision', (on) => on.cancel('a')],
  ['delete without options', 'revision', (on) => on.delete('a')],
  ['update without options', 'revision', (on) => on.update('a', { objective: 'x' })],
  ['resolve without options', 'verdict', (on) => on.resolve('a', 'x')],
  ['resolve without a note', 'note', (on) => on.resolve('a', 'x', { verdict: 'done' })],
  ['rerun without an occurrence', 'occurrence', (on) => on.rerun('a')],
  ['rerun with a bad request id', 'requestId', (on) => on.rerun('a', 'a~1~m~x', { requestId: 5 })],
  ['stop without an occurrence', 'occurrence', (on) => on.stop('a')],
  ['waitFor nothing', 'occurrence', (on) => on.waitFor()],
  ['evidence of nothing', 'occurrence', (on) => on.evidence()],
  ['list with a label that is no text', 'label', (on) => on.list({ label: 5 })],
  ['list after a number', 'after', (on) => on.list({ after: 5 })],
  ['get with a history that is no object', 'history', (on) => on.get('a', { history: 5 })],
  ['create with null options', 'options', (on) => on.create(hourly('n'), null)],
  ['create with a flag that is text', 'paused', (on) => on.create(hourly('n'), { paused: 'yes' })],
  ['status with a signal that is none', 'signal', (on) => on.status({ signal: {} })],
  ['a gate with null options', 'options', (on) => on.gate.pause(null)],
];

describe('calls of the wrong form', () => {
  it.each(BAD_CALLS)(
    '[CT-1] %s is refused with the path of its fault, and changes nothing',
    async (_what, path, call) => {
      const on = await loose();
      const error = await Promise.resolve(call(on)).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(isScheduleError(error, 'SCHEDULE_DECLARATION_INVALID'), String(error)).toBe(true);
      const { issues } = (error as { details: { issues: readonly { path: string }[] } }).details;
      expect(issues.map((issue) => issue.path)).toContain(path);
      expect(await on.status()).toMatchObject({ counts: { schedules: 1 }, seq: 1 });
    },
  );

  it.each([null, {}, { name: '' }, { name: 'x', providers: 'report' }])(
    '[DE-6] a caller is a name with a list of providers, not %j',
    async (caller) => {
      const on = await loose();
      await expect(on.pause('a', { revision: 1, caller })).rejects.toMatchObject({ code: 'SCHEDULE_CONFIG_INVALID' });
    },
  );

  it('[CT-1, OW-7] an observer is a function', async () => {
    const on = await loose();
    expect(() => on.observe(5)).toThrow(expect.objectContaining({ code: 'SCHEDULE_DECLARATION_INVALID' }));
  });

  it('[CT-1] closed schedules refuse every call, and closing again is nothing; `await using` closes them', async () => {
    const { schedules } = await bench();
    await schedules.create(manual('a'));
    await schedules[Symbol.asyncDispose]();
    await schedules.close();
    const calls = [
      schedules.get('a'),
      schedules.list(),
      schedules.status(),
      schedules.trigger('a'),
      schedules.evidence('a~1~m~x'),
      schedules.preview(hourly('b')),
      schedules.gate.status(),
      schedules.acceptClock(),
      schedules.owner().tick(),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'SCHEDULE_CLOSED' });
  });
});

describe('configuration of the wrong form', () => {
  const workspace = memoryWorkspace();
  it.each([
    ['nothing', undefined],
    ['an execution service without methods', { workspace, execution: {} }],
    ['a clock without methods', { workspace, clock: {} }],
    ['an observer that is no function', { workspace, observer: 5 }],
    ['a caller without a name', { workspace, caller: { name: '' } }],
    ['authorised providers that are no list', { workspace, authorised: 'report' }],
    ['random ids that are no function', { workspace, randomId: 'x' }],
  ])('[SF-2, DE-6] %s is refused when the schedules are opened', async (_what, options) => {
    await expect(openSchedules(options as never)).rejects.toMatchObject({ code: 'SCHEDULE_CONFIG_INVALID' });
  });

  it('[OC-1] a random id that could not end an id is the host’s fault', async () => {
    const schedules = await openSchedules({
      workspace: memoryWorkspace(),
      execution: scriptedExecution(),
      randomId: () => 'BAD ID!',
    });
    await schedules.create({ ...hourly('a'), allowedProviders: ['scripted'] });
    await expect(schedules.trigger('a')).rejects.toMatchObject({ code: 'SCHEDULE_CONFIG_INVALID' });
  });

  it.each([
    undefined,
    {},
    { providers: { a: undefined } },
    { providers: { a: {} } },
    { providers: { a: { kinds: { x: null } } } },
    { providers: { a: { kinds: { x: { run: 1 } } } } },
  ])('[DE-10] an execution service of %j is refused when it is made', (options) => {
    expect(() => inProcess(options as never)).toThrow(expect.objectContaining({ code: 'SCHEDULE_CONFIG_INVALID' }));
  });

  it.each([{ concurrency: '3' }, { drainSeconds: '3' }, { collect: 'no' }])(
    '[OW-4, OW-9] an owner of %j is refused',
    async (options) => {
      const { schedules } = await bench();
      const owner = () => schedules.owner(options as never);
      expect(owner).toThrow(expect.objectContaining({ code: 'SCHEDULE_CONFIG_INVALID' }));
    },
  );

  it.each([{ signal: {} }, { force: 5 }, null])('[OW-4] a run of %j is refused', async (options) => {
    const { schedules } = await bench();
    const run = schedules.owner().run(options as never);
    await expect(run).rejects.toMatchObject({ code: 'SCHEDULE_CONFIG_INVALID' });
  });

  it('[OW-9] a collect function that answers with a promise ends the owner: it would be true whatever it resolves with', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(hourly('a'));
    await clock.advance(3_600_000);
    const collect = (async () => false) as never;
    const tick = schedules.owner({ collect }).tick();
    await expect(tick).rejects.toMatchObject({ code: 'SCHEDULE_CONFIG_INVALID', details: { scheduleId: 'a' } });
  });
});

describe('a call that is given up', () => {
  it('[CT-1, S-12] ends at once while the store waits, and leaves the call beside it alone', async () => {
    const workspace = memoryWorkspace();
    const { store } = workspace;
    let waits = 1;
    const slow: ScheduleStore = {
      capabilities: store.capabilities,
      changes: (since, options) => store.changes(since, options),
      commit: (batch, options) => (waits-- > 0 ? untilAborted(options?.signal) : store.commit(batch, options)),
      history: (query, options) => store.history(query, options),
      document: (digest, options) => store.document(digest, options),
      watch: (onChange) => store.watch(onChange),
      close: () => store.close(),
    };
    const schedules = await openSchedules({ workspace: { ...workspace, store: slow } });
    const given = { objective: 'x', document: { version: 'x/1' }, trigger: { kind: 'manual' } } as const;
    const giveUp = new AbortController();
    const first = schedules.create({ ...given, id: 'a' }, { deferPlanning: true, signal: giveUp.signal });
    const second = schedules.create({ ...given, id: 'b' }, { deferPlanning: true });
    const refused = expect(first).rejects.toMatchObject({ code: 'SCHEDULE_ABORTED' });
    await vi.waitUntil(() => waits === 0);
    giveUp.abort();
    await refused;
    expect(await second).toMatchObject({ id: 'b' });
    expect((await schedules.list()).schedules.map(({ id }) => id)).toEqual(['b']);
    await schedules.close();
  });
});

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(new ScheduleError('SCHEDULE_ABORTED', 'given up while it waited'));
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort);
  });
}
