/** What the core is asked about: as an author writes it, also where code puts it together. */
import { describe, expectTypeOf, it } from 'vitest';
import type { DeclarationInput } from '../../src/codec/declaration-input.js';
import { type CalendarTrigger, nextDue, preview, type Trigger, type TriggerInput } from '../../src/core/index.js';
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

  it('[TR-3, TR-4] a calendar trigger that code puts together from parts', () => {
    const every = { unit: 'week', n: 2 } as const;
    const made = (isOther: boolean, rest: Partial<CalendarTrigger>): TriggerInput[] => [
      { ...UTC, hour: [9, 17], minute: 30 },
      { ...UTC, times: ['09:00'], hour: undefined, every: undefined },
      { ...UTC, hour: 9, ...(isOther ? { every, anchor: '2026-11-30' } : {}) },
      { ...UTC, ...(isOther && { hour: 9 }), ...(!isOther && { times: ['09:00'] }) },
      { ...UTC, hour: 9, ...rest },
    ];
    const whole = (rest: Omit<CalendarTrigger, 'kind'>): Trigger => ({ kind: 'calendar', ...rest });
    expectTypeOf(made).returns.toBeArray();
    expectTypeOf(whole).returns.toEqualTypeOf<Trigger>();
  });
});
