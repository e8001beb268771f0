/**
 * The log that hosts leave outside of the workspace, read into a ledger: what callers were told, and what handlers did.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Answered, Ledger } from '../../sim/audit/ledger.js';

/** A line of the log: `is` says of what, the rest depends on it. */
interface Line extends Omit<Answered, 'call'> {
  readonly is: string;
  readonly call?: string;
  readonly seq?: number;
  readonly hash?: string;
  readonly actor?: string;
  readonly attempt?: number;
  readonly fencingToken?: number;
  readonly requestId?: string;
  readonly code?: string;
  readonly isExpected?: boolean;
  readonly rule?: string;
  readonly found?: string;
}

/** Reads the log into a ledger; how many lines there were of each kind. */
export function readOutsideLog(path: string, ledger: Ledger): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  for (const json of text.split('\n')) {
    const line = lineIn(json);
    if (line === undefined) continue;
    counts.set(line.is, (counts.get(line.is) ?? 0) + 1);
    take(line, ledger);
  }
  return counts;
}

/** Nothing for what a kill in the middle of a write has left of a line. */
function lineIn(json: string): Line | undefined {
  try {
    return JSON.parse(json) as Line;
  } catch {
    return undefined;
  }
}

function take(line: Line, ledger: Ledger): void {
  const { is, by, atMs, call = '', scheduleId, code = '', found = '' } = line;
  const { seq = 0, hash = '', occurrence = '', attempt = 0, fencingToken = 0 } = line;
  switch (is) {
    case 'commit':
      ledger.told({ seq, hash, by });
      return;
    case 'notCommitted':
      ledger.refusedCommits.set(line.actor ?? '', found);
      return;
    case 'effect':
      ledger.effected({ occurrence, attempt, fencingToken, by, atMs });
      return;
    case 'answer':
      ledger.answers.push({ ...line, call });
      return;
    case 'deletes':
      ledger.deletions.add(scheduleId);
      return;
    case 'notAdmitted':
      ledger.refusedRequests.set(`${scheduleId} ${line.requestId}`, code);
      return;
    case 'refused':
      ledger.refused(call, code);
      if (line.isExpected !== true) ledger.violate('CT-1', `${call} of ${by} was refused with ${found}`);
      return;
    case 'violation':
      ledger.violate(line.rule ?? '', found);
      return;
    default:
      throw new Error(`a line of the log is ${is}`);
  }
}
