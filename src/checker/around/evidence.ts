/**
 * The evidence of one schedule against its claims: each attempt directory belongs to one claim of the chain, and what
 * succeeded has its result there (I10, I17). No due instant was run under two revisions, by its records and its evidence (I5).
 */
import { countOf, type Row, rowOrEmpty, stableText, textOf } from '../bytes/json-value.js';
import { evidencePath, folded, idOfName, nameOfId, type OccurrenceName, occurrenceName } from '../bytes/names.js';
import { sha256 } from '../bytes/sealed.js';
import type { FileSource } from '../file-source.js';
import type { Findings } from '../finding.js';
import { claimKey, type Entry, type World } from '../journal/world.js';
import { readEvidence } from './evidence-file.js';
import { type KnownRecord, verificationPrint } from './known-record.js';

const ATTEMPT = /^attempt-([1-9]\d{0,5})$/;

/** Whose evidence is looked at, and what is known of it. @internal */
export interface EvidenceOf {
  readonly source: FileSource;
  readonly world: World;
  /** The schedule; absent where it is deleted, or never was. */
  readonly entry: Entry | undefined;
  /** Its id. */
  readonly id: string;
  readonly known: ReadonlyMap<string, KnownRecord>;
  readonly findings: Findings;
}

/** One attempt directory. */
interface Attempt {
  readonly id: string;
  readonly name: OccurrenceName;
  readonly attempt: number;
  readonly path: string;
}

/** Looks at every attempt directory of a schedule. @internal */
export async function checkEvidence(of: EvidenceOf): Promise<void> {
  const root = `occurrences/${nameOfId(of.id)}`;
  const ran = ranByRecord(of);
  for (const group of (await of.source.list(root)) ?? []) {
    for (const file of (await of.source.list(`${root}/${group}`)) ?? []) {
      const id = idOfName(file);
      const name = id === undefined ? undefined : occurrenceName(id);
      const path = `${root}/${group}/${file}`;
      // What else a person has put there is nobody's evidence.
      if (id === undefined || name === undefined || evidencePath(id, name) !== path) continue;
      if (await checkOccurrence(of, id, name, path)) noteRun(of, ran, id, name.due, path);
    }
  }
}

/** Due instants that were run, each with the occurrence that was, by the records that are there. */
function ranByRecord(of: EvidenceOf): Map<string, string> {
  const ran = new Map<string, string>();
  for (const [id, { attempts, running, reason }] of of.known) {
    const isRun = (attempts.length > 0 || running > 0) && reason !== 'attemptExists';
    if (isRun) noteRun(of, ran, id, occurrenceName(id)?.due, `catalogue/history/${nameOfId(of.id)}`);
  }
  return ran;
}

function noteRun(of: EvidenceOf, ran: Map<string, string>, id: string, due: string | undefined, file: string): void {
  if (due === undefined) return;
  const other = ran.get(due);
  if (other === undefined) ran.set(due, id);
  else if (other !== id)
    of.findings.error(['I5', 'instant'], { file, offset: 0 }, `${id} was run, and ${other} for the same due instant`);
}

/** Looks at the attempts of an occurrence; whether there are any. */
async function checkOccurrence(of: EvidenceOf, id: string, name: OccurrenceName, path: string): Promise<boolean> {
  const record = of.known.get(id);
  const attempts: number[] = [];
  for (const directory of (await of.source.list(path)) ?? []) {
    const digits = ATTEMPT.exec(directory)?.[1];
    if (digits === undefined) continue;
    const attempt = { id, name, attempt: Number(digits), path: `${path}/${directory}` };
    attempts.push(attempt.attempt);
    await checkAttempt(of, attempt, record);
  }
  const hasAttempts = attempts.length > 0;
  if (record?.status !== 'succeeded' || !hasAttempts || attempts.includes(record.attempts.length)) return hasAttempts;
  // Removal takes all attempts of an occurrence at once, so one of them alone was lost; unless it goes right now.
  if ((await of.source.look(path)) === undefined) return false;
  const found = `attempt ${record.attempts.length} succeeded, and its directory is not there`;
  of.findings.error(['I17', 'evidence'], { file: path, offset: 0 }, found);
  return true;
}

async function checkAttempt(of: EvidenceOf, attempt: Attempt, record: KnownRecord | undefined): Promise<void> {
  const { source, findings } = of;
  const file = `${attempt.path}/dispatch.json`;
  const dispatch = await readEvidence(source, file);
  if (dispatch === 'unreadable') {
    findings.error(['I10', 'json'], { file, offset: 0 }, 'the record of the dispatch is no JSON object');
  } else {
    const fault = faultOf(of, attempt, record, dispatch === 'absent' ? undefined : dispatch);
    const place = { file: dispatch === 'absent' ? attempt.path : file, offset: 0 };
    // An attempt that found its directory taken says so: the evidence is another's, and nothing was run.
    if (fault !== undefined && record?.reason === 'attemptExists') {
      findings.note(['I10', 'foreign'], place, `${fault[1]}; ${attempt.id} was not run because of it`);
    } else if (fault !== undefined) findings.error(['I10', fault[0]], place, fault[1]);
  }
  await checkResult(of, attempt, record);
}

