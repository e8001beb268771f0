/**
 * Warnings about the text of a cron expression: steps that do not come out even, the two day fields, and policies that do
 * not go with it (TR-6, TR-12).
 *
 * The expression has been compiled, so every item of it is one that the grammar knows.
 */

import type { CronDialect, CronTrigger } from '../../model/trigger.js';
import { FIELDS, type FieldSpec, readRange } from '../../trigger/cron/cron-field.js';
import { parseCron } from '../../trigger/cron/cron-syntax.js';
import { type Warning, warning } from '../warning.js';
import type { Single } from './singles.js';

/** What to write for an even rhythm in each field that goes round. */
const EVEN_INSTEAD: Readonly<Record<FieldSpec['name'], string>> = {
  second: 'use a step that divides 60, or an `interval` trigger',
  minute: 'use a step that divides 60, or an `interval` trigger',
  hour: 'use a step that divides 24, or an `interval` trigger',
  'day-of-month': 'use a `calendar` trigger with `every: {unit: "day", n}` to count days across months',
  month: 'use a step that divides 12, or a `calendar` trigger with `every: {unit: "month", n}`',
  'day-of-week': 'use a `calendar` trigger with `every: {unit: "day", n}` to count days across weeks',
  year: '',
};

/**
 * Warnings of `unevenStep`, `bothDayFields` and `idlePolicy` for a cron trigger; `isAuthored` says that every field of it
 * was written by its author.
 *
 * @internal
 */
export function cronWarnings({ trigger, path }: Single, isAuthored: boolean): readonly Warning[] {
  if (trigger.kind !== 'cron') return [];
  const tokens = trigger.expression.trim().split(/[ \t]+/);
  const dialect = trigger.dialect ?? {};
  const uneven = tokens.flatMap((token, place) => unevenSteps(token, fieldAt(place, tokens.length, dialect), dialect));
  const ofText = [...uneven, ...bothDayFields(trigger, tokens)].map((found) => ({
    ...found,
    path: `${path}.expression`,
  }));
  return [...ofText, ...idlePolicies(trigger, path, isAuthored)];
}

/** What a wildcard job does not heed; the normal form says `repeat: "first"` of every one. */
function idlePolicies({ expression, dialect = {}, gap, repeat }: CronTrigger, path: string, isAuthored: boolean) {
  const parsed = parseCron(expression, dialect);
  if (!('wildcard' in parsed && parsed.wildcard)) return [];
  const because =
    'has no effect on a text with `*` in its second, minute or hour field, which is due whenever its clock';
  const warnings: Warning[] = [];
  if (gap === 'shift') {
    const text = `\`gap: "shift"\` ${because} shows a time that matches, and only then; to be due as a gap ends, write out the numbers`;
    warnings.push(warning('idlePolicy', `${path}.gap`, text));
  }
  if (repeat === 'first' && isAuthored) {
    const text = `\`repeat: "first"\` ${because} shows a time that matches, in both passes of a repeated hour; to be due once, write out the numbers`;
    warnings.push(warning('idlePolicy', `${path}.repeat`, text));
  }
  return warnings;
}

/** The field that the token at a place belongs to; `undefined` for a nickname. */
function fieldAt(place: number, size: number, dialect: CronDialect): FieldSpec | undefined {
  if (size < 5) return undefined;
  const { second, minute, hour, monthDay, month, weekday, quartzWeekday, year } = FIELDS;
  const all = [second, minute, hour, monthDay, month, dialect.weekdays === 'quartz' ? quartzWeekday : weekday, year];
  return all[size === 5 ? place + 1 : place];
}

function unevenSteps(token: string, field: FieldSpec | undefined, dialect: CronDialect): readonly Warning[] {
  if (field === undefined || field.cycle === 0) return [];
  const items = token.replace(/^\+/, '').split(',');
  return items.flatMap((item) => unevenStep(item, field, dialect) ?? []);
}

/** A step that goes round its whole field, and comes out short at the end of each round. */
function unevenStep(item: string, field: FieldSpec, dialect: CronDialect): Warning | undefined {
  const range = readRange(item, field, dialect);
  if ('fault' in range) return undefined;
  const { first, last, step } = range;
  const { name, min, cycle } = field;
  const goesRound = first - min < step && last >= min + cycle - 1;
  if (step === 1 || !goesRound || cycle % step === 0) return undefined;
  const final = first + Math.floor((last - first) / step) * step;
  const short = first + cycle - final;
  const round =
    name === 'day-of-month' ? 'each month begins again' : `each round of ${cycle} ends with a gap of ${short}`;
  return warning(
    'unevenStep',
    '',
    `${name}: the step of \`${item}\` does not divide ${cycle}, so it is not every ${step}: from ${first} it runs to ${final}, and ${round}; ${EVEN_INSTEAD[name]}`,
  );
}

function bothDayFields({ expression, dialect = {} }: CronTrigger, tokens: readonly string[]): readonly Warning[] {
  const parsed = parseCron(expression, dialect);
  if (!('days' in parsed)) return [];
  const { anyMonthDay, anyWeekday, both } = parsed.days;
  if (anyMonthDay || anyWeekday || both) return [];
  const place = tokens.length === 5 ? 4 : 5;
  const monthDay = tokens[place - 2] ?? '';
  const weekday = tokens[place] ?? '';
  const meant = tokens.map((token, index) => (index === place ? `+${token}` : token)).join(' ');
  return [
    warning(
      'bothDayFields',
      '',
      `due on dates that match either day-of-month \`${monthDay}\` or day-of-week \`${weekday}\`, not only on those that match both; for both write \`${meant}\``,
    ),
  ];
}
