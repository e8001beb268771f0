/**
 * Commands about the catalogue as a whole: the gate, the clock, and the check of its files.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, type Command } from 'commander';
import { ScheduleError, type Schedules } from '../../../index.js';
import { type Call, LOOKS, noCatalogue, type Register, withSchedules, workspaceOf } from '../call.js';
import { usageError } from '../input.js';
import { findingsText, gateText, statusText, withAdvice } from '../output/catalogue-text.js';
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
}

/** Adds `everdue check`. @internal */
export function addCheckCommand(program: Command, register: Register): void {
  register(
    examples(
      program.command('check'),
      'Check every file of a workspace; list what is wrong and what to do. Exit code 74 where something is.',
      ['everdue check --workspace ./work', 'everdue check --workspace ./work --json'],
    ).option('--workspace <dir>', 'folder of the workspace'),
    check,
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

async function acceptClock(call: Call<unknown>): Promise<void> {
  await withSchedules(call, LOOKS, async ({ schedules, workspace }) => {
    const found = await schedules.acceptClock();
    await call.printer.answer(found, () => statusText(found, workspace, Date.now()));
  });
}

async function check(call: Call<unknown>): Promise<void> {
  // A catalogue without its store.json is a finding; no catalogue at all is a mistyped folder.
  const workspace = workspaceOf(call, { makes: true });
  if (!existsSync(join(workspace, 'catalogue'))) throw noCatalogue(workspace);
  const { checkWorkspace } = await import('../../../adapters/fs/index.js');
  const findings = (await checkWorkspace(workspace)).map((finding) => withAdvice(finding, workspace));
  await call.printer.answer({ workspace, findings }, () => findingsText(findings, workspace));
  const { length } = findings.filter(({ severity }) => severity === 'error');
  if (length === 0) return;
  const message = `the workspace ${workspace} is damaged: ${length} finding${length === 1 ? '' : 's'}`;
  throw new ScheduleError('SCHEDULE_CATALOGUE_CORRUPT', message, {
    details: { workspace, findings: length },
    hint: 'Each finding says what can be done; nothing was changed.',
  });
}
