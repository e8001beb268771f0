/**
 * Commands that change one schedule or one occurrence: pause, resume, cancel, delete, trigger, stop, rerun, resolve.
 *
 * None of them needs an owner, and none starts one; what an owner has to do for them it does at its next tick.
 */
import type { Command } from 'commander';
import type { MisfirePolicy, TriggerResult } from '../../../index.js';
import { type Call, LOOKS, type Opened, type Register, withSchedules } from '../call.js';
import { choice, optionalRevisionOption, revisionOption, versionOption } from '../option-values.js';
import { plain } from '../output/layout/plain.js';
import { occurrenceLines, why } from '../output/occurrence-text.js';
import { summaryText } from '../output/schedule-text.js';
import { examples } from './help.js';

/** Adds the commands that change one schedule or occurrence. @internal */
export function addControlCommands(schedule: Command, register: Register): void {
  addScheduleControls(schedule, register);
  addOccurrenceControls(schedule, register);
}

function addScheduleControls(schedule: Command, register: Register): void {
  register(
    guarded(schedule, 'pause', 'Stop collecting it, and dispatching what its trigger made; what runs finishes.').option(
      '--note <text>',
      'why, in your words',
    ),
    (call: Call<GuardFlags>) => change(call, 'pause'),
  );
  register(
    guarded(schedule, 'resume', 'End a pause, or check a quarantined schedule again.').addOption(
      choice('--missed <policy>', 'what becomes of what fell due meanwhile (default: its misfire policy)', MISSED),
    ),
    resume,
  );
  register(
    guarded(schedule, 'cancel', 'End it: waiting work is cancelled, running work is asked to end.').option(
      '--note <text>',
      'why, in your words',
    ),
    (call: Call<GuardFlags>) => change(call, 'cancel'),
  );
  register(guarded(schedule, 'delete', 'Remove it with its history; evidence is kept.'), remove);
}

const MISSED: readonly MisfirePolicy[] = ['skip', 'runOnce', 'catchUp'];
const VERDICTS = ['done', 'notDone', 'unknown'] as const;

function guarded(schedule: Command, name: string, description: string): Command {
  return examples(schedule.command(name), description, [
    `everdue schedule --workspace ./work ${name} nightly --revision 1`,
    `everdue schedule --workspace ./work ${name} nightly --revision 1 --json`,
  ])
    .argument('<id>', 'id of the schedule')
    .addOption(revisionOption())
    .addOption(versionOption());
}

function addOccurrenceControls(schedule: Command, register: Register): void {
  register(
    examples(schedule.command('trigger'), 'Ask for one occurrence now.', [
      'everdue schedule --workspace ./work trigger nightly',
      'everdue schedule --workspace ./work trigger nightly --request-id ticket-4711',
    ])
      .argument('<id>', 'id of the schedule')
      .option('--request-id <id>', 'the same one twice asks for one occurrence')
      .addOption(optionalRevisionOption()),
    trigger,
  );
  register(
    ofOccurrence(schedule, 'rerun', 'Ask for a new occurrence in place of a failed or interrupted one.')
      .option('--request-id <id>', 'the same one twice asks for one occurrence')
      .addOption(optionalRevisionOption()),
    trigger,
  );
  register(
    ofOccurrence(schedule, 'stop', 'End one pending occurrence; the schedule goes on.').addOption(
      optionalRevisionOption(),
    ),
    stop,
  );
  register(
    examples(schedule.command('resolve'), 'Record what you found out about an interrupted occurrence.', [
      'everdue schedule --workspace ./work resolve nightly nightly~1~20261130T010000000Z --verdict done --note "the report is there"',
      'everdue schedule --workspace ./work resolve nightly nightly~1~20261130T010000000Z --verdict notDone --note "no mail went out"',
    ])
      .argument('<id>', 'id of the schedule')
      .argument('<occurrence>', 'id of the occurrence')
      .addOption(choice('--verdict <verdict>', 'whether its work was done', VERDICTS).makeOptionMandatory())
      .requiredOption('--note <text>', 'how you know')
      .addOption(optionalRevisionOption()),
    resolve,
  );
}

