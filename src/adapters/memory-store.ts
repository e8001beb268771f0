/**
 * The store in memory: the port's clauses in their plainest form, for tests, demos and work that may end with the process.
 *
 * What is written is copied and frozen, so that neither the writer nor a reader can change what is stored. Several handles
 * of one {@link MemoryData} see each other's commits, as processes on one folder do. History is bounded as on disk, so that
 * a process that lives for long does not grow.
 */
import { sha256Hex } from '../codec/digest.js';
import type { JsonObject } from '../core/model/declaration.js';
import { LIMITS } from '../core/model/limits.js';
import type { EpochMs } from '../core/time/instant.js';
import { ScheduleError } from '../errors.js';
import type {
  CallOptions,
  CatalogueChanges,
  CommitBatch,
  CommitResult,
  HistoryPage,
  HistoryQuery,
  ScheduleStore,
} from '../ports/schedule-store.js';
import {
  closedError,
  contentOf,
  type MemoryContent,
  type MemoryData,
  memoryData,
  refuseAborted,
} from './memory-data.js';
import type { CatalogueState, EndedRecord } from './replay/catalogue-state.js';
import { planCommit, stateChangeOf } from './replay/commit-draft.js';

/**
 * A handle of a catalogue in memory; of a new one where none is given.
 *
 * @remarks Keeps clauses S-1 to S-14; nothing survives the process, and no other process can open it.
 * @internal
 */
export function memoryStore(data: MemoryData = memoryData()): ScheduleStore {
  return new MemoryStore(contentOf(data));
}

class MemoryStore implements ScheduleStore {
  readonly capabilities = { isSharedBetweenProcesses: false, survivesProcessDeath: false, survivesPowerLoss: false };
  readonly #content: MemoryContent;
  readonly #unwatch = new Set<() => void>();
  #isClosed = false;

  constructor(content: MemoryContent) {
    this.#content = content;
  }

  async changes(since: number, options: CallOptions = {}): Promise<CatalogueChanges> {
    this.#refuse('Reading the catalogue', options);
    return this.#content.state.changes(since);
  }

  async commit(batch: CommitBatch, options: CallOptions = {}): Promise<CommitResult> {
    this.#refuse('A commit', options);
    const content = this.#content;
    const declined = content.state.refusal(batch);
    if (declined !== undefined) return declined;
    const { at, changes, documents } = frozen(structuredClone(batch));
    const head = { at, raisesEpoch: batch.raisesEpoch === true };
    const planned = planCommit(content.state, head, changes.map(stateChangeOf));
    if (!planned.ok) throw brokenBatch(planned.rule, planned.message);
    content.state.apply(planned.draft);
    for (const id of planned.draft.ended.keys()) prune(content.state, id);
    for (const { digest, document } of documents) content.documents.set(digest, document);
    content.hash = sha256Hex(`${content.hash}${planned.draft.seq}${JSON.stringify(changes)}`);
    queueMicrotask(() => tellAll(content.watchers));
    return { kind: 'committed', seq: planned.draft.seq, hash: content.hash };
  }

  async history(query: HistoryQuery, options: CallOptions = {}): Promise<HistoryPage> {
    this.#refuse('Reading history', options);
    const before = readCursor(query);
    const isAsked = ({ n, occurrence }: EndedRecord) =>
      n < before &&
      (query.occurrence === undefined || occurrence.id === query.occurrence) &&
      (query.revision === undefined || occurrence.revision === query.revision);
    const asked = this.#content.state.ended(query.scheduleId).filter(isAsked).reverse();
    const page = asked.slice(0, query.limit);
    const records = page.map(({ occurrence }) => occurrence);
    const last = page.at(-1);
    return asked.length > page.length && last !== undefined ? { records, next: String(last.n) } : { records };
  }

  async document(digest: string, options: CallOptions = {}): Promise<JsonObject> {
    this.#refuse('Reading a document', options);
    const document = this.#content.documents.get(digest);
    if (document !== undefined) return document;
    throw new ScheduleError('SCHEDULE_NOT_FOUND', `There is no document ${digest}.`, { details: { digest } });
  }

  watch(onChange: () => void): () => void {
    if (this.#isClosed) throw closedError('store');
    // A function of its own for each call: the same callback may watch twice.
    const tell = () => onChange();
    const stop = () => {
      this.#content.watchers.delete(tell);
      this.#unwatch.delete(stop);
    };
    this.#content.watchers.add(tell);
    this.#unwatch.add(stop);
    return stop;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#unwatch) stop();
  }

  #refuse(what: string, options: CallOptions): void {
    if (this.#isClosed) throw closedError('store');
    refuseAborted(options.signal, what);
  }
}

/** Newest ended records of a schedule that stay (ST-6); the older ones go once there are as many of them. */
const RECORDS_KEPT = 1000;

/** Takes the oldest records of a schedule away, and notes up to which due instant none is left (CO-6). */
function prune(state: CatalogueState, id: string): void {
  const stored = state.schedule(id);
  if (stored === undefined || state.endedCount(id) < 2 * RECORDS_KEPT) return;
  const { schedule } = stored.entry;
  let through: EpochMs | undefined;
  for (const { occurrence } of state.forgetOldest(id, state.endedCount(id) - RECORDS_KEPT)) {
    if (occurrence.origin !== 'trigger') continue;
    const lastAt = occurrence.window?.lastAt ?? occurrence.dueAt;
    if (through === undefined || lastAt > through) through = lastAt;
  }
  if (through !== undefined) state.markPruned([{ id: schedule.id, revision: schedule.revision, through }], []);
}

function tellAll(watchers: ReadonlySet<() => void>): void {
  for (const tell of [...watchers]) tell();
}

function readCursor({ before, limit }: HistoryQuery): number {
  const { min, max } = LIMITS.historyPage;
  if (!(Number.isInteger(limit) && limit >= min && limit <= max)) {
    throw badQuery('limit', `must be a whole number, ${min}..${max}`, limit);
  }
  if (before === undefined) return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d{0,15}$/.test(before)) throw badQuery('before', 'must be the cursor of an earlier page', before);
  return Number(before);
}

function badQuery(path: string, message: string, found: unknown): ScheduleError {
  return new ScheduleError('SCHEDULE_DECLARATION_INVALID', `History cannot be read: ${path} ${message}.`, {
    details: { issues: [{ path, rule: 'S-7', message, found: String(found) }] },
  });
}

function brokenBatch(rule: string, message: string): ScheduleError {
  return new ScheduleError('SCHEDULE_ADAPTER_BROKEN', `A commit breaks a rule of the catalogue: ${message}.`, {
    details: { rule },
    hint: 'This is a fault of the program that commits, not of the data.',
  });
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) frozen(member);
  }
  return value;
}
