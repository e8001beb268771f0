/**
 * The file store: a snapshot, a journal behind it, and the steps of a commit in their order (ST-1 to ST-5).
 *
 * Reading takes no lock, and tells what is durable. A commit takes the state lock, reads on, judges, appends, flushes, reads
 * back, and only then becomes visible in memory. One record and one flush make a commit durable; all else can be derived.
 */

import { UnstorableRow } from '../../codec/rows.js';
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
import type { CommitDraft } from '../replay/catalogue-state.js';
import { ownChangeOf, planCommit } from '../replay/commit-draft.js';
import type { Disk } from './disk/disk.js';
import type { WrittenLine } from './disk/sealed-line.js';
import { codeOf, inStore, isUnwritable, takeAll } from './disk/trouble.js';
import { DurableReading, unmarked } from './durable-reading.js';
import { EvidencePrune, type EvidenceRetention } from './evidence/evidence-prune.js';
import { EvidenceRemoval } from './evidence/evidence-removal.js';
import { Documents } from './history/documents.js';
import { HistoryExport } from './history/history-export.js';
import { historyPage } from './history/history-page.js';
import { HistoryPrune, type HistoryRetention } from './history/history-prune.js';
import { CatalogueReader } from './journal/catalogue-reader.js';
import { HeadFile } from './journal/head-mark.js';
import type { RecordHead } from './journal/journal-record.js';
import { JournalWriter, SEGMENT_BYTES, sealCommit } from './journal/journal-writer.js';
import type { Replica } from './journal/replica.js';
import { rollOver } from './journal/roll-over.js';
import { historyPath, type Layout } from './layout.js';
import type { OpenLock } from './locks/native-lock.js';
import { refuseAborted, StateLock, Turn } from './locks/state-lock.js';
import type { OpenedLayout } from './open-layout.js';
import { recoverFailed } from './repair/recover-failed.js';
import { RollOverTime } from './roll-over-time.js';
import { JournalWatch } from './watch.js';

/** What a workspace stands on; tests stand in for it. @internal */
export interface WorkspaceGround {
  readonly disk: Disk;
  readonly openLock: OpenLock;
  /** Hears of what failed and harms no call; a warning of the process where it is not given. */
  readonly warn?: (error: unknown, about: keyof typeof WARNINGS) => void;
}

/** What a store keeps of what is over. @internal */
export interface StoreRetention {
  readonly history: HistoryRetention;
  readonly evidence: EvidenceRetention;
}

