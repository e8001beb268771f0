/** Readings of the client: list, get, status, waitFor, preview, the gate and the clock. */
import { describe, expect, it } from 'vitest';
import { memoryData } from '../../src/adapters/memory-data.js';
import { memoryWorkspace } from '../../src/adapters/memory-workspace.js';
import { openSchedules, previewDeclaration } from '../../src/open-schedules.js';
import type { SchedulePage } from '../../src/runtime/client/options.js';
import { bench, hourly, manual } from './client-bench.js';

function ids({ schedules }: SchedulePage): readonly string[] {
  return schedules.map(({ id }) => id);
}

describe('list', () => {
  it('[CT-1] lists in order of ids and in pages', async () => {
    const { schedules } = await bench();
    for (const id of ['delta', 'Alpha', 'charlie', 'Bravo']) await schedules.create(hourly(id));
    const first = await schedules.list({ limit: 3 });
    expect(ids(first)).toEqual(['Alpha', 'Bravo', 'charlie']);
    const rest = await schedules.list({ limit: 3, after: first.next ?? '' });
    expect(ids(rest)).toEqual(['delta']);
    expect(rest.next).toBeUndefined();
    await expect(schedules.list({ limit: 0 })).rejects.toMatchObject({ code: 'SCHEDULE_DECLARATION_INVALID' });
  });

  it('[CT-1] filters by status, label, next due and failing', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(hourly('a', { labels: { team: 'cad' } }));
    await schedules.create(hourly('b', { labels: { team: 'ci' } }), { paused: true });
    await schedules.create(manual('c', 'fail'));
    await schedules.trigger('c');
    await clock.runUntil(schedules.owner().tick());
    expect(ids(await schedules.list({ status: 'paused' }))).toEqual(['b']);
    expect(ids(await schedules.list({ status: ['active', 'paused'] }))).toEqual(['a', 'b', 'c']);
    expect(ids(await schedules.list({ label: 'team' }))).toEqual(['a', 'b']);
    expect(ids(await schedules.list({ label: 'team=ci' }))).toEqual(['b']);
    expect(ids(await schedules.list({ label: 'team=', failing: false }))).toEqual([]);
    expect(ids(await schedules.list({ failing: true }))).toEqual(['c']);
    expect(ids(await schedules.list({ dueBefore: '2026-11-30T09:00:00Z' }))).toEqual([]);
    expect(ids(await schedules.list({ dueBefore: '2026-11-30T09:00:00.001Z' }))).toEqual(['a', 'b']);
    const odd = schedules.list({ status: 'sleeping' as 'active' });
    await expect(odd).rejects.toMatchObject({ details: { issues: [{ path: 'status' }] } });
  });

  it('[TB-4] says what is left of the trigger budget', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(hourly('a', { maxOccurrences: 3 }));
    await schedules.create(hourly('b', { maxOccurrences: 'unlimited' }));
    await clock.advanceTo('2026-11-30T09:00:00Z');
    await clock.runUntil(schedules.owner().tick());
    const { schedules: found } = await schedules.list();
    expect(found.map(({ id, spent, left }) => ({ id, spent, left }))).toEqual([
      { id: 'a', spent: 1, left: 2 },
      { id: 'b', spent: 1, left: 'unlimited' },
    ]);
  });
});

