/**
 * Commands that declare: preview, create, ensure, update.
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  type DeclarationChanges,
  type DeclarationInput,
  LIMITS,
  lintDeclaration,
  previewDeclaration,
  type SchedulePreview,
  type Schedules,
  type ScheduleView,
  type Warning,
} from '../../../index.js';
import {
  type Call,
  hasCatalogue,
  LOOKS,
  NETWORK_OPTION,
  PLANS,
  REPLANS,
  type Register,
  withSchedules,
} from '../call.js';
import { invalidInput, readJsonObject } from '../input.js';
import { instant, revisionOption, versionOption, whole } from '../option-values.js';
import { plain } from '../output/layout/plain.js';
import { NOTHING_DUE, outlookText, previewText } from '../output/preview-text.js';
import { writeTo } from '../output/print.js';
import { summaryText } from '../output/schedule-text.js';
import { examples } from './help.js';

const FILE = 'JSON file of the declaration, or `-` for standard input';

/** Adds `everdue lint`. @internal */
export function addLintCommand(program: Command, register: Register): void {
  register(
    examples(program.command('lint'), 'Warn of what a declaration allows and its author probably did not mean.', [
      'everdue lint nightly.json',
      'everdue lint - --json < nightly.json',
    ])
      .argument('<file>', FILE)
      .option('--workspace <dir>', 'judge also by its calendars, and by the last runs of the schedule of this id')
      .option(...NETWORK_OPTION),
    lint,
  );
}

/** Adds the commands that declare. @internal */
export function addDeclareCommands(schedule: Command, register: Register): void {
  const { min, max } = LIMITS.previewCount;
  register(
    examples(
      schedule.command('preview'),
      'Show when a declaration would be due; needs no workspace, changes nothing.',
      [
        'everdue schedule preview nightly.json --count 5',
        'everdue schedule preview - --from 2026-10-24T00:00:00Z < nightly.json',
      ],
    )
      .argument('<file>', FILE)
      .option('--from <instant>', 'first instant to look at (default: now)', instant)
      .option('--count <n>', `how many, ${min}..${max} (default: ${LIMITS.previewCount.default})`, whole(min, max)),
    preview,
  );
  register(
    planning(
      creating(
        examples(schedule.command('create'), 'Register a schedule.', [
          'everdue schedule --workspace ./work create nightly.json',
          'everdue schedule --workspace ./work create - --paused --json < nightly.json',
        ]),
      ),
    ).option('--expect-digest <digest>', 'refuse unless the document has this digest (sha256:...)'),
    create,
  );
  register(
    planning(
      creating(
        examples(schedule.command('ensure'), 'Register a schedule, or make the one of its id agree.', [
          'everdue schedule --workspace ./work ensure nightly.json',
          'everdue schedule --workspace ./work ensure - --defer-planning < nightly.json',
        ]),
      ),
    ),
    ensure,
  );
  register(
    planning(
      examples(schedule.command('update'), 'Change a declaration: fields replace those of before, null clears one.', [
        'everdue schedule --workspace ./work update nightly changes.json --revision 1',
        `echo '{"graceSeconds": 300}' | everdue schedule --workspace ./work update nightly - --revision 1 --withdraw`,
      ])
        .argument('<id>', 'id of the schedule')
        .argument('<changes>', 'JSON file of the changed fields, or `-` for standard input'),
    )
      .addOption(revisionOption())
      .addOption(versionOption())
      .option('--withdraw', 'end pending work that the old revision made')
      .option('--keep-paused', 'leave a paused schedule paused')
      .option('--expect-digest <digest>', 'refuse unless the new document has this digest'),
    update,
  );
}

function creating(command: Command): Command {
  return command.argument('<file>', FILE).option('--paused', 'a new schedule starts paused');
}

function planning(command: Command): Command {
  return command.option('--defer-planning', 'register without a plan; the one made at dispatch must pass');
}

interface PlanningOptions {
  readonly paused?: boolean;
  readonly deferPlanning?: boolean;
  readonly expectDigest?: string;
}

function planningOf({ deferPlanning, expectDigest }: PlanningOptions) {
  return {
    ...(deferPlanning === true ? { deferPlanning: true } : {}),
    ...(expectDigest === undefined ? {} : { expectedDocumentDigest: expectDigest }),
  };
}

async function preview(call: Call<{ readonly from?: string; readonly count?: number }>): Promise<void> {
  const { options, printer } = call;
  const declaration = await declarationOf(call);
  const answer = (shown: SchedulePreview) => printer.answer(shown, () => previewText(shown, printer.width));
  const range = {
    ...(options.from === undefined ? {} : { from: options.from }),
    ...(options.count === undefined ? {} : { count: options.count }),
  };
  if (!hasNamedCatalogue(call)) return answer(await previewDeclaration(declaration, range));
  await withSchedules(call, LOOKS, async ({ schedules }) => answer(await schedules.preview(declaration, range)));
}

