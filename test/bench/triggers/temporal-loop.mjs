/**
 * A plain search with `Temporal`, as one would write it in an afternoon: from field to field, for five-field cron texts.
 * Native where the runtime has it, else the smallest polyfill.
 */
import { Temporal as polyfill } from 'temporal-polyfill';
import { fieldBits } from './bound.mjs';

const Temporal = globalThis.Temporal ?? polyfill;

/** Which `Temporal` it is. */
export const TEMPORAL = globalThis.Temporal === undefined ? 'plain temporal-polyfill' : 'plain Temporal (native)';

function values(text, low, high) {
  const bits = text === 'L' ? 0n : fieldBits(text, low, high);
  return Array.from({ length: high + 1 }, (_, value) => value).filter((value) => (bits >> BigInt(value)) & 1n);
}

/** A function from an instant to the next due one, in epoch milliseconds. */
export function temporalLoop(expression, timezone) {
  const texts = expression.split(' ');
  const minutes = values(texts[0], 0, 59);
  const hours = values(texts[1], 0, 23);
  const dates = values(texts[2], 1, 31);
  const months = values(texts[3], 1, 12);
  const weekdays = values(texts[4], 0, 6);
  const isDay = (at) =>
    (texts[2] === 'L' ? at.day === at.daysInMonth : dates.includes(at.day)) && weekdays.includes(at.dayOfWeek % 7);
  return (after) => {
    let at = Temporal.Instant.fromEpochMilliseconds(after)
      .toZonedDateTimeISO(timezone)
      .round({ smallestUnit: 'minute', roundingMode: 'floor' })
      .add({ minutes: 1 });
    while (at.year < 2200) {
      const hour = hours.find((wanted) => wanted >= at.hour);
      const minute = minutes.find((wanted) => wanted >= at.minute);
      if (!months.includes(at.month)) at = at.with({ day: 1 }).add({ months: 1 }).startOfDay();
      else if (!isDay(at) || hour === undefined) at = at.add({ days: 1 }).startOfDay();
      else if (hour > at.hour) at = at.with({ hour, minute: 0 });
      else if (minute === undefined) at = at.with({ minute: 0 }).add({ hours: 1 });
      else if (minute > at.minute) at = at.add({ minutes: minute - at.minute });
      else return at.epochMilliseconds;
    }
    return undefined;
  };
}
