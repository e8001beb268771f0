/**
 * Random triggers, declarations, controls and sequences of calls for property tests, made with the caller's own fast-check.
 *
 * Everything that comes out is valid: a trigger compiles, a declaration passes its schema.
 */
import type { DeclarationInput, TriggerInput } from '../codec/declaration-input.js';
import type { Exclusion } from '../core/model/exclusion.js';
import type { Control } from '../core/model/input.js';
import { LIMITS } from '../core/model/limits.js';
import { epochMs, formatInstant } from '../core/time/instant.js';
import type { Arbitrary, FastCheck, Maker } from './fast-check.js';
import type { ClientStep } from './steps/client-step.js';
import { stepsOf } from './steps/step-arbitraries.js';

/** What {@link arbitraries} makes. @public */
export interface ArbitrarySet {
  /** An instant of the years 2020 to 2039 in whole seconds, ISO 8601 UTC. */
  readonly instant: Arbitrary<string>;
  /** Any trigger that compiles: once, interval, calendar, cron, rrule, or any of those; it may have no due instant left. */
  readonly trigger: Arbitrary<TriggerInput>;
  /** Days to leave out, with a zone for triggers that have none. */
  readonly exclusion: Arbitrary<Exclusion>;
  /** A cron expression of five fields. */
  readonly cron: Arbitrary<string>;
  /** A declaration with a document of kind `sample/1` and the provider `sample`; it may leave days out, and be spread. */
  readonly declaration: Arbitrary<DeclarationInput>;
  /** A control of a schedule that exists; what it names may not, and it may be refused. */
  readonly control: Arbitrary<Control>;
  /** What clients, an owner and time do to three schedules, 1 to 40 steps; some of it is refused. See `playSteps`. */
  readonly steps: Arbitrary<readonly ClientStep[]>;
}

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kolkata',
] as const;
const FIRST_SECOND = 1_577_836_800;
const LAST_SECOND = 2_208_988_799;

/**
 * Arbitraries made with the given fast-check: `arbitraries(fc).trigger`.
 *
 * @public
 */
export function arbitraries(fastCheck: FastCheck): ArbitrarySet {
  const fc = fastCheck as unknown as Maker;
  const instant = fc
    .integer({ min: FIRST_SECOND, max: LAST_SECOND })
    .map((second) => formatInstant(epochMs(second * 1000)));
  const cron = cronOf(fc);
  const trigger = triggerOf(fc, instant, cron);
  const exclusion = exclusionOf(fc, instant);
  const declaration = declarationOf(fc, trigger, exclusion);
  const steps = stepsOf(fc, declaration);
  return { instant, cron, trigger, exclusion, declaration, control: controlOf(fc), steps };
}

function triggerOf(fc: Maker, instant: Arbitrary<string>, cron: Arbitrary<string>): Arbitrary<TriggerInput> {
  const timezone = fc.constantFrom<string>(...ZONES);
  const once = instant.map((at): TriggerInput => ({ kind: 'once', at }));
  const interval = fc
    .record({ start: instant, everySeconds: fc.integer({ min: 1, max: 5_000_000 }) })
    .map((fields): TriggerInput => ({ kind: 'interval', ...fields }));
  const byCron = fc.record({ expression: cron, timezone }).map((fields): TriggerInput => ({ kind: 'cron', ...fields }));
  const plain = fc.oneof<TriggerInput>(
    once,
    interval,
    byCron,
    calendarOf(fc, timezone),
    rruleOf(fc, instant, timezone),
  );
  const anyOf = fc
    .uniqueArray(plain, { minLength: 1, maxLength: 4 })
    .map((of): TriggerInput => ({ kind: 'anyOf', of }));
  return fc.oneof<TriggerInput>(plain, plain, plain, anyOf);
}

