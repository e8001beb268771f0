/**
 * The schema of a trigger, for its JSON Schema alone: the core reads triggers itself, without a library (TR).
 *
 * What JSON Schema cannot say (zones, cron grammar, dates that exist) is left to the core; a test holds both against
 * each other on the same triggers.
 */
import { z } from 'zod';
import { LIMITS, type NumberLimit } from '../../core/model/limits.js';
import { TRIGGER_LIMITS } from '../../core/model/trigger.js';
import { instantSchema } from './declaration-schema.js';

const list = <T extends z.ZodType>(item: T) => z.array(item).min(1).max(LIMITS.listLength.max);
const whole = ({ min, max }: NumberLimit) => z.int().min(min).max(max);
const oneOrList = (limit: NumberLimit) => z.union([whole(limit), list(whole(limit))]);
const counted = ({ min, max }: NumberLimit) => z.union([whole({ min, max }), whole({ min: -max, max: -min })]);
const textOf = ({ min, max }: NumberLimit) => z.string().min(min).max(max);

const { everySeconds, hour, minute, second, weekday, monthDay, month, nth, year, periods } = TRIGGER_LIMITS;
const weekdays = list(whole(weekday)).describe('Monday = 0 .. Sunday = 6').optional();

const zone = z.string().min(1).describe('IANA name of a time zone or link, in any case of letters');
const date = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const gap = z.enum(['skip', 'shift']).default('skip');
const bounds = { start: instantSchema.optional(), end: instantSchema.optional() };

const once = z.strictObject({ kind: z.literal('once'), at: instantSchema });

const interval = z.strictObject({
  kind: z.literal('interval'),
  start: instantSchema,
  everySeconds: z.number().min(everySeconds.min).max(everySeconds.max),
  end: instantSchema.optional(),
});

/** Between fields: hours or listed times, and a period with its anchor (TR-3, TR-4). */
const CALENDAR_RELATIONS = {
  oneOf: [{ required: ['hour'] }, { required: ['times'], properties: { minute: false, second: false } }],
  dependentRequired: { every: ['anchor'], anchor: ['every'] },
};

const calendar = z
  .strictObject({
    kind: z.literal('calendar'),
    timezone: zone,
    hour: oneOrList(hour).optional(),
    minute: oneOrList(minute).optional(),
    second: oneOrList(second).optional(),
    times: list(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/)).optional(),
    weekdays,
    monthDays: list(counted(monthDay)).optional(),
    months: list(whole(month)).optional(),
    nthWeekdays: list(z.strictObject({ weekday: whole(weekday), nth: counted(nth) })).optional(),
    years: list(whole(year)).optional(),
    every: z.strictObject({ unit: z.enum(['day', 'week', 'month', 'year']), n: whole(periods) }).optional(),
    anchor: date.optional(),
    ...bounds,
    gap: gap.optional(),
  })
  .meta(CALENDAR_RELATIONS);

const cron = z.strictObject({
  kind: z.literal('cron'),
  expression: textOf(TRIGGER_LIMITS.expressionLength),
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

const localTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/);

const rrule = z.strictObject({
  kind: z.literal('rrule'),
  rule: textOf(TRIGGER_LIMITS.ruleLength).describe('The value of an RRULE property (RFC 5545)'),
  dtstart: localTime,
  timezone: zone,
  exdates: list(localTime).optional(),
  rdates: list(localTime).optional(),
});

const plain = [once, interval, calendar, cron, rrule] as const;

/** An `anyOf` inside an `anyOf` holds none (DE-11). */
const innerAnyOf = z.strictObject({ kind: z.literal('anyOf'), of: list(z.discriminatedUnion('kind', [...plain])) });

const anyOf = z.strictObject({
  kind: z.literal('anyOf'),
  of: list(z.discriminatedUnion('kind', [...plain, innerAnyOf])),
});

const manual = z.strictObject({ kind: z.literal('manual') });

/** A trigger as it stands on the wire. @internal */
export const triggerSchema = z.discriminatedUnion('kind', [...plain, anyOf, manual]);

/** What is left out of a trigger, as it stands on the wire (DE-12). @internal */
export const exclusionSchema = z.strictObject({
  dates: list(z.string().regex(/^\d{4}-\d\d-\d\d(\/\d{4}-\d\d-\d\d)?$/))
    .describe('Days, or ranges of days with both ends in them: YYYY-MM-DD/YYYY-MM-DD')
    .optional(),
  weekdays,
  calendar: textOf(LIMITS.calendarNameLength).describe('Name of a calendar of the catalogue').optional(),
  timezone: zone.describe('Only where the trigger has no zone of its own, and required there').optional(),
});
