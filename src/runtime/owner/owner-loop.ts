/**
 * The two ways to spend a term: the loop of a supervised owner, and one tick from outside (OW-1, OW-3, OW-4, OW-6).
 *
 * Both do the same turns with the same durability; they differ in when they stop. A stop lets what runs end within the
 * drain limit. A forced end waits for nothing: what runs is interrupted work for the next owner.
 */
import { ScheduleError } from '../../errors.js';
import type { TickSummary } from './owner-parts.js';
import type { OwnerTerm } from './owner-term.js';

/** What ends a loop. @internal */
export interface LoopSignals {
  /** Asks for an orderly stop. */
  readonly stop: AbortSignal;
  /** Ends at once. */
  readonly force: AbortSignal;
}

/** Runs turns until it is told to stop; then ends the term. Rejects with what ended the owner otherwise. @internal */
export async function runLoop(term: OwnerTerm, signals: LoopSignals, onStarted: () => void): Promise<void> {
  await spend(term, signals, async () => {
    await term.raise();
    onStarted();
    while (!signals.stop.aborted) {
      const hasMore = await term.turn();
      if (!hasMore && !signals.stop.aborted) await term.rest();
    }
    await term.stop();
  });
}

/** Collects once, dispatches until nothing is ready, and waits for what it started; then ends the term. @internal */
export async function runTick(term: OwnerTerm, signals: LoopSignals): Promise<TickSummary> {
  await spend(term, signals, async () => {
    if (!term.hasWork()) return term.noteIdle();
    await term.raise();
    while ((await term.turn()) && !signals.stop.aborted);
    while ((await term.isAtWork()) && !signals.stop.aborted) {
      await term.restBusy();
      await term.look();
    }
    if (signals.stop.aborted) await term.stop();
    if (term.troubleError !== undefined) throw term.troubleError;
  });
  return term.summary();
}

/**
 * Does the work of a term and ends it in any case. A forced end does not wait for the work, and neither does a stop whose
 * drain limit is over and whose commits get no answer: what is not recorded then is for the next owner.
 */
async function spend(term: OwnerTerm, signals: LoopSignals, work: () => Promise<void>): Promise<void> {
  let giveUp = () => {};
  const givenUp = new Promise<void>((resolve) => {
    giveUp = () => {
      term.abandon();
      resolve();
    };
  });
  const stop = () => {
    term.limitStop(giveUp);
    term.wake();
  };
  const unheard = [hear(signals.stop, stop), hear(signals.force, giveUp)];
  let cause: unknown;
  try {
    await Promise.race([work(), givenUp]);
  } catch (error) {
    cause = error;
    throw error;
  } finally {
    for (const unhear of unheard) unhear();
    await term.end(cause);
  }
}

/** Calls back when a signal fires, or at once where it has fired; returns what ends that. */
function hear(signal: AbortSignal, fired: () => void): () => void {
  if (signal.aborted) fired();
  else signal.addEventListener('abort', fired, { once: true });
  return () => signal.removeEventListener('abort', fired);
}

/** Throws `SCHEDULE_ABORTED` where a signal has fired before anything was done. @internal */
export function refuseAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted !== true) return;
  throw new ScheduleError('SCHEDULE_ABORTED', `${what} was given up before it began, because its signal had fired.`, {
    cause: signal.reason,
  });
}
