/** Every limit, just below, at and just above: what is above is refused as the rule says, never cut or taken in silence. */
import { describe, expect, it } from 'vitest';
import { fileWorkspace } from '../../src/adapters/fs/index.js';
import {
  isScheduleError,
  LIMITS,
  memoryWorkspace,
  type NumberLimit,
  nextDue,
  openSchedules,
  type Schedules,
  TRIGGER_LIMITS,
} from '../../src/index.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { scriptedExecution, succeeds } from '../../src/testing/scripted-execution.js';
import { emptyRoot } from '../adapters/fs/ground.js';
import { hasTitle } from './test-titles.js';

const GOOD = {
  objective: 'Stay within bounds',
  document: { version: 'scripted/1' },
  allowedProviders: ['scripted'],
  trigger: { kind: 'manual' },
};
const CRON = { kind: 'cron', expression: '0 2 * * *', timezone: 'UTC' };

/** Does what a limit bounds, with so many; refused or not. */
type Probe = (count: number, schedules: Schedules) => unknown;

/** How a limit is met: by a probe on both sides, or by a test of another name that is said here. */
type Row = { readonly probe: Probe; readonly step?: number; readonly least?: 'too' } | { readonly elsewhere: string };

let made = 0;

const declares =
  (changes: (count: number) => object): Probe =>
  (count, schedules) =>
    schedules.create({ ...GOOD, id: `s${++made}`, ...changes(count) } as never, { deferPlanning: true });

/** A number of a declaration: bounded on both sides. */
const number = (name: string, around: object = {}): Row => ({
  probe: declares((count) => ({ ...around, [name]: count })),
  least: 'too',
});

const text = (count: number) => 'x'.repeat(count);
const list = <T>(count: number, item: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => item(at));
const named = (count: number) => Object.fromEntries(list(count, (at) => [`k${at}`, 'v']));
/** A list of small numbers of exactly so many characters. */
const numbers = (length: number) => `${['1,1', '1', '11'][length % 3]}${',11'.repeat(Math.ceil(length / 3) - 1)}`;
const cronText = (length: number) => `${numbers(length - 8)} * * * *`;
const budget = (name: string): Row => ({ probe: declares((count) => ({ budget: { [name]: count } })), least: 'too' });
const backoff = (changes: (count: number) => object): Row => ({
  probe: declares((count) => ({
    retryBackoff: { initialSeconds: 0, factor: 1, maxSeconds: 86_400, ...changes(count) },
  })),
  least: 'too',
});
/** A date of its own for each number, none beside another, so that they are not joined. */
const apart = (at: number) => new Date(Date.UTC(2030, 0, 1 + 2 * at)).toISOString().slice(0, 10);

