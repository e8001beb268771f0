/**
 * Plays steps on schedules over any adapter, and tells what came of each.
 *
 * Everything around the adapter is the same for equal steps: the clock, the work, the names. So two adapters that keep their
 * contracts tell the same, and the one that differs is wrong: play on yours and on `memoryWorkspace()`, and compare. Whatever
 * the adapter, no attempt may be dispatched twice: the play rejects with an `AssertionError` where one is.
 */
import assert from 'node:assert/strict';
import type { DeclarationChanges, DeclarationInput } from '../../codec/declaration-input.js';
import { sha256Hex } from '../../codec/digest.js';
import { isScheduleError } from '../../errors.js';
import type { ExecutionRequest, ExecutionService } from '../../ports/execution-service.js';
import { type ManualClock, manualClock } from '../manual-clock.js';
import { fails, type ScriptedStep, scriptedExecution, succeeds } from '../scripted-execution.js';
import type { ClientStep, SeenRevision } from './client-step.js';

/** The time at which every play begins. @internal */
export const STEPS_START = '2026-01-05T08:00:00.000Z';

/** What stands around the adapter: hand it to `openSchedules` beside the workspace. @public */
export interface PlayedWorld {
  /** The time; it passes in `wait` steps alone. */
  readonly clock: ManualClock;
  /** The provider `sample`, for documents of kind `sample/1`: how an attempt ends follows from its occurrence and number. */
  readonly execution: ExecutionService;
}

/** The members of schedules that are called; those of `openSchedules` fit. @public */
export interface PlayedSchedules {
  /** See `Schedules`. */
  create(declaration: DeclarationInput, options: { readonly paused: boolean }): Promise<unknown>;
  /** See `Schedules`. */
  ensure(declaration: DeclarationInput & { readonly id: string }): Promise<unknown>;
  /** See `Schedules`. */
  update(
    id: string,
    changes: DeclarationChanges,
    options: { readonly revision: number; readonly pending?: 'withdraw' },
  ): Promise<unknown>;
  /** See `Schedules`. */
  pause(id: string, options: { readonly revision: number }): Promise<unknown>;
  /** See `Schedules`. */
  resume(
    id: string,
    options: { readonly revision: number; readonly missed?: 'skip' | 'runOnce' | 'catchUp' },
  ): Promise<unknown>;
  /** See `Schedules`. */
  cancel(id: string, options: { readonly revision: number }): Promise<unknown>;
  /** See `Schedules`. */
  delete(id: string, options: { readonly revision: number }): Promise<unknown>;
  /** See `Schedules`. */
  trigger(id: string, options: { readonly requestId: string }): Promise<unknown>;
  /** See `Schedules`. */
  rerun(id: string, occurrence: string, options: { readonly requestId: string }): Promise<unknown>;
  /** See `Schedules`. */
  stop(id: string, occurrence: string): Promise<unknown>;
  /** See `Schedules`. */
  resolve(
    id: string,
    occurrence: string,
    options: { readonly verdict: 'unknown'; readonly note: string },
  ): Promise<unknown>;
  /** See `Schedules`. */
  get(id: string): Promise<{
    readonly schedule: { readonly revision: number };
    readonly pending: readonly { readonly id: string }[];
    readonly history: readonly { readonly id: string }[];
  }>;
  /** See `Schedules`. */
  list(): Promise<{ readonly schedules: readonly { readonly id: string }[] }>;
  /** See `Schedules`. */
  readonly gate: { pause(): Promise<unknown>; resume(): Promise<unknown> };
  /** See `Schedules`. */
  owner(options?: { readonly collect: boolean }): { tick(): Promise<unknown> };
  /** See `Schedules`. */
  close(): Promise<void>;
}

/** What came of a step, as plain JSON values. @public */
export interface PlayedStep {
  /** What was done. */
  readonly step: ClientStep;
  /** The answer, or `{refused: code}` where the call was refused. */
  readonly answer: unknown;
  /** Every schedule with its pending work and its history, as it was then. */
  readonly schedules: readonly unknown[];
}

/**
 * Plays steps on the schedules that `open` opens, at the start and once more for each `restart`, with the same world each
 * time; they are closed at the end. Errors that are no `ScheduleError` reject the play.
 *
 * @public
 */
export async function playSteps(
  steps: readonly ClientStep[],
  open: (world: PlayedWorld) => Promise<PlayedSchedules>,
): Promise<readonly PlayedStep[]> {
  const { world, twice } = playedWorld();
  let schedules = await open(world);
  const played: PlayedStep[] = [];
  try {
    for (const step of steps) {
      if (step.call === 'restart') {
        await schedules.close();
        schedules = await open(world);
      }
      const answer = await answerOf(schedules, world, step);
      assert.deepEqual(twice, [], 'an attempt was dispatched twice');
      played.push(plain({ step, answer, schedules: await everything(schedules) }));
    }
  } finally {
    await schedules.close();
  }
  return played;
}

