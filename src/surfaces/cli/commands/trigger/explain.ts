/**
 * `everdue explain`: why a trigger is due at an instant, or not, without any workspace; `everdue schedule explain`: the
 * same of a registered schedule (SF-7, SF-1, TR-11).
 */
import type { Command } from 'commander';
import {
  type ConditionCheck,
  type DueExplanation,
  type DueInput,
  type DueQuestion,
  explain,
  instantFault,
  parseInstant,
} from '../../../../core/index.js';
import { type Call, LOOKS, type Register, withSchedules } from '../../call.js';
import { invalidInput, usageError } from '../../input.js';
import { plain } from '../../output/layout/plain.js';
import { type Column, fieldsText, tableText } from '../../output/layout/table.js';
import { localText } from '../../output/preview-text.js';
import { examples } from '../help.js';
import { fault, isObject, readTrigger, shownWhole, TRIGGER_ARGUMENT } from './trigger-argument.js';

const INSTANT_ARGUMENT = 'ISO 8601 with an offset, such as 2026-11-30T08:00:00Z, or `now`';
const LOCAL_OPTION = 'a time on the clock of the zone in place of an instant: YYYY-MM-DDTHH:MM[:SS]';

/** Adds `everdue explain`. @internal */
export function addExplainCommand(program: Command, register: Register): void {
  register(
    examples(program.command('explain'), 'Say why a trigger is due at an instant, or why not, without any workspace.', [
      `everdue explain '30 2 * * *' --timezone Europe/Berlin --local 2027-03-28T02:30`,
      'everdue explain trigger.json 2026-11-30T08:00:00Z',
    ])
      .argument('<trigger>', TRIGGER_ARGUMENT)
      .argument('[instant]', INSTANT_ARGUMENT)
      .option('--local <time>', LOCAL_OPTION)
      .option('--timezone <zone>', 'zone of a bare cron text, and of --local for a trigger without one (default: UTC)'),
    explainTrigger,
  );
}

/** Adds `everdue schedule explain`. @internal */
export function addScheduleExplainCommand(schedule: Command, register: Register): void {
  register(
    examples(schedule.command('explain'), 'Say why a schedule is due at an instant, or why not, by its trigger.', [
      'everdue schedule --workspace ./work explain nightly --local 2027-03-28T02:30',
      'everdue schedule --workspace ./work explain nightly 2026-11-30T08:00:00Z --json',
    ])
      .argument('<id>', 'id of the schedule')
      .argument('[instant]', INSTANT_ARGUMENT)
      .option('--local <time>', LOCAL_OPTION)
      .option('--timezone <zone>', 'zone of --local for a trigger without one (default: UTC)'),
    explainSchedule,
  );
}

interface Asked {
  readonly local?: string;
  readonly timezone?: string;
}

async function explainSchedule(call: Call<Asked>): Promise<void> {
  const { args, options, printer } = call;
  const question = questionOf(args[1], options);
  await withSchedules(call, LOOKS, async ({ schedules }) => {
    const answer = await schedules.explain(args[0] ?? '', question, { timezone: options.timezone });
    await printer.answer(answer, () => explanationText(answer, printer.width));
  });
}

/** One instant, or one time on the clock. */
function questionOf(instant: string | undefined, { local }: Asked): DueQuestion {
  if ((instant === undefined) === (local === undefined)) {
    throw usageError('give an instant, or --local with a time on the clock', 'One of the two, and not both.');
  }
  if (local !== undefined) return { local };
  return instant === 'now' ? new Date() : instantOf(instant ?? '');
}

function instantOf(text: string): string {
  if (parseInstant(text) !== undefined) return text;
  const isLocal = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text);
  const hint = isLocal
    ? `To ask for a time on the clock of the zone: --local ${text}`
    : `Give it as ${INSTANT_ARGUMENT}.`;
  throw invalidInput('no explanation', [fault('instant', instantFault(text), text, 'DE-2')], hint);
}

async function explainTrigger({ args, options, surroundings, printer }: Call<Asked>): Promise<void> {
  const [trigger = '', instant] = args;
  const { timezone } = options;
  const question = questionOf(instant, options);
  const read = await readTrigger(trigger, surroundings);
  if (timezone !== undefined && hasZone(read)) {
    throw usageError("option '--timezone <zone>' is for a trigger without one", 'This trigger has its own `timezone`.');
  }
  const answer = shownWhole(read, 'nothing to explain', () => explain(read as DueInput, question, { timezone }));
  await printer.answer(answer, () => explanationText(answer, printer.width));
}

function hasZone(read: unknown): boolean {
  if (!isObject(read)) return false;
  return 'timezone' in read || ('trigger' in read && hasZone(read['trigger']));
}

const CHECK_COLUMNS: readonly Column<ConditionCheck>[] = [
  { title: 'CONDITION', of: ({ field }) => field },
  { title: 'HOLDS', of: ({ holds }) => (holds ? 'yes' : 'no') },
  { title: 'FOUND', of: ({ found }) => found, isCuttable: true },
  { title: 'WANTED', of: ({ wanted }) => wanted, isCuttable: true },
];

/** The answer for people: its sentence, every condition, and the due instants around. */
function explanationText(answer: DueExplanation, width: number | undefined): string {
  const { sentence, checks, members = [], previous, next } = answer;
  const ofMembers = members.map((member, place) => `(${place + 1}) ${plain(member.sentence)}\n`).join('');
  const around = fieldsText([
    ['before', previous && localText(previous)],
    ['after', next && localText(next)],
  ]);
  return `${plain(sentence)}\n${ofMembers}\n${tableText(checks, CHECK_COLUMNS, width)}${around === '' ? '' : `\n${around}`}`;
}
