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
  for (const [key, kind] of Object.entries(members)) {
    const name = key.replace('?', '');
    const isAbsent = !Object.hasOwn(row, name);
    if (isAbsent && key.endsWith('?')) continue;
    if (isAbsent) return `${name} is missing`;
    if (!holds(row[name], kind)) return `${name} is not what it must be (${kind})`;
  }
  const unknown = Object.keys(row).find((name) => !Object.hasOwn(members, name) && !Object.hasOwn(members, `${name}?`));
  return unknown === undefined ? undefined : `${unknown.slice(0, 60)} is no member of such a row`;
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;

function holds(value: unknown, kind: string): boolean {
  switch (kind) {
    case 'any':
      return true;
    case 'text':
      return typeof value === 'string';
    case 'count':
      return isCount(value);
    case 'truth':
      return typeof value === 'boolean';
    case 'instant':
      return isInstant(value);
    case 'digest':
      return typeof value === 'string' && DIGEST.test(value);
    case 'list':
      return Array.isArray(value);
    case 'row':
      return rowOf(value) !== undefined;
    default:
      return typeof value === 'string' && kind.split('|').includes(value);
  }
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
