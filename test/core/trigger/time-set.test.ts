/** Every second of a day against a plain list of the wanted times. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  combinedTimes,
  listedTimes,
  sixtySet,
  wantedTimeFrom,
  wantedTimeUntil,
} from '../../../src/core/trigger/pattern/time-set.js';

const DAY_SECONDS = 86_400;

/** Some numbers below a bound, at least one; single ones, the first and the last come often. */
function some(below: number) {
  return fc.oneof(
    fc.constantFrom(
      [0],
      [below - 1],
      [0, below - 1],
      [29, 30].map((value) => value % below),
    ),
    fc.uniqueArray(fc.integer({ min: 0, max: below - 1 }), { minLength: 1, maxLength: below }),
  );
}

function wanted(hours: readonly number[], minutes: readonly number[], seconds: readonly number[]): readonly number[] {
  const times = hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => hour * 3600 + minute * 60 + second)),
  );
  return times.sort((a, b) => a - b);
}

/** Seconds for which the answer is another one than the list gives. */
function wrongAnswers(times: readonly number[], answer: { from(time: number): number; until(time: number): number }) {
  const wrong: number[] = [];
  let passed = 0;
  for (let time = 0; time < DAY_SECONDS; time += 1) {
    while (passed < times.length && (times[passed] as number) < time) passed += 1;
    const from = times[passed] ?? -1;
    const until = from === time ? time : (times[passed - 1] ?? -1);
    if (answer.from(time) !== from || answer.until(time) !== until) wrong.push(time);
  }
  return wrong;
}

describe('times of day', () => {
  it('[TR-1, TR-3] combined: the first wanted time from a second on, and the last one until it', () => {
    fc.assert(
      fc.property(some(24), some(60), some(60), (hours, minutes, seconds) => {
        const bits = hours.reduce((set, hour) => set | (1 << hour), 0);
        const set = combinedTimes(bits, sixtySet(minutes), sixtySet(seconds));
        const answer = { from: (t: number) => wantedTimeFrom(set, t), until: (t: number) => wantedTimeUntil(set, t) };
        expect(wrongAnswers(wanted(hours, minutes, seconds), answer)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('[TR-1, TR-3] listed: the same', () => {
    const some = fc.uniqueArray(fc.integer({ min: 0, max: DAY_SECONDS - 1 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(some, (times) => {
        const list = [...times].sort((a, b) => a - b);
        const set = listedTimes(list);
        const answer = { from: (t: number) => wantedTimeFrom(set, t), until: (t: number) => wantedTimeUntil(set, t) };
        expect(wrongAnswers(list, answer)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});
