/** The doubles of the kit: scripted execution, faulty store, given. */
import { describe, expect, it } from 'vitest';
import { memoryData } from '../../src/adapters/memory-data.js';
import { memoryStore } from '../../src/adapters/memory-store.js';
import type { Definition } from '../../src/core/model/schedule.js';
import type { EpochMs } from '../../src/core/time/instant.js';
import type { ExecutionRequest } from '../../src/ports/execution-service.js';
import type { CommitBatch } from '../../src/ports/schedule-store.js';
import { faultyStore, SimulatedCrash } from '../../src/testing/faulty-store.js';
import { given } from '../../src/testing/given.js';
import {
  fails,
  held,
  hung,
  rejects,
  scriptedExecution,
  succeeds,
  succeedsUnverified,
} from '../../src/testing/scripted-execution.js';
import { sampleDefinition } from '../runtime/sample-definition.js';

function request(occurrence: string, signal = new AbortController().signal): ExecutionRequest {
  return { occurrence, signal } as unknown as ExecutionRequest;
}

describe('scripted execution', () => {
  it('[OC-5] attempts end in the order of the script, and then as otherwise', async () => {
    const steps = [
      succeeds({ a: 1 }),
      fails('quota', { isRetryable: false }),
      succeedsUnverified(),
      rejects(new RangeError('odd')),
    ];
    const service = scriptedExecution(steps, { otherwise: fails('over') });
    expect(await service.execute(request('o1'))).toMatchObject({
      outcome: 'succeeded',
      result: { a: 1 },
      verification: { isVerified: true },
    });
    expect(await service.execute(request('o2'))).toMatchObject({ fault: { code: 'quota', isRetryable: false } });
    expect(await service.execute(request('o3'))).toMatchObject({ verification: { isVerified: false } });
    await expect(service.execute(request('o4'))).rejects.toThrow(RangeError);
    expect(await service.execute(request('o5'))).toMatchObject({ fault: { code: 'over' } });
    expect(service.executed.map(({ occurrence }) => occurrence)).toEqual(['o1', 'o2', 'o3', 'o4', 'o5']);
  });

  it('[OC-11] a held attempt ends when it is released or its signal fires; a hung one is deaf', async () => {
    const service = scriptedExecution([held(), held(fails('x')), hung()]);
    const stop = new AbortController();
    const runs = ['o1', 'o2', 'o3'].map((id) => service.execute(request(id, stop.signal)));
    expect(service.open()).toEqual(['o1', 'o2', 'o3']);
    expect(service.release('o2')).toBe(true);
    expect(await runs[1]).toMatchObject({ fault: { code: 'x' } });
    stop.abort();
    expect(await runs[0]).toMatchObject({ fault: { code: 'aborted' } });
    expect(service.open()).toEqual(['o3']);
    expect(service.release()).toBe(true);
    expect(await runs[2]).toMatchObject({ outcome: 'succeeded' });
    expect(service.release()).toBe(false);
  });

  it('[OC-4] planning answers as told, and is recorded', async () => {
    const refused = { kind: 'refused', message: 'no', issues: [] } as const;
    const plan = { document: {}, documentDigest: 'sha256:0', allowedProviders: ['a'] };
    expect(await scriptedExecution([], { plan: () => refused }).plan(plan)).toBe(refused);
    const service = scriptedExecution();
    expect(await service.plan(plan)).toMatchObject({ kind: 'planned', plan: { providers: ['a'] } });
    expect(service.planned).toEqual([plan]);
  });
});

