/**
 * Random triggers, declarations and controls for property tests, made with the caller's own fast-check.
 *
 * Everything that comes out is valid: a trigger compiles, a declaration passes its schema. fast-check is no dependency of
 * this package, so its types are told here by their shape; what comes out fits `fc.property` as its own arbitraries do.
 */
import type { DeclarationInput, TriggerInput } from '../codec/declaration-input.js';
import type { Control } from '../core/model/input.js';
import { LIMITS } from '../core/model/limits.js';
import { epochMs, formatInstant } from '../core/time/instant.js';

/** The members of fast-check that are used, version 3 or 4: pass the module itself. @public */
export type FastCheck = Readonly<
  Record<'constant' | 'constantFrom' | 'integer' | 'uniqueArray' | 'oneof' | 'record', (...args: never[]) => unknown>
>;

/** The shape of an arbitrary of fast-check; `generate` and `shrink` are fast-check's own affair. @public */
export interface Arbitrary<T> {
  /** See fast-check. */
  generate(...given: never[]): never;
  /** See fast-check. */
  canShrinkWithoutContext(value: unknown): value is T;
  /** See fast-check. */
  shrink(value: T, context: unknown): never;
  /** See fast-check. */
  filter<U extends T>(refinement: (value: T) => value is U): Arbitrary<U>;
  /** See fast-check. */
  filter(predicate: (value: T) => boolean): Arbitrary<T>;
  /** See fast-check. */
  map<U>(mapper: (value: T) => U, unmapper?: (value: unknown) => T): Arbitrary<U>;
  /** See fast-check. */
  chain<U>(chainer: (value: T) => Arbitrary<U>): Arbitrary<U>;
}

/** What {@link arbitraries} makes. @public */
export interface ArbitrarySet {
  /** An instant of the years 2020 to 2039 in whole seconds, ISO 8601 UTC. */
  readonly instant: Arbitrary<string>;
  /** Any trigger that compiles: once, interval, calendar or cron; it may have no due instant left. */
  readonly trigger: Arbitrary<TriggerInput>;
  /** A cron expression of five fields. */
  readonly cron: Arbitrary<string>;
  /** A declaration with a document of kind `sample/1` and the provider `sample`. */
  readonly declaration: Arbitrary<DeclarationInput>;
  /** A control of a schedule that exists; what it names may not, and it may be refused. */
  readonly control: Arbitrary<Control>;
}

/** The members of {@link FastCheck}, as they are used. */
interface Maker {
  constant<T>(value: T): Arbitrary<T>;
  constantFrom<T>(...values: readonly T[]): Arbitrary<T>;
  integer(bounds: { min: number; max: number }): Arbitrary<number>;
  uniqueArray<T>(of: Arbitrary<T>, bounds: { minLength: number; maxLength: number }): Arbitrary<T[]>;
  oneof<T>(...of: readonly Arbitrary<T>[]): Arbitrary<T>;
  record<T>(of: { readonly [K in keyof T]: Arbitrary<T[K]> }, options?: { requiredKeys: (keyof T)[] }): Arbitrary<T>;
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
  return { instant, cron, trigger, declaration: declarationOf(fc, trigger), control: controlOf(fc) };
}

function triggerOf(fc: Maker, instant: Arbitrary<string>, cron: Arbitrary<string>): Arbitrary<TriggerInput> {
  const timezone = fc.constantFrom<string>(...ZONES);
  const once = instant.map((at): TriggerInput => ({ kind: 'once', at }));
  const interval = fc
    .record({ start: instant, everySeconds: fc.integer({ min: 1, max: 5_000_000 }) })
    .map((fields): TriggerInput => ({ kind: 'interval', ...fields }));
  const byCron = fc.record({ expression: cron, timezone }).map((fields): TriggerInput => ({ kind: 'cron', ...fields }));
  return fc.oneof<TriggerInput>(once, interval, byCron, calendarOf(fc, timezone));
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

function declarationOf(fc: Maker, trigger: Arbitrary<TriggerInput>): Arbitrary<DeclarationInput> {
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
    maxLatenessSeconds: within(LIMITS.maxLatenessSeconds),
    pauseAfterFailures: within(LIMITS.pauseAfterFailures),
  } as { readonly [K in keyof DeclarationInput]: Arbitrary<DeclarationInput[K]> };
  return fc.record<DeclarationInput>(fields as Required<typeof fields>, {
    requiredKeys: ['objective', 'document', 'trigger'],
  });
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
