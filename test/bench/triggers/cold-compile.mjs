/** In a cold process: compiles many triggers with one engine and asks each for its next due instant. Told to the parent. */
import { liveBytes, tell } from '../measuring/cold.mjs';

const ZONES = ['Europe/London', 'America/Winnipeg', 'Australia/Lord_Howe'];
const [engine, count] = process.argv.slice(2);
const AT = Date.UTC(2026, 0, 5);

const load = {
  async everdue() {
    const { compileTrigger } = await import('../../../dist/core.js');
    return (expression, timezone) => {
      const { value } = compileTrigger({ kind: 'cron', expression, timezone });
      return { it: value, next: value.next(AT) };
    };
  },
  async croner() {
    const { Cron } = await import('croner');
    return (expression, timezone) => {
      const it = new Cron(expression, { timezone });
      return { it, next: it.nextRun(new Date(AT)).getTime() };
    };
  },
  async 'cron-parser'() {
    const { CronExpressionParser } = await import('cron-parser');
    return (expression, tz) => {
      const it = CronExpressionParser.parse(expression, { tz, currentDate: new Date(AT) });
      return { it, next: it.next().getTime() };
    };
  },
  async 'cron-schedule'() {
    const { parseCronExpression } = await import('cron-schedule');
    return (expression) => {
      const it = parseCronExpression(expression);
      return { it, next: it.getNextDate(new Date(AT)).getTime() };
    };
  },
};

/** Four shapes of text, with minutes and hours of their own. */
function expressionOf(index) {
  const [minute, hour] = [index % 60, Math.floor(index / 60) % 24];
  const texts = [
    `${minute} ${hour} * * *`,
    `${minute} ${hour} * * 1-5`,
    `*/${(minute % 29) + 1} ${hour} * * MON-FRI`,
    `${minute} ${hour} ${(index % 28) + 1} * *`,
  ];
  return texts[index % texts.length];
}

const make = await load[engine]();
const kept = new Array(Number(count));
const before = liveBytes();
const started = performance.now();
let sum = 0;
for (let index = 0; index < kept.length; index += 1) {
  const { it, next } = make(expressionOf(index), ZONES[index % ZONES.length]);
  kept[index] = it;
  sum += next;
}
const ms = performance.now() - started;
tell({ ms, bytesEach: (liveBytes() - before) / kept.length, isKept: kept.length > 0 && sum > 0 });
