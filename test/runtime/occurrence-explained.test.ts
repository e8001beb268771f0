/** What a view says of an occurrence beside its record: its fault, an explanation, and what it waits for. */
import { describe, expect, it } from 'vitest';
import { inProcess } from '../../src/adapters/in-process/in-process.js';
import type { OccurrenceView } from '../../src/core/explain/occurrence-view.js';
import type { OpenOptions } from '../../src/open-schedules.js';
import type { Schedules } from '../../src/runtime/client/face.js';
import { bench, hourly, manual, obedient } from './client-bench.js';

const RETRIES = { maxRetries: 1, retryBackoff: { initialSeconds: 60, factor: 1, maxSeconds: 60 } };

/** An execution service whose handler throws. */
function full(): OpenOptions['execution'] {
  const run = () => {
    throw new Error('disk is full');
  };
  return inProcess({ needsWorkspace: false, providers: { report: { kinds: { 'report/1': { run } } } } });
}

async function lastOf(schedules: Schedules, id: string): Promise<OccurrenceView | undefined> {
  return (await schedules.get(id)).history[0];
}

async function waitsOf(schedules: Schedules, id: string) {
  return (await schedules.get(id)).pending.map(({ waitingFor }) => waitingFor);
}

describe('the explanation of a failure', () => {
  it.each([
    [{}, 'disk is full (handlerFailed); not retried: maxRetries is 0'],
    [
      { maxRetries: 1, budget: { maxRepeatedFailures: 3 } },
      'disk is full (handlerFailed); not retried again: maxRetries (1) is used up',
    ],
    [
      { maxRetries: 2, budget: { maxRepeatedFailures: 1 } },
      'disk is full (handlerFailed); not retried: budget.maxRepeatedFailures equal failures in a row',
    ],
  ])('[OC-5, OC-9] of %o leads with the fault and says why no other attempt follows', async (fields, explanation) => {
    const { schedules, clock } = await bench({ execution: full() });
    await schedules.create(manual('a', 'succeed', fields));
    await schedules.trigger('a');
    await clock.runUntil(schedules.owner().tick());
    const fault = { code: 'handlerFailed', message: 'disk is full', provider: 'report', stage: 'main' };
    expect(await lastOf(schedules, 'a')).toMatchObject({ status: 'failed', fault, explanation });
  });

  it('[OC-9, OW-2] what was claimed and never dispatched says that the handler was never called', async () => {
    const { schedules, clock, second } = await bench();
    const other = await second({ execution: { ...obedient(clock), plan: () => new Promise(() => undefined) } });
    await schedules.create(manual('a'));
    await schedules.trigger('a');
    const owner = other.owner();
    await owner.start();
    await clock.runUntil(async () => (await other.status()).counts.running === 1);
    await owner.stop({ force: true });
    await clock.runUntil(schedules.owner().tick());
    expect(await lastOf(schedules, 'a')).toMatchObject({
      nativeState: 'not-dispatched',
      explanation: 'the owner ended before it called the handler; it is never run again',
    });
  });
});

describe('what a pending occurrence waits for', () => {
  it('[OC-9, CT-9, OW-1] is an owner where none lives; the gate does not stand in the way of manual work', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('a'));
    await schedules.gate.pause();
    await schedules.trigger('a');
    expect(await waitsOf(schedules, 'a')).toEqual([{ kind: 'noOwner' }]);
  });

  it('[OC-9, CT-5, CT-9] a held one says by what', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(manual('first', 'hang', { concurrencyKey: 'press' }));
    await schedules.create(hourly('a', { concurrencyKey: 'press' }));
    const owner = schedules.owner({ concurrency: 2 });
    await owner.start();
    await clock.advanceTo('2026-11-30T08:59:59Z');
    const { occurrence } = await schedules.trigger('first');
    await clock.runUntil(async () => (await schedules.status()).counts.running === 1);
    await clock.advance(2000);
    expect(await waitsOf(schedules, 'a')).toEqual([{ kind: 'key', key: 'press', occurrence }]);
    await schedules.pause('a', { revision: 1 });
    expect(await waitsOf(schedules, 'a')).toEqual([{ kind: 'schedulePaused' }]);
    await schedules.gate.pause();
    expect(await waitsOf(schedules, 'a')).toEqual([{ kind: 'gate' }]);
    expect(await waitsOf(schedules, 'first')).toEqual([undefined]);
    await clock.runUntil(owner.stop());
  });

  it('[OC-2, OC-5, OC-9] a retry says when, one behind another that it is not its turn', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(manual('a', 'fail', RETRIES));
    await schedules.create(manual('b', 'hang'));
    await schedules.create(manual('c'));
    const owner = schedules.owner();
    await owner.start();
    await schedules.trigger('a');
    await clock.runUntil(async () => (await schedules.get('a')).pending[0]?.status === 'retrying');
    const { retryAt } = (await schedules.get('a')).pending[0] ?? {};
    expect(await waitsOf(schedules, 'a')).toEqual([{ kind: 'retryAt', at: retryAt }]);
    await schedules.trigger('b');
    await schedules.trigger('c');
    await clock.runUntil(async () => (await schedules.status()).counts.running === 1);
    expect(await waitsOf(schedules, 'c')).toEqual([{ kind: 'slot' }]);
    await clock.runUntil(owner.stop());
    expect(await waitsOf(schedules, 'a')).toEqual([{ kind: 'noOwner' }]);
  });

  it('[OC-9, OW-1] a running one whose owner is gone says so', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(manual('a', 'hang'));
    const owner = schedules.owner();
    await owner.start();
    const { occurrence } = await schedules.trigger('a');
    await clock.runUntil(async () => (await schedules.status()).counts.running === 1);
    expect(await waitsOf(schedules, 'a')).toEqual([undefined]);
    await owner.stop({ force: true });
    const found = await schedules.get('a', { occurrence });
    expect(found.occurrence).toMatchObject({ status: 'running', waitingFor: { kind: 'ownerGone' } });
  });
});
