/**
 * Registration: create, update and ensure (CT-3, CT-4, CT-13, DE-4, DE-6).
 *
 * Each reads and validates first, then asks for authorisation and a plan, and submits what came out. What was merged
 * with the present state is submitted against exactly that state, and merged anew when somebody else was faster.
 */
import { type DecodedDeclaration, decodeDeclaration } from '../../../codec/declaration-codec.js';
import type { DeclarationChanges, DeclarationInput } from '../../../codec/declaration-input.js';
import { mergeChanges, sameBesideTexts, sameDeclaration } from '../../../codec/update-codec.js';
import type { JsonObject } from '../../../core/model/declaration.js';
import type { Control, Expected } from '../../../core/model/input.js';
import type { PlanReference } from '../../../core/model/occurrence.js';
import type { Definition, ScheduleEntry } from '../../../core/model/schedule.js';
import type { EpochMs } from '../../../core/time/instant.js';
import { isScheduleError, ScheduleError } from '../../../errors.js';
import { ArgumentCheck } from '../arguments.js';
import type { CallerOptions, CreateOptions, EnsureOptions, EnsureResult, UpdateOptions } from '../options.js';
import { type ClientParts, callerOf, callOf, controlEntry, freshEntry, viewOf } from '../parts.js';
import { type Attempt, invalidDeclaration, refusalError } from '../refusal-error.js';
import type { ScheduleView } from '../view.js';
import { authorise, planDocument } from './planning.js';

type PlanningOptions = CallerOptions & { readonly deferPlanning?: boolean | undefined };

/** Times that a registration is merged with a newer state before it is given up. */
const MOST_ROUNDS = 50;

/** See `Schedules.create`. @internal */
export async function create(
  parts: ClientParts,
  declaration: DeclarationInput<object>,
  options: CreateOptions,
): Promise<ScheduleView> {
  const { randomId, zoneData } = parts;
  const how = { now: parts.clock.now(), randomId, zoneData };
  const decoded = await read(attemptOf('create', declaration), declaration, how);
  const attempt = { control: 'create', scheduleId: decoded.declaration.id };
  return viewOf(parts, await register(parts, attempt, decoded, options));
}

/** See `Schedules.ensure`. @internal */
export async function ensure(
  parts: ClientParts,
  declaration: DeclarationInput<object>,
  options: EnsureOptions,
): Promise<EnsureResult> {
  const { zoneData } = parts;
  const decoded = await read(attemptOf('ensure', declaration), declaration, { requireId: true, zoneData });
  const attempt = { control: 'ensure', scheduleId: decoded.declaration.id };
  for (let round = 1; ; round += 1) {
    await parts.catalogue.refresh(callOf(options));
    const entry = parts.catalogue.entry(attempt.scheduleId);
    if (entry !== undefined && entry.schedule.id !== attempt.scheduleId) {
      throw refusalError(attempt, { code: 'spelling', id: entry.schedule.id });
    }
    try {
      if (entry !== undefined) return await agree(parts, attempt, entry, decoded, options);
      return { outcome: 'created', schedule: viewOf(parts, await register(parts, attempt, decoded, options)) };
    } catch (error) {
      if (round >= MOST_ROUNDS || !isOvertaken(parts, attempt, entry, error)) throw error;
    }
  }
}

/** See `Schedules.update`. @internal */
export async function update(
  parts: ClientParts,
  id: string,
  changes: DeclarationChanges<object>,
  options: UpdateOptions,
): Promise<ScheduleView> {
  const attempt = { control: 'update', scheduleId: id };
  const check = new ArgumentCheck(attempt);
  const given = check.required(options);
  check.oneOf('pending', ['withdraw'], options.pending);
  check.done();
  for (let round = 1; ; round += 1) {
    const entry = await freshEntry(parts, attempt, options);
    const { revision, version } = entry.schedule;
    if (given.revision !== revision || (given.version ?? version) !== version) {
      throw refusalError(attempt, { code: 'revision', given, revision, version });
    }
    try {
      return viewOf(parts, await applyChanges(parts, attempt, entry, changes, options));
    } catch (error) {
      if (round >= MOST_ROUNDS || !isScheduleError(error, 'SCHEDULE_REVISION_CONFLICT')) throw error;
    }
  }
}

async function applyChanges(
  parts: ClientParts,
  attempt: Attempt,
  entry: ScheduleEntry,
  changes: DeclarationChanges<object>,
  options: UpdateOptions,
): Promise<ScheduleEntry> {
  const { definition } = entry.schedule;
  const document = await parts.workspace.store.document(definition.documentDigest, callOf(options));
  const how = { now: parts.clock.now(), zoneData: parts.zoneData };
  const merged = await mergeChanges({ declaration: definition.declaration, document }, changes, how);
  if (!merged.ok) throw invalidDeclaration(attempt, merged.issues);
  refuseStaleDocument(attempt, options.expectedDocumentDigest, merged.value.documentDigest);
  const isCosmetic = merged.value.isCosmetic || (merged.value.isSame && namesTextsAlone(changes));
  if (isCosmetic) return reword(parts, attempt, entry, merged.value, options);
  return revise(parts, attempt, entry, merged.value, options);
}

/** Brings an existing schedule into agreement with what `ensure` was given. */
async function agree(
  parts: ClientParts,
  attempt: Attempt,
  entry: ScheduleEntry,
  decoded: DecodedDeclaration,
  options: EnsureOptions,
): Promise<EnsureResult> {
  const { definition } = entry.schedule;
  const isDocumentSame = definition.documentDigest === decoded.documentDigest;
  if (isDocumentSame && sameDeclaration(definition.declaration, decoded.declaration)) {
    return { outcome: 'unchanged', schedule: viewOf(parts, entry) };
  }
  if (isDocumentSame && sameBesideTexts(definition.declaration, decoded.declaration)) {
    const reworded = await reword(parts, attempt, entry, decoded, options);
    return { outcome: 'reworded', schedule: viewOf(parts, reworded) };
  }
  const how = { ...options, pending: 'withdraw', activate: false } as const;
  return { outcome: 'updated', schedule: viewOf(parts, await revise(parts, attempt, entry, decoded, how)) };
}

