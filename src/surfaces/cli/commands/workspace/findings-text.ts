/**
 * What a check found, for people: a line for the finding, a line for what to do.
 */
import type { WorkspaceFinding } from '../../../../adapters/fs/index.js';
import { scheduleCommand, shellWord } from '../../hint.js';
import { plain } from '../../output/layout/plain.js';

/** Findings of a workspace, or that there are none. @internal */
export function findingsText(findings: readonly WorkspaceFinding[], workspace: string): string {
  if (findings.length === 0) return `${plain(workspace)}: everything that is stored is whole\n`;
  return findings.map(findingText).join('');
}

function findingText({ severity, file, offset, invariant, rule, message, advice }: WorkspaceFinding): string {
  const kind = severity === 'note' ? 'note: ' : '';
  const place = `${plain(file)}, byte ${offset}`;
  return `${kind}${place}, rule ${invariant} ${plain(rule)}: ${plain(message)}\n  do: ${plain(advice)}\n`;
}

/** A finding whose advice names commands as they are to be typed for this workspace. @internal */
export function withCommands(finding: WorkspaceFinding, workspace: string): WorkspaceFinding {
  const advice = finding.advice
    .replace(/`everdue schedule ([a-z-]+)`/g, (_, name) => `${scheduleCommand(workspace)} ${name}`)
    .replace(/`everdue repair`/g, `everdue repair --workspace ${shellWord(workspace)}`);
  return { ...finding, advice };
}
