/** Declarations are accepted as hosts have them: documents of interface types, and optional members that are undefined. */
import { describe, expectTypeOf, it } from 'vitest';
import { handler } from '../../src/adapters/in-process/provider.js';
import type { DeclarationInput } from '../../src/codec/declaration-input.js';
import type { Schedules } from '../../src/runtime/client/face.js';
import type { ScheduleView } from '../../src/runtime/client/view.js';

interface Report {
  version: 'report/1';
  customer: string;
  pages?: number;
}

interface Summary {
  rows: number;
}

declare const schedules: Schedules;
declare const report: Report;
declare const isKnown: boolean;

const trigger = { kind: 'cron', expression: '0 2 * * *', timezone: 'Europe/Berlin' } as const;

describe('types of declarations', () => {
  it('[DE-12, DE-2] a union takes instants in any usual form, and what is left out is cleared by null', () => {
    const calls = () => [
      schedules.create({
        objective: 'b',
        document: report,
        trigger: { kind: 'anyOf', of: [trigger, { kind: 'once', at: new Date(0) }] },
        exclude: { calendar: isKnown ? 'holidays' : undefined, dates: ['2026-12-24'], timezone: 'Europe/Berlin' },
        spreadSeconds: isKnown ? 60 : undefined,
      }),
      schedules.update('a', { exclude: null, spreadSeconds: null }, { revision: 1 }),
    ];
    expectTypeOf(calls).returns.toBeArray();
  });

  it('[DE-10] a document of an interface type is accepted by every call', () => {
    const declaration: DeclarationInput<Report> & { id: string } = {
      id: 'a',
      objective: 'b',
      document: report,
      trigger,
    };
    const calls = () => [
      schedules.create(declaration),
      schedules.create({ objective: 'b', document: report, trigger }),
      schedules.ensure(declaration),
      schedules.preview(declaration),
      schedules.update('a', { document: report }, { revision: 1 }),
    ];
    expectTypeOf(calls).returns.toBeArray();
    expectTypeOf(schedules.create<Report>).returns.resolves.toEqualTypeOf<ScheduleView>();
  });

  it('[DE-1] an optional member may be undefined, an unknown one not there', () => {
    const text = isKnown ? '2027-01-01T00:00:00Z' : undefined;
    const budget = { maxAttempts: isKnown ? 3 : undefined };
    const declaration = {
      objective: 'b',
      document: report,
      expiresAt: text,
      budget,
      trigger: { ...trigger, end: text },
    };
    const calls = () => [
      schedules.create(declaration, { paused: isKnown ? true : undefined, signal: undefined }),
      schedules.list({ label: isKnown ? 'a' : undefined }),
      schedules.update('a', { labels: undefined }, { revision: 1 }),
      // @ts-expect-error there is no such member
      schedules.create({ objective: 'b', document: report, trigger, overlapp: 'skip' }),
    ];
    expectTypeOf(calls).returns.toBeArray();
  });

  it('[OC-12] a handler may return a value of an interface type', () => {
    expectTypeOf(handler({ run: (): Summary => ({ rows: 1 }) }).run).toBeFunction();
    expectTypeOf(handler({ run: async (): Promise<Summary | undefined> => undefined }).run).toBeFunction();
  });
});
