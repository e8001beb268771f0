/**
 * The clock of the machine: the only place of the package that asks the host for the time.
 *
 * Keeps clauses C-1 to C-4 of the clock port. A sleeping owner keeps its process alive, so no timer is unreferenced.
 */
import type { EpochMs } from '../core/time/instant.js';
import { isScheduleError, ScheduleError } from '../errors.js';
import type { Clock } from '../ports/clock.js';
import type { CallOptions } from '../ports/schedule-store.js';

/** Longest wait that a timer of the host can hold, in milliseconds (C-4). */
const LONGEST_SLEEP_MS = 2_147_483_647;

/**
 * A clock that tells the machine's time and waits with its timers.
 *
 * @remarks `sleep` rejects with `SCHEDULE_ABORTED` when its signal fires, and with `SCHEDULE_DECLARATION_INVALID` for a
 * wait outside of 0..2147483647 milliseconds.
 * @public
 */
export function systemClock(): Clock {
  return { capabilities: { isVirtual: false }, now, monotonic, sleep };
}

function now(): EpochMs {
  return Date.now() as EpochMs;
}

function monotonic(): number {
  return performance.now();
}

async function sleep(ms: number, options: CallOptions = {}): Promise<void> {
  refuseBadWait(ms);
  const until = monotonic() + ms;
  let left = ms;
  do {
    await timer(Math.ceil(left), options.signal);
    // A timer may fire a fraction of a millisecond early; nobody is told before the time has passed (C-3).
    left = until - monotonic();
  } while (left > 0);
}

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(aborted(signal));
    const wake = () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const handle = setTimeout(wake, ms);
    function stop(): void {
      clearTimeout(handle);
      reject(aborted(signal));
    }
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** The reason of the signal where that says so already: an error is dear, and a timer is stopped often. */
function aborted(signal: AbortSignal | undefined): ScheduleError {
  const reason: unknown = signal?.reason;
  if (isScheduleError(reason, 'SCHEDULE_ABORTED')) return reason;
  return new ScheduleError('SCHEDULE_ABORTED', 'A wait was given up because its signal fired.', {
    cause: reason,
  });
}

function refuseBadWait(ms: number): void {
  if (ms >= 0 && ms <= LONGEST_SLEEP_MS) return;
  const message = `must be 0..${LONGEST_SLEEP_MS} milliseconds`;
  throw new ScheduleError('SCHEDULE_DECLARATION_INVALID', `A clock was asked to wait ${ms} ms; the wait ${message}.`, {
    details: { issues: [{ path: 'ms', rule: 'C-4', message, found: String(ms) }] },
    hint: 'Wait in several steps.',
  });
}
