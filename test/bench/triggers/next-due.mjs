/** The next due instant from a random instant, warm: beside the bound and beside what others use. */
import { Cron } from 'croner';
import { digits, printTable, time } from '../measuring/report.mjs';
import { geometricMean, interleaved, median, perCall, ratio } from '../measuring/rounds.mjs';
import { compile, ENGINES } from './engines.mjs';

const PATTERNS = ['* * * * *', '0 9 * * 1-5', '30 2 * * *', '*/5 9-17 * * MON-FRI'];
const ZONES = ['Europe/London', 'America/Winnipeg', 'Australia/Lord_Howe'];
const LEAP_DAY = '0 0 29 2 *';
const RARE = [LEAP_DAY, '0 0 L * *'];
const IMPOSSIBLE = '0 0 30 2 *';

/** Whole milliseconds from 2020 to 2040, the same in every run. */
const INSTANTS = randomInstants(4096);

function randomInstants(count) {
  let state = 20_260_105;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Date.UTC(2020, 0, 1) + Math.floor((state / 2 ** 32) * 20 * 365.25 * 86_400_000);
  });
}

let sink = 0;

function contender(name, next) {
  return perCall(name, (count) => {
    let sum = 0;
    for (let call = 0; call < count; call += 1) sum += next(INSTANTS[call & 4095]) ?? 0;
    sink += sum;
  });
}

async function race(names, expression, timezone) {
  return await interleaved(names.map((name) => contender(name, ENGINES[name](expression, timezone))));
}

function middle(samples, name) {
  return median(samples.get(name));
}

/** The bound must give the same answers, or it measures something else. */
function refuseOtherAnswers(expression, timezone) {
  const [ours, bare] = [ENGINES.everdue(expression, timezone), ENGINES.bound(expression, timezone)];
  const wrong = INSTANTS.find((at) => ours(at) !== bare(at));
  if (wrong === undefined) return;
  throw new Error(`${expression} in ${timezone} after ${wrong}: ${ours(wrong)}, and the bound says ${bare(wrong)}`);
}

/** Prints the tables of warm searches. */
export async function nextDue() {
  await zoned();
  await zoneless();
  await rare();
  await listed();
  if (sink === 0) throw new Error('nothing was computed');
}

async function zoned() {
  const names = ['everdue', 'bound', 'croner', 'cron-parser'];
  const peers = names.slice(1);
  const rows = [];
  const times = [];
  const factors = peers.map(() => []);
  for (const expression of PATTERNS) {
    for (const timezone of ZONES) {
      refuseOtherAnswers(expression, timezone);
      const samples = await race(names, expression, timezone);
      times.push(middle(samples, 'everdue'));
      const cells = peers.map((peer, column) => {
        const factor = ratio(samples, peer, 'everdue');
        factors[column].push(factor);
        return digits(factor);
      });
      rows.push([`${expression}  ${timezone}`, time(times.at(-1)), ...cells]);
    }
  }
  rows.push(['geometric mean', time(geometricMean(times)), ...factors.map((list) => digits(geometricMean(list)))]);
  rows.push(['required', '', '>= 0.25', '>= 280', '']);
  const heads = ['next due, random instants, warm', 'everdue', ...peers.map((name) => `${name} / everdue`)];
  printTable('Next due instant', heads, rows);
}

async function zoneless() {
  const rows = [];
  const factors = [];
  for (const expression of PATTERNS) {
    const samples = await race(['everdue', 'cron-schedule'], expression, 'UTC');
    factors.push(ratio(samples, 'cron-schedule', 'everdue'));
    rows.push([
      expression,
      ...['everdue', 'cron-schedule'].map((name) => time(middle(samples, name))),
      digits(factors.at(-1)),
    ]);
  }
  rows.push(['geometric mean', '', '', digits(geometricMean(factors))]);
  rows.push(['required', '', '', '>= 8']);
  printTable('Next due instant without a zone', ['UTC', 'everdue', 'cron-schedule', 'cron-schedule / everdue'], rows);
}

async function rare() {
  const rows = [];
  for (const expression of RARE) {
    for (const timezone of ZONES) {
      refuseOtherAnswers(expression, timezone);
      const samples = await race(['everdue', 'bound', 'croner'], expression, timezone);
      const factors = [ratio(samples, 'everdue', 'bound'), ratio(samples, 'croner', 'everdue')];
      rows.push([`${expression}  ${timezone}`, time(middle(samples, 'everdue')), ...factors.map(digits), '<= 4']);
    }
  }
  const impossible = await interleaved([
    contender('everdue', ENGINES.everdue(IMPOSSIBLE, ZONES[0])),
    contender('bound', ENGINES.bound(LEAP_DAY, ZONES[0])),
    contender('croner', ENGINES.croner(IMPOSSIBLE, ZONES[0])),
  ]);
  const factors = [ratio(impossible, 'everdue', 'bound'), ratio(impossible, 'croner', 'everdue')];
  rows.push([
    `${IMPOSSIBLE}, beside the bound's ${LEAP_DAY}`,
    time(middle(impossible, 'everdue')),
    ...factors.map(digits),
    '<= 40',
  ]);
  const heads = ['rare and impossible', 'everdue', 'everdue / bound', 'croner / everdue', 'required'];
  printTable('Rare dates', heads, rows);
}

async function listed() {
  const length = 1000;
  const rows = [];
  for (const expression of PATTERNS) {
    const [timezone] = ZONES;
    const compiled = compile(expression, timezone);
    const cron = new Cron(expression, { timezone });
    const list = (name, run) =>
      perCall(name, (count) => {
        for (let call = 0; call < count; call += 1) sink += run(INSTANTS[call & 4095]).length;
      });
    const samples = await interleaved(
      [list('everdue', (at) => compiled.list(at, length)), list('croner', (at) => cron.nextRuns(length, new Date(at)))],
      3,
    );
    const item = middle(samples, 'everdue') / length;
    rows.push([`${expression}  ${timezone}`, time(item), digits(ratio(samples, 'croner', 'everdue'))]);
  }
  printTable('A list of 1000', ['per item', 'everdue', 'croner / everdue'], rows);
}