function rruleOf(fc: Maker, instant: Arbitrary<string>, timezone: Arbitrary<string>): Arbitrary<TriggerInput> {
  const below = fc.constantFrom(
    'FREQ=HOURLY;BYHOUR=1,2,3',
    'FREQ=MINUTELY;BYMINUTE=0,30',
    'FREQ=SECONDLY;BYSECOND=0,59',
  );
  const daily = fc.constantFrom('FREQ=DAILY;BYMONTH=3,10', 'FREQ=WEEKLY;BYDAY=MO,SU', 'FREQ=WEEKLY;BYDAY=TU;WKST=WE');
  const longer = fc.constantFrom(
    'FREQ=MONTHLY;BYDAY=2TU,-1FR',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    'FREQ=MONTHLY;BYMONTHDAY=-1,31',
    'FREQ=YEARLY;BYWEEKNO=1,53;BYDAY=MO',
    'FREQ=YEARLY;BYYEARDAY=60,-1',
    'FREQ=YEARLY',
  );
  const interval = fc.integer({ min: 1, max: 50 }).map((n) => `;INTERVAL=${n}`);
  const count = fc.integer({ min: 1, max: 200 }).map((n) => `;COUNT=${n}`);
  const until = instant.map((at) => `;UNTIL=${at.slice(0, 19).replace(/[-:]/g, '')}`);
  const end = fc.oneof<string>(fc.constant(''), count, until);
  const local = instant.map((at) => at.slice(0, 19));
  const locals = fc.uniqueArray(local, { minLength: 1, maxLength: 3 });
  interface Fields {
    timezone: string;
    dtstart: string;
    parts: string;
    step: string;
    end: string;
    exdates?: string[];
    rdates?: string[];
  }
  return fc
    .record<Fields>(
      {
        timezone,
        dtstart: local,
        parts: fc.oneof(below, daily, longer),
        step: interval,
        end,
        exdates: locals,
        rdates: locals,
      } as { readonly [K in keyof Fields]: Arbitrary<Fields[K]> },
      { requiredKeys: ['timezone', 'dtstart', 'parts', 'step', 'end'] },
    )
    .map(
      ({ parts, step, end: last, ...fields }): TriggerInput => ({
        kind: 'rrule',
        rule: parts + step + last,
        ...fields,
      }),
    );
}

function exclusionOf(fc: Maker, instant: Arbitrary<string>): Arbitrary<Exclusion> {
  const date = instant.map((at) => at.slice(0, 10));
  const range = date.chain((from) => date.map((to) => (from < to ? `${from}/${to}` : `${to}/${from}`)));
  const dates = fc.uniqueArray(fc.oneof(date, date, range), { minLength: 1, maxLength: 4 });
  const weekdays = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 });
  const timezone = fc.constantFrom<string>(...ZONES);
  const byDates = fc.record({ dates, timezone });
  const byWeekdays = fc.record({ weekdays, timezone });
  return fc.oneof<Exclusion>(byDates, byWeekdays, fc.record({ dates, weekdays, timezone }));
}

/** The exclusion as it fits a trigger: without its zone where the trigger has one. */
function fitting({ timezone, ...days }: Exclusion, trigger: TriggerInput): Exclusion {
  return 'timezone' in trigger || timezone === undefined ? days : { ...days, timezone };
}

function calendarOf(fc: Maker, timezone: Arbitrary<string>): Arbitrary<TriggerInput> {
  const some = (min: number, max: number) => fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 });
  interface Fields {
    timezone: string;
    hour: number | number[];
    minute?: number;
    second?: number;
    weekdays?: number[];
    monthDays?: number[];
    months?: number[];
    gap?: 'skip' | 'shift';
  }
  return fc
    .record<Fields>(
      {
        timezone,
        hour: fc.oneof<number | number[]>(fc.integer({ min: 0, max: 23 }), some(0, 23)),
        minute: fc.integer({ min: 0, max: 59 }),
        second: fc.integer({ min: 0, max: 59 }),
        weekdays: some(0, 6),
        monthDays: some(1, 31),
        months: some(1, 12),
        gap: fc.constantFrom<'skip' | 'shift'>('skip', 'shift'),
      } as { readonly [K in keyof Fields]: Arbitrary<Fields[K]> },
      { requiredKeys: ['timezone', 'hour'] },
    )
    .map((fields): TriggerInput => ({ kind: 'calendar', ...fields }));
}