/** Registers a new schedule. */
async function register(
  parts: ClientParts,
  attempt: Attempt,
  decoded: DecodedDeclaration,
  options: CreateOptions,
): Promise<ScheduleEntry> {
  refuseStaleDocument(attempt, options.expectedDocumentDigest, decoded.documentDigest);
  authorise(attempt, decoded.declaration.allowedProviders, callerOf(parts, options), parts.execution);
  const plan = await planDocument(attempt, decoded, parts.execution, options);
  const definition = defined(decoded, plan, callerOf(parts, options).name, parts.clock.now());
  const by = callerOf(parts, options).name;
  const control: Control = { kind: 'create', definition, isPaused: options.paused === true, by };
  return controlEntry(parts, attempt, control, { ...options, documents: [pinned(decoded)] });
}

/** A new revision, planned anew where the document or the providers changed (CT-3). */
async function revise(
  parts: ClientParts,
  attempt: Attempt,
  entry: ScheduleEntry,
  decoded: DecodedDeclaration,
  options: PlanningOptions & Pick<UpdateOptions, 'pending' | 'activate'>,
): Promise<ScheduleEntry> {
  const { definition: before } = entry.schedule;
  const caller = callerOf(parts, options);
  authorise(attempt, decoded.declaration.allowedProviders, caller, parts.execution);
  const isPlanKept =
    before.documentDigest === decoded.documentDigest &&
    sameNames(before.declaration.allowedProviders, decoded.declaration.allowedProviders);
  const plan = isPlanKept ? before.plan : await planDocument(attempt, decoded, parts.execution, options);
  const { pending, activate } = options;
  const control: Control = {
    kind: 'update',
    expected: seen(entry),
    definition: defined(decoded, plan, caller.name, parts.clock.now()),
    isCosmetic: false,
    ...(pending === undefined ? {} : { pending }),
    ...(activate === undefined ? {} : { activate }),
    by: caller.name,
  };
  const documents = before.documentDigest === decoded.documentDigest ? [] : [pinned(decoded)];
  return controlEntry(parts, attempt, control, { ...options, documents });
}

/** New words, and no new revision (CT-3). */
function reword(
  parts: ClientParts,
  attempt: Attempt,
  entry: ScheduleEntry,
  { declaration }: DecodedDeclaration,
  options: CallerOptions,
): Promise<ScheduleEntry> {
  const { definition } = entry.schedule;
  const { objective, labels } = declaration;
  const control: Control = {
    kind: 'update',
    expected: seen(entry),
    definition: { ...definition, declaration: { ...definition.declaration, objective, labels } },
    isCosmetic: true,
    by: callerOf(parts, options).name,
  };
  return controlEntry(parts, attempt, control, options);
}

async function read(
  attempt: Attempt,
  input: unknown,
  options: Parameters<typeof decodeDeclaration>[1],
): Promise<DecodedDeclaration> {
  const decoded = await decodeDeclaration(input, options);
  if (!decoded.ok) throw invalidDeclaration(attempt, decoded.issues);
  return decoded.value;
}

/** Whether somebody else made, changed or deleted the schedule between the look at it and the commit. */
function isOvertaken(parts: ClientParts, attempt: Attempt, looked: ScheduleEntry | undefined, error: unknown): boolean {
  if (!isScheduleError(error)) return false;
  const isThere = parts.catalogue.entry(attempt.scheduleId) !== undefined;
  if (looked === undefined) return error.code === 'SCHEDULE_EXISTS' && isThere;
  return error.code === 'SCHEDULE_REVISION_CONFLICT' || (error.code === 'SCHEDULE_NOT_FOUND' && !isThere);
}

function defined(
  { declaration, documentDigest, documentKind }: DecodedDeclaration,
  plan: PlanReference | undefined,
  caller: string,
  registeredAt: EpochMs,
): Definition {
  const planned = plan === undefined ? {} : { plan };
  return { declaration, documentDigest, documentKind, ...planned, caller, registeredAt };
}

function pinned({ documentDigest, document }: DecodedDeclaration): { digest: string; document: JsonObject } {
  return { digest: documentDigest, document };
}

/** Exactly the state that was looked at. */
function seen({ schedule: { revision, version } }: ScheduleEntry): Expected {
  return { revision, version };
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}

/** Whether changes that change nothing speak of `objective` and `labels` alone; any others ask for a new revision. */
function namesTextsAlone(changes: DeclarationChanges<object>): boolean {
  const names = Object.keys(changes);
  return names.length > 0 && names.every((name) => name === 'objective' || name === 'labels');
}

/** Refuses a document that is not the one that the caller saw (DE-4). */
function refuseStaleDocument({ control, scheduleId }: Attempt, expected: string | undefined, found: string): void {
  if (expected === undefined || expected === found) return;
  throw new ScheduleError(
    'SCHEDULE_DOCUMENT_STALE',
    `cannot ${control} "${scheduleId}": the caller saw the document ${expected}, but it is ${found} now`,
    {
      details: { id: scheduleId, expected, found },
      hint: 'Look at the document again, and repeat the call with its digest.',
    },
  );
}

function attemptOf(control: string, declaration: unknown): Attempt {
  const id =
    typeof declaration === 'object' && declaration !== null && 'id' in declaration ? declaration.id : undefined;
  return { control, scheduleId: typeof id === 'string' ? id : 'a schedule' };
}