const ROWS: Readonly<Record<keyof typeof LIMITS, Row>> = {
  idLength: { probe: declares((count) => ({ id: `${text(count - 4)}${String(++made).padStart(4, '0')}` })) },
  requestIdLength: {
    probe: async (count, schedules) => {
      const { id } = await schedules.create({ ...GOOD } as never, { deferPlanning: true });
      return schedules.trigger(id, { requestId: text(count) });
    },
  },
  objectiveLength: { probe: declares((count) => ({ objective: text(count) })), least: 'too' },
  documentBytes: {
    elsewhere: 'a document of 1 MiB - 1, 1 MiB and 1 MiB + 1, and one of 64 and 65 levels, through the store',
  },
  documentDepth: {
    elsewhere: 'a document of 1 MiB - 1, 1 MiB and 1 MiB + 1, and one of 64 and 65 levels, through the store',
  },
  documentKindLength: { probe: declares((count) => ({ document: { version: text(count) } })), least: 'too' },
  declarationBytes: {
    // As many long cron texts as fit, and one that takes what is left.
    probe: declares((count) => {
      const { document: _, ...rest } = GOOD;
      const cron = (length: number) => ({ ...CRON, expression: length === 0 ? '' : cronText(length) });
      const of = list(Math.floor(count / 1100), () => cron(1000));
      const fields = { ...rest, id: `s${String(++made).padStart(4, '0')}`, trigger: { kind: 'anyOf', of } };
      for (;;) {
        const left = count - JSON.stringify({ ...fields, trigger: { kind: 'anyOf', of: [...of, cron(0)] } }).length;
        of.push(cron(Math.min(left, 1000)));
        if (left <= 1000) return fields;
      }
    }),
  },
  providerLength: { probe: declares((count) => ({ allowedProviders: [text(count)] })), least: 'too' },
  providers: { probe: declares((count) => ({ allowedProviders: list(count, (at) => `p${at}`) })) },
  graceSeconds: number('graceSeconds'),
  maxCatchUp: number('maxCatchUp'),
  maxOccurrences: number('maxOccurrences'),
  maxRetries: number('maxRetries', { budget: { maxAttempts: 20 } }),
  maxAttempts: budget('maxAttempts'),
  maxRepeatedFailures: budget('maxRepeatedFailures'),
  maxElapsedSeconds: budget('maxElapsedSeconds'),
  timeoutPerStageSeconds: budget('timeoutPerStageSeconds'),
  backoffInitialSeconds: backoff((initialSeconds) => ({ initialSeconds })),
  backoffFactor: backoff((factor) => ({ factor })),
  backoffMaxSeconds: backoff((maxSeconds) => ({ maxSeconds })),
  maxLatenessSeconds: number('maxLatenessSeconds'),
  pauseAfterFailures: number('pauseAfterFailures'),
  labels: { probe: declares((count) => ({ labels: named(count) })) },
  labelKeyLength: { probe: declares((count) => ({ labels: { [text(count)]: 'v' } })), least: 'too' },
  labelValueLength: { probe: declares((count) => ({ labels: { k: text(count) } })) },
  concurrencyKeyLength: { probe: declares((count) => ({ concurrencyKey: text(count) })), least: 'too' },
  spreadSeconds: number('spreadSeconds', { trigger: CRON }),
  calendars: {
    probe: async (count, schedules) => {
      const known = (await schedules.calendars()).length;
      for (let at = known; at < count; at++) await schedules.setCalendar(`c${at}`, []);
    },
  },
  calendarNameLength: { probe: (count, schedules) => schedules.setCalendar(text(count), []), least: 'too' },
  zoneDataVersionLength: {
    probe: async (count) => {
      const zoneData = { version: text(count), offsetAt: () => 0 };
      await (await openSchedules({ workspace: memoryWorkspace(), zoneData })).close();
    },
    least: 'too',
  },
  listLength: { probe: declares((count) => ({ trigger: CRON, exclude: { dates: list(count, apart) } })) },
  textLength: { elsewhere: 'words of people are cut at their limit, visibly' },
  resultBytes: { elsewhere: 'a result of a handler is kept up to its limit, and is a fault beyond' },
  previewCount: { probe: (count, schedules) => schedules.preview(GOOD as never, { count }), least: 'too' },
  historyPage: {
    probe: async (limit, schedules) => {
      const { id } = await schedules.create({ ...GOOD } as never, { deferPlanning: true });
      return schedules.get(id, { history: { limit } });
    },
    least: 'too',
  },
  listPage: { probe: (limit, schedules) => schedules.list({ limit }), least: 'too' },
  admissionsPerCommit: { elsewhere: 'one commit admits at most 1000, more follow in further commits of the same tick' },
  pendingPerSchedule: { elsewhere: 'takes no more, and a cancel ends all of it' },
  windowCount: { elsewhere: 'instants are counted up to 10000, then the count is a floor' },
};

const due = (trigger: (count: number) => object): Row => ({
  probe: (count) => nextDue({ timezone: 'UTC', ...trigger(count) } as never, '2026-11-30T08:00:00Z'),
  least: 'too',
});
const calendar = (changes: (count: number) => object) =>
  due((count) => ({ kind: 'calendar', hour: 3, ...changes(count) }));
const rule = (changes: (count: number) => string) =>
  due((count) => ({ kind: 'rrule', dtstart: '2026-01-01T03:00:00', rule: changes(count) }));
