/**
 * `everdue check` and `everdue repair`: what is wrong with the files of a workspace, and mending what can be mended.
 *
 * Both end with the exit code of damage where something is left that use depends on.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { ScheduleError } from '../../../../index.js';
import { type Call, noCatalogue, type Register, workspaceOf } from '../../call.js';
import { examples } from '../help.js';
import { findingsText, withCommands } from './findings-text.js';
import { repairText } from './repair-text.js';

/** Adds `everdue check` and `everdue repair`. @internal */
export function addCheckCommands(program: Command, register: Register): void {
  register(
    examples(
      program.command('check'),
      'Check every file of a workspace; list what is wrong and what to do. Exit code 74 where something is.',
      ['everdue check --workspace ./work', 'everdue check --workspace ./work --json'],
    ).option('--workspace <dir>', 'folder of the workspace'),
    check,
  );
  register(
    examples(
      program.command('repair'),
      'Mend what can be mended without a doubt, keep the bytes that are replaced, and list what is left.',
      ['everdue repair --workspace ./work --dry-run', 'everdue repair --workspace ./work'],
    )
      .option('--workspace <dir>', 'folder of the workspace')
      .option('--dry-run', 'say what would be done, and write nothing'),
    repair,
  );
}

interface RepairFlags {
  readonly dryRun?: boolean;
}

async function check(call: Call<unknown>): Promise<void> {
  const workspace = folderOf(call);
  const { checkWorkspace } = await import('../../../../adapters/fs/index.js');
  const findings = (await checkWorkspace(workspace)).map((finding) => withCommands(finding, workspace));
  await call.printer.answer({ workspace, findings }, () => findingsText(findings, workspace));
  refuseErrors(workspace, findings, 'Each finding says what can be done; nothing was changed.');
}

async function repair(call: Call<RepairFlags>): Promise<void> {
  const workspace = folderOf(call);
  const isRehearsal = call.options.dryRun === true;
  const { repairWorkspace } = await import('../../../../adapters/fs/index.js');
  const done = await repairWorkspace(workspace, { dryRun: isRehearsal });
  const findings = done.findings.map((finding) => withCommands(finding, workspace));
  const { actions } = done;
  await call.printer.answer({ workspace, dryRun: isRehearsal, actions, findings }, () =>
    repairText({ actions, findings }, workspace, isRehearsal),
  );
  if (!isRehearsal) refuseErrors(workspace, findings, 'Each finding says what an operator can do.');
}

/** A catalogue without its store.json is a finding; no catalogue at all is a mistyped folder. */
function folderOf(call: Call<unknown>): string {
  const workspace = workspaceOf(call, { makes: true });
  if (!existsSync(join(workspace, 'catalogue'))) throw noCatalogue(workspace);
  return workspace;
}

function refuseErrors(
  workspace: string,
  findings: readonly { readonly severity: 'error' | 'note' }[],
  hint: string,
): void {
  const { length } = findings.filter(({ severity }) => severity === 'error');
  if (length === 0) return;
  const message = `the workspace ${workspace} is damaged: ${length} finding${length === 1 ? '' : 's'}`;
  throw new ScheduleError('SCHEDULE_CATALOGUE_CORRUPT', message, { details: { workspace, findings: length }, hint });
}
