/**
 * What a repair did, or would do, for people.
 */
import type { WorkspaceRepair } from '../../../../adapters/fs/index.js';
import { plain } from '../../output/layout/plain.js';
import { findingsText } from './findings-text.js';

/** The actions of a repair, then what is left. @internal */
export function repairText({ actions, findings }: WorkspaceRepair, workspace: string, isRehearsal: boolean): string {
  const done = actions.map(({ kind, file, did, keptAt }) => {
    const kept = keptAt === undefined ? '' : `\n  kept: ${plain(keptAt)}`;
    return `${isRehearsal ? 'would mend' : 'mended'} ${kind}: ${plain(file)}: ${plain(did)}${kept}\n`;
  });
  const none = `${plain(workspace)}: nothing ${isRehearsal ? 'would be' : 'was'} changed\n`;
  const left = isRehearsal && findings.length > 0 ? 'found:\n' : '';
  return `${done.length === 0 ? none : done.join('')}${left}${findingsText(findings, workspace)}`;
}
