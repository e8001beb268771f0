/**
 * Random declarations, each once for the code under test and once for the naive reference.
 */
import fc from 'fast-check';
import type { Declaration } from '../../src/core/model/declaration.js';
import type { Trigger } from '../../src/core/model/trigger.js';
import { epochMs, formatInstant } from '../../src/core/time/instant.js';
import { every, MINUTE, SECOND, T0 } from '../support/builders.js';
import type { MachineRules } from './reference-machine.js';

/** No run of a model reaches this far. */
const END_OF_TIME = T0 + 2000 * MINUTE;

/** Choices that a declaration is made of; instants are relative to the time at which it is used. */
export interface Config {
  readonly trigger: 'interval' | 'once' | 'manual';
  readonly everySeconds: number;
  readonly startSeconds: number;
  readonly endSeconds: number | undefined;
  readonly overlap: Declaration['overlap'];
  readonly misfire: Declaration['misfire'];
  readonly graceSeconds: number;
  readonly maxCatchUp: number;
  readonly maxOccurrences: Declaration['maxOccurrences'];
  readonly maxLatenessSeconds: number | undefined;
  readonly expiresSeconds: number | undefined;
  readonly maxRetries: number;
  readonly maxRepeatedFailures: number;
  readonly backoffSeconds: number | undefined;
  readonly pauseAfterFailures: number | undefined;
}

const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 });

export const configs: fc.Arbitrary<Config> = fc.record({
  trigger: fc.oneof(
    { weight: 12, arbitrary: fc.constant('interval' as const) },
    { weight: 1, arbitrary: fc.constantFrom('once' as const, 'manual' as const) },
  ),
  everySeconds: fc.constantFrom(20, 60, 75, 300),
  startSeconds: fc.integer({ min: -200, max: 200 }),
  endSeconds: fc.option(fc.integer({ min: 0, max: 3000 }), { nil: undefined, freq: 4 }),
  overlap: fc.constantFrom('queue', 'skip', 'coalesce'),
  misfire: fc.constantFrom('skip', 'runOnce', 'catchUp'),
  graceSeconds: fc.constantFrom(0, 30, 60, 600),
  maxCatchUp: fc.integer({ min: 1, max: 5 }),
  maxOccurrences: fc.oneof(fc.constant('unlimited' as const), fc.integer({ min: 1, max: 12 })),
  maxLatenessSeconds: rarely(fc.constantFrom(0, 45, 300, 900)),
  expiresSeconds: fc.option(fc.integer({ min: 1, max: 4000 }), { nil: undefined, freq: 4 }),
  maxRetries: fc.integer({ min: 0, max: 2 }),
  maxRepeatedFailures: fc.integer({ min: 1, max: 3 }),
  backoffSeconds: rarely(fc.constantFrom(0, 30, 400)),
  pauseAfterFailures: rarely(fc.integer({ min: 1, max: 3 })),
});

/** What changes in a declaration, for a registration at `now`. */
export function declared(config: Config, now: number): Partial<Declaration> {
  const { backoffSeconds, maxLatenessSeconds, expiresSeconds, pauseAfterFailures } = config;
  const retryBackoff = { initialSeconds: backoffSeconds ?? 0, factor: 2, maxSeconds: 500 };
  const changes: Partial<Declaration> = {
    trigger: triggerOf(config, now),
    overlap: config.overlap,
    misfire: config.misfire,
    graceSeconds: config.graceSeconds,
    maxCatchUp: config.maxCatchUp,
    maxOccurrences: config.maxOccurrences,
    maxRetries: config.maxRetries,
    budget: {
      maxAttempts: 3,
      maxRepeatedFailures: config.maxRepeatedFailures,
      maxElapsedSeconds: 700,
      timeoutPerStageSeconds: 60,
    },
    ...(backoffSeconds === undefined ? {} : { retryBackoff }),
    ...(maxLatenessSeconds === undefined ? {} : { maxLatenessSeconds }),
    ...(expiresSeconds === undefined ? {} : { expiresAt: formatInstant(epochMs(now + expiresSeconds * SECOND)) }),
    ...(pauseAfterFailures === undefined ? {} : { pauseAfterFailures }),
  };
  return changes;
}

function triggerOf(config: Config, now: number): Trigger {
  if (config.trigger === 'manual') return { kind: 'manual' };
  const start = epochMs(now + config.startSeconds * SECOND);
  if (config.trigger === 'once') return { kind: 'once', at: formatInstant(start) };
  if (config.endSeconds === undefined) return every(config.everySeconds, start);
  return every(config.everySeconds, start, epochMs(start + config.endSeconds * SECOND));
}

/** The same for the reference. */
export function referenceRules(config: Config, now: number): MachineRules {
  const ms = (seconds: number | undefined): number => (seconds ?? Number.POSITIVE_INFINITY) * SECOND;
  return {
    due: dueInstants(config, now),
    isManual: config.trigger === 'manual',
    isOnce: config.trigger === 'once',
    registeredAt: now,
    overlap: config.overlap,
    misfire: config.misfire,
    graceMs: ms(config.graceSeconds),
    maxCatchUp: config.maxCatchUp,
    maxOccurrences: config.maxOccurrences === 'unlimited' ? Number.POSITIVE_INFINITY : config.maxOccurrences,
    maxLatenessMs: ms(config.maxLatenessSeconds),
    expiresAt: now + ms(config.expiresSeconds),
    maxRetries: config.maxRetries,
    maxAttempts: 3,
    maxRepeatedFailures: config.maxRepeatedFailures,
    maxElapsedMs: ms(700),
    isBackoff: config.backoffSeconds !== undefined,
    pauseAfterFailures: config.pauseAfterFailures ?? Number.POSITIVE_INFINITY,
  };
}

/** Every due instant of a random declaration up to a time that no run reaches, in order. */
export function dueInstants(config: Config, now: number): readonly number[] {
  const start = now + config.startSeconds * SECOND;
  if (config.trigger === 'manual') return [];
  if (config.trigger === 'once') return [start];
  const end = Math.min(END_OF_TIME, start + (config.endSeconds ?? 1e9) * SECOND);
  const due: number[] = [];
  for (let at = start; at <= end; at += config.everySeconds * SECOND) due.push(at);
  return due;
}
