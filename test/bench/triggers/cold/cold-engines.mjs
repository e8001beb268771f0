/** Engines for cold processes: each is imported when it is asked for, so that a process pays for one alone. */

const CORE = '../../../../dist/core.js';

/** Name to a promise of a function from a cron text and a zone to `{it, next(ms)}`. */
export const COLD_ENGINES = {
  async everdue() {
    const { compileTrigger } = await import(CORE);
    return (expression, timezone) => {
      const { value } = compileTrigger({ kind: 'cron', expression, timezone });
      return { it: value, next: (at) => value.next(at) };
    };
  },
  async croner() {
    const { Cron } = await import('croner');
    return (expression, timezone) => {
      const it = new Cron(expression, { timezone });
      return { it, next: (at) => it.nextRun(new Date(at)).getTime() };
    };
  },
  async 'cron-parser'() {
    const { CronExpressionParser } = await import('cron-parser');
    return (expression, tz) => {
      const it = CronExpressionParser.parse(expression, { tz });
      return {
        it,
        next: (at) => {
          it.reset(new Date(at));
          return it.next().getTime();
        },
      };
    };
  },
  /** Knows the zone of the host alone. */
  async 'cron-schedule'() {
    const { parseCronExpression } = await import('cron-schedule');
    return (expression) => {
      const it = parseCronExpression(expression);
      return { it, next: (at) => it.getNextDate(new Date(at)).getTime() };
    };
  },
  async cronosjs() {
    const { CronosExpression } = await import('cronosjs');
    return (expression, timezone) => {
      const it = CronosExpression.parse(expression, { timezone });
      return { it, next: (at) => it.nextDate(new Date(at)).getTime() };
    };
  },
  /** No engine: the first formatter of a process, without which no runtime before `Temporal` tells the offset of a zone. */
  async 'Intl alone'() {
    return (_, timeZone) => {
      const it = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric' });
      return { it, next: (at) => it.format(at).length };
    };
  },
};