describe('faulty store', () => {
  const batch: CommitBatch = {
    since: 0,
    reads: { schedules: [], keys: [], row: false },
    at: 1_000 as EpochMs,
    actor: 'test',
    changes: [],
    documents: [],
  };

  it('[ST-4] fails at the call that was named, before or after its effect, and goes on', async () => {
    const store = faultyStore(memoryStore(), [
      { call: 2, of: 'commit', when: 'before', kind: 'fail' },
      { call: 3, of: 'commit', when: 'after', kind: 'fail', error: new RangeError('late') },
    ]);
    await store.commit(batch);
    await expect(store.commit(batch)).rejects.toMatchObject({ code: 'SCHEDULE_STORE_UNAVAILABLE' });
    expect((await store.changes(0)).seq).toBe(1);
    await expect(store.commit(batch)).rejects.toThrow(RangeError);
    expect((await store.changes(0)).seq).toBe(2);
    expect(store.calls).toEqual(['commit', 'commit', 'changes', 'commit', 'changes']);
    store.arrange({ call: 1, when: 'before', kind: 'fail' });
    store.calm();
    await store.commit(batch);
  });

  it('[ST-2] after a crash every call rejects, nobody is called back, and what was committed stays', async () => {
    const data = memoryData();
    const store = faultyStore(memoryStore(data), [{ call: 1, of: 'commit', when: 'after', kind: 'crash' }]);
    let told = 0;
    store.watch(() => {
      told += 1;
    });
    await expect(store.commit(batch)).rejects.toThrow(SimulatedCrash);
    expect(store.isCrashed).toBe(true);
    await expect(store.changes(0)).rejects.toThrow(SimulatedCrash);
    expect(() => store.watch(() => {})).toThrow(SimulatedCrash);
    await store.close();
    const next = memoryStore(data);
    expect((await next.changes(0)).seq).toBe(1);
    await next.commit({ ...batch, since: 1 });
    expect(told).toBe(0);
  });
});

describe('given', () => {
  const definition: Definition = sampleDefinition('nightly', {
    trigger: { kind: 'interval', start: '2026-12-01T00:00:00.000Z', everySeconds: 3600 },
  });
  const create = { kind: 'create', definition, isPaused: false, by: 'anna' } as const;

  it('[CT-2] each step goes on from the state of the one before', () => {
    const created = given().when(create, '2026-11-30T08:00:00Z');
    expect(created.accepted().entry?.schedule.revision).toBe(1);
    const paused = created
      .when({ kind: 'pause', expected: { revision: 1 }, by: 'ben' }, '2026-11-30T09:00:00Z')
      .expect(({ kind }) => expect(kind).toBe('accepted'));
    expect(paused.entry?.schedule.status).toBe('paused');
    const stale = paused.when({ kind: 'resume', expected: { revision: 7 }, by: 'ben' }, '2026-11-30T10:00:00Z');
    expect(stale.refused()).toMatchObject({ code: 'revision', revision: 1 });
    expect(stale.entry).toBe(paused.entry);
  });

  it('[CT-7] a deletion leaves its mark for what follows', () => {
    const deleted = given()
      .when(create, '2026-11-30T08:00:00Z')
      .when({ kind: 'delete', expected: { revision: 1 }, by: 'anna' }, '2026-11-30T09:00:00Z');
    expect(deleted.accepted().mark).toMatchObject({ id: 'nightly', revision: 1 });
    expect(deleted.entry).toBeUndefined();
    expect(deleted.when(create, '2026-11-30T10:00:00Z').accepted().entry?.schedule.revision).toBe(2);
  });

  it('[OC-1] a kept request id answers with its occurrence, also when that has ended', () => {
    const trigger = { kind: 'trigger', expected: {}, requestId: 'Order', isRequestKept: true, by: 'anna' } as const;
    const stop = { kind: 'stop', expected: {}, occurrence: 'nightly~1~m~Order', by: 'anna' } as const;
    const stopped = given()
      .when(create, '2026-11-30T08:00:00Z')
      .when(trigger, '2026-11-30T09:00:00Z')
      .when(stop, '2026-11-30T09:01:00Z');
    expect(stopped.entry?.pending).toEqual([]);
    const again = stopped.when({ ...trigger, requestId: 'oRDER' }, '2026-11-30T10:00:00Z').unchanged();
    expect(again.decision).toEqual({ kind: 'unchanged', occurrence: 'nightly~1~m~Order' });
  });

  it('[CT-15] another answer than the expected one is an assertion that shows it', () => {
    const created = given().when(create, '2026-11-30T08:00:00Z');
    expect(() => created.refused()).toThrow(/create was not refused/);
    expect(() => created.unchanged()).toThrow(/create was not unchanged/);
    const refused = created.when(create, '2026-11-30T08:00:00Z');
    expect(() => refused.accepted()).toThrow(/exists/);
    expect(() => given().when(create, 'yesterday')).toThrow(/no instant/);
  });
});
