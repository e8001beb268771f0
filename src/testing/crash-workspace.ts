/**
 * A workspace whose process dies at a chosen call: of its store, its lock or its evidence.
 *
 * From then on every call rejects with {@link SimulatedCrash}, nobody is called back, and the lock is free, as the kernel
 * frees it. What had an effect before stays in what is wrapped, for whoever opens it next. `calls` says what can be chosen:
 * run a scenario once, then once more for each of its calls, with the crash before and after its effect.
 */
import type { Evidence } from '../ports/evidence.js';
import type { AcquireResult, Lease, OwnerLock, OwnerReport } from '../ports/owner-lock.js';
import type { ScheduleStore } from '../ports/schedule-store.js';
import type { Workspace } from '../ports/workspace.js';
import { SimulatedCrash } from './faulty-store.js';

/** Calls of a workspace at which its process can die. @public */
export type WorkspaceCall =
  | 'store.changes'
  | 'store.commit'
  | 'store.history'
  | 'store.document'
  | 'lock.acquire'
  | 'lock.status'
  | 'lease.note'
  | 'lease.release'
  | 'evidence.begin'
  | 'evidence.finish'
  | 'evidence.attempts'
  | 'evidence.attempted'
  | 'evidence.read';

/** When the process dies. @public */
export interface CrashPoint {
  /** Counted from 1, among calls of `of` alone where that is given. */
  readonly call: number;
  /** Which calls are counted; all of them where absent. */
  readonly of?: WorkspaceCall;
  /** Before the call has an effect, or after it and before the caller hears of it. */
  readonly when: 'before' | 'after';
}

/** See the head of this file. @public */
export interface CrashingWorkspace extends Workspace {
  /** Every call that was made while the process lived, oldest first. */
  readonly calls: readonly WorkspaceCall[];
  /** True once the process is dead. */
  readonly isCrashed: boolean;
  /** Kills the process now, between two calls. */
  crash(): Promise<void>;
  /** Closes what is wrapped, dead or alive, so that a test leaves nothing open. */
  close(): Promise<void>;
}

/** Wraps a workspace whose process dies at `point`, or when `crash` is called. @public */
export function crashingWorkspace(workspace: Workspace, point?: CrashPoint): CrashingWorkspace {
  const life = new Life(point);
  const { store, lock, evidence } = workspace;
  return {
    store: mortalStore(life, store),
    lock: mortalLock(life, lock),
    evidence: mortalEvidence(life, evidence),
    calls: life.calls,
    get isCrashed() {
      return life.isOver;
    },
    crash: () => life.end(),
    close: () => workspace.close(),
  };
}

/** The life of a process: it counts calls, and ends at one of them. */
class Life {
  readonly calls: WorkspaceCall[] = [];
  readonly #point: CrashPoint | undefined;
  readonly #atEnd = new Set<() => unknown>();
  #counted = 0;
  isOver = false;

  constructor(point: CrashPoint | undefined) {
    this.#point = point;
  }

  /** Has something done when the process dies; the function that comes back forgets it. */
  atEnd(act: () => unknown): () => void {
    this.#atEnd.add(act);
    return () => this.#atEnd.delete(act);
  }

  async end(): Promise<void> {
    this.isOver = true;
    const acts = [...this.#atEnd];
    this.#atEnd.clear();
    for (const act of acts) await act();
  }

  async call<T>(name: WorkspaceCall, make: () => Promise<T>): Promise<T> {
    if (this.isOver) throw new SimulatedCrash();
    this.calls.push(name);
    const isHere = this.#isHere(name);
    if (isHere && this.#point?.when === 'before') return await this.#die();
    const answer = await make();
    if (isHere) return await this.#die();
    // Another call may have ended the process while this one was under way.
    if (this.isOver) throw new SimulatedCrash();
    return answer;
  }

  async #die(): Promise<never> {
    await this.end();
    throw new SimulatedCrash();
  }

  #isHere(name: WorkspaceCall): boolean {
    if (this.#point === undefined || (this.#point.of !== undefined && this.#point.of !== name)) return false;
    this.#counted += 1;
    return this.#counted === this.#point.call;
  }
}

function mortalStore(life: Life, store: ScheduleStore): ScheduleStore {
  return {
    capabilities: store.capabilities,
    changes: (...given) => life.call('store.changes', () => store.changes(...given)),
    commit: (...given) => life.call('store.commit', () => store.commit(...given)),
    history: (...given) => life.call('store.history', () => store.history(...given)),
    document: (...given) => life.call('store.document', () => store.document(...given)),
    watch: (onChange) => {
      if (life.isOver) throw new SimulatedCrash();
      const stop = store.watch(() => {
        if (!life.isOver) onChange();
      });
      const forget = life.atEnd(stop);
      return () => {
        forget();
        stop();
      };
    },
    close: async () => {
      if (!life.isOver) await store.close();
    },
  };
}

function mortalLock(life: Life, lock: OwnerLock): OwnerLock {
  return {
    capabilities: lock.capabilities,
    acquire: (...given) =>
      life.call('lock.acquire', async () => {
        const result = await lock.acquire(...given);
        return result.kind === 'held' ? result : mortalLease(life, result);
      }),
    status: (...given) => life.call('lock.status', () => lock.status(...given)),
    close: async () => {
      if (!life.isOver) await lock.close();
    },
  };
}

function mortalLease(life: Life, { lease }: Extract<AcquireResult, { readonly kind: 'acquired' }>): AcquireResult {
  const forget = life.atEnd(() => lease.release());
  const mortal: Lease = {
    isHeld: () => !life.isOver && lease.isHeld(),
    note: (report: OwnerReport) => life.call('lease.note', () => lease.note(report)),
    release: () =>
      life.call('lease.release', async () => {
        forget();
        await lease.release();
      }),
  };
  return { kind: 'acquired', lease: mortal };
}

function mortalEvidence(life: Life, evidence: Evidence): Evidence {
  return {
    capabilities: evidence.capabilities,
    begin: (...given) => life.call('evidence.begin', () => evidence.begin(...given)),
    finish: (...given) => life.call('evidence.finish', () => evidence.finish(...given)),
    attempts: (...given) => life.call('evidence.attempts', () => evidence.attempts(...given)),
    attempted: (...given) => life.call('evidence.attempted', () => evidence.attempted(...given)),
    read: (...given) => life.call('evidence.read', () => evidence.read(...given)),
  };
}