const TRIGGER_ROWS: Readonly<Record<keyof typeof TRIGGER_LIMITS, Row>> = {
  everySeconds: {
    probe: (everySeconds) =>
      nextDue({ kind: 'interval', start: '2026-11-30T08:00:00Z', everySeconds }, '2026-11-30T08:00:00Z'),
    step: 0.001,
    least: 'too',
  },
  hour: calendar((hour) => ({ hour })),
  minute: calendar((minute) => ({ minute })),
  second: calendar((second) => ({ second })),
  weekday: calendar((weekday) => ({ weekdays: [weekday] })),
  monthDay: calendar((day) => ({ monthDays: [day] })),
  month: calendar((month) => ({ months: [month] })),
  nth: calendar((nth) => ({ nthWeekdays: [{ weekday: 1, nth }] })),
  year: calendar((year) => ({ years: [year] })),
  periods: calendar((n) => ({ every: { unit: 'day', n }, anchor: '2026-01-01' })),
  expressionLength: {
    probe: (count) => nextDue({ kind: 'cron', expression: cronText(count), timezone: 'UTC' }, '2026-11-30T08:00:00Z'),
  },
  ruleLength: {
    probe: (count) => {
      const head = 'FREQ=DAILY;BYHOUR=3;BYMINUTE=';
      const padded = head + numbers(count - head.length);
      return nextDue(
        { kind: 'rrule', dtstart: '2026-01-01T03:00:00', timezone: 'UTC', rule: padded },
        '2026-11-30T08:00:00Z',
      );
    },
  },
  ruleInterval: rule((n) => `FREQ=DAILY;INTERVAL=${n}`),
  ruleCount: rule((n) => `FREQ=DAILY;COUNT=${n}`),
  yearDay: rule((n) => `FREQ=YEARLY;BYYEARDAY=${n}`),
  weekNumber: rule((n) => `FREQ=YEARLY;BYWEEKNO=${n}`),
  nthInYear: rule((n) => `FREQ=YEARLY;BYDAY=${n}MO`),
  setPosition: rule((n) => `FREQ=YEARLY;BYDAY=MO;BYSETPOS=${n}`),
};

async function isTaken(probe: Probe, count: number, schedules: Schedules): Promise<boolean> {
  try {
    await probe(count, schedules);
    return true;
  } catch (error) {
    if (!isScheduleError(error)) throw error;
    // The form was taken; that the host has no such provider is another rule.
    if (error.code === 'SCHEDULE_PROVIDER_DENIED') return true;
    expect(['SCHEDULE_DECLARATION_INVALID', 'SCHEDULE_CONFIG_INVALID']).toContain(error.code);
    return false;
  }
}

function probed(limits: Readonly<Record<string, NumberLimit>>, rows: Readonly<Record<string, Row>>) {
  return Object.entries(rows).flatMap(([name, row]) =>
    'probe' in row ? [[name, limits[name] as NumberLimit, row] as const] : [],
  );
}

describe('a limit', () => {
  it.each([...probed(LIMITS, ROWS), ...probed(TRIGGER_LIMITS, TRIGGER_ROWS)])(
    '[DE-7, DE-11] %s is kept: one below and the limit are taken, one above is refused',
    async (_name, { min, max }, { probe, step = 1, least }) => {
      const schedules = await openSchedules({ workspace: memoryWorkspace(), execution: scriptedExecution() });
      const taken = async (count: number) => isTaken(probe, count, schedules);
      expect([await taken(max - step), await taken(max), await taken(max + step)]).toEqual([true, true, false]);
      if (least === 'too') expect([await taken(min), await taken(min - step)]).toEqual([true, false]);
      await schedules.close();
    },
  );
});