describe('get', () => {
  it('[CT-1, OC-9] shows pending work, and the history newest first in pages', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(hourly('a'));
    for (const hour of ['09', '10', '11']) {
      await clock.advanceTo(`2026-11-30T${hour}:00:00Z`);
      await clock.runUntil(schedules.owner().tick());
    }
    await schedules.trigger('a');
    const first = await schedules.get('A', { history: { limit: 2 } });
    expect(first.pending).toMatchObject([{ status: 'queued', origin: 'manual' }]);
    expect(first.history.map(({ dueAt }) => dueAt)).toEqual(['2026-11-30T11:00:00.000Z', '2026-11-30T10:00:00.000Z']);
    const rest = await schedules.get('a', { history: { limit: 2, before: first.next ?? '' } });
    expect(rest.history).toMatchObject([{ dueAt: '2026-11-30T09:00:00.000Z', status: 'succeeded' }]);
    expect(rest.next).toBeUndefined();
  });

  it('[OC-9] shows one occurrence with its attempts, verification and workspace', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(manual('a'));
    const { occurrence } = await schedules.trigger('a');
    await clock.runUntil(schedules.owner().tick());
    const detail = await schedules.get('a', { occurrence });
    expect(detail.occurrence).toMatchObject({
      id: occurrence,
      status: 'succeeded',
      attempts: [{ attempt: 1, outcome: 'succeeded', fencingToken: expect.any(Number) }],
      verification: { isVerified: true },
    });
    expect(detail.evidence?.directory).toEqual(expect.stringContaining('a~1~m~'));
    await expect(schedules.get('a', { occurrence: 'a~1~m~none' })).rejects.toMatchObject({
      code: 'SCHEDULE_NOT_FOUND',
      details: { what: 'occurrence' },
    });
  });
});

describe('what needs attention', () => {
  it('[CT-16] a schedule carries a mark at 3 skips in a row, and loses it with the next run', async () => {
    const { schedules, clock, events } = await bench();
    await schedules.create(manual('a', 'succeed', { overlap: 'skip' }));
    await schedules.trigger('a');
    for (let n = 1; n <= 4; n += 1) {
      const { schedule } = await schedules.trigger('a');
      expect(schedule.marks.skipsInRow).toBe(n < 3 ? undefined : 3);
    }
    expect(events.filter(({ type }) => type === 'notice')).toMatchObject([
      { notice: { kind: 'skipsInRow', count: 3 } },
    ]);
    await clock.runUntil(schedules.owner().tick());
    expect((await schedules.get('a')).schedule.marks).toEqual({ unresolved: [] });
  });

  it('[OC-9] an occurrence says how late it was, and its reason in words', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(hourly('a'));
    await clock.advanceTo('2026-11-30T09:00:05Z');
    await clock.runUntil(schedules.owner().tick());
    await schedules.create(manual('b', 'succeed', { overlap: 'skip' }));
    await schedules.trigger('b');
    expect((await schedules.get('a')).history).toMatchObject([{ status: 'succeeded', latenessMs: 5000 }]);
    expect((await schedules.trigger('b')).record?.explanation).toContain('the overlap policy is skip');
  });
});

describe('events', () => {
  it('[OW-7] tell of what this process commits, until the observer is taken away', async () => {
    const { schedules } = await bench();
    const seen: string[] = [];
    const end = schedules.observe((event) => seen.push('change' in event ? event.change : event.type));
    await schedules.create(hourly('a'));
    await schedules.trigger('a');
    end();
    await schedules.cancel('a', { revision: 1 });
    expect(seen).toEqual(['created', 'occurrence']);
  });
});

describe('status', () => {
  it('[OW-1] tells any client whether an owner lives, since when, and what it runs', async () => {
    const { schedules, clock, second } = await bench();
    const other = await second();
    await schedules.create(manual('a', 'hang'));
    const { occurrence } = await schedules.trigger('a');
    expect((await other.status()).owner).toEqual({ isAlive: false });
    const owner = schedules.owner();
    await owner.start();
    await clock.runUntil(async () => (await other.status()).counts.running === 1);
    await clock.advance(31_000);
    expect(await other.status()).toMatchObject({
      owner: { isAlive: true, since: '2026-11-30T08:00:00.000Z', epoch: 1, running: [occurrence], pid: process.pid },
      counts: { schedules: 1, active: 1, pending: 1, running: 1, unresolved: 0 },
      gate: { isPaused: false },
      epoch: 1,
    });
    await clock.runUntil(owner.stop());
    expect((await other.status()).owner.isAlive).toBe(false);
  });
});

