/** The same cron trigger in each engine, as a function from one instant to the next due one; both in epoch milliseconds. */
import { CronExpressionParser } from 'cron-parser';
import cronParser4 from 'cron-parser-4';
import { parseCronExpression } from 'cron-schedule';
import { Cron } from 'croner';
import { CronosExpression } from 'cronosjs';
import { compileTrigger } from '../../../dist/core.js';
import { bound } from './bound.mjs';
import { TEMPORAL, temporalLoop } from './temporal-loop.mjs';

/** node-schedule 2 has no engine of its own. */
export const NODE_SCHEDULE = 'cron-parser 4 (node-schedule)';

/** The package's own compiled trigger. */
export function compile(expression, timezone) {
  const result = compileTrigger({ kind: 'cron', expression, timezone });
  if (!result.ok) throw new Error(`${expression}: ${JSON.stringify(result.issues)}`);
  return result.value;
}

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
  [NODE_SCHEDULE](expression, timezone) {
    const cron = cronParser4.parseExpression(expression, { tz: timezone });
    return (at) => {
      cron.reset(new Date(at));
      return cron.next().getTime();
    };
  },
  cronosjs(expression, timezone) {
    const cron = CronosExpression.parse(expression, { timezone });
    return (at) => cron.nextDate(new Date(at))?.getTime();
  },
  [TEMPORAL]: temporalLoop,
};

/** Engines that know the zone of the host alone. */
export const HOST_ENGINES = {
  'cron-schedule'(expression) {
    const cron = parseCronExpression(expression);
    return (at) => cron.getNextDate(new Date(at)).getTime();
  },
};

/** Peers of the tables, in the order of their columns. */
export const PEERS = ['croner', 'cron-parser', NODE_SCHEDULE, 'cronosjs', TEMPORAL];

/** Names to makers over one trigger, for a race. */
export function over(engines, names, expression, timezone) {
  return Object.fromEntries(names.map((name) => [name, () => engines[name](expression, timezone)]));
}