function cronOf(fc: Maker): Arbitrary<string> {
  const field = (min: number, max: number) => {
    const number = fc.integer({ min, max });
    const range = number.chain((from) => fc.integer({ min: from, max }).map((to) => `${from}-${to}`));
    const step = fc.integer({ min: 1, max: Math.max(1, Math.floor((max - min) / 2)) }).map((by) => `*/${by}`);
    const list = fc
      .uniqueArray(number, { minLength: 2, maxLength: 4 })
      .map((numbers) => numbers.sort((a, b) => a - b).join(','));
    return fc.oneof<string>(fc.constant('*'), number.map(String), range, step, list);
  };
  return fc
    .record({ minute: field(0, 59), hour: field(0, 23), day: field(1, 28), month: field(1, 12), weekday: field(0, 6) })
    .map(({ minute, hour, day, month, weekday }) => `${minute} ${hour} ${day} ${month} ${weekday}`);
}

function declarationOf(
  fc: Maker,
  trigger: Arbitrary<TriggerInput>,
  exclusion: Arbitrary<Exclusion>,
): Arbitrary<DeclarationInput> {
  const within = ({ min, max }: { readonly min: number; readonly max: number }) => fc.integer({ min, max });
  const objective = fc.constantFrom('Nightly report', 'Größe prüfen', '報告', 'x');
  const fields = {
    objective,
    document: fc.integer({ min: 0, max: 9 }).map((part) => ({ version: 'sample/1', part })),
    allowedProviders: fc.constant(['sample']),
    trigger,
    overlap: fc.constantFrom('queue', 'skip', 'coalesce'),
    misfire: fc.constantFrom('skip', 'runOnce', 'catchUp'),
    graceSeconds: within(LIMITS.graceSeconds),
    maxCatchUp: within(LIMITS.maxCatchUp),
    maxOccurrences: fc.oneof<number | 'unlimited'>(fc.constant('unlimited'), within(LIMITS.maxOccurrences)),
    maxRetries: fc.integer({ min: 0, max: LIMITS.maxAttempts.default - 1 }),
    exclude: exclusion,
    spreadSeconds: within(LIMITS.spreadSeconds),
    maxLatenessSeconds: within(LIMITS.maxLatenessSeconds),
    pauseAfterFailures: within(LIMITS.pauseAfterFailures),
  } as { readonly [K in keyof DeclarationInput]: Arbitrary<DeclarationInput[K]> };
  const made = fc.record<DeclarationInput>(fields as Required<typeof fields>, {
    requiredKeys: ['objective', 'document', 'trigger'],
  });
  return made.map(({ exclude, ...others }) =>
    exclude === undefined ? others : { ...others, exclude: fitting(exclude as Exclusion, others.trigger) },
  );
}

function controlOf(fc: Maker): Arbitrary<Control> {
  const by = fc.constantFrom('anna', 'ben');
  const expected = fc.integer({ min: 1, max: 4 }).map((revision) => ({ revision }));
  const guarded = fc
    .record({ kind: fc.constantFrom<'pause' | 'cancel' | 'delete'>('pause', 'cancel', 'delete'), expected, by })
    .map((control): Control => control);
  const resume = fc
    .record({ missed: fc.constantFrom<'skip' | 'runOnce' | 'catchUp'>('skip', 'runOnce', 'catchUp'), expected, by })
    .map((fields): Control => ({ kind: 'resume', ...fields }));
  const trigger = fc
    .record({ request: fc.integer({ min: 1, max: 9 }), isRequestKept: fc.constantFrom(true, false), by })
    .map(({ request, ...rest }): Control => ({ kind: 'trigger', requestId: `r${request}`, expected: {}, ...rest }));
  return fc.oneof<Control>(guarded, resume, trigger);
}