describe('waitFor', () => {
  it('[CT-1] resolves with the record once it has ended, also for another process', async () => {
    const { schedules, clock, second } = await bench();
    const other = await second();
    await schedules.create(manual('a'));
    const { occurrence } = await schedules.trigger('a');
    const waiting = Promise.all([schedules.waitFor(occurrence), other.waitFor(occurrence)]);
    await clock.settle();
    await clock.runUntil(schedules.owner().tick());
    const records = await clock.runUntil(waiting);
    expect(records.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect(await schedules.waitFor(occurrence)).toMatchObject({ id: occurrence });
    expect(clock.sleepers()).toEqual([]);
  });

  it('[CT-1] gives up when its signal fires, and refuses an occurrence that is not there', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(manual('a'));
    const { occurrence } = await schedules.trigger('a');
    const gone = new AbortController();
    const waiting = schedules.waitFor(occurrence, { signal: gone.signal });
    await clock.settle();
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'SCHEDULE_ABORTED' });
    expect(clock.sleepers()).toEqual([]);
    for (const unknown of ['a~1~m~none', 'b~1~m~none', 'nothing']) {
      await expect(schedules.waitFor(unknown)).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
    }
  });
});

describe('preview', () => {
  it('[TR-11] shows instants with local time, from now where nothing is said, and needs no workspace', async () => {
    const declaration = hourly('a', {
      trigger: { kind: 'cron', expression: '30 2 * * *', timezone: 'Europe/Berlin' },
    });
    const from = '2027-03-27T00:00:00Z';
    const found = await previewDeclaration(declaration, { from, count: 2 });
    expect(found.instants).toMatchObject([
      { at: '2027-03-27T01:30:00.000Z', local: '2027-03-27T02:30:00', offset: '+01:00' },
      { at: '2027-03-29T00:30:00.000Z', local: '2027-03-29T02:30:00', offset: '+02:00' },
    ]);
    expect(found.skipped).toMatchObject([{ date: '2027-03-28', time: '02:30:00', reason: 'gap' }]);
    const { schedules } = await bench();
    expect((await schedules.preview(declaration)).instants[0]?.at).toBe('2026-12-01T01:30:00.000Z');
    expect((await schedules.list()).schedules).toEqual([]);
    expect((await schedules.status()).seq).toBe(0);
  });

  it('[TR-11] `from` is inclusive; `count` is 10, 1..1000', async () => {
    const from = '2026-11-30T09:00:00Z';
    const found = await previewDeclaration(hourly('a'), { from });
    expect(found.instants).toHaveLength(10);
    expect(found.instants[0]?.at).toBe('2026-11-30T09:00:00.000Z');
    expect(found.endsWith).toBeUndefined();
    for (const count of [0, 1001, 1.5]) {
      await expect(previewDeclaration(hourly('a'), { count })).rejects.toMatchObject({
        code: 'SCHEDULE_DECLARATION_INVALID',
      });
    }
  });

  it('[TR-11] honours `end`, `expiresAt` and what is left of `maxOccurrences`, and says which it was', async () => {
    const from = '2026-11-30T08:00:00Z';
    const end = hourly('a', {
      trigger: { kind: 'interval', start: '2026-11-30T09:00:00Z', everySeconds: 3600, end: '2026-11-30T10:00:00Z' },
    });
    const ends = async (declaration: ReturnType<typeof hourly>): Promise<unknown> => {
      const { instants, endsWith } = await previewDeclaration(declaration, { from });
      return [instants.length, endsWith];
    };
    expect(await ends(end)).toEqual([2, 'trigger']);
    expect(await ends(hourly('a', { expiresAt: '2026-11-30T12:00:00Z' }))).toEqual([3, 'expiresAt']);
    expect(await ends(hourly('a', { maxOccurrences: 4 }))).toEqual([4, 'maxOccurrences']);
    expect(await ends(manual('a'))).toEqual([0, 'trigger']);
  });

  it('[TR-8, TR-11] answers with an empty list where nothing is due, and knows what a schedule has spent', async () => {
    const past = hourly('p', { trigger: { kind: 'once', at: '2020-01-01T00:00:00Z' } });
    expect((await previewDeclaration(past)).instants).toEqual([]);
    const { schedules, clock } = await bench();
    const declaration = hourly('a', { maxOccurrences: 3 });
    await schedules.create(declaration);
    await clock.advanceTo('2026-11-30T09:00:00Z');
    await clock.runUntil(schedules.owner().tick());
    await clock.advance(1000);
    expect((await schedules.preview(declaration)).instants).toHaveLength(2);
    expect((await schedules.preview({ ...declaration, graceSeconds: 5 })).instants).toHaveLength(3);
  });

  it('[DE-1] refuses a bad declaration with its issues', async () => {
    const bad = hourly('a', { trigger: { kind: 'cron', expression: '61 * * * *', timezone: 'UTC' } });
    await expect(previewDeclaration(bad)).rejects.toMatchObject({
      code: 'SCHEDULE_DECLARATION_INVALID',
      details: { issues: [{ path: expect.stringContaining('trigger') }] },
    });
  });
});

