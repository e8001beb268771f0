/**
 * Recurrence rules of RFC 5545 beside the two libraries that know them.
 *
 * A rule starts in 2024 and is asked for at random instants of six years: a library that walks from the start pays for the
 * distance. Where one walks for seconds, the row says so.
 */
import rrule from 'rrule';
import { RRuleTemporal } from 'rrule-temporal';
import { compileTrigger } from '../../../dist/core.js';
import { printTable, time } from '../measuring/report.mjs';
import { listing, race, randomInstants } from './contest.mjs';

const ZONE = 'Europe/London';
const RULES = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  'FREQ=MONTHLY;BYDAY=-1FR',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
  'FREQ=MINUTELY;INTERVAL=15',
];
const PEERS = ['rrule', 'rrule-temporal'];
const INSTANTS = randomInstants(2024, 2030);
const LIST_LENGTH = 1000;
const ROUNDS = 5;

function compile(rule) {
  const result = compileTrigger({ kind: 'rrule', rule, dtstart: '2024-01-01T09:00:00', timezone: ZONE });
  if (!result.ok) throw new Error(`${rule}: ${JSON.stringify(result.issues)}`);
  return result.value;
}

function calendarText(rule) {
  return `DTSTART;TZID=${ZONE}:20240101T090000\nRRULE:${rule}`;
}

const isBelow = (_, index) => index < LIST_LENGTH;

const NEXT = {
  everdue(rule) {
    const compiled = compile(rule);
    return (at) => compiled.next(at);
  },
  rrule(rule) {
    const compiled = rrule.rrulestr(calendarText(rule));
    return (at) => compiled.after(new Date(at)).getTime();
  },
  'rrule-temporal'(rule) {
    const compiled = new RRuleTemporal({ rruleString: calendarText(rule) });
    return (at) => compiled.next(new Date(at)).epochMilliseconds;
  },
};

/** From the start, which is what the two are made for. */
const LIST = {
  everdue(rule) {
    const compiled = compile(rule);
    return () => compiled.list(Date.UTC(2023, 0, 1), LIST_LENGTH);
  },
  rrule(rule) {
    const compiled = rrule.rrulestr(calendarText(rule));
    return () => compiled.all(isBelow);
  },
  'rrule-temporal'(rule) {
    const compiled = new RRuleTemporal({ rruleString: calendarText(rule) });
    return () => compiled.all(isBelow);
  },
};

function over(engines, rule) {
  return Object.fromEntries(Object.keys(engines).map((name) => [name, () => engines[name](rule)]));
}

/** Prints next due instants and lists of recurrence rules. */
export async function rules() {
  await table('Recurrence rules: next due instant', 'random instants, warm', NEXT, 1, {});
  await table(`Recurrence rules: a list of ${LIST_LENGTH} from the start`, 'per item', LIST, LIST_LENGTH, {
    contender: listing,
  });
}

async function table(title, first, engines, items, options) {
  const rows = [];
  for (const rule of RULES) {
    const found = await race(over(engines, rule), INSTANTS, { rounds: ROUNDS, ...options });
    const timeOf = (name) => {
      const ns = found.time(name);
      return ns === undefined ? found.text(name) : time(ns / items);
    };
    rows.push([rule, timeOf('everdue'), ...PEERS.flatMap((peer) => [timeOf(peer), found.text(peer)])]);
  }
  printTable(title, [first, 'everdue', ...PEERS.flatMap((peer) => [peer, `${peer} / everdue`])], rows);
}
