/**
 * The file store: a snapshot, a journal behind it, and the steps of a commit in their order (ST-1 to ST-5).
 *
 * Reading takes no lock. A commit takes the state lock, reads on, judges, appends, flushes, reads back, and only then
 * becomes visible in memory. One record and one flush make a commit durable; everything else can be derived.
 */
import { isScheduleError, ScheduleError } from '../../errors.js';
import type {
  CallOptions,
  CatalogueChanges,
  CommitBatch,
  CommitResult,
  HistoryPage,
  HistoryQuery,
  ScheduleStore,
} from '../../ports/schedule-store.js';
import { planCommit } from '../replay/commit-draft.js';
import type { Disk } from './disk/disk.js';
import { inStore, isUnwritable } from './disk/trouble.js';
import { EvidencePrune, type EvidenceRetention } from './evidence/evidence-prune.js';
import { EvidenceRemoval } from './evidence/evidence-removal.js';
import { Documents } from './history/documents.js';
import { HistoryExport } from './history/history-export.js';
import { historyPage } from './history/history-page.js';
import { HistoryPrune, type HistoryRetention } from './history/history-prune.js';
import { CatalogueReader } from './journal/catalogue-reader.js';
import { HeadFile } from './journal/head-mark.js';
import { commitRecord, type JournalRecord, readChanges } from './journal/journal-record.js';
import { JournalWriter, SEGMENT_BYTES, sealRecord } from './journal/journal-writer.js';
import { recoverFailed } from './journal/recover-failed.js';
import type { Replica } from './journal/replica.js';
import { isRollOverDue, rollOver } from './journal/roll-over.js';
import { historyPath, type Layout } from './layout.js';
import type { OpenLock } from './locks/native-lock.js';
import { refuseAborted, StateLock, Turn } from './locks/state-lock.js';
import type { OpenedLayout } from './open-layout.js';
import { JournalWatch } from './watch.js';

/** What a workspace stands on; tests stand in for it. @internal */
export interface WorkspaceGround {
  readonly disk: Disk;
  readonly openLock: OpenLock;
  /** Hears of a roll-over that failed; a warning of the process where it is not given. */
  readonly warn?: (error: unknown) => void;
}

/** What a store keeps of what is over. @internal */
export interface StoreRetention {
  readonly history: HistoryRetention;
  readonly evidence: EvidenceRetention;
}

/** Journal that grows after a roll-over failed, before it is tried again (bytes). */
const RETRY_BYTES = 64 * 1024;

/** See the head of this file. @internal */
export class FileStore implements ScheduleStore {
  readonly capabilities = { isSharedBetweenProcesses: true, survivesProcessDeath: true, survivesPowerLoss: true };
  readonly #disk: Disk;
  readonly #layout: Layout;
  readonly #openLock: OpenLock;
  readonly #warn: (error: unknown) => void;
  readonly #lock: StateLock;
  readonly #head: HeadFile;
  readonly #reader: CatalogueReader;
  readonly #writer: JournalWriter;
  readonly #documents: Documents;
  readonly #history: HistoryExport;
  readonly #prune: HistoryPrune;
  readonly #oldEvidence: EvidencePrune;
  readonly #evidenceRemoval: EvidenceRemoval;
  readonly #watch: JournalWatch;
  /** Whoever reads on or appends has its turn; a roll-over takes one for its segment alone. */
  readonly #turn = new Turn();
  #rollingOver: Promise<void> | undefined;
  /** Bytes of journal from which a roll-over is tried again after it failed. */
  #rollOverFrom = 0;
  #isClosed = false;
  #isFirstUse = true;

  constructor(
    { disk, openLock, warn = warnProcess }: WorkspaceGround,
    opened: OpenedLayout,
    retention: StoreRetention,
  ) {
    const { layout } = opened;
    this.#disk = disk;
    this.#layout = layout;
    this.#openLock = openLock;
    this.#warn = warn;
    this.#lock = new StateLock(disk, openLock, layout.stateLock);
    this.#head = new HeadFile(disk, layout.head);
    this.#reader = new CatalogueReader(disk, opened, this.#head);
    this.#writer = new JournalWriter(disk, layout);
    this.#documents = new Documents(disk, layout);
    this.#history = new HistoryExport(disk, layout);
    this.#prune = new HistoryPrune(disk, layout, retention.history);
    this.#oldEvidence = new EvidencePrune(disk, layout, retention.evidence);
    this.#evidenceRemoval = new EvidenceRemoval(disk, layout);
    this.#watch = new JournalWatch(disk, layout.journal, () => this.#reader.look());
  }