describe('the gate', () => {
  it('[CT-9] pauses the whole catalogue with who, when and why; manual triggers work', async () => {
    const { schedules, clock, events } = await bench();
    await schedules.create(hourly('a'));
    const paused = await schedules.gate.pause({ note: 'migration', caller: { name: 'mia' } });
    expect(paused).toEqual({ isPaused: true, by: 'mia', at: '2026-11-30T08:00:00.000Z', note: 'migration' });
    expect(await schedules.gate.pause()).toEqual(paused);
    await clock.advanceTo('2026-11-30T09:00:00Z');
    expect((await clock.runUntil(schedules.owner().tick())).collected).toBe(0);
    const { occurrence } = await schedules.trigger('a');
    await clock.runUntil(schedules.owner().tick());
    expect((await schedules.get('a', { occurrence })).occurrence?.status).toBe('succeeded');
    await clock.advanceTo('2026-11-30T09:30:00Z');
    const open = await schedules.gate.resume();
    expect(open).toMatchObject({
      isPaused: false,
      lastSpan: { cause: 'gate', from: '2026-11-30T08:00:00.000Z', until: '2026-11-30T09:30:00.000Z' },
    });
    expect(await schedules.gate.status()).toEqual(open);
    await clock.runUntil(schedules.owner().tick());
    expect((await schedules.get('a')).history[0]).toMatchObject({
      origin: 'trigger',
      window: { causes: expect.arrayContaining(['gate']) },
    });
    expect(events.filter(({ type }) => type === 'gate')).toMatchObject([{ isPaused: true }, { isPaused: false }]);
  });
});

describe('the clock', () => {
  it('[CO-6] acceptClock ends a stop in one commit, and changes nothing where nothing is stopped', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(hourly('a'));
    await clock.advanceTo('2026-11-30T09:00:00Z');
    await clock.runUntil(schedules.owner().tick());
    const { seq } = await schedules.acceptClock();
    expect((await schedules.status()).seq).toBe(seq);
    clock.step(-3 * 3_600_000);
    await clock.runUntil(schedules.owner().tick());
    expect((await schedules.status()).clockStop).toMatchObject({ reason: 'clockBehind' });
    const accepted = await schedules.acceptClock();
    expect(accepted.clockStop).toBeUndefined();
    expect((await schedules.acceptClock()).clockStop).toBeUndefined();
  });
});

