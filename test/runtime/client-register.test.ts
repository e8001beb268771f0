/** Create, update and ensure, as a host calls them. */
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../src/codec/digest.js';
import type { ExecutionService } from '../../src/ports/execution-service.js';
import { bench, hourly, manual } from './client-bench.js';

describe('create', () => {
  it('[CT-1, CT-2, CT-4] registers at revision 1, due at the first instant at or after now', async () => {
    const { schedules } = await bench();
    const view = await schedules.create(hourly('nightly'));
    expect(view).toMatchObject({
      id: 'nightly',
      status: 'active',
      revision: 1,
      version: 1,
      nextDue: '2026-11-30T09:00:00.000Z',
      spent: 0,
      left: 100,
      caller: 'host',
      documentKind: 'report/1',
      createdAt: '2026-11-30T08:00:00.000Z',
      marks: { unresolved: [] },
    });
    expect(view.plan?.digest).toMatch(/^sha256:/);
  });

  it('[CT-4] starts at the instant of now itself where that is due', async () => {
    const { schedules, clock } = await bench();
    await clock.advanceTo('2026-11-30T10:00:00Z');
    expect((await schedules.create(hourly('a'))).nextDue).toBe('2026-11-30T10:00:00.000Z');
  });

  it('[CT-1] starts paused where it is asked to', async () => {
    const { schedules } = await bench();
    const view = await schedules.create(hourly('a'), { paused: true });
    expect(view).toMatchObject({ status: 'paused', statusNote: { reason: 'pausedByControl', by: 'host' } });
  });

  it('[DE-1] makes an id of the objective where none is given', async () => {
    const { schedules } = await bench();
    const { id: _none, ...rest } = hourly('x');
    expect((await schedules.create({ ...rest, objective: 'Nightly report!' })).id).toBe('nightly-report-id1');
  });

  it('[DE-1] refuses an id that exists, whatever the case of its letters', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('nightly'));
    await expect(schedules.create(hourly('Nightly'))).rejects.toMatchObject({
      code: 'SCHEDULE_EXISTS',
      details: { existing: 'nightly' },
    });
  });

  it('[DE-1] reports every fault of a declaration at once', async () => {
    const { schedules } = await bench();
    const bad = { ...hourly('a'), graceSeconds: -1, overlapp: 'skip' };
    const error = await schedules.create(bad).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'SCHEDULE_DECLARATION_INVALID' });
    const { issues } = (error as { details: { issues: { path: string }[] } }).details;
    expect(issues.map(({ path }) => path).sort()).toEqual(['graceSeconds', 'overlapp']);
  });

  it('[TR-8] refuses a trigger with no due instant left and names the last one', async () => {
    const { schedules } = await bench();
    const past = hourly('a', { trigger: { kind: 'once', at: '2026-11-01T00:00:00Z' } });
    await expect(schedules.create(past)).rejects.toMatchObject({
      code: 'SCHEDULE_NEVER_DUE',
      details: { last: '2026-11-01T00:00:00.000Z' },
    });
  });

  it('[CT-4] lets a one-shot lie up to the grace in the past', async () => {
    const { schedules } = await bench();
    const at = '2026-11-30T07:59:30Z';
    expect((await schedules.create(hourly('a', { trigger: { kind: 'once', at } }))).nextDue).toBe(
      '2026-11-30T07:59:30.000Z',
    );
  });

  it('[DE-4] refuses a document that is not the one that the caller saw, with both digests', async () => {
    const { schedules } = await bench();
    const declaration = hourly('a');
    const seen = digestOf({ version: 'report/1', order: 'another' });
    await expect(schedules.create(declaration, { expectedDocumentDigest: seen })).rejects.toMatchObject({
      code: 'SCHEDULE_DOCUMENT_STALE',
      details: { expected: seen, found: digestOf({ version: 'report/1', order: 'succeed' }) },
    });
    const right = digestOf({ version: 'report/1', order: 'succeed' });
    await schedules.create(declaration, { expectedDocumentDigest: right });
  });

  it('[DE-3] keeps the document as it was at the registration', async () => {
    const { schedules } = await bench();
    const document = { version: 'report/1', order: 'succeed' };
    await schedules.create(hourly('a', { document }));
    document.order = 'fail';
    const kept = await schedules.get('a', { document: true });
    expect(kept.document).toEqual({ version: 'report/1', order: 'succeed' });
  });

  it('[DE-6] refuses providers outside of the caller’s authorisation, planned or not', async () => {
    const { schedules, planned } = await bench();
    const caller = { name: 'guest', providers: ['other'] };
    for (const deferPlanning of [false, true]) {
      await expect(schedules.create(hourly('a'), { caller, deferPlanning })).rejects.toMatchObject({
        code: 'SCHEDULE_PROVIDER_DENIED',
        details: { denied: ['report'], authorised: ['other'], caller: 'guest' },
      });
    }
    expect(planned).toEqual([]);
    const unknown = hourly('a', { allowedProviders: ['nobody'] });
    await expect(schedules.create(unknown)).rejects.toMatchObject({ code: 'SCHEDULE_PROVIDER_DENIED' });
  });

  it('[DE-6] keeps the caller’s name, and refuses a plan that needs what is not allowed', async () => {
    const clockless: ExecutionService = {
      capabilities: { needsWorkspace: false },
      providers: () => ['report', 'other'],
      plan: async () => ({
        kind: 'planned',
        plan: { id: 'p', digest: `sha256:${'0'.repeat(64)}`, providers: ['other'] },
      }),
      execute: async () => ({ outcome: 'failed', fault: { code: 'x', message: '' }, stages: [] }),
    };
    const { schedules } = await bench({ execution: clockless });
    await expect(schedules.create(hourly('a'))).rejects.toMatchObject({
      code: 'SCHEDULE_PROVIDER_DENIED',
      details: { denied: ['other'], allowed: ['report'] },
    });
    const both = hourly('a', { allowedProviders: ['report', 'other'] });
    expect((await schedules.create(both, { caller: { name: 'mia' } })).caller).toBe('mia');
  });

  it('[DE-6] refuses a document that cannot be planned, with the planner’s issues', async () => {
    const { schedules } = await bench();
    const unplannable = hourly('a', { document: { version: 'nobody/1' } });
    const error = await schedules.create(unplannable).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'SCHEDULE_PLAN_FAILED' });
    expect((await schedules.list()).schedules).toEqual([]);
  });

  it('[SF-2] refuses to register without an execution service, unless planning is deferred', async () => {
    const { withoutPlanner } = await bench();
    const unplanned = await withoutPlanner();
    await expect(unplanned.create(hourly('a'))).rejects.toMatchObject({ code: 'SCHEDULE_NO_PLANNER' });
    const view = await unplanned.create(hourly('a'), { deferPlanning: true });
    expect(view.plan).toBeUndefined();
  });
});

