/**
 * The two ways in which the owner lock refuses: somebody else has it, or it is no longer ours.
 */
import { formatInstant } from '../../core/time/instant.js';
import { ScheduleError } from '../../errors.js';
import type { OwnerReport } from '../../ports/owner-lock.js';

/**
 * `SCHEDULE_LOCK_HELD`, with who holds it and since when; `isHeldHere`: an owner of this very process does.
 *
 * @internal
 */
export function lockHeld(
  report: OwnerReport | undefined,
  isHeldHere: boolean,
  self: { readonly pid: number; readonly host: string },
): ScheduleError {
  const isThisProcess = isHeldHere || (report?.pid === self.pid && report.host === self.host);
  const details = { isThisProcess, ...(report === undefined ? {} : factsOf(report)) };
  if (isThisProcess) {
    const since = report === undefined ? '' : `, since ${formatInstant(report.since)}`;
    const message = `This process (${self.pid}) owns this catalogue already${since}; one owner at a time can run.`;
    const hint = 'Let the one that runs do the work, or stop it first; start, run and tick each take the lock.';
    return new ScheduleError('SCHEDULE_LOCK_HELD', message, { details, hint });
  }
  const hint = 'Stop that owner first, or let it do the work.';
  const who =
    report === undefined
      ? '; it has not said who it is.'
      : `: process ${report.pid} on ${report.host}, since ${formatInstant(report.since)}.`;
  return new ScheduleError('SCHEDULE_LOCK_HELD', `Another owner holds this catalogue${who}`, { details, hint });
}

function factsOf({ pid, host, epoch, since, lastTickAt }: OwnerReport) {
  return { pid, host, epoch, since: formatInstant(since), lastTickAt: formatInstant(lastTickAt) };
}

/** `SCHEDULE_LOCK_LOST`: whatever took the lock away, this process commits and dispatches nothing more. @internal */
export function lockLost(epoch: number): ScheduleError {
  const message = `This owner (epoch ${epoch}) is no longer the owner of the catalogue: its lock was taken away.`;
  return new ScheduleError('SCHEDULE_LOCK_LOST', message, {
    details: { epoch },
    hint: 'What it ran is recorded as interrupted by the next owner. Look at what replaced or removed the lock.',
  });
}