describe('a clock that was years ahead', () => {
  it('[CO-6, MF-2, OW-7] leaves a mark and an event: what it recorded ahead will not run, and until when', async () => {
    const { schedules, clock, events } = await bench();
    await schedules.create(hourly('a', { misfire: 'runOnce', maxOccurrences: 'unlimited' }));
    const later = { kind: 'interval', start: '2031-01-01T00:00:00Z', everySeconds: 3600 } as const;
    await schedules.create(hourly('later', { trigger: later }));
    await clock.runUntil(schedules.owner().tick());
    clock.step(Date.UTC(2029, 0, 1, 0, 30) - clock.now());
    await clock.runUntil(schedules.owner().tick());
    clock.step(Date.UTC(2026, 10, 30, 9, 30) - clock.now());
    await clock.runUntil(schedules.owner().tick());
    expect((await schedules.get('a')).schedule.marks.recordedAhead).toBeUndefined();
    await schedules.acceptClock();
    expect((await schedules.get('a')).schedule.marks.recordedAhead).toBeUndefined();
    await clock.runUntil(schedules.owner().tick());
    const ahead = { from: '2026-11-30T10:00:00.000Z', until: '2029-01-01T00:00:00.000Z' };
    const { schedule } = await schedules.get('a');
    expect(schedule).toMatchObject({ nextDue: '2029-01-01T01:00:00.000Z', marks: { recordedAhead: ahead } });
    expect((await schedules.list()).schedules.map(({ marks }) => marks.recordedAhead)).toEqual([ahead, undefined]);
    const told = events.flatMap((event) => (event.type === 'notice' ? [event.notice] : []));
    expect(told).toContainEqual({ kind: 'recordedAhead', ...ahead, nextDue: '2029-01-01T01:00:00.000Z' });
    // The same id made anew goes on from what is accounted for; another id does not, as the hint says.
    await schedules.delete('a', { revision: schedule.revision });
    await schedules.create(hourly('a'));
    const other = await schedules.create(hourly('b'));
    expect((await schedules.get('a')).schedule.marks).toMatchObject({ recordedAhead: ahead });
    expect(other).toMatchObject({ nextDue: '2026-11-30T10:00:00.000Z', marks: { unresolved: [] } });
    expect(other.marks.recordedAhead).toBeUndefined();
  });
});

describe('a clock that has caught up', () => {
  it('[CO-5, CO-6] is accepted without a loss: what fell due while it was behind is still owed', async () => {
    const { schedules, clock } = await bench();
    await schedules.create({ ...hourly('a'), misfire: 'catchUp' });
    await clock.runUntil(schedules.owner().tick());
    clock.step(-2 * 3_600_000);
    await clock.runUntil(schedules.owner().tick());
    const { nextDue } = (await schedules.get('a')).schedule;
    clock.step(5 * 3_600_000);
    expect((await schedules.status()).clockStop).toMatchObject({ reason: 'clockBehind' });
    expect((await schedules.acceptClock()).clockStop).toBeUndefined();
    expect((await schedules.get('a')).schedule.nextDue).toBe(nextDue);
    await clock.runUntil(schedules.owner().tick());
    const { history, pending } = await schedules.get('a');
    expect([...history, ...pending].map(({ dueAt }) => dueAt)).toContain(nextDue);
  });
});

describe('opening', () => {
  it('[OW-1] refuses a store that processes share with a lock that they do not', async () => {
    const workspace = memoryWorkspace();
    const { capabilities: own } = workspace.store;
    const capabilities = { ...own, isSharedBetweenProcesses: true };
    const store = new Proxy(workspace.store, {
      get: (target, name) => (name === 'capabilities' ? capabilities : Reflect.get(target, name)),
    });
    await expect(openSchedules({ workspace: { ...workspace, store } })).rejects.toMatchObject({
      code: 'SCHEDULE_CONFIG_INVALID',
    });
    await expect(openSchedules({ workspace: {} as typeof workspace })).rejects.toMatchObject({
      code: 'SCHEDULE_CONFIG_INVALID',
    });
  });

  it('[SF-2] makes no owner without an execution service', async () => {
    const schedules = await openSchedules({ workspace: memoryWorkspace() });
    expect(() => schedules.owner()).toThrow(expect.objectContaining({ code: 'SCHEDULE_CONFIG_INVALID' }));
    await schedules.close();
  });

  it('[CT-10] close is idempotent, and everything after it is refused', async () => {
    const data = memoryData();
    const schedules = await openSchedules({ workspace: memoryWorkspace({ data }) });
    await schedules.close();
    await schedules.close();
    await expect(schedules.list()).rejects.toMatchObject({ code: 'SCHEDULE_CLOSED' });
    await expect(schedules.trigger('a')).rejects.toMatchObject({ code: 'SCHEDULE_CLOSED' });
    await expect(schedules.gate.pause()).rejects.toMatchObject({ code: 'SCHEDULE_CLOSED' });
  });
});