describe('update', () => {
  it('[CT-2, CT-3] makes a new revision with its own trigger budget, and refuses one that another revision was seen for', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('a'));
    const view = await schedules.update('a', { maxOccurrences: 5, graceSeconds: 10 }, { revision: 1 });
    expect(view).toMatchObject({ revision: 2, version: 2, left: 5, nextDue: '2026-11-30T09:00:00.000Z' });
    await expect(schedules.update('a', { graceSeconds: 1 }, { revision: 1 })).rejects.toMatchObject({
      code: 'SCHEDULE_REVISION_CONFLICT',
      details: { given: { revision: 1 }, revision: 2, version: 2 },
    });
    await expect(schedules.update('a', { graceSeconds: 1 }, { revision: 2, version: 1 })).rejects.toMatchObject({
      code: 'SCHEDULE_REVISION_CONFLICT',
    });
  });

  it('[CT-2] requires the revision that the caller saw', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('a'));
    const careless = schedules.update('a', { graceSeconds: 1 }, {} as { revision: number });
    await expect(careless).rejects.toMatchObject({
      code: 'SCHEDULE_DECLARATION_INVALID',
      details: { issues: [{ path: 'revision', rule: 'CT-2' }] },
    });
  });

  it('[CT-2, CT-3] new words alone make no new revision, also while completed', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(
      hourly('a', { trigger: { kind: 'once', at: '2026-11-30T09:00:00Z' }, labels: { team: 'x' } }),
    );
    await clock.advanceTo('2026-11-30T09:00:00Z');
    await clock.runUntil(schedules.owner().tick());
    expect((await schedules.get('a')).schedule.status).toBe('completed');
    const view = await schedules.update('a', { objective: 'New words', labels: { room: '1' } }, { revision: 1 });
    expect(view).toMatchObject({
      revision: 1,
      status: 'completed',
      objective: 'New words',
      labels: { team: 'x', room: '1' },
    });
  });

  it('[CT-3] merges budget by key, replaces other fields whole, and null clears', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('a', { budget: { maxAttempts: 5, maxElapsedSeconds: 60 }, pauseAfterFailures: 3 }));
    const view = await schedules.update(
      'a',
      { budget: { maxElapsedSeconds: 90 }, pauseAfterFailures: null },
      { revision: 1 },
    );
    expect(view.declaration.budget).toMatchObject({ maxAttempts: 5, maxElapsedSeconds: 90 });
    expect(view.declaration.pauseAfterFailures).toBeUndefined();
  });

  it('[CT-3] plans again only when the document or the providers change', async () => {
    const { schedules, planned } = await bench();
    const first = await schedules.create(hourly('a'));
    const second = await schedules.update('a', { graceSeconds: 5 }, { revision: 1 });
    expect(planned).toHaveLength(1);
    expect(second.plan).toEqual(first.plan);
    const document = { version: 'report/1', order: 'fail' };
    const third = await schedules.update('a', { document }, { revision: 2 });
    expect(planned).toHaveLength(2);
    expect(third.documentDigest).toBe(digestOf(document));
    await schedules.update('a', { allowedProviders: ['report', 'other'] }, { revision: 3 });
    expect(planned).toHaveLength(3);
  });

  it('[CT-3] is refused while work is pending, unless that is withdrawn', async () => {
    const { schedules } = await bench();
    await schedules.create(manual('a'));
    const { occurrence } = await schedules.trigger('a');
    await expect(schedules.update('a', { graceSeconds: 1 }, { revision: 1 })).rejects.toMatchObject({
      code: 'SCHEDULE_WORK_PENDING',
      details: { pending: [occurrence] },
    });
    await schedules.update('a', { graceSeconds: 1 }, { revision: 1, pending: 'withdraw' });
    expect((await schedules.get('a')).history).toMatchObject([
      { id: occurrence, status: 'skipped', reason: 'superseded' },
    ]);
  });

  it('[CT-3, CT-6] reactivates a cancelled schedule, and an empty update is enough for it', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('a'));
    await schedules.cancel('a', { revision: 1 });
    const view = await schedules.update('a', {}, { revision: 1 });
    expect(view).toMatchObject({ status: 'active', revision: 2, nextDue: '2026-11-30T09:00:00.000Z' });
  });

  it('[CT-3] keeps the pause with `activate: false`', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('a'), { paused: true });
    const kept = await schedules.update('a', { graceSeconds: 1 }, { revision: 1, activate: false });
    expect(kept.status).toBe('paused');
    expect((await schedules.update('a', { graceSeconds: 2 }, { revision: 2 })).status).toBe('active');
  });

  it('[CT-2, ST-5] two processes that update one revision: one succeeds, the other is refused', async () => {
    const { schedules, second } = await bench();
    const other = await second();
    await schedules.create(hourly('a'));
    const outcomes = await Promise.allSettled([
      schedules.update('a', { graceSeconds: 1 }, { revision: 1 }),
      other.update('a', { graceSeconds: 2 }, { revision: 1 }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'SCHEDULE_REVISION_CONFLICT', details: { given: { revision: 1 }, revision: 2 } },
    });
  });

  it('[ST-5, CT-3] two processes that change different labels at once lose neither', async () => {
    const { schedules, second } = await bench();
    const other = await second();
    await schedules.create(hourly('a'));
    await Promise.all([
      schedules.update('a', { labels: { one: '1' } }, { revision: 1 }),
      other.update('a', { labels: { two: '2' } }, { revision: 1 }),
    ]);
    expect((await schedules.get('a')).schedule.labels).toEqual({ one: '1', two: '2' });
  });
});

