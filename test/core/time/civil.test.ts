/** Civil dates as integers, against the language's own calendar. */
import { describe, expect, it } from 'vitest';
import {
  civilOf,
  dateOf,
  dayIfReal,
  dayOf,
  daysInMonth,
  formatDate,
  monthOf,
  parseDate,
  weekdayOf,
  yearOf,
} from '../../../src/core/time/civil.js';

const DAY = 86_400_000;

describe('civil dates', () => {
  it('[TR-4] every day of the years 1799 to 2401 has the date, weekday and number that the language gives it', () => {
    const last = Date.UTC(2401, 11, 31) / DAY;
    for (let day = Date.UTC(1799, 0, 1) / DAY; day <= last; day += 1) {
      const date = new Date(day * DAY);
      const civil = civilOf(day);
      const same =
        yearOf(civil) === date.getUTCFullYear() &&
        monthOf(civil) === date.getUTCMonth() + 1 &&
        dateOf(civil) === date.getUTCDate() &&
        weekdayOf(day) === (date.getUTCDay() + 6) % 7 &&
        dayOf(yearOf(civil), monthOf(civil), dateOf(civil)) === day;
      if (!same) expect.fail(`${date.toISOString()} is day ${day}`);
    }
  });

  it('[DE-2] far years keep their dates', () => {
    for (const text of ['0001-01-01', '1582-10-15', '9999-12-31', '4000-02-29']) {
      expect(parseDate(text)).toBe(Date.parse(`${text}T00:00:00Z`) / DAY);
      expect(formatDate(parseDate(text) as number)).toBe(text);
    }
  });

  it('[TR-4] months have their lengths, also over the century', () => {
    expect(Array.from({ length: 12 }, (_, i) => daysInMonth(2023, i + 1))).toEqual([
      31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31,
    ]);
    expect([1900, 2000, 2024, 2100, 2400].map((year) => daysInMonth(year, 2))).toEqual([28, 29, 29, 28, 29]);
  });

  it.each([
    [2023, 2, 29],
    [2100, 2, 29],
    [2024, 4, 31],
    [2024, 0, 1],
    [2024, 13, 1],
    [2024, 1, 0],
    [0, 1, 1],
  ])('[TR-4] %i-%i-%i does not exist', (year, month, day) => {
    expect(dayIfReal(year, month, day)).toBeUndefined();
  });

  it.each(['2024-1-01', '2024-01-1', '24-01-01', '2024-02-30', '2024-01-01T00:00', ' 2024-01-01', '2024/01/01', ''])(
    '[TR-4] %j is no date',
    (text) => {
      expect(parseDate(text)).toBeUndefined();
    },
  );
});