function ofOccurrence(schedule: Command, name: string, description: string): Command {
  return examples(schedule.command(name), description, [
    `everdue schedule --workspace ./work ${name} nightly nightly~1~20261130T010000000Z`,
    `everdue schedule --workspace ./work ${name} nightly nightly~1~m~ticket-4711 --json`,
  ])
    .argument('<id>', 'id of the schedule')
    .argument('<occurrence>', 'id of the occurrence');
}

interface GuardFlags {
  readonly revision: number;
  readonly expectVersion?: number;
  readonly note?: string;
  readonly missed?: MisfirePolicy;
}

interface OccurrenceFlags {
  readonly requestId?: string;
  readonly revision?: number;
}

function guardOf({ revision, expectVersion, note }: GuardFlags) {
  return {
    revision,
    ...(expectVersion === undefined ? {} : { version: expectVersion }),
    ...(note === undefined ? {} : { note }),
  };
}

async function change(call: Call<GuardFlags>, control: 'pause' | 'cancel'): Promise<void> {
  await withSchedule(call, async ({ schedules }, id) => {
    const changed = await schedules[control](id, guardOf(call.options));
    await call.printer.answer(changed, () => `${summaryText(changed)}\n`);
  });
}

async function resume(call: Call<GuardFlags>): Promise<void> {
  const missed = call.options.missed === undefined ? {} : { missed: call.options.missed };
  await withSchedule(call, async ({ schedules }, id) => {
    const resumed = await schedules.resume(id, { ...guardOf(call.options), ...missed });
    await call.printer.answer(resumed, () => `${summaryText(resumed)}\n`);
  });
}

async function remove(call: Call<GuardFlags>): Promise<void> {
  await withSchedule(call, async ({ schedules }, id) => {
    const gone = await schedules.delete(id, guardOf(call.options));
    await call.printer.answer(
      gone,
      () => `${plain(gone.id)}: deleted at revision ${gone.revision}; its evidence is kept\n`,
    );
  });
}

/** `trigger`, and `rerun` where an occurrence is given. */
async function trigger(call: Call<OccurrenceFlags>): Promise<void> {
  const { requestId, revision } = call.options;
  const options = {
    ...(requestId === undefined ? {} : { requestId }),
    ...(revision === undefined ? {} : { revision }),
  };
  const [, occurrence] = call.args;
  await withSchedule(call, async ({ schedules }, id) => {
    const asked =
      occurrence === undefined ? await schedules.trigger(id, options) : await schedules.rerun(id, occurrence, options);
    await call.printer.answer(asked, () => askedText(asked));
  });
}

function askedText({ occurrence, admitted, record }: TriggerResult): string {
  const told = { queued: 'queued', skipped: 'skipped', existing: 'exists already' }[admitted];
  const reasons = record === undefined ? [] : why(record).map((line) => `  ${plain(line)}\n`);
  return `${plain(occurrence)}: ${told}\n${reasons.join('')}`;
}

async function stop(call: Call<OccurrenceFlags>): Promise<void> {
  const revision = call.options.revision === undefined ? {} : { revision: call.options.revision };
  await withSchedule(call, async ({ schedules }, id) => {
    const stopped = await schedules.stop(id, call.args[1] ?? '', revision);
    await call.printer.answer(stopped, () => occurrenceLines(stopped.occurrence));
  });
}

interface ResolveFlags {
  readonly verdict: (typeof VERDICTS)[number];
  readonly note: string;
  readonly revision?: number;
}

async function resolve(call: Call<ResolveFlags>): Promise<void> {
  const { verdict, note, revision } = call.options;
  await withSchedule(call, async ({ schedules }, id) => {
    const resolved = await schedules.resolve(id, call.args[1] ?? '', {
      verdict,
      note,
      ...(revision === undefined ? {} : { revision }),
    });
    await call.printer.answer(resolved, () => occurrenceLines(resolved));
  });
}

/** Opens the workspace for a control of the schedule that the first argument names. */
async function withSchedule(call: Call<unknown>, use: (opened: Opened, id: string) => Promise<void>): Promise<void> {
  await withSchedules(call, LOOKS, (opened) => use(opened, call.args[0] ?? ''));
}
