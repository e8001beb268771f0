/**
 * The members of every row, and what each may hold: the shape of what is stored (`FORMAT.md`, Rows).
 *
 * A name that ends in `?` may be absent; no other name may stand there. What authors and handlers wrote (declaration,
 * result) is looked at no closer than the rules need.
 */
import { isCount, listOf, type Row, rowOf } from '../bytes/json-value.js';
import { isInstant } from '../bytes/names.js';

/** What a member may hold: a kind, or the texts that are allowed, parted by `|`. */
type Members = Readonly<Record<string, string>>;

/** Statuses of an occurrence from which none other follows. @internal */
export const TERMINAL: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled', 'interrupted', 'skipped']);

const STATUS = 'queued|running|retrying|succeeded|failed|cancelled|interrupted|skipped';

/** A schedule without its definition. @internal */
export const SCHEDULE_MEMBERS = {
  id: 'text',
  revision: 'count',
  version: 'count',
  createdAt: 'instant',
  status: 'active|paused|completed|expired|cancelled',
  'statusNote?': 'row',
  'quarantine?': 'row',
  'nextDue?': 'instant',
  'zoneData?': 'text',
  'calendarDigest?': 'text',
  collectedThrough: 'instant',
  spent: 'count',
  'isBudgetNoticed?': 'truth',
  'resume?': 'row',
  'collectNotBefore?': 'instant',
  'isBacklogged?': 'truth',
  held: 'list',
  lastClaim: 'count',
  failuresInRow: 'count',
  skipsInRow: 'count',
  unresolved: 'list',
  'lastSuccess?': 'row',
  'lastEnded?': 'row',
  'acceptedClockAt?': 'instant',
  'taken?': 'list',
  'formerDueAt?': 'instant',
} as const;

/** What was declared. @internal */
export const DEFINITION_MEMBERS = {
  declaration: 'row',
  documentDigest: 'digest',
  documentKind: 'text',
  'plan?': 'row',
  caller: 'text',
  registeredAt: 'instant',
} as const;

/** An occurrence, pending or ended. @internal */
export const OCCURRENCE_MEMBERS = {
  id: 'text',
  scheduleId: 'text',
  revision: 'count',
  origin: 'trigger|manual',
  dueAt: 'instant',
  admittedAt: 'instant',
  concurrencyKey: 'text',
  status: STATUS,
  'reason?': 'text',
  'behind?': 'text',
  'window?': 'row',
  'isClosing?': 'truth',
  'replaces?': 'text',
  'isRequestKept?': 'truth',
  'claim?': 'row',
  'firstClaimedAt?': 'instant',
  'retryAt?': 'instant',
  'endRequest?': 'row',
  attempts: 'list',
  'plan?': 'row',
  'isPlanChanged?': 'truth',
  'verification?': 'row',
  'result?': 'any',
  'nativeState?': 'not-dispatched|unknown',
  'endedAt?': 'instant',
  'verdict?': 'row',
} as const;

/** A claim. @internal */
export const CLAIM_MEMBERS = { attempt: 'count', epoch: 'count', claimedAt: 'instant', hasWorkspace: 'truth' } as const;

/** An attempt that ended. @internal */
export const ATTEMPT_MEMBERS = {
  attempt: 'count',
  epoch: 'count',
  fencingToken: 'count',
  claimedAt: 'instant',
  endedAt: 'instant',
  outcome: 'succeeded|failed|cancelled|interrupted',
  'fault?': 'row',
  stages: 'list',
  'taskId?': 'text',
  'jobId?': 'text',
} as const;

/** A verification. @internal */
export const VERIFICATION_MEMBERS = { isVerified: 'truth', 'digest?': 'digest', receipts: 'list' } as const;

/** Due instants that one record stands for. @internal */
export const WINDOW_MEMBERS = {
  firstAt: 'instant',
  lastAt: 'instant',
  count: 'count',
  isFloor: 'truth',
  causes: 'list',
} as const;

/** An operator's word. @internal */
export const VERDICT_MEMBERS = { verdict: 'done|notDone|unknown', note: 'text', by: 'text', at: 'instant' } as const;

/** What stays of a deleted schedule. @internal */
export const MARK_MEMBERS = {
  id: 'text',
  revision: 'count',
  collectedThrough: 'instant',
  deletedAt: 'instant',
} as const;

