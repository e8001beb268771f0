/**
 * The schema of a trigger, for its JSON Schema alone: the core reads triggers itself, without a library (TR).
 *
 * What JSON Schema cannot say (zones, cron grammar, dates that exist) is left to the core; a test holds both against
 * each other on the same triggers.
 */
import { z } from 'zod';
import { LIMITS } from '../../core/model/limits.js';
import { instantSchema } from './declaration-schema.js';

const list = <T extends z.ZodType>(item: T) => z.array(item).min(1).max(LIMITS.listLength.max);
const range = (min: number, max: number) => z.int().min(min).max(max);
const oneOrList = (min: number, max: number) => z.union([range(min, max), list(range(min, max))]);
const counted = (most: number) => z.union([range(1, most), range(-most, -1)]);

const zone = z.string().min(1).describe('IANA name of a time zone or link, in any case of letters');
const date = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const gap = z.enum(['skip', 'shift']).default('skip');
const bounds = { start: instantSchema.optional(), end: instantSchema.optional() };

const once = z.strictObject({ kind: z.literal('once'), at: instantSchema });

const interval = z.strictObject({
  kind: z.literal('interval'),
  start: instantSchema,
  everySeconds: z.number().min(0.001).max(10_000_000_000),
  end: instantSchema.optional(),
});

const calendar = z.strictObject({
  kind: z.literal('calendar'),
  timezone: zone,
  hour: oneOrList(0, 23).optional(),
  minute: oneOrList(0, 59).optional(),
  second: oneOrList(0, 59).optional(),
  times: list(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/)).optional(),
  weekdays: list(range(0, 6)).describe('Monday = 0 .. Sunday = 6').optional(),
  monthDays: list(counted(31)).optional(),
  months: list(range(1, 12)).optional(),
  nthWeekdays: list(z.strictObject({ weekday: range(0, 6), nth: counted(5) })).optional(),
  years: list(range(1970, 2199)).optional(),
  every: z.strictObject({ unit: z.enum(['day', 'week', 'month', 'year']), n: range(1, 10_000) }).optional(),
  anchor: date.optional(),
  ...bounds,
  gap: gap.optional(),
});

const cron = z.strictObject({
  kind: z.literal('cron'),
  expression: z.string().min(1).max(1000),
  timezone: zone,
  ...bounds,
  gap: gap.optional(),
  repeat: z.enum(['first', 'both']).default('first').optional(),
  dialect: z
    .strictObject({
      sloppySteps: z.boolean().optional(),
      wrapRanges: z.boolean().optional(),
      lastOffset: z.boolean().optional(),
      fields: z.literal(5).optional(),
      dayFields: z.literal('and').optional(),
      weekdays: z.literal('quartz').optional(),
    })
    .optional(),
});

const manual = z.strictObject({ kind: z.literal('manual') });

/** A trigger as it stands on the wire. @internal */
export const triggerSchema = z.discriminatedUnion('kind', [once, interval, calendar, cron, manual]);
