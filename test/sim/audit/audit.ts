/**
 * The audit: what must hold of a catalogue whenever somebody opens it, held against what callers were told and handlers did.
 */
import { checkWorkspaceOn } from '../../../src/adapters/fs/repair/disk-source.js';
import { isTerminal, type Occurrence } from '../../../src/core/model/occurrence.js';
import { plainDisk } from '../disk/plain-disk.js';
import type { SimMedium } from '../disk/sim-medium.js';
import { type FoundCatalogue, type FoundSchedule, readCatalogue, recordsOf } from './catalogue-reading.js';
import { dueFaults } from './due-coverage.js';
import { type JournalWalk, walkJournal } from './journal-walk.js';
import type { Answered, Ledger } from './ledger.js';

/** See the head of this file. `isRecovered`: an owner has settled what others left. */
export async function audit(medium: SimMedium, root: string, ledger: Ledger, isRecovered = false): Promise<void> {
  const files = medium.files(root);
  if (!files.has('catalogue/store.json')) {
    if (ledger.commits.size > 0) ledger.violate('ST-2', 'the workspace is gone, and commits were told');
    return;
  }
  const walk = walkJournal(files);
  judgeJournal(walk, ledger);
  await judgeFiles(medium, root, ledger, isRecovered);
  const found = await readCatalogue(medium, root).catch((error: unknown) => {
    ledger.violate('ST-3', `the catalogue cannot be read: ${String(error)}`);
    return undefined;
  });
  if (found !== undefined) judgeCatalogue(found, ledger);
}

/** The catalogue as it is found by whoever opens it. */
export function judgeCatalogue(found: FoundCatalogue, ledger: Ledger): void {
  if (found.changes.seq < ledger.lastCommit) {
    ledger.violate('ST-2', `commit ${ledger.lastCommit} was told, the catalogue ends at ${found.changes.seq}`);
  }
  judgeAnswers(found, ledger);
  judgeRecords(found, ledger);
}

/** The independent checker, on the bytes as they are, with the logs that were kept outside of them. */
async function judgeFiles(medium: SimMedium, root: string, ledger: Ledger, isRecovered: boolean): Promise<void> {
  const acknowledged = [...ledger.commits.values()].sort((a, b) => a.seq - b.seq);
  // Behind a backup, evidence knows of claims that the journal has lost: that is what it is kept for.
  const isRestored = ledger.restores > 0;
  const known = { effects: isRestored ? [] : ledger.effects, acknowledged, isRecovered };
  for (const { severity, invariant, rule, message, file } of await checkWorkspaceOn(plainDisk(medium), root, known)) {
    // The mark of a flush that failed for good stands until an owner starts.
    if (rule === 'flush' && !isRecovered) continue;
    if (isRestored && invariant === 'I10') continue;
    if (severity === 'error') ledger.violate('ST-3', `the check finds ${invariant} ${rule} in ${file}: ${message}`);
  }
}

/** The chain of the journal, against the commits that callers were told of, and those that they were told are none. */
export function judgeJournal({ commits, faults, base }: JournalWalk, ledger: Ledger): void {
  for (const fault of faults) ledger.violate('S-2', fault);
  const bySeq = new Map(commits.map((commit) => [commit.seq, commit]));
  for (const { seq, hash, by } of ledger.commits.values()) {
    if (seq <= base) continue;
    const stored = bySeq.get(seq);
    if (stored === undefined) ledger.violate('ST-2', `commit ${seq}, told to ${by}, is not in the journal`);
    else if (stored.hash !== hash)
      ledger.violate('ST-2', `commit ${seq}, told to ${by}, is another one in the journal`);
  }
  for (const { actor, seq } of commits) {
    const refused = ledger.refusedCommits.get(actor);
    if (refused !== undefined)
      ledger.violate('S-12', `commit ${seq} stands in the journal, its caller was told ${refused}`);
  }
}

