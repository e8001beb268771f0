/**
 * Zone data that a host brings along, in place of the runtime's own (TR-10).
 *
 * What it answers is checked, since a search over nonsense would end nowhere: a source that throws, or whose answer
 * cannot be an offset, breaks its contract. That is told as one error, and this file is the one place that knows it: it
 * raises it, and turns it into data for whoever decides about a schedule (CO-4).
 */

import { isScheduleError, ScheduleError } from '../../errors.js';
import { foundText } from '../model/issue.js';
import { DAY_MS } from './civil.js';
import type { OffsetSource } from './zone-spans.js';

/**
 * Offsets of time zones, as of one release of the zone data. Names are decided by the table of the library (TR-9); a
 * source is asked about names in that table alone, spelled as there, and never about those that mean UTC for all time.
 *
 * @public
 */
export interface ZoneData {
  /** Names the release: what stands beside each next due instant. 1..128 characters. Equal versions give equal answers. */
  readonly version: string;
  /**
   * Local time minus UTC at an instant: whole seconds, given in milliseconds, at most 24 hours either way; `at` is in epoch
   * milliseconds.
   */
  offsetAt(zone: string, at: number): number;
  /**
   * The first instant after `after` at which the offset of a zone changes, in whole epoch milliseconds, or `undefined`
   * where it never does again. Absent: changes are found by sampling every three or six days.
   */
  nextChange?(zone: string, after: number): number | undefined;
}

/**
 * A zone whose data could not be read, and what was found.
 *
 * @public
 */
export interface ZoneFault {
  /** The zone, as the table of zone names spells it. */
  readonly zone: string;
  /** For people: what the source did. */
  readonly message: string;
}

/**
 * The offsets of one zone, checked. Throws `SCHEDULE_ADAPTER_BROKEN` where the source breaks its contract.
 *
 * @internal
 */
export function checkedSource(zone: string, zoneData: ZoneData): OffsetSource {
  const source: OffsetSource = {
    offsetAt: (at) => {
      const offset = ask(zoneData, zone, `the offset at ${at}`, () => zoneData.offsetAt(zone, at));
      // Zones are defined in whole seconds, so most offsets that are given in another unit are told by this.
      if (Number.isInteger(offset) && Math.abs(offset) <= DAY_MS && offset % 1000 === 0) return offset + 0;
      throw broken(zoneData, zone, `gave ${foundText(offset)} as the offset at ${at}, where ${OFFSET_UNIT} are wanted`);
    },
  };
  if (zoneData.nextChange === undefined) return source;
  return {
    ...source,
    nextChange: (after) => {
      const change = ask(zoneData, zone, `the change after ${after}`, () => zoneData.nextChange?.(zone, after));
      if (change === undefined || (Number.isInteger(change) && change > after)) return change;
      throw broken(zoneData, zone, `gave ${foundText(change)} as the change after ${after}`);
    },
  };
}

const OFFSET_UNIT = 'whole seconds in milliseconds, such as 3600000 for +01:00, at most 24 hours either way,';

function ask<T>(zoneData: ZoneData, zone: string, what: string, answer: () => T): T {
  try {
    return answer();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : foundText(cause);
    throw broken(zoneData, zone, `threw when asked for ${what}: ${reason}`, cause);
  }
}

function broken({ version }: ZoneData, zone: string, what: string, cause?: unknown): ScheduleError {
  const message = `the zone data ${foundText(version)} ${what}, for ${zone}`;
  return new ScheduleError('SCHEDULE_ADAPTER_BROKEN', message, {
    details: { zone, zoneData: version },
    hint: 'Mend the zone data that the host brings along, or leave it away: the runtime has its own.',
    ...(cause === undefined ? {} : { cause }),
  });
}

function faultOf(error: unknown): ZoneFault | undefined {
  if (!isScheduleError(error, 'SCHEDULE_ADAPTER_BROKEN')) return undefined;
  const { zone } = error.details;
  return typeof zone === 'string' ? { zone, message: error.message } : undefined;
}

/**
 * What `evaluate` answers. Where the data of a zone cannot be read, it is asked again with that zone among the faults, so
 * that it can answer without it.
 *
 * @internal
 */
export function knowingFaults<T>(evaluate: (faults: readonly ZoneFault[]) => T): T {
  const faults: ZoneFault[] = [];
  for (;;) {
    try {
      return evaluate(faults);
    } catch (error) {
      const fault = faultOf(error);
      if (fault === undefined || faults.some(({ zone }) => zone === fault.zone)) throw error;
      faults.push(fault);
    }
  }
}