async function answerOf(schedules: PlayedSchedules, world: PlayedWorld, step: ClientStep): Promise<unknown> {
  try {
    return (await make(schedules, world, step)) ?? null;
  } catch (error) {
    if (isScheduleError(error)) return { refused: error.code };
    throw error;
  }
}

async function make(schedules: PlayedSchedules, { clock }: PlayedWorld, step: ClientStep): Promise<unknown> {
  switch (step.call) {
    case 'create':
      return await schedules.create(step.declaration, { paused: step.paused });
    case 'ensure':
      return await schedules.ensure(step.declaration);
    case 'update': {
      const { id, changes, pending } = step;
      const revision = await revisionOf(schedules, id, step.revision);
      return await schedules.update(id, changes, pending === undefined ? { revision } : { revision, pending });
    }
    case 'resume': {
      const { id, missed } = step;
      const revision = await revisionOf(schedules, id, step.revision);
      return await schedules.resume(id, missed === undefined ? { revision } : { revision, missed });
    }
    case 'pause':
    case 'cancel':
    case 'delete':
      return await schedules[step.call](step.id, { revision: await revisionOf(schedules, step.id, step.revision) });
    case 'trigger':
      return await schedules.trigger(step.id, { requestId: step.requestId });
    case 'rerun': {
      const { id, requestId } = step;
      return await schedules.rerun(id, await occurrenceAt(schedules, id, step.place), { requestId });
    }
    case 'stop':
      return await schedules.stop(step.id, await occurrenceAt(schedules, step.id, step.place));
    case 'resolve': {
      const occurrence = await occurrenceAt(schedules, step.id, step.place);
      return await schedules.resolve(step.id, occurrence, { verdict: 'unknown', note: 'played' });
    }
    case 'gate':
      return await (step.isPaused ? schedules.gate.pause() : schedules.gate.resume());
    case 'tick':
      // What waits first, then what is due: which of two that are ready at one instant runs first is a matter of timing.
      await clock.runUntil(schedules.owner({ collect: false }).tick());
      return await clock.runUntil(schedules.owner().tick());
    case 'wait':
      return await clock.advance(step.seconds * 1000);
    case 'restart':
      return undefined;
  }
}

async function revisionOf(schedules: PlayedSchedules, id: string, seen: SeenRevision): Promise<number> {
  const { revision } = (await schedules.get(id)).schedule;
  return seen === 'newest' ? revision : Math.max(1, revision - 1);
}

async function occurrenceAt(schedules: PlayedSchedules, id: string, place: number): Promise<string> {
  const { pending, history } = await schedules.get(id);
  return [...pending, ...history][place]?.id ?? `${id}~1~m~nobody`;
}

async function everything(schedules: PlayedSchedules): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const { id } of (await schedules.list()).schedules) {
    // A cursor is the store's own affair.
    const { pending, history, schedule } = await schedules.get(id);
    found.push({ schedule, pending, history });
  }
  return found;
}

function playedWorld(): { readonly world: PlayedWorld; readonly twice: readonly string[] } {
  const executed = new Set<string>();
  const twice: string[] = [];
  const planner = scriptedExecution([], { providers: ['sample'] });
  const execution: ExecutionService = {
    capabilities: planner.capabilities,
    providers: () => planner.providers(),
    plan: (request) => planner.plan(request),
    execute: async (request) => {
      const attempt = `${request.occurrence}#${request.attempt}`;
      if (executed.has(attempt)) twice.push(attempt);
      executed.add(attempt);
      return await scriptedExecution([endOf(request)]).execute(request);
    },
  };
  return { world: { clock: manualClock(STEPS_START), execution }, twice };
}

/** Of sixteen attempts, eleven succeed, four fail and may be tried again, and one fails for good. */
function endOf({ occurrence, attempt }: ExecutionRequest): ScriptedStep {
  const drawn = Number.parseInt(sha256Hex(`${occurrence}#${attempt}`).slice(0, 1), 16);
  if (drawn < 11) return succeeds({ drawn });
  return drawn < 15 ? fails(`odd${drawn}`) : fails('bad', { isRetryable: false });
}

/** As JSON, without fencing tokens: they are numbers of commits, and how many decisions share one is a matter of timing. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, member) => (key === 'fencingToken' ? undefined : member))) as T;
}
