/**
 * What to do next, in the words of the command line.
 *
 * Errors of the client advise in the words of its methods. Where the command has an option or a command for the same
 * thing, its line stands here instead, ready to be copied: with the workspace and the id that were typed.
 */
import { isScheduleError, ScheduleError } from '../../index.js';

/** `everdue schedule --workspace DIR`, quoted for a shell where it has to be. @internal */
export function scheduleCommand(workspace: string): string {
  return `everdue schedule --workspace ${shellWord(workspace)}`;
}

/** A text as one word of a shell. @internal */
export function shellWord(text: string): string {
  return /^[\w./:@~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The same error with a hint for the command line, where there is a better one. @internal */
export function withCommandHint(error: unknown, workspace: string | undefined): unknown {
  if (!isScheduleError(error)) return error;
  const hint = HINTS[error.code]?.(error, workspace ?? 'DIR');
  if (hint === undefined) return error;
  const { code, message, details, cause, stack } = error;
  const told = new ScheduleError(code, message, { details, hint, ...(cause === undefined ? {} : { cause }) });
  if (stack !== undefined) told.stack = stack;
  return told;
}

type HintOf = (error: ScheduleError, workspace: string) => string | undefined;

const HINTS: Readonly<Partial<Record<ScheduleError['code'], HintOf>>> = {
  SCHEDULE_NO_PLANNER: () =>
    'Write everdue.config.mjs or name one in EVERDUE_CONFIG (see `everdue help config`), or use --defer-planning.',
  SCHEDULE_NOT_FOUND: ({ details }, workspace) => {
    if (details['what'] === 'schedule') return `See the ids that exist with: ${scheduleCommand(workspace)} list`;
    const id = scheduleOf(details);
    return id === '' ? undefined : `See its occurrences with: ${scheduleCommand(workspace)} show ${id}`;
  },
  SCHEDULE_EXISTS: ({ hint, details }, workspace) => {
    // An id that was deleted can only be spelled as before; there is no schedule to change.
    if (!hint.includes('ensure')) return undefined;
    const command = scheduleCommand(workspace);
    return `Make it agree with the file: ${command} ensure FILE. Or look at it: ${command} show ${idText(details['existing'])}. Or choose another id.`;
  },
  SCHEDULE_REVISION_CONFLICT: ({ details }, workspace) =>
    `See what changed with: ${scheduleCommand(workspace)} show ${scheduleOf(details)}. If you still want it: --revision ${String(details['revision'])}`,
  SCHEDULE_WORK_PENDING: ({ details }, workspace) =>
    details['control'] === 'update'
      ? 'Wait until they have ended, or repeat it with --withdraw: queued and waiting ones end, a running one finishes.'
      : `Wait until they have ended, or cancel the schedule first: ${scheduleCommand(workspace)} cancel ${scheduleOf(details)} --revision N`,
  SCHEDULE_NOT_APPLICABLE: ({ details }, workspace) =>
    details['control'] === 'rerun' && details['status'] === 'succeeded'
      ? `It did its work. To run the schedule once more: ${scheduleCommand(workspace)} trigger ${scheduleOf(details)}`
      : undefined,
  SCHEDULE_WORKSPACE_UNUSABLE: ({ hint }) =>
    hint.includes('allowNetworkFileSystem')
      ? 'Use a local disk, or a store for several machines; --allow-network-file-system takes the risk.'
      : undefined,
  SCHEDULE_NEVER_DUE: () =>
    'See when it is due with: everdue schedule preview FILE. Then mend its dates, its end or its expiresAt.',
  SCHEDULE_CATALOGUE_CORRUPT: ({ details }, workspace) =>
    'findings' in details
      ? undefined
      : `Nothing was changed. See all that is wrong, and what to do, with: everdue check --workspace ${shellWord(workspace)}`,
};

function scheduleOf(details: ScheduleError['details']): string {
  return idText(details['id']);
}

function idText(id: unknown): string {
  return typeof id === 'string' ? shellWord(id) : '';
}
