/** Named calendars of a catalogue: written by any client, seen by every owner, never collected by in a former state. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fileWorkspace } from '../../src/adapters/fs/index.js';
import { digestOf } from '../../src/codec/digest.js';
import type { CatalogueRow } from '../../src/core/model/catalogue.js';
import { lintDeclaration, openSchedules, previewDeclaration } from '../../src/open-schedules.js';
import type { ObservedEvent } from '../../src/ports/observer.js';
import type { ScheduleStore } from '../../src/ports/schedule-store.js';
import type { Schedules } from '../../src/runtime/client/face.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { bench, hourly, obedient, START } from './client-bench.js';
import { ownerBench } from './owner-bench.js';

const daily = { kind: 'cron', expression: '0 9 * * *', timezone: 'Europe/Berlin' } as const;
const byHolidays = { trigger: daily, exclude: { calendar: 'holidays' } };
const T0 = '2026-11-30T08:00:00.000Z';
const NEXT = '2026-12-01T08:00:00.000Z';

function moves(events: readonly ObservedEvent[]) {
  return events.flatMap((event) => (event.type === 'notice' ? [event.notice] : []));
}

describe('setCalendar', () => {
  it('[DE-12] keeps dates in order and joined, under their digest, and says who names it', async () => {
    const { schedules } = await bench();
    const dates = ['2027-01-01', '2026-12-26', '2026-12-24/2026-12-25'];
    const normal = ['2026-12-24/2026-12-26', '2027-01-01'];
    const made = await schedules.setCalendar('holidays', dates);
    expect(made).toEqual({ name: 'holidays', dates: normal, digest: digestOf({ dates: normal }), usedBy: [] });
    await schedules.create(hourly('b', byHolidays));
    await schedules.setCalendar('Empty days', []);
    expect(await schedules.calendars()).toEqual([
      { name: 'Empty days', dates: [], digest: digestOf({ dates: [] }), usedBy: [] },
      { ...made, usedBy: ['b'] },
    ]);
  });

  it('[DE-12] the same dates change nothing, in whatever order', async () => {
    const { schedules } = await bench();
    await schedules.setCalendar('holidays', ['2026-12-24', '2027-01-01']);
    const { seq } = await schedules.status();
    await schedules.setCalendar('holidays', ['2027-01-01', '2026-12-24/2026-12-24']);
    expect((await schedules.status()).seq).toBe(seq);
  });

  it.each([
    ['__proto__', ['2026-12-24'], 'name', 'DE-8'],
    ['', ['2026-12-24'], 'name', 'DE-11'],
    ['x'.repeat(129), ['2026-12-24'], 'name', 'DE-11'],
    ['a\nb', ['2026-12-24'], 'name', 'DE-11'],
    [' a', ['2026-12-24'], 'name', 'DE-12'],
    [5, ['2026-12-24'], 'name', 'DE-11'],
    ['a', ['2026-12-32'], 'dates[0]', 'DE-12'],
    ['a', [new Date(0)], 'dates[0]', 'DE-12'],
    ['a', 'x', 'dates', 'DE-12'],
    ['a', Array.from({ length: 401 }, () => '2026-12-24'), 'dates', 'DE-11'],
  ])('[DE-11, DE-12, DE-8] %j with %j is refused', async (name, dates, path, rule) => {
    const { schedules } = await bench();
    await expect(schedules.setCalendar(name as string, dates as string[])).rejects.toMatchObject({
      code: 'SCHEDULE_DECLARATION_INVALID',
      details: { issues: [{ path, rule }] },
    });
  });

  it('[DE-11] a 65th calendar is refused, an edit of one of them is not', async () => {
    const { schedules } = await bench();
    for (let n = 0; n < 64; n += 1) await schedules.setCalendar(`c${n}`, []);
    await expect(schedules.setCalendar('c64', [])).rejects.toMatchObject({ code: 'SCHEDULE_DECLARATION_INVALID' });
    await expect(schedules.setCalendar('c63', ['2026-12-24'])).resolves.toMatchObject({ name: 'c63' });
  });
});

describe('a declaration that names a calendar', () => {
  it('[DE-12] is refused where there is none of that name: create, ensure, update and preview', async () => {
    const { schedules } = await bench();
    await schedules.setCalendar('holidays', []);
    const wrong = hourly('a', { trigger: daily, exclude: { calendar: 'hollidays' } });
    const refused = {
      code: 'SCHEDULE_DECLARATION_INVALID',
      details: { issues: [{ path: 'exclude.calendar', message: expect.stringContaining('"holidays"') }] },
    };
    await expect(schedules.create(wrong)).rejects.toMatchObject(refused);
    await expect(schedules.ensure(wrong)).rejects.toMatchObject(refused);
    await expect(schedules.preview(wrong)).rejects.toMatchObject(refused);
    await schedules.create(hourly('a', byHolidays));
    const exclude = { calendar: 'hollidays' };
    await expect(schedules.update('a', { exclude }, { revision: 1 })).rejects.toMatchObject(refused);
    await expect(schedules.ensure(hourly('a', byHolidays))).resolves.toMatchObject({ outcome: 'unchanged' });
  });

  it('[TR-11, DE-12] previews by it, and by no other clock than that of the trigger', async () => {
    const { schedules } = await bench();
    await schedules.setCalendar('holidays', ['2026-11-30/2026-12-01']);
    const { instants } = await schedules.preview(hourly('a', byHolidays), { count: 1 });
    expect(instants.map(({ at }) => at)).toEqual(['2026-12-02T08:00:00.000Z']);
  });

  it('[TR-11, TR-12] without a workspace no calendar is known: a preview is refused, lint takes it to leave nothing out', async () => {
    const named = hourly('a', byHolidays);
    const refused = { code: 'SCHEDULE_DECLARATION_INVALID', details: { issues: [{ path: 'exclude.calendar' }] } };
    await expect(previewDeclaration(named)).rejects.toMatchObject(refused);
    await expect(lintDeclaration(named)).resolves.toEqual(await lintDeclaration(hourly('a', { trigger: daily })));
  });

  it('[CT-3, CT-13] exclusion and spread are cleared by null, and make a declaration another one', async () => {
    const { schedules } = await bench();
    const given = hourly('a', { trigger: daily, exclude: { dates: ['2026-11-30'] }, spreadSeconds: 60 });
    const made = await schedules.create(given);
    expect(made.declaration).toMatchObject({ exclude: { dates: ['2026-11-30'] }, spreadSeconds: 60 });
    const cleared = await schedules.update('a', { exclude: null, spreadSeconds: null }, { revision: 1 });
    expect(cleared).toMatchObject({ revision: 2, nextDue: T0 });
    expect(cleared.declaration).not.toHaveProperty('exclude');
    expect((await schedules.ensure(given)).outcome).toBe('updated');
  });

  it('[DE-12] a preview without an id shows instants before the spread', async () => {
    const { schedules } = await bench();
    const { id: _, ...anonymous } = hourly('a', { trigger: daily, spreadSeconds: 86_400 });
    const shown = await schedules.preview(anonymous, { count: 1 });
    expect(shown.instants[0]?.at).toBe(T0);
    const spread = await schedules.preview({ ...anonymous, id: 'a' }, { count: 1 });
    const made = await schedules.create({ ...anonymous, id: 'a' });
    expect(spread.instants[0]?.at).toBe(made.nextDue);
  });
});

describe('without an owner', () => {
  it('[DE-12, CT-1] every reading shows the next due instant of the calendar as it is now, and the owner then records the same', async () => {
    const { schedules, clock } = await bench();
    await schedules.setCalendar('holidays', []);
    await schedules.create(hourly('a', byHolidays));
    const { digest } = await schedules.setCalendar('holidays', ['2026-11-30/2026-12-04']);
    const moved = { nextDue: '2026-12-05T08:00:00.000Z', calendarDigest: digest };
    expect((await schedules.get('a')).schedule).toMatchObject(moved);
    expect((await schedules.list()).schedules).toMatchObject([moved]);
    expect((await schedules.list({ dueBefore: moved.nextDue })).schedules).toEqual([]);
    expect((await schedules.status()).nextDue).toBe(moved.nextDue);
    expect(await schedules.pause('a', { revision: 1 })).toMatchObject(moved);
    expect(await schedules.resume('a', { revision: 1 })).toMatchObject(moved);
    await clock.runUntil(schedules.owner().tick());
    expect((await schedules.get('a')).schedule).toMatchObject(moved);
  });
});

describe('an owner', () => {
  it('[DE-12, OW-3] hears of an edit at once, from its own process and from another', async () => {
    const { schedules, clock, events, second } = await bench();
    await schedules.setCalendar('holidays', []);
    await schedules.create(hourly('a', byHolidays));
    await schedules.create(hourly('b', { trigger: daily }));
    // One that nobody is to collect is moved all the same, or it would wake too late.
    const owner = schedules.owner({ collect: ({ id }) => id !== 'a' });
    await owner.start();
    await schedules.setCalendar('holidays', ['2026-11-30']);
    await clock.runUntil(async () => moves(events).length === 1);
    expect(moves(events)[0]).toMatchObject({ cause: 'calendar', calendar: 'holidays', from: T0, to: NEXT });
    const other = await second();
    await other.setCalendar('holidays', []);
    await clock.runUntil(async () => moves(events).length === 2);
    expect(moves(events)[1]).toMatchObject({ from: NEXT, to: T0 });
    expect((await schedules.get('a')).schedule).toMatchObject({ nextDue: T0, calendarDigest: digestOf({ dates: [] }) });
    await clock.runUntil(owner.stop());
  });

  it('[DE-12, OW-6] an outside tick follows an edit, and one after it commits nothing', async () => {
    const { schedules, clock } = await bench();
    await schedules.setCalendar('holidays', []);
    await schedules.create(hourly('a', byHolidays));
    await schedules.setCalendar('holidays', ['2026-11-30']);
    await clock.runUntil(schedules.owner().tick());
    expect((await schedules.get('a')).schedule).toMatchObject({ nextDue: NEXT, pendingCount: 0 });
    const { seq } = await schedules.status();
    await clock.runUntil(schedules.owner().tick());
    expect((await schedules.status()).seq).toBe(seq);
  });

  it('[DE-12, ST-5] collects nothing by a calendar that another process has edited meanwhile', async () => {
    const { schedules, clock, second } = await bench();
    await schedules.setCalendar('holidays', []);
    await schedules.create(hourly('a', { ...byHolidays, overlap: 'queue' }));
    const other = await second();
    await clock.advanceTo('2026-12-01T08:00:00Z');
    // The mirror of the first process still knows the calendar of before.
    await other.setCalendar('holidays', ['2026-11-30/2026-12-01']);
    await clock.runUntil(schedules.owner().tick());
    const { schedule, history, pending } = await schedules.get('a');
    expect([history, pending, schedule.nextDue]).toEqual([[], [], '2026-12-02T08:00:00.000Z']);
  });
});

describe('a catalogue on disk', () => {
  const roots: string[] = [];
  const open: Schedules[] = [];
  afterEach(async () => {
    for (const schedules of open.splice(0)) await schedules.close();
    for (const root of roots.splice(0)) rmSync(root, { recursive: true });
  });

  it('[DE-12, S-10, ST-1] keeps its calendars, and tells the owner of another process of an edit', async () => {
    const root = mkdtempSync(join(tmpdir(), 'everdue-calendar-'));
    roots.push(root);
    const clock = manualClock(START);
    const events: ObservedEvent[] = [];
    let heard = () => {};
    const told = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const openOne = async (observer?: (event: ObservedEvent) => void) => {
      const workspace = await fileWorkspace(root);
      const more = observer === undefined ? {} : { observer };
      const schedules = await openSchedules({ workspace, clock, execution: obedient(clock), ...more });
      open.push(schedules);
      return schedules;
    };
    const first = await openOne((event) => {
      events.push(event);
      if (event.type === 'notice') heard();
    });
    await first.setCalendar('holidays', ['2026-12-24']);
    await first.create(hourly('a', byHolidays));
    const owner = first.owner();
    await owner.start();
    const second = await openOne();
    expect(await second.calendars()).toMatchObject([{ name: 'holidays', dates: ['2026-12-24'], usedBy: ['a'] }]);
    // What is due now is collected by the start.
    await second.setCalendar('holidays', ['2026-12-01']);
    await told;
    expect(moves(events)).toMatchObject([{ cause: 'calendar', from: NEXT, to: '2026-12-02T08:00:00.000Z' }]);
    await clock.runUntil(owner.stop());
  });
});

describe('a commit', () => {
  it('[DE-12, S-3] says that it looked at the row where a calendar may have been looked at', async () => {
    const seen: boolean[] = [];
    const one = ownerBench({
      wrapStore: (store) => ({
        ...wrapped(store),
        commit: (batch, options) => {
          seen.push(batch.reads.row);
          return store.commit(batch, options);
        },
      }),
    });
    await one.committer.submitRow(withDates(), { actor: 'test' });
    await one.create('plain');
    await one.create('named', byHolidays);
    expect(seen).toEqual([true, false, true]);
  });

  it('[DE-12, S-3] by an owner that knows an older calendar is made again on the new one', async () => {
    const one = ownerBench();
    await one.committer.submitRow(withDates(), { actor: 'test' });
    await one.create('named', byHolidays);
    const other = ownerBench({ data: one.data, clock: one.clock });
    await other.committer.submitRow(withDates('2026-11-30'), { actor: 'test' });
    await one.clock.advanceTo('2026-11-30T08:00:01Z');
    const tick = { kind: 'tick', spans: [], collects: true } as const;
    const { decision, entry } = await one.committer.submit('named', tick, { actor: 'owner', epoch: 0 });
    expect(decision.kind === 'accepted' && decision.notices).toMatchObject([{ cause: 'calendar' }]);
    expect([entry?.pending, entry?.schedule.nextDue]).toEqual([[], Date.parse(NEXT)]);
  });
});

/** A store whose members can be replaced one by one. */
function wrapped(store: ScheduleStore): ScheduleStore {
  return {
    capabilities: store.capabilities,
    changes: (since, options) => store.changes(since, options),
    commit: (batch, options) => store.commit(batch, options),
    history: (query, options) => store.history(query, options),
    document: (digest, options) => store.document(digest, options),
    watch: (onChange) => store.watch(onChange),
    close: () => store.close(),
  };
}

function withDates(...dates: readonly string[]) {
  const calendar = { dates, digest: digestOf({ dates }) };
  return (row: CatalogueRow): CatalogueRow => ({ ...row, calendars: { holidays: calendar } });
}
