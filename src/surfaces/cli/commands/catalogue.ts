/**
 * Commands about the catalogue as a whole: the gate, the clock, and its calendars.
 */

import { Argument, type Command } from 'commander';
import type { Schedules } from '../../../index.js';
import { type Call, type Intent, LOOKS, type Register, withSchedules } from '../call.js';
import { parseJson, readText, usageError } from '../input.js';
import { calendarsText, gateText, statusText } from '../output/catalogue-text.js';
import { plain } from '../output/layout/plain.js';
import { examples } from './help.js';

/** Adds the commands of a workspace that are about no single schedule. @internal */
export function addCatalogueCommands(schedule: Command, register: Register): void {
  register(
    examples(
      schedule.command('gate'),
      'Show, pause or resume the gate of all schedules; manual triggers always work.',
      [
        'everdue schedule --workspace ./work gate pause --note "maintenance until noon"',
        'everdue schedule --workspace ./work gate resume',
      ],
    )
      .addArgument(new Argument('[change]', 'what to do (default: show it)').choices(['pause', 'resume']))
      .option('--note <text>', 'with pause: why, in your words'),
    gate,
  );
  register(
    examples(
      schedule.command('accept-clock'),
      'Accept the clock as it is, or the catalogue after a backup, and collect again.',
      ['everdue schedule --workspace ./work accept-clock', 'everdue schedule --workspace ./work accept-clock --json'],
    ),
    acceptClock,
  );
  addCalendarCommands(schedule, register);
}

function addCalendarCommands(schedule: Command, register: Register): void {
  const calendar = schedule
    .command('calendar')
    .description('Named calendars: days that schedules leave out by `exclude: {calendar: NAME}`.')
    .helpCommand(false);
  register(
    examples(calendar.command('set'), 'Write a calendar whole: days, and ranges of days with a slash between.', [
      'everdue schedule --workspace ./work calendar set holidays 2026-12-24/2026-12-26 2027-01-01',
      'everdue schedule --workspace ./work calendar set holidays --file holidays.txt',
    ])
      .argument('<name>', 'name of the calendar')
      .argument('[dates...]', 'YYYY-MM-DD, or YYYY-MM-DD/YYYY-MM-DD with both ends in it')
      .option('--file <file>', 'a JSON list of dates, or a date a line (# begins a remark); `-` for standard input')
      .option('--empty', 'leave no day in it'),
    setCalendar,
  );
  register(
    examples(calendar.command('list'), 'List the calendars with their days and the schedules that name them.', [
      'everdue schedule --workspace ./work calendar list',
      'everdue schedule --workspace ./work calendar list --json',
    ]),
    listCalendars,
  );
}

interface GateFlags {
  readonly note?: string;
}

async function gate(call: Call<GateFlags>): Promise<void> {
  const [change] = call.args;
  const { note } = call.options;
  if (note !== undefined && change !== 'pause') throw usageError("option '--note <text>' goes with `gate pause` alone");
  await withSchedules(call, LOOKS, async ({ schedules }) => {
    const found = await changeGate(schedules, change, note);
    await call.printer.answer(found, () => `gate ${plain(gateText(found))}\n`);
  });
}

function changeGate({ gate: control }: Schedules, change: string | undefined, note: string | undefined) {
  if (change === 'pause') return control.pause(note === undefined ? {} : { note });
  return change === 'resume' ? control.resume() : control.status();
}

interface CalendarFlags {
  readonly file?: string;
  readonly empty?: boolean;
}

/** A catalogue may begin with a calendar: a declaration that names one is refused before it is there. */
const WRITES_FIRST: Intent = { plans: false, makes: true };

async function setCalendar(call: Call<CalendarFlags>): Promise<void> {
  const [name = ''] = call.args;
  const dates = await datesOf(call);
  await withSchedules(call, WRITES_FIRST, async ({ schedules }) => {
    const found = await schedules.setCalendar(name, dates);
    await call.printer.answer(found, () => calendarsText([found]));
  });
}

async function listCalendars(call: Call<unknown>): Promise<void> {
  await withSchedules(call, LOOKS, async ({ schedules }) => {
    const found = await schedules.calendars();
    await call.printer.answer({ calendars: found }, () => calendarsText(found));
  });
}

/** The dates that a call gives in one of three ways; the client judges them. */
async function datesOf({ args, options, surroundings }: Call<CalendarFlags>): Promise<readonly string[]> {
  const [, ...given] = args;
  const { file, empty } = options;
  const ways = [given.length > 0, file !== undefined, empty === true].filter((isGiven) => isGiven).length;
  if (ways !== 1) {
    const hint = 'Give dates, or --file FILE, or --empty for a calendar without days.';
    throw usageError(ways === 0 ? 'the calendar is given no dates' : 'the dates are given in more than one way', hint);
  }
  if (file === undefined) return given;
  const text = await readText(file, surroundings);
  if (!text.trimStart().startsWith('[')) {
    const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
    return lines.filter((line) => line !== '');
  }
  const list = parseJson(text, file);
  // What is no text in it is refused by the client, with its place.
  if (Array.isArray(list)) return list as readonly string[];
  throw usageError(`${file} is no list of dates`);
}

async function acceptClock(call: Call<unknown>): Promise<void> {
  await withSchedules(call, LOOKS, async ({ schedules, workspace }) => {
    const found = await schedules.acceptClock();
    await call.printer.answer(found, () => statusText(found, workspace, Date.now()));
  });
}
