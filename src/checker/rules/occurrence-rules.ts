/**
 * What an occurrence may become, from one record of the journal to the next (I5, I6, I17).
 */
import { countOf, isSame, listOf, type Row, rowOrEmpty, textOf } from '../bytes/json-value.js';
import { compactInstant } from '../bytes/names.js';
import type { Rule } from '../finding.js';
import { claimKey, declarationOf, type World } from '../journal/world.js';
import { TERMINAL } from './row-members.js';

/** Tells of a broken rule. @internal */
export type Tell = (rule: Rule, message: string) => void;

/** Who writes a record, and what it looks at. @internal */
export interface Writer {
  /** The epoch of an owner; absent for a client. */
  readonly epoch: number | undefined;
  readonly world: World;
  /** What was declared, as of this record. */
  readonly definition: Row;
}

const FIRST: ReadonlySet<string> = new Set(['queued', 'running', 'skipped']);

const FOLLOWING: Readonly<Record<string, readonly string[]>> = {
  queued: ['running', 'skipped', 'cancelled'],
  running: ['succeeded', 'failed', 'cancelled', 'interrupted', 'retrying'],
  retrying: ['running', 'failed', 'cancelled', 'interrupted'],
};

/** What stays as it was admitted. */
const FIXED = [
  'scheduleId',
  'revision',
  'origin',
  'dueAt',
  'admittedAt',
  'concurrencyKey',
  'window',
  'isClosing',
  'replaces',
  'isRequestKept',
] as const;

/** Judges a record by itself: its name, and what its status must bring along. @internal */
export function judgeAlone(row: Row, tell: Tell): void {
  const id = textOf(row['id']);
  const expected = expectedId(row);
  if (expected !== id) tell(['I5', 'id'], `${id} is not the name of what it says (${expected})`);
  const window = rowOrEmpty(row['window']);
  if (row['window'] !== undefined && window['lastAt'] !== row['dueAt']) {
    tell(['I5', 'window'], `${id} is not named by the last due instant of its window`);
  }
  if (row['window'] !== undefined && textOf(window['firstAt']) > textOf(window['lastAt'])) {
    tell(['I5', 'window'], `the window of ${id} ends before it begins`);
  }
  const missing = missingMember(row);
  if (missing !== undefined) tell(['I6', 'status'], `${id} is ${textOf(row['status'])} ${missing}`);
  for (const [index, attempt] of listOf(row['attempts']).entries()) {
    if (rowOrEmpty(attempt)['attempt'] !== index + 1)
      tell(['I6', 'attempt'], `the attempts of ${id} are not counted from 1`);
  }
  if (row['status'] !== 'succeeded') return;
  const last = rowOrEmpty(listOf(row['attempts']).at(-1));
  const isVerified = rowOrEmpty(row['verification'])['isVerified'] === true && last['outcome'] === 'succeeded';
  if (!isVerified) tell(['I17', 'verification'], `${id} is called succeeded, and nothing verified it`);
}

function expectedId(row: Row): string {
  const prefix = `${textOf(row['scheduleId'])}~${String(row['revision'])}~`;
  if (row['origin'] === 'trigger') return prefix + compactInstant(textOf(row['dueAt']));
  const request = textOf(row['id']).slice(`${prefix}m~`.length);
  return `${prefix}m~${REQUEST.test(request) ? request : '<request>'}`;
}

const REQUEST = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

function missingMember(row: Row): string | undefined {
  const status = textOf(row['status']);
  const has = (name: string) => row[name] !== undefined;
  if ((status === 'running') !== has('claim')) return status === 'running' ? 'without a claim' : 'with a claim';
  if ((status === 'retrying') !== has('retryAt')) return status === 'retrying' ? 'without retryAt' : 'with retryAt';
  if (TERMINAL.has(status) !== has('endedAt')) return TERMINAL.has(status) ? 'without endedAt' : 'with endedAt';
  if ((status === 'skipped' || status === 'interrupted') && !has('reason')) return 'without a reason';
  if (status === 'interrupted' && !has('nativeState')) return 'without a word on the native work';
  return undefined;
}

