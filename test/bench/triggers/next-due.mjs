/** The next due instant from a random instant, warm: beside the bound and beside what others use. */
import { Cron } from 'croner';
import { goal } from '../measuring/goals.mjs';
import { digits, printTable, time } from '../measuring/report.mjs';
import { geometricMean } from '../measuring/rounds.mjs';
import { listing, race, randomInstants } from './contest.mjs';
import { compile, ENGINES, HOST_ENGINES, over, PEERS } from './engines.mjs';

const PATTERNS = ['* * * * *', '0 9 * * 1-5', '30 2 * * *', '*/5 9-17 * * MON-FRI'];
const ZONES = ['Europe/London', 'America/Winnipeg', 'Australia/Lord_Howe'];
const LEAP_DAY = '0 0 29 2 *';
const RARE = [LEAP_DAY, '0 0 L * *'];
const IMPOSSIBLE = '0 0 30 2 *';
const LIST_LENGTH = 1000;
const INSTANTS = randomInstants(2020, 2040);

/** Rows measured so far, as everdue over bound. */
const overBound = [];

/** The bound must give the same answers, or it measures something else. */
function refuseOtherAnswers(expression, timezone) {
  const [ours, bare] = [ENGINES.everdue(expression, timezone), ENGINES.bound(expression, timezone)];
  const wrong = INSTANTS.find((at) => ours(at) !== bare(at));
  if (wrong === undefined) return;
  throw new Error(`${expression} in ${timezone} after ${wrong}: ${ours(wrong)}, and the bound says ${bare(wrong)}`);
}

function meanOf(factors) {
  const known = factors.filter((factor) => factor !== undefined);
  return known.length === 0 ? undefined : geometricMean(known);
}

/** Prints the tables of warm searches. */
export async function nextDue() {
  await zoned();
  await hostZone();
  await rare();
  await backward();
  await listed();
  goal({ what: 'next due over the bound, the worst row', measured: Math.max(...overBound), atMost: 4, aim: 2 });
}

async function zoned() {
  const rows = [];
  const times = [];
  const factors = PEERS.map(() => []);
  for (const expression of PATTERNS) {
    for (const timezone of ZONES) {
      refuseOtherAnswers(expression, timezone);
      const found = await race(over(ENGINES, ['everdue', 'bound', ...PEERS], expression, timezone), INSTANTS);
      times.push(found.time('everdue'));
      overBound.push(1 / found.factor('bound'));
      PEERS.forEach((peer, column) => {
        factors[column].push(found.factor(peer));
      });
      rows.push([`${expression}  ${timezone}`, time(times.at(-1)), digits(overBound.at(-1)), ...PEERS.map(found.text)]);
    }
  }
  const means = factors.map(meanOf);
  const textOf = (mean) => (mean === undefined ? '' : digits(mean));
  rows.push(['geometric mean', time(geometricMean(times)), digits(geometricMean(overBound)), ...means.map(textOf)]);
  const heads = ['random instants, warm', 'everdue', 'everdue / bound', ...PEERS.map((name) => `${name} / everdue`)];
  printTable('Next due instant', heads, rows);
  goal({ what: 'next due: croner / everdue', measured: means[PEERS.indexOf('croner')], atLeast: 280, aim: 600 });
}

/** Beside an engine that has no zone but that of the host. UTC costs it least; in another zone it is wrong at changes. */
async function hostZone() {
  const peer = 'cron-schedule';
  const rows = [];
  for (const timezone of ['UTC', 'Europe/London']) {
    process.env.TZ = timezone;
    const factors = [];
    for (const expression of PATTERNS) {
      const engines = { ...ENGINES, ...HOST_ENGINES };
      const found = await race(over(engines, ['everdue', 'bound', peer], expression, timezone), INSTANTS);
      overBound.push(1 / found.factor('bound'));
      factors.push(found.factor(peer));
      const times = ['everdue', peer].map((name) => time(found.time(name)));
      rows.push([`${expression}  ${timezone}`, ...times, digits(overBound.at(-1)), found.text(peer)]);
    }
    const mean = geometricMean(factors);
    rows.push([`geometric mean  ${timezone}`, '', '', '', digits(mean)]);
    if (timezone === 'UTC') {
      goal({ what: 'next due, no zone: cron-schedule / everdue', measured: mean, atLeast: 8, aim: 20 });
    }
  }
  process.env.TZ = 'UTC';
  const heads = ["in the host's zone", 'everdue', peer, 'everdue / bound', `${peer} / everdue`];
  printTable("Next due instant beside an engine of the host's zone", heads, rows);
}

