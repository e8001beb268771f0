/**
 * What one decision may do to a schedule: its revision, its budget, its due instants, and whom it lets in (I7, I8, I9).
 */
import { countOf, isSame, type Row, rowOrEmpty, textOf } from '../bytes/json-value.js';
import { declarationOf, type Entry } from '../journal/world.js';
import type { Tell } from './occurrence-rules.js';

/** What a commit decided of one schedule: its rows before and, occurrence by occurrence, what it made. @internal */
export interface Decided {
  readonly id: string;
  /** The row and the definition before; absent where it is new. */
  readonly row?: Row;
  readonly definition?: Row;
  /** Whether a row of the schedule came with it. */
  readonly hasRow: boolean;
  /** Occurrences of the trigger that count against its budget. */
  made: number;
}

/** Words that an update may change without making a revision. */
const WORDS: ReadonlySet<string> = new Set(['objective', 'labels']);

/** Judges a row of a schedule against the one before. @internal */
export function judgeRow(before: Entry | undefined, row: Row, definition: Row | undefined, tell: Tell): void {
  const id = textOf(row['id']);
  if (before === undefined) return;
  const { row: former } = before;
  const [from, to] = [countOf(former['revision']), countOf(row['revision'])];
  if (to !== from && to !== from + 1) tell(['I8', 'revision'], `${id} goes from revision ${from} to ${to}`);
  if (countOf(row['version']) < countOf(former['version'])) {
    tell(['I8', 'version'], `${id} goes back from version ${String(former['version'])} to ${String(row['version'])}`);
  }
  if (to !== from && definition === undefined)
    tell(['I8', 'definition'], `${id} has a new revision without a definition`);
  if (to === from && definition !== undefined && !isReworded(before.definition, definition)) {
    tell(['I8', 'definition'], `what ${id} declares changes without a new revision`);
  }
  if (row['createdAt'] !== former['createdAt'])
    tell(['I8', 'createdAt'], `${id} is said to be created at another time`);
  const isAccepted = row['acceptedClockAt'] !== former['acceptedClockAt'];
  if (!isAccepted && textOf(row['collectedThrough']) < textOf(former['collectedThrough'])) {
    tell(['I9', 'due'], `${id} is collected through less than before, and no clock was accepted`);
  }
}

function isReworded(before: Row, after: Row): boolean {
  if (before['documentDigest'] !== after['documentDigest']) return false;
  const [from, to] = [declarationOf(before), declarationOf(after)];
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...names].every((name) => WORDS.has(name) || isSame(from[name], to[name]));
}

/** Judges a new schedule against the mark of a former one of its id. @internal */
export function judgeCreation(row: Row, mark: Row | undefined, tell: Tell): void {
  const id = textOf(row['id']);
  const revision = countOf(row['revision']);
  const first = countOf(mark?.['revision']) + 1;
  if (revision !== first) tell(['I8', 'revision'], `${id} begins with revision ${revision}, ${first} is next`);
  if (mark === undefined) return;
  if (mark['id'] !== id) tell(['I8', 'id'], `${id} was spelled ${textOf(mark['id'])} before`);
  if (textOf(row['collectedThrough']) < textOf(mark['collectedThrough'])) {
    tell(['I9', 'due'], `${id} is collected through less than before it was deleted`);
  }
}

/** Judges a new occurrence of the trigger: its place in the order, the budget, the expiry, the pause. @internal */
export function judgeDue(occurrence: Row, entry: Entry, decided: Decided, isGateClosed: boolean, tell: Tell): void {
  const id = textOf(occurrence['id']);
  const due = textOf(occurrence['dueAt']);
  const isClosing = occurrence['isClosing'] === true;
  const before = decided.row ?? entry.row;
  const firstAt = textOf(rowOrEmpty(occurrence['window'])['firstAt']) || due;
  if (firstAt <= textOf(before['collectedThrough']) && decided.row !== undefined) {
    tell(['I9', 'due'], `${id} is not after what was accounted for before`);
  }
  const definition = isClosing ? (decided.definition ?? entry.definition) : entry.definition;
  const expiresAt = declarationOf(definition)['expiresAt'];
  if (typeof expiresAt === 'string' && due >= expiresAt) tell(['I9', 'expiry'], `${id} is due after the expiry`);
  if (isClosing) return;
  if (due > textOf(entry.row['collectedThrough'])) tell(['I9', 'due'], `${id} is not accounted for`);
  if (before['status'] !== 'active' || isGateClosed)
    tell(['I9', 'paused'], `${id} was collected while it was paused or over`);
}

/** Judges, at the end of a decision, how much of the budget it spent. @internal */
export function judgeSpent(entry: Entry, decided: Decided, tell: Tell): void {
  const spent = countOf(entry.row['spent']);
  const isSameRevision = decided.row?.['revision'] === entry.row['revision'];
  const before = isSameRevision ? countOf(decided.row?.['spent']) : 0;
  if (spent - before !== decided.made) {
    tell(['I9', 'spent'], `${entry.id} spent ${spent - before} of its budget on ${decided.made} occurrences`);
  }
  const limit = declarationOf(entry.definition)['maxOccurrences'];
  if (typeof limit === 'number' && spent > limit)
    tell(['I9', 'budget'], `${entry.id} spent ${spent} of ${limit} occurrences`);
}

/** Judges the admission of an occurrence of the trigger beside what is pending. @internal */
export function judgeAdmission(occurrence: Row, entry: Entry, tell: Tell): void {
  const overlap = declarationOf(entry.definition)['overlap'];
  const inTheWay = [...entry.pending.values()].find((one) => overlap === 'skip' || one['status'] === 'queued');
  if (overlap === 'queue' || inTheWay === undefined) return;
  tell(
    ['I7', 'overlap'],
    `${textOf(occurrence['id'])} is let in beside ${textOf(inTheWay['id'])}, and its policy is ${String(overlap)}`,
  );
}