/** Judges the step to a record from what it was before; nothing where it is new. @internal */
export function judgeStep(before: Row | undefined, row: Row, writer: Writer, tell: Tell): void {
  const id = textOf(row['id']);
  const status = textOf(row['status']);
  const former = before === undefined ? undefined : textOf(before['status']);
  const isAllowed = former === undefined ? FIRST.has(status) : former === status || FOLLOWING[former]?.includes(status);
  if (isAllowed !== true) tell(['I6', 'transition'], `${id} cannot become ${status} after ${former ?? 'nothing'}`);
  const changed = before === undefined ? undefined : FIXED.find((name) => !isSame(before[name], row[name]));
  if (changed !== undefined) tell(['I6', 'fixed'], `${changed} of ${id} is not what it was`);
  judgeAttempts(before, row, tell);
  if (former === 'running') judgeEnd(before as Row, row, writer, tell);
  if (isNewClaim(before, row)) judgeClaim(row, writer, tell);
}

/** Whether a record brings a claim that was not there before. @internal */
export function isNewClaim(before: Row | undefined, row: Row): boolean {
  if (row['status'] !== 'running') return false;
  return (
    before?.['status'] !== 'running' || rowOrEmpty(before['claim'])['attempt'] !== rowOrEmpty(row['claim'])['attempt']
  );
}

function judgeAttempts(before: Row | undefined, row: Row, tell: Tell): void {
  const id = textOf(row['id']);
  const attempts = listOf(row['attempts']);
  const former = listOf(before?.['attempts']);
  if (attempts.length < former.length || attempts.length > former.length + 1) {
    tell(['I6', 'attempt'], `${id} goes from ${former.length} ended attempts to ${attempts.length}`);
  }
  // Stages of older attempts may be left out, to keep a record small.
  const changed = former.findIndex(
    (one, index) => !isSame({ ...rowOrEmpty(one), stages: [] }, { ...rowOrEmpty(attempts[index]), stages: [] }),
  );
  if (changed >= 0 && changed < attempts.length)
    tell(['I6', 'attempt'], `attempt ${changed + 1} of ${id} is not what it was`);
}

function judgeClaim(row: Row, { epoch, definition, world }: Writer, tell: Tell): void {
  const id = textOf(row['id']);
  const claim = rowOrEmpty(row['claim']);
  if (epoch === undefined || claim['epoch'] !== epoch) {
    tell(
      ['I4', 'epoch'],
      `${id} is claimed for epoch ${String(claim['epoch'])} in a record of ${epoch === undefined ? 'a client' : `epoch ${epoch}`}`,
    );
  }
  const attempt = listOf(row['attempts']).length + 1;
  if (claim['attempt'] !== attempt)
    tell(['I6', 'attempt'], `${id} is claimed for attempt ${String(claim['attempt'])}, it is attempt ${attempt}`);
  const limit = rowOrEmpty(declarationOf(definition)['budget'])['maxAttempts'];
  if (typeof limit === 'number' && attempt > limit)
    tell(['I6', 'attempt'], `attempt ${attempt} of ${id}, ${limit} are allowed`);
  if (world.claims.has(claimKey(id, attempt))) tell(['I6', 'claim'], `attempt ${attempt} of ${id} is claimed twice`);
}

/** What was running is settled by its own epoch, or ended as interrupted by a later one; a client may ask for its end only. */
function judgeEnd(before: Row, row: Row, { epoch, world }: Writer, tell: Tell): void {
  const id = textOf(row['id']);
  const claim = rowOrEmpty(before['claim']);
  const status = textOf(row['status']);
  const isSameClaim = status === 'running' && isSame(claim, row['claim']);
  const attempts = listOf(row['attempts']);
  const isEnded = attempts.length === listOf(before['attempts']).length + 1;
  if (isSameClaim) {
    if (isEnded) tell(['I6', 'attempt'], `${id} still runs, and its attempt has ended`);
    return;
  }
  const last = rowOrEmpty(attempts.at(-1));
  const isItsOwn = isEnded && last['attempt'] === claim['attempt'] && last['epoch'] === claim['epoch'];
  if (!isItsOwn) tell(['I6', 'attempt'], `${id} leaves its claim without the end of the attempt`);
  if (
    epoch !== claim['epoch'] &&
    !(epoch !== undefined && epoch > countOf(claim['epoch']) && status === 'interrupted')
  ) {
    const by = epoch === undefined ? 'a client' : `epoch ${epoch}`;
    tell(['I6', 'epoch'], `${id}, claimed by epoch ${String(claim['epoch'])}, is ${status} by ${by}`);
  }
  const made = world.claims.get(claimKey(id, countOf(claim['attempt'])));
  const token = countOf(last['fencingToken']);
  if (made !== undefined && token !== 0 && token !== made.seq) {
    tell(
      ['I6', 'token'],
      `attempt ${String(claim['attempt'])} of ${id} has the token ${token}, its claim is commit ${made.seq}`,
    );
  }
}