describe('ensure', () => {
  it('[CT-13] creates what is absent and changes nothing where all agrees, in any status', async () => {
    const { schedules, planned } = await bench();
    expect((await schedules.ensure(hourly('a'))).outcome).toBe('created');
    for (const step of ['active', 'paused', 'cancelled'] as const) {
      if (step === 'paused') await schedules.pause('a', { revision: 1 });
      if (step === 'cancelled') await schedules.cancel('a', { revision: 1 });
      const { outcome, schedule } = await schedules.ensure(hourly('a', { graceSeconds: 60 }));
      expect({ outcome, status: schedule.status, revision: schedule.revision }).toEqual({
        outcome: 'unchanged',
        status: step,
        revision: 1,
      });
    }
    expect(planned).toHaveLength(1);
  });

  it('[CT-13] compares before any check against the clock, and needs no planner where all agrees', async () => {
    const { schedules, clock, withoutPlanner } = await bench();
    const declaration = hourly('a', { expiresAt: '2026-11-30T12:00:00Z' });
    await schedules.ensure(declaration);
    await clock.advanceTo('2026-12-01T00:00:00Z');
    const bare = await withoutPlanner();
    expect((await bare.ensure(declaration)).outcome).toBe('unchanged');
    const later = { ...declaration, graceSeconds: 5 };
    await expect(bare.ensure(later)).rejects.toMatchObject({ code: 'SCHEDULE_DECLARATION_INVALID' });
  });

  it('[CT-13] changes only words where only words differ, and needs no planner for it', async () => {
    const { schedules, withoutPlanner } = await bench();
    await schedules.ensure(hourly('a'));
    await schedules.trigger('a');
    const bare = await withoutPlanner();
    const { outcome, schedule } = await bare.ensure(hourly('a', { objective: 'Other words', labels: { a: 'b' } }));
    expect(outcome).toBe('reworded');
    expect(schedule).toMatchObject({ revision: 1, objective: 'Other words', labels: { a: 'b' }, pendingCount: 1 });
    const documentChanged = hourly('a', { document: { version: 'report/1', order: 'fail' } });
    await expect(bare.ensure(documentChanged)).rejects.toMatchObject({ code: 'SCHEDULE_NO_PLANNER' });
  });

  it('[CT-13] updates what differs, withdraws pending work and keeps a pause', async () => {
    const { schedules } = await bench();
    await schedules.ensure(hourly('a'));
    const { occurrence } = await schedules.trigger('a');
    await schedules.pause('a', { revision: 1 });
    const { outcome, schedule } = await schedules.ensure(hourly('a', { graceSeconds: 5 }));
    expect(outcome).toBe('updated');
    expect(schedule).toMatchObject({ revision: 2, status: 'paused' });
    expect((await schedules.get('a')).history[0]).toMatchObject({ id: occurrence, reason: 'superseded' });
  });

  it('[CT-13] requires an id, and refuses another spelling of one', async () => {
    const { schedules } = await bench();
    const { id: _none, ...rest } = hourly('a');
    await expect(schedules.ensure(rest as ReturnType<typeof hourly>)).rejects.toMatchObject({
      code: 'SCHEDULE_DECLARATION_INVALID',
    });
    await schedules.ensure(hourly('a'));
    await expect(schedules.ensure(hourly('A'))).rejects.toMatchObject({ code: 'SCHEDULE_EXISTS' });
  });

  it('[CT-13, ST-5] processes that start at the same time agree on one schedule', async () => {
    const { schedules, second } = await bench();
    const processes = [schedules, await second(), await second()];
    const outcomes = await Promise.all(processes.map((each) => each.ensure(hourly('a'))));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['created', 'unchanged', 'unchanged']);
    const changed = await Promise.all(processes.map((each) => each.ensure(hourly('a', { graceSeconds: 9 }))));
    expect(changed.map(({ outcome }) => outcome).sort()).toEqual(['unchanged', 'unchanged', 'updated']);
    expect((await schedules.get('a')).schedule.revision).toBe(2);
  });
});