/** Every call that was answered is in the catalogue, or was followed by a deletion. */
function judgeAnswers(found: FoundCatalogue, ledger: Ledger): void {
  const marks = new Map(found.changes.marks.map((mark) => [mark.id, mark]));
  for (const answer of ledger.answers) {
    const { call, scheduleId, revision = 0, version = 0, by } = answer;
    const schedule = found.schedules.get(scheduleId);
    const mark = marks.get(scheduleId);
    const lost = (what: string) => ledger.violate('ST-2', `${call} of ${scheduleId}, answered to ${by}: ${what}`);
    if (schedule === undefined) {
      if (mark === undefined || mark.revision < revision) lost('the schedule is gone');
      else if (call !== 'delete' && !ledger.deletions.has(scheduleId))
        lost('it was deleted, and nobody asked for that');
      continue;
    }
    const now = schedule.stored.entry.schedule;
    const isOlder = now.revision < revision || (now.revision === revision && now.version < version);
    if (isOlder && call !== 'delete') lost(`it was ${revision}.${version} and is ${now.revision}.${now.version}`);
    judgeOccurrence(answer, schedule, ledger);
  }
  for (const [request, code] of ledger.refusedRequests) judgeRefused(request, code, found, ledger);
}

function judgeOccurrence(
  { occurrence, isEnding, verdict, call, scheduleId }: Answered,
  schedule: FoundSchedule,
  ledger: Ledger,
): void {
  // Pruning and deletion take records away; what they leave is not whole enough to look for one.
  const isPruned = schedule.stored.prunedThrough !== undefined || schedule.history.length >= ledger.historyKept;
  if (occurrence === undefined || isPruned || ledger.deletions.has(scheduleId)) return;
  const record = recordsOf(schedule).find(({ id }) => id.toLowerCase() === occurrence.toLowerCase());
  if (record === undefined) {
    ledger.violate('ST-2', `${call}: ${occurrence} was told and is gone`);
    return;
  }
  if (isEnding === true && !isTerminal(record.status) && record.endRequest === undefined) {
    ledger.violate('ST-2', `${call}: ${occurrence} was to end, and nothing of it knows`);
  }
  if (verdict !== undefined && record.verdict === undefined)
    ledger.violate('ST-2', `${call}: the verdict on ${occurrence} is gone`);
}

function judgeRefused(request: string, code: string, found: FoundCatalogue, ledger: Ledger): void {
  const [scheduleId = '', requestId = ''] = request.split(' ');
  const schedule = found.schedules.get(scheduleId);
  if (schedule === undefined) return;
  const record = recordsOf(schedule).find(({ id }) => id.endsWith(`~m~${requestId}`));
  if (record !== undefined) ledger.violate('ST-4', `${record.id} exists, its caller was told ${code}`);
}

function judgeRecords(found: FoundCatalogue, ledger: Ledger): void {
  const seen = new Map<string, Occurrence>();
  for (const schedule of found.schedules.values()) {
    for (const record of recordsOf(schedule)) {
      if (seen.has(record.id)) ledger.violate('OC-1', `${record.id} is recorded twice`);
      seen.set(record.id, record);
    }
    // What was due between a backup and the clock that was accepted behind it is in records that are lost.
    if (ledger.restores > 0) continue;
    const { id, revision } = schedule.stored.entry.schedule;
    for (const fault of dueFaults(schedule, firstDueOf(id, revision, ledger), ledger.acceptances > 0))
      ledger.violate('CO-5', `${id}: ${fault}`);
  }
  for (const { occurrence, attempt } of ledger.effects.slice(ledger.effectsBefore)) {
    const record = seen.get(occurrence);
    const before = record?.attempts.find((one) => one.attempt < attempt && one.outcome !== 'failed');
    if (before !== undefined) {
      ledger.violate(
        'OC-6',
        `attempt ${attempt} of ${occurrence} ran, and attempt ${before.attempt} had ended ${before.outcome}`,
      );
    }
  }
}

/** The first due instant of a revision, as the caller was told who made it. */
function firstDueOf(scheduleId: string, revision: number, ledger: Ledger): number | undefined {
  const made = ledger.answers.find(
    (answer) =>
      answer.scheduleId === scheduleId && answer.revision === revision && ['create', 'update'].includes(answer.call),
  );
  return made?.nextDue === undefined ? undefined : Date.parse(made.nextDue);
}
