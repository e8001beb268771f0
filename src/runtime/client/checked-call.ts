/**
 * The form of a call, for callers whose compiler does not check it: ids are text, options are objects of the right words.
 *
 * What is wrong is refused before anything is looked at, with every fault at once, as `SCHEDULE_DECLARATION_INVALID`: an
 * option that is not what it must be is never passed over in silence.
 */
import { type OptionNames, unknownOptions } from '../../codec/json/option-names.js';
import { foundText, type Issue } from '../../core/model/issue.js';
import type { CallOptions } from '../../ports/schedule-store.js';
import type {
  Caller,
  CallerOptions,
  ChangeOptions,
  CreateOptions,
  EnsureOptions,
  ExplainOptions,
  GetOptions,
  ListOptions,
  PreviewOptions,
  ResolveOptions,
  ResumeOptions,
  RevisionOptions,
  TriggerOptions,
  UpdateOptions,
} from './options.js';
import { invalidDeclaration } from './refusal-error.js';

// The options of each kind of call; the compiler holds every list to its type.
const CALL: OptionNames<CallOptions> = { signal: true };
const CALLER: OptionNames<CallerOptions> = { ...CALL, caller: true };
const REVISION: OptionNames<RevisionOptions> = { ...CALLER, revision: true, version: true };
const ENSURE: OptionNames<EnsureOptions> = { ...CALLER, paused: true, deferPlanning: true };
const CREATE: OptionNames<CreateOptions> = { ...ENSURE, expectedDocumentDigest: true };
const UPDATE: OptionNames<UpdateOptions> = {
  ...REVISION,
  pending: true,
  activate: true,
  expectedDocumentDigest: true,
  deferPlanning: true,
};
const CHANGE: OptionNames<ChangeOptions> = { ...REVISION, note: true };
const RESUME: OptionNames<ResumeOptions> = { ...REVISION, missed: true };
const TRIGGER: OptionNames<TriggerOptions> = { ...REVISION, requestId: true };
const RESOLVE: OptionNames<ResolveOptions> = { ...REVISION, verdict: true, note: true };
const PREVIEW: OptionNames<PreviewOptions> = { from: true, count: true };
const LIST: OptionNames<ListOptions> = {
  ...CALL,
  status: true,
  label: true,
  failing: true,
  dueBefore: true,
  limit: true,
  after: true,
};
const EXPLAIN: OptionNames<ExplainOptions> = { ...CALL, timezone: true };
const GET: OptionNames<GetOptions> = { ...CALL, history: true, occurrence: true, document: true };
const GATE_PAUSE: OptionNames<CallerOptions & Pick<ChangeOptions, 'note'>> = { ...CALLER, note: true };

const NO_MORE = {};

/** Each call, as its errors name it, with its options. */
const CALLS = {
  create: CREATE,
  ensure: ENSURE,
  preview: PREVIEW,
  lint: CALL,
  explain: EXPLAIN,
  list: LIST,
  get: GET,
  update: UPDATE,
  pause: CHANGE,
  resume: RESUME,
  cancel: CHANGE,
  delete: REVISION,
  trigger: TRIGGER,
  stop: REVISION,
  rerun: TRIGGER,
  resolve: RESOLVE,
  'wait for': CALL,
  'set the calendar': CALLER,
  'read the calendars of': CALL,
  'accept the clock of': CALLER,
  'read the status of': CALL,
  'read the evidence of': CALL,
  'pause the gate of': GATE_PAUSE,
  'open the gate of': CALLER,
  'read the gate of': CALL,
} as const;

/** A call of the client, as its errors name it. @internal */
export type CallName = keyof typeof CALLS;

/** Names of a caller (DE-6). @internal */
export const CALLER_NAMES: OptionNames<Caller> = { name: true, providers: true };

const HISTORY: OptionNames<NonNullable<GetOptions['history']>> = { limit: true, before: true };

/** What a call was given; a member that is there is looked at, whatever it is. @internal */
export interface GivenCall {
  /** Id of a schedule. */
  readonly id?: unknown;
  /** Id of an occurrence. */
  readonly occurrence?: unknown;
  /** Options; missing ones are a fault here, since those that may be missing have a default. */
  readonly options?: unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** Options that are true or false. */
const FLAGS = ['paused', 'deferPlanning', 'activate', 'failing', 'document'] as const;

/** Options that are text. */
const TEXTS = ['expectedDocumentDigest', 'label', 'after', 'occurrence', 'timezone'] as const;

/** Refuses a call of the wrong form; `more` are options beside those of the client. @internal */
export function refuseBadCall(
  control: CallName,
  given: GivenCall,
  more: Readonly<Record<string, true>> = NO_MORE,
): void {
  const { id, occurrence, options } = given;
  const issues = [
    ...('id' in given ? textIssues('id', id) : []),
    ...('occurrence' in given ? textIssues('occurrence', occurrence) : []),
    ...('options' in given ? optionIssues(control, options) : []),
    ...unknownOptions(options, { ...CALLS[control], ...more }),
  ];
  if (issues.length === 0) return;
  const scheduleId = typeof id === 'string' ? id : 'schedules';
  const named = typeof occurrence === 'string' ? { occurrence } : {};
  throw invalidDeclaration({ control, scheduleId, ...named }, issues);
}

/** Refuses an observer that cannot be called. @internal */
export function refuseBadObserver(observer: unknown): void {
  if (typeof observer === 'function') return;
  throw invalidDeclaration({ control: 'observe', scheduleId: 'schedules' }, [
    issue('observer', 'must be a function', observer),
  ]);
}

function optionIssues(control: string, options: unknown): readonly Issue[] {
  if (options === undefined) return [missingOptions(control)];
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    return [issue('options', 'must be an object', options)];
  }
  const members = options as Members;
  const flags = FLAGS.filter((name) => members[name] !== undefined && typeof members[name] !== 'boolean');
  return [
    ...flags.map((name) => issue(name, 'must be true or false', members[name])),
    ...TEXTS.flatMap((name) => (members[name] === undefined ? [] : textIssues(name, members[name]))),
    ...(isSignal(members['signal']) ? [] : [issue('signal', 'must be an AbortSignal', members['signal'])]),
    ...(isHistory(members['history']) ? [] : [issue('history', 'must be an object', members['history'])]),
    ...unknownOptions(members['history'], HISTORY, 'history'),
  ];
}

function missingOptions(control: string): Issue {
  if (control === 'resolve')
    return issue('verdict', 'is required: what the operator found out, with a note', undefined);
  return { ...issue('revision', 'is required: the revision that the caller saw', undefined), rule: 'CT-2' };
}

function textIssues(path: string, value: unknown): readonly Issue[] {
  return typeof value === 'string' ? [] : [issue(path, 'must be text', value)];
}

/** Whether an option is absent or a signal, of whatever realm. @internal */
export function isSignal(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  const { aborted, addEventListener } = value as { aborted?: unknown; addEventListener?: unknown };
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}

function isHistory(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null);
}

function issue(path: string, message: string, found: unknown): Issue {
  return { path, rule: 'CT-1', message, ...(found === undefined ? {} : { found: foundText(found) }) };
}
