/**
 * Commands that look: list, show, status, evidence, wait. They change nothing.
 */
import type { Command } from 'commander';
import {
  type JsonObject,
  LIMITS,
  type SchedulePreview,
  type ScheduleStatus,
  type Schedules,
  type ScheduleView,
} from '../../../index.js';
import { type Call, LOOKS, type Register, withSchedules } from '../call.js';
import { choice, instant, whole } from '../option-values.js';
import { type Overdue, statusText } from '../output/catalogue-text.js';
import { evidenceText, occurrenceText } from '../output/occurrence-text.js';
import { NOTHING_DUE } from '../output/preview-text.js';
import { detailText, listText } from '../output/schedule-text.js';
import { examples } from './help.js';

const STATUSES: readonly ScheduleStatus[] = ['active', 'paused', 'completed', 'expired', 'cancelled'];

/** Adds the commands that look. @internal */
export function addInspectCommands(schedule: Command, register: Register): void {
  const page = whole(LIMITS.historyPage.min, LIMITS.historyPage.max);
  register(
    examples(schedule.command('list'), 'List schedules, in order of their ids.', [
      'everdue schedule --workspace ./work list --failing',
      'everdue schedule --workspace ./work list --status paused --label team=cad --json',
    ])
      .addOption(choice('--status <status...>', 'only those of this status', STATUSES))
      .option('--label <label>', 'only those with this label: key, or key=value')
      .option('--failing', 'only those with failures in a row, a quarantine or unresolved interruptions')
      .option('--due-before <instant>', 'only those that are due before it', instant)
      .option('--limit <n>', 'how many (default: 100)', page)
      .option('--after <cursor>', 'what follows this page'),
    list,
  );
  register(
    examples(
      schedule.command('show'),
      'Show a schedule with its history, newest first, and why each ended as it did.',
      [
        'everdue schedule --workspace ./work show nightly --limit 50',
        'everdue schedule --workspace ./work show nightly --occurrence nightly~1~20261130T010000000Z',
      ],
    )
      .argument('<id>', 'id of the schedule')
      .option('--occurrence <id>', 'one occurrence with its attempts and its evidence')
      .option('--limit <n>', `how many of the history (default: ${LIMITS.historyPage.default})`, page)
      .option('--before <cursor>', 'what follows this page of the history')
      .option('--next <n>', 'also its next so many due instants, with local times', whole(1, LIMITS.previewCount.max))
      .option('--document', 'with --json: also the pinned document'),
    show,
  );
  register(
    examples(schedule.command('status'), 'Show whether an owner runs, the gate, the clock, and counts.', [
      'everdue schedule --workspace ./work status',
      'everdue schedule --workspace ./work status --json',
    ]),
    status,
  );
  register(
    examples(
      schedule.command('evidence'),
      'Show what the attempts of an occurrence left behind, also after its schedule is gone.',
      [
        'everdue schedule --workspace ./work evidence nightly~1~20261130T010000000Z',
        'everdue schedule --workspace ./work evidence nightly~1~20261130T010000000Z --json',
      ],
    ).argument('<occurrence>', 'id of the occurrence'),
    evidence,
  );
  register(
    examples(schedule.command('wait'), 'Wait until an occurrence has ended, and show how.', [
      'everdue schedule --workspace ./work wait nightly~1~20261130T010000000Z',
      'everdue schedule --workspace ./work wait nightly~1~m~first-try --json',
    ]).argument('<occurrence>', 'id of the occurrence'),
    wait,
  );
}

interface ListFlags {
  readonly status?: readonly ScheduleStatus[];
  readonly label?: string;
  readonly failing?: boolean;
  readonly dueBefore?: string;
  readonly limit?: number;
  readonly after?: string;
}

async function list(call: Call<ListFlags>): Promise<void> {
  const { status: statuses, label, failing, dueBefore, limit, after } = call.options;
  await withSchedules(call, LOOKS, async ({ schedules }) => {
    const page = await schedules.list({
      ...(statuses === undefined ? {} : { status: statuses }),
      ...(label === undefined ? {} : { label }),
      ...(failing === undefined ? {} : { failing }),
      ...(dueBefore === undefined ? {} : { dueBefore }),
      ...(limit === undefined ? {} : { limit }),
      ...(after === undefined ? {} : { after }),
    });
    await call.printer.answer(page, () => listText(page, call.printer.width));
  });
}

interface ShowFlags {
  readonly occurrence?: string;
  readonly limit?: number;
  readonly before?: string;
  readonly document?: boolean;
  readonly next?: number;
}

async function show(call: Call<ShowFlags>): Promise<void> {
  const { occurrence, limit, before, document, next } = call.options;
  const history = { ...(limit === undefined ? {} : { limit }), ...(before === undefined ? {} : { before }) };
  await withSchedules(call, LOOKS, async ({ schedules }) => {
    const { document: pinned, ...found } = await schedules.get(call.args[0] ?? '', {
      history,
      ...(occurrence === undefined ? {} : { occurrence }),
      ...(document === true || next !== undefined ? { document: true } : {}),
    });
    const detail = document === true && pinned !== undefined ? { ...found, document: pinned } : found;
    const due = next === undefined ? undefined : await nextDues(schedules, found.schedule, pinned ?? {}, next);
    const asked = { now: Date.now(), workspace: call.options.workspace ?? '', width: call.printer.width };
    const beside = { ...asked, ...(due && { due }) };
    await call.printer.answer({ ...detail, ...(due && { due }) }, () => detailText(detail, beside));
  });
}

/** The next due instants of a schedule, an overdue one included. */
async function nextDues(
  schedules: Schedules,
  { declaration, nextDue }: ScheduleView,
  document: JsonObject,
  count: number,
): Promise<SchedulePreview> {
  if (nextDue === undefined) return NOTHING_DUE;
  return await schedules.preview({ ...declaration, document }, { from: nextDue, count });
}

async function status(call: Call<unknown>): Promise<void> {
  await withSchedules(call, LOOKS, async ({ schedules, workspace }) => {
    const found = await schedules.status();
    const now = Date.now();
    const overdue = found.owner.isAlive || call.printer.isJson ? undefined : await overdueOf(schedules, now);
    await call.printer.answer(found, () => statusText(found, workspace, now, overdue));
  });
}

async function overdueOf(schedules: Schedules, now: number): Promise<Overdue> {
  const page = { status: 'active', dueBefore: new Date(now), limit: LIMITS.historyPage.max } as const;
  const { schedules: due, next } = await schedules.list(page);
  return { count: due.length, isFloor: next !== undefined };
}

async function evidence(call: Call<unknown>): Promise<void> {
  await withSchedules(call, LOOKS, async ({ schedules }) => {
    const kept = await schedules.evidence(call.args[0] ?? '');
    await call.printer.answer(kept, () => evidenceText(kept));
  });
}

async function wait(call: Call<unknown>): Promise<void> {
  const interrupted = new AbortController();
  const stopListening = call.surroundings.onInterrupt(() => interrupted.abort());
  try {
    await withSchedules(call, LOOKS, async ({ schedules }) => {
      const ended = await schedules.waitFor(call.args[0] ?? '', { signal: interrupted.signal });
      await call.printer.answer(ended, () => occurrenceText(ended));
    });
  } finally {
    stopListening();
  }
}