async function lint(call: Call<unknown>): Promise<void> {
  const declaration = await declarationOf(call);
  const answer = (warnings: readonly Warning[]) => call.printer.answer({ warnings }, () => warningsText(warnings));
  if (call.options.workspace === undefined) return answer(await lintDeclaration(declaration));
  await withSchedules(call, LOOKS, async ({ schedules }) => answer(await schedules.lint(declaration)));
}

function warningsText(warnings: readonly Warning[]): string {
  if (warnings.length === 0) return 'nothing to warn of\n';
  return warnings.map(({ code, path, message }) => `${code} at ${path}: ${message}\n`).join('');
}

/** Whether the call names a workspace that was used before: then what a schedule has spent already counts, too. */
function hasNamedCatalogue({ options, surroundings }: Call<unknown>): boolean {
  return options.workspace !== undefined && hasCatalogue(resolve(surroundings.cwd, options.workspace));
}

async function create(call: Call<PlanningOptions>): Promise<void> {
  const declaration = await declarationOf(call);
  const isPaused = call.options.paused === true ? { paused: true } : {};
  const register = (schedules: Schedules) =>
    schedules.create(declaration, { ...planningOf(call.options), ...isPaused });
  await withSchedules(call, { ...PLANS, rehearse: register }, async ({ schedules }) => {
    const created = await register(schedules);
    const told = await outlookOf(schedules, declaration, created);
    const text = `${summaryText(created)}\n${outlookText(created, told.outlook, Date.now())}`;
    await answerRegistered(call, created, text, told.warnings);
  });
}

async function ensure(call: Call<PlanningOptions>): Promise<void> {
  const declaration = await declarationOf(call);
  if (!hasId(declaration)) {
    const issues = [{ path: 'id', rule: 'CT-13', message: 'is required: ensure compares by it' }];
    throw invalidInput('cannot ensure the declaration', issues);
  }
  const isPaused = call.options.paused === true ? { paused: true } : {};
  const register = (schedules: Schedules) =>
    schedules.ensure(declaration, { ...planningOf(call.options), ...isPaused });
  await withSchedules(call, { ...PLANS, rehearse: register }, async ({ schedules }) => {
    const ensured = await register(schedules);
    const { outcome, schedule } = ensured;
    const told = await outlookOf(schedules, declaration, schedule);
    const text = `${outcome}: ${summaryText(schedule)}\n${outlookText(schedule, told.outlook, Date.now())}`;
    await answerRegistered(call, ensured, text, told.warnings);
  });
}

/** What a registration leads to, as far as it can be told now, and what its author should look at again. */
async function outlookOf(schedules: Schedules, declaration: DeclarationInput, schedule: ScheduleView) {
  const { id, left, nextDue } = schedule;
  const warnings = await schedules.lint({ ...declaration, id });
  if (nextDue === undefined || left === 0) {
    return { warnings, outlook: NOTHING_DUE };
  }
  // Where nothing limits it, two instants tell whether it is due more than once.
  const count = left === 'unlimited' ? 2 : Math.min(left, LIMITS.previewCount.max);
  return { warnings, outlook: await schedules.preview({ ...declaration, id }, { from: nextDue, count }) };
}

/** The answer of a registration; its warnings are part of it for programs, and stand beside it for people. */
async function answerRegistered(
  { printer, surroundings }: Call<unknown>,
  value: object,
  text: string,
  warnings: readonly Warning[],
): Promise<void> {
  await printer.answer({ ...value, warnings }, () => text);
  if (printer.isJson || warnings.length === 0) return;
  const lines = warnings.map(({ code, path, message }) => `warning ${code} at ${path}: ${plain(message)}\n`);
  await writeTo(surroundings.stderr, lines.join(''));
}

interface UpdateFlags extends PlanningOptions {
  readonly revision: number;
  readonly expectVersion?: number;
  readonly withdraw?: boolean;
  readonly keepPaused?: boolean;
}

async function update(call: Call<UpdateFlags>): Promise<void> {
  const { args, options, surroundings } = call;
  const [id = '', changes = ''] = args;
  const fields = (await readJsonObject(changes, surroundings)) as DeclarationChanges;
  await withSchedules(call, REPLANS, async ({ schedules }) => {
    const updated = await schedules.update(id, fields, {
      revision: options.revision,
      ...(options.expectVersion === undefined ? {} : { version: options.expectVersion }),
      ...(options.withdraw === true ? { pending: 'withdraw' as const } : {}),
      ...(options.keepPaused === true ? { activate: false } : {}),
      ...planningOf(options),
    });
    await answerWith(call, updated);
  });
}

/** What stands in the file; the client checks every field of it. */
async function declarationOf({ args, surroundings }: Call<unknown>): Promise<DeclarationInput> {
  return (await readJsonObject(args[0] ?? '', surroundings)) as DeclarationInput;
}

function hasId(declaration: DeclarationInput): declaration is DeclarationInput & { readonly id: string } {
  return typeof declaration.id === 'string';
}

async function answerWith({ printer }: Call<unknown>, schedule: ScheduleView): Promise<void> {
  await printer.answer(schedule, () => `${summaryText(schedule)}\n`);
}