  changes(since: number, options?: CallOptions): Promise<CatalogueChanges> {
    return this.#call('reading the catalogue', options, async () => (await this.#read(options)).state.changes(since));
  }

  async commit(batch: CommitBatch, options?: CallOptions): Promise<CommitResult> {
    const result = await this.#call('committing', options, async () => {
      await this.#documents.put(batch.documents);
      const { signal } = options ?? {};
      return this.#lock.run(signal, () => this.#turn.run(() => this.#commit(batch, signal), signal));
    });
    this.#rollOverIfDue();
    return result;
  }

  history(query: HistoryQuery, options?: CallOptions): Promise<HistoryPage> {
    return this.#call('reading a history', options, async () => {
      const { state } = await this.#read(options);
      const source = () => {
        const stored = state.schedule(query.scheduleId);
        if (stored === undefined) return undefined;
        return {
          seq: state.seq,
          stored,
          ended: state.ended(query.scheduleId),
          lateVerdicts: state.lateVerdicts(query.scheduleId),
        };
      };
      const id = state.schedule(query.scheduleId)?.entry.schedule.id ?? query.scheduleId;
      return historyPage(this.#disk, historyPath(this.#layout, id), source, query);
    });
  }

  document(digest: string, options?: CallOptions): ReturnType<ScheduleStore['document']> {
    return this.#call('reading a document', options, async () => {
      const found = await this.#documents.find(digest);
      // One that a definition names cannot be missing, unless its commit came in between: then it is there now.
      return found ?? this.#documents.read(digest, await this.#namerOf(digest, options));
    });
  }

  watch(onChange: () => void): () => void {
    this.#refuseClosed();
    return this.#watch.add(onChange);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#watch.close();
    await this.settled();
    await this.#turn.run(() => this.#reader.close());
    await this.#head.close();
    await this.#lock.close();
  }

  /** Resolves when no roll-over is under way. @internal */
  async settled(): Promise<void> {
    await this.#rollingOver;
  }

  async #call<T>(doing: string, options: CallOptions | undefined, operation: () => Promise<T>): Promise<T> {
    this.#refuseClosed();
    refuseAborted(options?.signal);
    return inStore(doing, this.#layout.root, operation);
  }

  /** Reads on without the lock; what looks wrong there is looked at again under the lock, where nobody writes. */
  #read({ signal }: CallOptions = {}): Promise<Replica> {
    return this.#turn
      .run(() => this.#reader.readOn(), signal)
      .catch((error: unknown) => {
        if (!isScheduleError(error, 'SCHEDULE_CATALOGUE_CORRUPT')) throw error;
        return this.#readAgain(signal);
      });
  }

  async #readAgain(signal: AbortSignal | undefined): Promise<Replica> {
    const readAnew = () => this.#turn.run(() => this.#reader.readAnew(), signal);
    try {
      return await this.#lock.run(signal, readAnew);
    } catch (error) {
      // The lock needs the right to write, which a medium mounted read-only gives to nobody.
      if (!isUnwritable(error)) throw error;
      return readAnew();
    }
  }

  /** The schedule whose definition names a document, if there is one. */
  async #namerOf(digest: string, options: CallOptions | undefined): Promise<string | undefined> {
    const { state } = await this.#read(options);
    for (const { entry } of state.schedules()) {
      if (entry.schedule.definition.documentDigest === digest) return `schedule ${entry.schedule.id}`;
    }
    return undefined;
  }

  /** The steps of a commit, under the state lock. */
  async #commit(batch: CommitBatch, signal: AbortSignal | undefined): Promise<CommitResult> {
    if (batch.raisesEpoch) await recoverFailed(this.#disk, this.#layout, this.#writer, this.#reader);
    this.#refuseFailed();
    const replica = await this.#readOnAlone();
    const { state } = replica;
    const refusal = state.refusal(batch);
    if (refusal !== undefined) return refusal;
    const planned = await this.#plan(replica, batch);
    await this.#documents.require(documentsOf(batch), batch.documents);
    refuseAborted(signal);
    let { sealed } = planned;
    if (replica.offset + sealed.bytes.length > SEGMENT_BYTES) {
      if ((await this.#writer.roll(replica, 0)) === 'raced') return { kind: 'conflict', seq: state.seq };
      sealed = sealRecord({ ...planned.record, prev: replica.hash });
    }
    if ((await this.#writer.append(replica, sealed)) === 'raced') return { kind: 'conflict', seq: state.seq };
    state.apply(planned.draft);
    const { seq } = state;
    await this.#head.write({ seq, hash: sealed.hash });
    for (const mark of planned.draft.removed.values()) await this.#removeHistory(mark.id);
    return { kind: 'committed', seq, hash: sealed.hash };
  }

  async #readOnAlone(): Promise<Replica> {
    if (this.#isFirstUse) {
      // What was found here may have been made by a process that died before it was durable.
      for (const path of [this.#layout.root, this.#layout.catalogue, this.#layout.journal]) {
        await this.#disk.flushDirectory(path);
      }
      this.#isFirstUse = false;
    }
    const replica = await this.#reader.readOn();
    if (replica.tail !== undefined) await this.#writer.skipTail(replica);
    return replica;
  }

  /** The record as it will be read back, judged by the rules of replay: nothing is written that they refuse. */
  async #plan(replica: Replica, batch: CommitBatch) {
    const { state, hash } = replica;
    const record = commitRecord(batch, { seq: state.seq + 1, prev: hash, at: batch.at });
    const sealed = sealRecord(record);
    const { ops } = JSON.parse(sealed.bytes.toString('utf8', sealed.hash.length + 1)) as { readonly ops: unknown[] };
    const read = await readChanges(ops, () => this.#disk.pause(0));
    if (!read.ok) throw refused('row', read.message);
    const planned = planCommit(state, { at: batch.at, raisesEpoch: batch.raisesEpoch === true }, read.changes);
    if (!planned.ok) throw refused(planned.rule, planned.message);
    return { record: record satisfies JournalRecord, sealed, draft: planned.draft };
  }

  /** The schedule is gone whether or not its files are: a roll-over removes what is left. */
  async #removeHistory(id: string): Promise<void> {
    await this.#history.remove(id).catch(() => undefined);
  }

  #rollOverIfDue(): void {
    const { replica } = this.#reader;
    if (replica === undefined || this.#rollingOver !== undefined || this.#isClosed || !isRollOverDue(replica)) return;
    if (replica.journalBytes < this.#rollOverFrom) return;
    this.#rollingOver = this.#rollOver()
      .catch((error: unknown) => {
        this.#warn(error);
        this.#rollOverFrom = replica.journalBytes + RETRY_BYTES;
      })
      .finally(() => {
        this.#rollingOver = undefined;
      });
  }

  /** Goes on beside commits; another process that rolls over already is left to it. */
  async #rollOver(): Promise<void> {
    const lock = await this.#openLock(this.#layout.rollOverLock);
    try {
      if (!lock.tryLock()) return;
      await rollOver({
        disk: this.#disk,
        layout: this.#layout,
        writer: this.#writer,
        history: this.#history,
        prune: this.#prune,
        documents: this.#documents,
        oldEvidence: this.#oldEvidence,
        evidenceRemoval: this.#evidenceRemoval,
        alone: (work) =>
          this.#lock.run(undefined, () =>
            this.#turn.run(async () => {
              this.#refuseFailed();
              return work(await this.#readOnAlone());
            }),
          ),
      });
      this.#rollOverFrom = 0;
    } finally {
      await lock.close();
    }
  }

  #refuseFailed(): void {
    if (this.#disk.lookNow(this.#layout.failed) === undefined) return;
    throw new ScheduleError('SCHEDULE_STORE_FAILED', 'a flush of the journal failed earlier and could not be undone', {
      details: { file: this.#layout.failed },
      hint: 'Mend the disk, then start an owner: it writes the journal anew before it goes on.',
    });
  }

  #refuseClosed(): void {
    if (!this.#isClosed) return;
    throw new ScheduleError('SCHEDULE_CLOSED', 'the store was used after it was closed', {
      details: { root: this.#layout.root },
      hint: 'Open the workspace again.',
    });
  }
}

function documentsOf(batch: CommitBatch): readonly string[] {
  return batch.changes.flatMap((change) =>
    change.kind === 'schedule' && change.isDefinitionChanged ? [change.schedule.definition.documentDigest] : [],
  );
}

function refused(rule: string, message: string): ScheduleError {
  return new ScheduleError('SCHEDULE_ADAPTER_BROKEN', `a commit breaks a rule of replay (${rule}): ${message}`, {
    details: { rule },
    hint: 'This is a fault of the program that made the commit; nothing was written.',
  });
}

/** The catalogue goes on without a roll-over, so its failure is no error of any call; the next commit tries again. */
function warnProcess(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  process.emitWarning(`The catalogue could not be rolled over, and will be tried again: ${text}`, {
    type: 'EverdueWarning',
    code: 'EVERDUE_ROLL_OVER',
  });
}
