/**
 * The two ways in which the owner lock refuses: somebody else has it, or it is no longer ours.
 */
import { formatInstant } from '../../core/time/instant.js';
import { ScheduleError } from '../../errors.js';
import type { OwnerReport } from '../../ports/owner-lock.js';

/** `SCHEDULE_LOCK_HELD`, with who holds it and since when. @internal */
export function lockHeld(report: OwnerReport | undefined): ScheduleError {
  if (report === undefined) {
    return new ScheduleError('SCHEDULE_LOCK_HELD', 'Another owner holds this catalogue; it has not said who it is.', {
      hint: 'Stop that owner first, or let it do the work.',
    });
  }
  const { pid, host, epoch, since, lastTickAt } = report;
  const message = `Another owner holds this catalogue: process ${pid} on ${host}, since ${formatInstant(since)}.`;
  return new ScheduleError('SCHEDULE_LOCK_HELD', message, {
    details: { pid, host, epoch, since: formatInstant(since), lastTickAt: formatInstant(lastTickAt) },
    hint: 'Stop that owner first, or let it do the work.',
  });
}

/** `SCHEDULE_LOCK_LOST`: whatever took the lock away, this process commits and dispatches nothing more. @internal */
export function lockLost(epoch: number): ScheduleError {
  const message = `This owner (epoch ${epoch}) is no longer the owner of the catalogue: its lock was taken away.`;
  return new ScheduleError('SCHEDULE_LOCK_LOST', message, {
    details: { epoch },
    hint: 'What it ran is recorded as interrupted by the next owner. Look at what replaced or removed the lock.',
  });
}
