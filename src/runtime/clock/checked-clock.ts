/**
 * A clock that is held to its contract: what it says ends up in every record, and one that could not be read back would be
 * the end of the catalogue.
 */
import { type EpochMs, isInstant } from '../../core/time/instant.js';
import { ScheduleError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';

/** The clock; it throws `SCHEDULE_ADAPTER_BROKEN` where `now` or `monotonic` say what no clock says (C-1, C-2). @internal */
export function checkedClock(clock: Clock): Clock {
  return {
    capabilities: clock.capabilities,
    now(): EpochMs {
      const said: unknown = clock.now();
      if (isInstant(said)) return said;
      throw broken('now', said, 'whole milliseconds since 1970 in the years 1800..9999');
    },
    monotonic(): number {
      const said = clock.monotonic();
      if (Number.isFinite(said)) return said;
      throw broken('monotonic', said, 'milliseconds');
    },
    sleep: (ms, options) => clock.sleep(ms, options),
  };
}

function broken(member: string, said: unknown, must: string): ScheduleError {
  return new ScheduleError(
    'SCHEDULE_ADAPTER_BROKEN',
    `the clock said ${String(said)} where \`${member}\` must say ${must}; nothing was written`,
    { details: { member, said: String(said) }, hint: 'This is a fault of the clock that was given to openSchedules.' },
  );
}