async function rare() {
  const rows = [];
  for (const expression of RARE) {
    for (const timezone of ZONES) {
      refuseOtherAnswers(expression, timezone);
      const found = await race(over(ENGINES, ['everdue', 'bound', ...PEERS], expression, timezone), INSTANTS);
      overBound.push(1 / found.factor('bound'));
      const ours = [time(found.time('everdue')), digits(overBound.at(-1))];
      rows.push([`${expression}  ${timezone}`, ...ours, ...PEERS.map(found.text)]);
    }
  }
  const [zone] = ZONES;
  const engines = over(ENGINES, ['everdue', ...PEERS], IMPOSSIBLE, zone);
  const found = await race({ ...engines, bound: () => ENGINES.bound(LEAP_DAY, zone) }, INSTANTS);
  const measured = 1 / found.factor('bound');
  const ours = [time(found.time('everdue')), digits(measured)];
  rows.push([`${IMPOSSIBLE}, beside the bound's ${LEAP_DAY}`, ...ours, ...PEERS.map(found.text)]);
  goal({ what: `an impossible date over the bound's ${LEAP_DAY}`, measured, atMost: 40, aim: 10 });
  const heads = ['rare and impossible', 'everdue', 'everdue / bound', ...PEERS.map((name) => `${name} / everdue`)];
  printTable('Rare dates', heads, rows);
}

/** The search backward, beside the search forward. */
async function backward() {
  const rows = [];
  for (const expression of [...PATTERNS, ...RARE]) {
    const [timezone] = ZONES;
    const compiled = compile(expression, timezone);
    const engines = { everdue: () => (at) => compiled.next(at), previous: () => (at) => compiled.previous(at) };
    const found = await race(engines, INSTANTS);
    rows.push([`${expression}  ${timezone}`, ...['everdue', 'previous'].map((name) => time(found.time(name)))]);
    rows.at(-1).push(found.text('previous'));
  }
  printTable('Previous due instant', ['random instants, warm', 'next', 'previous', 'previous / next'], rows);
}

async function listed() {
  const rows = [];
  for (const expression of PATTERNS) {
    const [timezone] = ZONES;
    const engines = {
      everdue: () => {
        const compiled = compile(expression, timezone);
        return (at) => compiled.list(at, LIST_LENGTH);
      },
      bound: () => listByNext(ENGINES.bound(expression, timezone)),
      croner: () => {
        const cron = new Cron(expression, { timezone });
        return (at) => cron.nextRuns(LIST_LENGTH, new Date(at));
      },
      ...Object.fromEntries(
        PEERS.slice(1).map((name) => [name, () => listByNext(ENGINES[name](expression, timezone))]),
      ),
    };
    const found = await race(engines, INSTANTS, { rounds: 5, contender: listing });
    const ours = [time(found.time('everdue') / LIST_LENGTH), digits(1 / found.factor('bound'))];
    rows.push([`${expression}  ${timezone}`, ...ours, ...PEERS.map(found.text)]);
  }
  const heads = ['per item', 'everdue', 'everdue / bound', ...PEERS.map((name) => `${name} / everdue`)];
  printTable(`A list of ${LIST_LENGTH}`, heads, rows);
}

function listByNext(next) {
  return (after) => {
    const found = [];
    for (let at = next(after); at !== undefined && found.length < LIST_LENGTH; at = next(at)) found.push(at);
    return found;
  };
}
