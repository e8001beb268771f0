/** The same trigger in each engine, as a function from one instant to the next due one; both in epoch milliseconds. */
import { CronExpressionParser } from 'cron-parser';
import { parseCronExpression } from 'cron-schedule';
import { Cron } from 'croner';
import { compileTrigger } from '../../../dist/core.js';
import { bound } from './bound.mjs';

/** Engines that know zones. */
export const ENGINES = {
  everdue(expression, timezone) {
    const compiled = compile(expression, timezone);
    return (at) => compiled.next(at);
  },
  bound(expression, timezone) {
    const compiled = bound(expression, timezone);
    return (at) => compiled.next(at);
  },
  croner(expression, timezone) {
    const cron = new Cron(expression, { timezone });
    return (at) => cron.nextRun(new Date(at))?.getTime();
  },
  'cron-parser'(expression, timezone) {
    const cron = CronExpressionParser.parse(expression, { tz: timezone });
    return (at) => {
      cron.reset(new Date(at));
      return cron.next().getTime();
    };
  },
  /** Knows the zone of the host alone. */
  'cron-schedule'(expression) {
    const cron = parseCronExpression(expression);
    return (at) => cron.getNextDate(new Date(at)).getTime();
  },
};

/** The package's own compiled trigger. */
export function compile(expression, timezone) {
  const result = compileTrigger({ kind: 'cron', expression, timezone });
  if (!result.ok) throw new Error(`${expression}: ${JSON.stringify(result.issues)}`);
  return result.value;
}
