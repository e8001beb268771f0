/**
 * Declarations that clients draw: every kind of trigger, every policy, small budgets; few enough instants that a week of
 * them can be caught up with.
 */
import type { DeclarationInput } from '../../../src/codec/declaration-input.js';
import { epochMs, formatInstant } from '../../../src/core/time/instant.js';
import type { Random } from '../random.js';
import { PROVIDER } from './drawn-execution.js';

/** Name of the one calendar. */
export const CALENDAR = 'holidays';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** What a client can draw from. */
export interface Drawing {
  readonly random: Random;
  /** The wall clock of the client. */
  readonly nowMs: number;
  readonly ballast: number;
  /** True: the same dense due instants whoever draws, so that each revision has those of the one before. */
  readonly isRevised: boolean;
}

/** A whole declaration. */
export function drawDeclaration(id: string, drawing: Drawing): DeclarationInput & { readonly id: string } {
  const { random } = drawing;
  if (drawing.isRevised) return drawDense(id, drawing);
  const misfire = random.of(['skip', 'runOnce', 'catchUp'] as const);
  const maxRetries = random.of([0, 0, 1, 2]);
  return {
    id,
    objective: `Simulated ${random.between(1, 1000)}`,
    document: drawDocument(drawing),
    allowedProviders: [PROVIDER],
    ...drawDue(drawing, misfire === 'catchUp'),
    overlap: random.of(['queue', 'skip', 'coalesce'] as const),
    misfire,
    graceSeconds: random.of([0, 5, 60]),
    maxCatchUp: random.of([1, 3, 10]),
    maxOccurrences: random.of(['unlimited', 'unlimited', 100, 7] as const),
    maxRetries,
    budget: { maxAttempts: maxRetries + 1, maxElapsedSeconds: random.of([30, 3600]) },
    ...(random.chance(0.4) && maxRetries > 0
      ? { retryBackoff: { initialSeconds: random.between(1, 40), factor: 2, maxSeconds: 80 } }
      : {}),
    ...(random.chance(0.2) ? { maxLatenessSeconds: random.of([60, HOUR]) } : {}),
    ...(random.chance(0.15) ? { expiresAt: later(drawing, random.spread(MINUTE, 72 * HOUR)) } : {}),
    ...(random.chance(0.25) ? { concurrencyKey: 'shared' } : {}),
    ...(random.chance(0.2) ? { pauseAfterFailures: random.between(1, 3) } : {}),
  };
}

function drawDense(id: string, drawing: Drawing): DeclarationInput & { readonly id: string } {
  const { random } = drawing;
  return {
    id,
    objective: `Simulated ${random.between(1, 1000)}`,
    document: drawDocument(drawing),
    allowedProviders: [PROVIDER],
    trigger: { kind: 'interval', start: '2026-01-01T00:00:00Z', everySeconds: random.of([5, 10, 30]) },
    overlap: random.of(['queue', 'skip', 'coalesce'] as const),
    misfire: random.of(['skip', 'runOnce', 'catchUp', 'catchUp'] as const),
    graceSeconds: 5,
    maxCatchUp: 100,
    maxOccurrences: 'unlimited',
  };
}

/** A trigger, now and then with days that are left out and a spread. */
function drawDue(drawing: Drawing, isSparse: boolean): Pick<DeclarationInput, 'trigger' | 'exclude' | 'spreadSeconds'> {
  const { random } = drawing;
  const trigger = drawTrigger(drawing, isSparse);
  if (!random.chance(0.25) || trigger.kind === 'manual') return { trigger };
  const days = random.of([
    { weekdays: [5, 6] },
    { calendar: CALENDAR },
    { dates: [later(drawing, 86_400).slice(0, 10)] },
  ]);
  const zone = trigger.kind === 'cron' || trigger.kind === 'calendar' ? {} : { timezone: 'America/New_York' };
  return { trigger, exclude: { ...days, ...zone }, ...(random.chance(0.5) ? { spreadSeconds: 20 } : {}) };
}

/** Days of the named calendar. */
export function drawDates(drawing: Drawing): readonly string[] {
  const day = () => later(drawing, drawing.random.between(-2, 5) * 86_400).slice(0, 10);
  return drawing.random.of([[], [day()], [day(), day()]]);
}

/** A document, and now and then the same one again. */
export function drawDocument({ random, ballast }: Drawing): DeclarationInput['document'] {
  return {
    version: 'drawn/1',
    number: random.between(1, 20),
    ballast: 'y'.repeat(random.of([0, Math.min(ballast, 4000)])),
  };
}

/** A trigger; `isSparse`: one whose instants are all to be caught up with. */
export function drawTrigger(drawing: Drawing, isSparse: boolean): DeclarationInput['trigger'] {
  const { random } = drawing;
  const everySeconds = isSparse ? random.of([2 * HOUR, 5 * HOUR]) : random.of([7, 30, 45.5, 5 * MINUTE, HOUR]);
  switch (random.between(0, 5)) {
    case 0:
      return { kind: 'cron', expression: isSparse ? '7 */3 * * *' : '*/2 * * * *', timezone: 'UTC' };
    case 1:
      return { kind: 'calendar', hour: [2, 8, 14, 20], minute: 30, timezone: 'Europe/Berlin', gap: 'shift' };
    case 2:
      return { kind: 'once', at: later(drawing, random.spread(1, 48 * HOUR)) };
    case 3:
      return random.chance(0.5)
        ? { kind: 'manual' }
        : { kind: 'interval', start: later(drawing, 1), everySeconds, end: later(drawing, 20 * HOUR) };
    default:
      return { kind: 'interval', start: later(drawing, -random.between(0, 1000)), everySeconds };
  }
}

function later({ nowMs }: Drawing, seconds: number): string {
  return formatInstant(epochMs(nowMs + Math.round(seconds * 1000)));
}