/** The row of the catalogue itself. @internal */
export const CATALOGUE_MEMBERS = {
  gate: 'row',
  'clockStop?': 'row',
  'acceptedClockAt?': 'instant',
  'acceptedSeenAt?': 'instant',
  'calendars?': 'row',
} as const;

/** What is wrong with the members of a row; nothing where all are as they must be. @internal */
export function memberFault(value: unknown, members: Members): string | undefined {
  const row = rowOf(value);
  if (row === undefined) return 'an object must stand here';
  return fits(row, members) ? undefined : faultIn(row, members);
}

/** A member as it is looked up: whether it must be there, and what it may hold. */
interface Member {
  readonly isRequired: boolean;
  readonly holds: (value: unknown) => boolean;
}

interface Shape {
  readonly byName: ReadonlyMap<string, Member>;
  readonly required: number;
}

const shapes = new WeakMap<Members, Shape>();

/** What almost every row is asked, so it goes over the members that are there, and names no fault. */
function fits(row: Row, members: Members): boolean {
  const { byName, required } = shapeOf(members);
  let met = 0;
  for (const name of Object.keys(row)) {
    const member = byName.get(name);
    if (member === undefined || !member.holds(row[name])) return false;
    if (member.isRequired) met += 1;
  }
  return met === required;
}

function shapeOf(members: Members): Shape {
  const known = shapes.get(members);
  if (known !== undefined) return known;
  const byName = new Map<string, Member>();
  let required = 0;
  for (const [key, kind] of Object.entries(members)) {
    const isRequired = !key.endsWith('?');
    if (isRequired) required += 1;
    byName.set(key.replace('?', ''), { isRequired, holds: KINDS.get(kind) ?? oneOf(kind) });
  }
  const shape = { byName, required };
  shapes.set(members, shape);
  return shape;
}

function faultIn(row: Row, members: Members): string | undefined {
  for (const [key, kind] of Object.entries(members)) {
    const name = key.replace('?', '');
    const isAbsent = !Object.hasOwn(row, name);
    if (isAbsent && key.endsWith('?')) continue;
    if (isAbsent) return `${name} is missing`;
    if (!(KINDS.get(kind) ?? oneOf(kind))(row[name])) return `${name} is not what it must be (${kind})`;
  }
  const unknown = Object.keys(row).find((name) => !Object.hasOwn(members, name) && !Object.hasOwn(members, `${name}?`));
  return unknown === undefined ? undefined : `${unknown.slice(0, 60)} is no member of such a row`;
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** By kind, what a member of it may hold; a kind that is not here lists texts. */
const KINDS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['any', () => true],
  ['text', (value: unknown) => typeof value === 'string'],
  ['count', isCount],
  ['truth', (value: unknown) => typeof value === 'boolean'],
  ['instant', isInstant],
  ['digest', (value: unknown) => typeof value === 'string' && DIGEST.test(value)],
  ['list', Array.isArray],
  ['row', (value: unknown) => rowOf(value) !== undefined],
]);

function oneOf(kind: string): (value: unknown) => boolean {
  const texts: ReadonlySet<unknown> = new Set(kind.split('|'));
  return (value) => texts.has(value);
}

/** What is wrong with an occurrence by itself: its members, those of what stands in it, and its status. @internal */
export function occurrenceFault(value: unknown): string | undefined {
  const fault = memberFault(value, OCCURRENCE_MEMBERS);
  if (fault !== undefined) return fault;
  const row = value as Row;
  const parts: readonly (readonly [string, Members])[] = [
    ['claim', CLAIM_MEMBERS],
    ['window', WINDOW_MEMBERS],
    ['verification', VERIFICATION_MEMBERS],
    ['verdict', VERDICT_MEMBERS],
  ];
  for (const [name, members] of parts) {
    const below = row[name] === undefined ? undefined : memberFault(row[name], members);
    if (below !== undefined) return `${name}: ${below}`;
  }
  for (const [index, attempt] of listOf(row['attempts']).entries()) {
    const below = memberFault(attempt, ATTEMPT_MEMBERS);
    if (below !== undefined) return `attempts[${index}]: ${below}`;
  }
  return undefined;
}