/** What is wrong with the evidence of an attempt: the rule and what was found. */
function faultOf(
  of: EvidenceOf,
  attempt: Attempt,
  record: KnownRecord | undefined,
  dispatch: Row | undefined,
): readonly [rule: string, found: string] | undefined {
  const named = dispatch === undefined ? undefined : namingFault(attempt, dispatch);
  if (named !== undefined) return ['dispatch', named];
  if (isAccepted(of, dispatch)) return undefined;
  const lost = dispatch === undefined ? undefined : chainFault(of, attempt, dispatch);
  if (lost !== undefined) return ['lost', lost];
  if (record === undefined) return strayFault(of, attempt, dispatch);
  const claimed = record.attempts[attempt.attempt - 1];
  if (claimed === undefined && record.running !== attempt.attempt) {
    return ['claim', `attempt ${attempt.attempt} of ${attempt.id} was never claimed`];
  }
  if (claimed === undefined || dispatch === undefined) return undefined;
  const isOwn = (claimed.token === 0 || claimed.token === dispatch['seq']) && claimed.epoch === dispatch['epoch'];
  return isOwn ? undefined : ['claim', `attempt ${attempt.attempt} of ${attempt.id} was claimed by another commit`];
}

function namingFault({ id, name, attempt }: Attempt, dispatch: Row): string | undefined {
  const isRight =
    dispatch['occurrence'] === id &&
    dispatch['attempt'] === attempt &&
    dispatch['scheduleId'] === name.schedule &&
    dispatch['revision'] === name.revision;
  if (!isRight) return 'the record of the dispatch is that of another attempt';
  const digest = `sha256:${sha256(stableText(dispatch['document']))}`;
  return digest === dispatch['documentDigest']
    ? undefined
    : 'the document in the record of the dispatch is another one';
}

/** The commit that a dispatch names, against the journal that is kept. */
function chainFault({ world }: EvidenceOf, { id, attempt }: Attempt, dispatch: Row): string | undefined {
  const seq = countOf(dispatch['seq']);
  if (seq > world.seq) return `it was claimed by commit ${seq}, and the journal ends at commit ${world.seq}`;
  const hash = world.commits.get(seq);
  if (hash === undefined) return undefined;
  if (hash !== dispatch['hash']) return `it was claimed by a commit ${seq} that is not the one of the journal`;
  const claim = world.claims.get(claimKey(id, attempt));
  return claim?.seq === seq ? undefined : `commit ${seq} did not claim it`;
}

/** Evidence of an occurrence that the catalogue has no record of: pruned, deleted, or lost. */
function strayFault(
  { world, entry, id: schedule }: EvidenceOf,
  { id, name }: Attempt,
  dispatch: Row | undefined,
): readonly [rule: string, found: string] | undefined {
  if (entry === undefined) {
    const mark = world.marks.get(folded(schedule))?.mark;
    if (mark !== undefined && name.revision <= countOf(mark['revision'])) return undefined;
    return ['stray', `${id} was run, and the catalogue never had revision ${name.revision} of ${schedule}`];
  }
  const revision = countOf(entry.row['revision']);
  const unknown = ['stray', `${id} was run, and the catalogue has no record of it`] as const;
  if (name.revision > revision) return unknown;
  const isPruned = entry.prunedRecords > 0;
  if (name.revision === revision && name.due !== undefined) {
    return name.due <= (entry.pruned?.through ?? '') ? undefined : unknown;
  }
  // An older schedule of this id may have had it; one of this schedule is in its history, unless that was pruned.
  const isOfThis = countOf(dispatch?.['seq']) >= entry.createdSeq;
  return isPruned || !isOfThis ? undefined : unknown;
}

/** What ran before an operator accepted the catalogue as it is, perhaps from an older backup, is known to be unknown. */
function isAccepted({ world, entry }: EvidenceOf, dispatch: Row | undefined): boolean {
  const accepted = [world.row['acceptedClockAt'], entry?.row['acceptedClockAt']].map(textOf).sort().at(-1) ?? '';
  return accepted !== '' && textOf(dispatch?.['claimedAt']) <= accepted;
}

async function checkResult(of: EvidenceOf, { attempt, path }: Attempt, record: KnownRecord | undefined): Promise<void> {
  const { source, findings } = of;
  const file = `${path}/result.json`;
  const result = await readEvidence(source, file);
  if (result === 'unreadable') {
    findings.error(['I17', 'json'], { file, offset: 0 }, 'the record of the result is no JSON object');
    return;
  }
  if (record?.status !== 'succeeded' || record.attempts.length !== attempt) return;
  if (result === 'absent') {
    if ((await source.look(path)) === undefined) return;
    findings.error(['I17', 'result'], { file, offset: 0 }, 'the attempt succeeded, and its result was not kept');
    return;
  }
  const print = verificationPrint(rowOrEmpty(result['verification']), result['receipts']);
  if (result['outcome'] === 'succeeded' && print === record.verified) return;
  findings.error(['I17', 'result'], { file, offset: 0 }, 'the result is not the one that the record was made of');
}