/** See the head of this file. @internal */
export class FileStore implements ScheduleStore {
  readonly capabilities = { isSharedBetweenProcesses: true, survivesProcessDeath: true, survivesPowerLoss: true };
  readonly #disk: Disk;
  readonly #layout: Layout;
  readonly #openLock: OpenLock;
  readonly #lock: StateLock;
  readonly #head: HeadFile;
  readonly #reader: CatalogueReader;
  readonly #writer: JournalWriter;
  readonly #durable: DurableReading;
  readonly #documents: Documents;
  readonly #history: HistoryExport;
  readonly #prune: HistoryPrune;
  readonly #oldEvidence: EvidencePrune;
  readonly #evidenceRemoval: EvidenceRemoval;
  readonly #watch: JournalWatch;
  readonly #rollOverTime: RollOverTime;
  /** Whoever reads on or appends has its turn; a roll-over takes one for its segment alone. */
  readonly #turn = new Turn();
  /** The newest commit that this handle has told of. */
  #toldSeq = -1;
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
    this.#lock = new StateLock(disk, openLock, layout.stateLock);
    this.#head = new HeadFile(disk, layout.head);
    this.#reader = new CatalogueReader(disk, opened, this.#head);
    this.#writer = new JournalWriter(disk, layout, this.#head);
    this.#durable = new DurableReading(disk, layout.head);
    this.#documents = new Documents(disk, layout);
    this.#history = new HistoryExport(disk, layout);
    this.#prune = new HistoryPrune(disk, layout, retention.history);
    this.#oldEvidence = new EvidencePrune(disk, layout, retention.evidence);
    this.#evidenceRemoval = new EvidenceRemoval(disk, layout);
    const look = () => this.#reader.look();
    const warnWatch = (error: unknown) => warn(error, 'watch');
    this.#watch = new JournalWatch(disk, layout.journal, look, warnWatch, () => this.#hasNews());
    this.#rollOverTime = new RollOverTime({
      disk,
      replica: () => this.#reader.replica,
      rollOver: () => this.#rollOver(),
      warn: (error) => warn(error, 'rollOver'),
    });
  }

  async changes(since: number, options?: CallOptions): Promise<CatalogueChanges> {
    const read = async () => {
      const finish = await this.#read(({ state }) => state.changesInSlices(since), options, since === 0);
      return finish(() => this.#disk.pause(0));
    };
    const changes = await this.#call('reading the catalogue', options, read);
    this.#toldSeq = changes.seq;
    return changes;
  }

  async commit(batch: CommitBatch, options?: CallOptions): Promise<CommitResult> {
    const result = await this.#call('committing', options, async () => {
      await this.#rollOverTime.room();
      await this.#documents.put(batch.documents);
      const { signal } = options ?? {};
      return this.#lock.run(signal, () => this.#turn.run(() => this.#commit(batch, signal), signal));
    });
    if (!this.#isClosed) this.#rollOverTime.noteCommit();
    return result;
  }

  history(query: HistoryQuery, options?: CallOptions): Promise<HistoryPage> {
    return this.#call('reading a history', options, async () => {
      const sourceIn = ({ state }: Replica) => {
        const stored = state.schedule(query.scheduleId);
        if (stored === undefined) return undefined;
        return {
          seq: state.seq,
          stored,
          ended: state.ended(query.scheduleId),
          lateVerdicts: state.lateVerdicts(query.scheduleId),
        };
      };
      const source = () => this.#read(sourceIn, options);
      const known = await this.#read(({ state }) => state.schedule(query.scheduleId), options);
      const id = known?.entry.schedule.id ?? query.scheduleId;
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
    const files = [
      () => this.#turn.run(() => this.#reader.close()),
      () => this.#head.close(),
      () => this.#durable.close(),
      () => this.#lock.close(),
    ];
    await inStore('closing the store', this.#layout.root, () => takeAll(files));
  }

  /** Resolves when no roll-over is due or under way. @internal */
  async settled(): Promise<void> {
    await this.#rollOverTime.settled();
  }

  /** Writes the journal anew after a flush failed for good; for whoever has just taken the owner lock (ST-4). @internal */
  async recover(): Promise<void> {
    if (this.#disk.lookNow(this.#layout.failed) === undefined) return;
    const recover = () => recoverFailed(this.#disk, this.#layout, this.#reader);
    await this.#lock.run(undefined, () => this.#turn.run(recover));
  }

  /** Whether the journal holds more than this handle has told of: its own commits are no news to it, and cost no reading. */
  #hasNews(): Promise<boolean> {
    const look = async (): Promise<boolean> => {
      const { replica } = this.#reader;
      if (replica === undefined || replica.state.seq !== this.#toldSeq) return true;
      return !replica.isCurrent() || this.#reader.look()?.bytes !== replica.offset;
    };
    // In doubt there is: whoever reads then hears of the trouble.
    return this.#turn.run(look).catch(() => true);
  }

  async #call<T>(doing: string, options: CallOptions | undefined, operation: () => Promise<T>): Promise<T> {
    this.#refuseClosed();
    refuseAborted(options?.signal);
    return inStore(doing, this.#layout.root, operation);
  }

  /**
   * Reads on without the lock, and answers once what was read is durable. `isOpening`: answers also after a flush that failed
   * for good, since an owner must come so far to mend that.
   */
  async #read<T>(use: (replica: Replica) => T, { signal }: CallOptions = {}, isOpening = false): Promise<T> {
    const answer = (replica: Replica) => ({ value: use(replica), basis: unmarked(replica, this.#head.last) });
    const { value, basis } = await this.#turn
      .run(async () => answer(await this.#reader.readOn()), signal)
      .catch((error: unknown) => {
        if (!isScheduleError(error, 'SCHEDULE_CATALOGUE_CORRUPT')) throw error;
        return this.#readAgain(answer, signal);
      });
    if (basis !== undefined && !(await this.#durable.isMarkedSoon(basis))) await this.#secure(signal, isOpening);
    return value;
  }

  /** What looks wrong is looked at again under the lock, where nobody writes. */
  async #readAgain<T>(use: (replica: Replica) => T, signal: AbortSignal | undefined): Promise<T> {
    const readAnew = () => this.#turn.run(async () => use(await this.#reader.readAnew()), signal);
    try {
      return await this.#lock.run(signal, readAnew);
    } catch (error) {
      // The lock needs the right to write, which a medium mounted read-only gives to nobody.
      if (!isUnwritable(error)) throw error;
      return readAnew();
    }
  }

  /** Makes everything durable that is in the journal, whoever wrote it. */
  async #secure(signal: AbortSignal | undefined, isOpening: boolean): Promise<void> {
    if (isOpening && this.#disk.lookNow(this.#layout.failed) !== undefined) return;
    try {
      const secure = () => this.#turn.run(() => this.#readOnAlone(), signal);
      await this.#lock.run(signal, async () => {
        this.#refuseFailed();
        while ((await secure()) === 'raced') refuseAborted(signal);
      });
    } catch (error) {
      // Nobody can write to a medium mounted read-only, and a power cut takes nothing from it.
      if (codeOf(error) !== 'EROFS') throw error;
    }
  }

  /** The schedule whose definition names a document, if there is one. */
  #namerOf(digest: string, options: CallOptions | undefined): Promise<string | undefined> {
    const namerIn = ({ state }: Replica) => {
      for (const { entry } of state.schedules()) {
        if (entry.schedule.definition.documentDigest === digest) return `schedule ${entry.schedule.id}`;
      }
      return undefined;
    };
    return this.#read(namerIn, options);
  }

  /** The steps of a commit, under the state lock. */
  async #commit(batch: CommitBatch, signal: AbortSignal | undefined): Promise<CommitResult> {
    if (batch.raisesEpoch) await recoverFailed(this.#disk, this.#layout, this.#reader);
    this.#refuseFailed();
    const replica = await this.#readOnAlone();
    if (replica === 'raced') return { kind: 'conflict', seq: batch.since };
    const { state } = replica;
    const refusal = state.refusal(batch);
    if (refusal !== undefined) return refusal;
    const { draft, seal } = planRecord(replica, batch);
    await this.#documents.require(documentsOf(batch), batch.documents);
    refuseAborted(signal);
    let sealed = seal();
    if (replica.offset + sealed.bytes.length > SEGMENT_BYTES) {
      if ((await this.#writer.roll(replica, 0)) === 'raced') return { kind: 'conflict', seq: state.seq };
      sealed = seal();
    }
    if ((await this.#writer.append(replica, sealed, draft.seq)) === 'raced')
      return { kind: 'conflict', seq: state.seq };
    state.apply(draft);
    const { seq } = state;
    // Who knew everything before its own commit knows everything.
    if (seq === batch.since + 1) this.#toldSeq = seq;
    for (const mark of draft.removed.values()) await this.#removeHistory(mark.id);
    return { kind: 'committed', seq, hash: sealed.hash };
  }

  /** Everything that is in the journal, made sure of; `raced` where, without the lock, somebody else was faster. */
  async #readOnAlone(): Promise<Replica | 'raced'> {
    if (this.#isFirstUse) {
      // What was found here may have been made by a process that died before it was durable.
      for (const path of [this.#layout.root, this.#layout.catalogue, this.#layout.journal]) {
        await this.#disk.flushDirectory(path);
      }
      this.#isFirstUse = false;
    }
    const replica = await this.#reader.readOn();
    return (await this.#writer.secure(replica)) === 'raced' ? 'raced' : replica;
  }

  /** The schedule is gone whether or not its files are: a roll-over removes what is left. */
  async #removeHistory(id: string): Promise<void> {
    await this.#history.remove(id).catch(() => undefined);
  }

  /** Goes on beside commits; another process that rolls over already is left to it: then it is false. */
  async #rollOver(): Promise<boolean> {
    const lock = await this.#openLock(this.#layout.rollOverLock);
    try {
      if (!lock.tryLock()) return false;
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
              const replica = await this.#readOnAlone();
              return replica === 'raced' ? undefined : work(replica);
            }),
          ),
      });
      return true;
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

/** A commit judged by the rules of replay, and its record behind whatever the journal then ends with: nothing is written that they refuse. */
function planRecord(replica: Replica, batch: CommitBatch): { draft: CommitDraft; seal: () => WrittenLine } {
  const { state } = replica;
  const head = { at: batch.at, raisesEpoch: batch.raisesEpoch === true };
  const planned = planCommit(state, head, batch.changes.map(ownChangeOf));
  if (!planned.ok) throw refused(planned.rule, planned.message);
  const { draft } = planned;
  return { draft, seal: () => sealed({ seq: draft.seq, prev: replica.hash, at: batch.at }, batch) };
}

function sealed(head: RecordHead, batch: CommitBatch): WrittenLine {
  try {
    return sealCommit(head, batch);
  } catch (error) {
    throw error instanceof UnstorableRow ? refused('row', error.message) : error;
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

/** What the catalogue goes on without, so that its failure is no error of any call. */
const WARNINGS = {
  rollOver: { code: 'EVERDUE_ROLL_OVER', says: 'The catalogue could not be rolled over, and will be tried again' },
  watch: {
    code: 'EVERDUE_WATCH',
    says: 'The journal cannot be watched, so changes by other processes are looked for every second',
  },
} as const;

function warnProcess(error: unknown, about: keyof typeof WARNINGS): void {
  const { code, says } = WARNINGS[about];
  const text = error instanceof Error ? error.message : String(error);
  process.emitWarning(`${says}: ${text}`, { type: 'EverdueWarning', code });
}
