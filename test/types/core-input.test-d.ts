/** What the core is asked about: as an author writes it, and no calendar trigger that could not be read. */
import { describe, expectTypeOf, it } from 'vitest';
import type { DeclarationInput } from '../../src/codec/declaration-input.js';
import { nextDue, preview, type Trigger, type TriggerInput } from '../../src/core/index.js';
import type { NamedCalendar } from '../../src/core/model/exclusion.js';

declare const declaration: DeclarationInput;
declare const stored: Trigger;
declare const calendars: Record<string, NamedCalendar>;

const UTC = { kind: 'calendar', timezone: 'UTC' } as const;

describe('types of what the core takes', () => {
  it('[TR-11, DE-2] a declaration as an author has it, a stored trigger, and instants in any usual form', () => {
    const calls = () => [
      preview(declaration, { from: new Date() }),
      nextDue(stored, { epochMilliseconds: 0 }),
      nextDue({ kind: 'once', at: new Date() }, new Date()),
      nextDue({ trigger: stored, exclude: { calendar: 'holidays', timezone: undefined } }, new Date(), { calendars }),
      nextDue('@daily', new Date(), { calendars: { holidays: { dates: ['2026-12-24'] } } }),
      // @ts-expect-error a number may be seconds or milliseconds
      nextDue('@daily', 0),
    ];
    expectTypeOf(calls).returns.toBeArray();
  });

  it('[TR-3, TR-4] a calendar has hours or listed times, and periods with their anchor', () => {
    const every = { unit: 'week', n: 2 } as const;
    const good: TriggerInput[] = [
      { ...UTC, hour: [9, 17], minute: 30 },
      { ...UTC, times: ['09:00'], hour: undefined, every: undefined },
      { ...UTC, hour: 9, every, anchor: '2026-11-30' },
    ];
    expectTypeOf(good).toBeArray();
    // @ts-expect-error it says no time of day
    expectTypeOf({ ...UTC, weekdays: [0] }).toExtend<TriggerInput>();
    // @ts-expect-error it says them twice
    expectTypeOf({ ...UTC, hour: 9, times: ['09:00'] }).toExtend<TriggerInput>();
    // @ts-expect-error minutes stand beside hours
    expectTypeOf({ ...UTC, minute: 9, times: ['09:00'] }).toExtend<TriggerInput>();
    // @ts-expect-error a period counts from somewhere
    expectTypeOf({ ...UTC, hour: 9, every }).toExtend<TriggerInput>();
    // @ts-expect-error an anchor is that of a period
    expectTypeOf({ ...UTC, hour: 9, anchor: '2026-11-30' }).toExtend<TriggerInput>();
  });
});