describe('the numbers', () => {
  it('[DE-7, DE-11] are those that the rules name', () => {
    const most = Object.fromEntries(Object.entries(LIMITS).map(([name, { max }]) => [name, max]));
    expect(most).toMatchObject({
      idLength: 128,
      requestIdLength: 64,
      objectiveLength: 2000,
      documentBytes: 2 ** 20,
      documentDepth: 64,
      declarationBytes: 2 ** 16,
      providerLength: 64,
      providers: 64,
      graceSeconds: 86_400,
      maxCatchUp: 100,
      maxOccurrences: 100_000,
      maxAttempts: 20,
      maxRepeatedFailures: 20,
      maxElapsedSeconds: 604_800,
      timeoutPerStageSeconds: 86_400,
      backoffInitialSeconds: 86_400,
      backoffFactor: 10,
      maxLatenessSeconds: 31_536_000,
      pauseAfterFailures: 1000,
      labels: 32,
      labelKeyLength: 64,
      labelValueLength: 256,
      calendars: 64,
      listLength: 400,
      textLength: 2000,
      resultBytes: 2 ** 16,
      previewCount: 1000,
      admissionsPerCommit: 1000,
      pendingPerSchedule: 10_000,
      windowCount: 10_000,
    });
    expect(TRIGGER_LIMITS).toMatchObject({
      expressionLength: { max: 1000 },
      everySeconds: { max: 1e10 },
      year: { max: 2199 },
    });
  });
});

describe('a limit that is met elsewhere', () => {
  const others = Object.entries(ROWS).flatMap(([name, row]) => ('elsewhere' in row ? [[name, row.elsewhere]] : []));

  it.each(others)('[DE-7] %s has a test of this title: %s', (_name, title) => {
    expect(hasTitle(`] ${title}'`)).toBe(true);
  });
});

describe('limits of what a host configures', () => {
  const HOST: readonly (readonly [name: string, min: number, max: number, probe: Probe])[] = [
    ['concurrency', 1, 10_000, (concurrency, schedules) => schedules.owner({ concurrency })],
    ['drainSeconds', 0, 86_400, (drainSeconds, schedules) => schedules.owner({ drainSeconds })],
    [
      'evidence.keep.newest',
      1,
      100_000,
      async (newest) => (await fileWorkspace(emptyRoot(), { evidence: { keep: { newest } } })).close?.(),
    ],
  ];

  it.each(HOST)('[SF-2, OC-2] %s is refused out of its bounds', async (_name, min, max, probe) => {
    const schedules = await openSchedules({ workspace: memoryWorkspace(), execution: scriptedExecution() });
    const taken = (count: number) => isTaken(probe, count, schedules);
    expect([
      await taken(min - 1),
      await taken(min),
      await taken(max - 1),
      await taken(max),
      await taken(max + 1),
    ]).toEqual([false, true, true, true, false]);
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, '1']) expect(await taken(wrong as number)).toBe(false);
    await schedules.close();
  });
});

describe('what is not refused', () => {
  it('[DE-11] words of people are cut at their limit, visibly', async () => {
    const schedules = await openSchedules({ workspace: memoryWorkspace(), execution: scriptedExecution() });
    const { max } = LIMITS.textLength;
    for (const [length, kept] of [
      [max - 1, max - 1],
      [max, max],
      [max + 1, max],
    ] as const) {
      const { note } = await schedules.gate.pause({ note: text(length) });
      expect(note).toHaveLength(kept);
      expect(note?.endsWith('…')).toBe(length > max);
      await schedules.gate.resume();
    }
    await schedules.close();
  });

  it('[OC-12] a result of a handler is kept up to its limit, and is a fault beyond', async () => {
    const { max } = LIMITS.resultBytes;
    const sizes = [max - 1, max, max + 1];
    const execution = scriptedExecution(sizes.map((size) => succeeds(text(size - 2))));
    const clock = manualClock('2026-11-30T08:00:00Z');
    const schedules = await openSchedules({ workspace: memoryWorkspace(), execution, clock });
    const { id } = await schedules.create(GOOD as never);
    const ends: string[] = [];
    for (const size of sizes) {
      const { occurrence } = await schedules.trigger(id, { requestId: `r${size}` });
      await clock.runUntil(schedules.owner().tick());
      ends.push((await schedules.waitFor(occurrence)).status);
    }
    expect(ends).toEqual(['succeeded', 'succeeded', 'failed']);
    await schedules.close();
  });
});
