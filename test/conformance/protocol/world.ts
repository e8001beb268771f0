/**
 * A machine in memory on which owners and clients die and come back: what is left after a death is what was committed, and
 * what was executed is written down outside. A mutant stands between the processes and one of their ports.
 */
import { type MemoryData, memoryData } from '../../../src/adapters/memory-data.js';
import { memoryEvidence } from '../../../src/adapters/memory-evidence.js';
import { memoryLock } from '../../../src/adapters/memory-lock.js';
import { memoryStore } from '../../../src/adapters/memory-store.js';
import type { DeclarationInput } from '../../../src/codec/declaration-input.js';
import { openSchedules } from '../../../src/open-schedules.js';
import type { Evidence } from '../../../src/ports/evidence.js';
import type { ExecutionRequest, ExecutionService } from '../../../src/ports/execution-service.js';
import type { Observer } from '../../../src/ports/observer.js';
import type { OwnerLock } from '../../../src/ports/owner-lock.js';
import type { CommitBatch, ScheduleStore } from '../../../src/ports/schedule-store.js';
import type { Workspace } from '../../../src/ports/workspace.js';
import type { Schedules } from '../../../src/runtime/client/face.js';
import { manualClock } from '../../../src/testing/manual-clock.js';
import { type ScriptedStep, scriptedExecution } from '../../../src/testing/scripted-execution.js';

/** What a mutant puts between the processes and their machine. */
export interface Broken {
  store?(good: ScheduleStore): Partial<ScheduleStore>;
  lock?(good: OwnerLock): Partial<OwnerLock>;
  evidence?(good: Evidence): Partial<Evidence>;
  execution?(good: ExecutionService): Partial<ExecutionService>;
  observer?(good: Observer): Observer;
  /** Which of the commits that were acknowledged are found after a death; all of them where absent. */
  durable?(batches: readonly CommitBatch[]): readonly CommitBatch[];
}

/** How a process opens its schedules. */
export interface Opened {
  readonly steps?: readonly ScriptedStep[];
  readonly needsWorkspace?: boolean;
  readonly observer?: Observer;
  /** Hears of each dispatch, before the work begins. */
  onExecute?(request: ExecutionRequest): Promise<void>;
  /** What is done to its workspace before it gets it. */
  wrap?(workspace: Workspace): Workspace;
}

/** See the head of this file. */
export class World {
  readonly clock = manualClock('2026-11-30T08:00:00.000Z');
  /** Every dispatch, by whichever process. */
  readonly executed: ExecutionRequest[] = [];
  readonly #broken: Broken;
  readonly #evidence = memoryData();
  readonly #batches: CommitBatch[] = [];
  #data = memoryData();

  constructor(broken: Broken) {
    this.#broken = broken;
  }

  /** The schedules of a process of its own. */
  async open(how: Opened = {}): Promise<Schedules> {
    const inner = scriptedExecution(how.steps ?? [], { needsWorkspace: how.needsWorkspace ?? false });
    const execution: ExecutionService = {
      ...inner,
      execute: async (request) => {
        this.executed.push(request);
        await how.onExecute?.(request);
        return await inner.execute(request);
      },
    };
    const workspace = this.#workspace();
    const { observer } = how;
    return await openSchedules({
      workspace: how.wrap?.(workspace) ?? workspace,
      clock: this.clock,
      execution: { ...execution, ...this.#broken.execution?.(execution) },
      concurrency: 2,
      ...(observer === undefined ? {} : { observer: this.#broken.observer?.(observer) ?? observer }),
    });
  }

  /** A process that opens the machine, and a schedule in it. */
  async openWith(declaration: Partial<DeclarationInput> & { readonly id: string }, how?: Opened): Promise<Schedules> {
    const schedules = await this.open(how);
    await schedules.create({ ...SAMPLE, ...declaration });
    return schedules;
  }

  /** The store as a process would find it that opens it after a death at this moment. */
  async afterDeath(): Promise<ScheduleStore> {
    return memoryStore(await this.#left());
  }

  /** Everything has died; whoever opens the machine next finds what is left. */
  async restart(): Promise<void> {
    this.#data = await this.#left();
  }

  /** The catalogue goes back to what it was; evidence does not. */
  async restoreBackup(commits: number): Promise<void> {
    this.#batches.splice(commits);
    await this.restart();
  }

  /** How many commits were acknowledged. */
  get commits(): number {
    return this.#batches.length;
  }

  /** Gives everything back. */
  async close(): Promise<void> {
    await this.#evidence.dispose();
  }

  async #left(): Promise<MemoryData> {
    const batches = [...this.#batches];
    const data = memoryData();
    const store = memoryStore(data);
    for (const batch of this.#broken.durable?.(batches) ?? batches) {
      const { seq } = await store.changes(0);
      const { epoch: _, ...others } = batch;
      const owned = batch.raisesEpoch === true ? batch : others;
      const redone = await store.commit({ ...owned, since: seq, reads: { schedules: [], keys: [], row: false } });
      if (redone.kind !== 'committed') throw new Error(`a commit that was made was answered ${redone.kind}`);
    }
    return data;
  }

  #workspace(): Workspace {
    const good = memoryStore(this.#data);
    const noted: ScheduleStore = {
      capabilities: good.capabilities,
      changes: (...given) => good.changes(...given),
      commit: async (batch, options) => {
        const copy = structuredClone(batch);
        const result = await good.commit(batch, options);
        if (result.kind === 'committed') this.#batches.push(copy);
        return result;
      },
      history: (...given) => good.history(...given),
      document: (...given) => good.document(...given),
      watch: (onChange) => good.watch(onChange),
      close: () => good.close(),
    };
    const lock = boundLock(memoryLock(this.#data));
    const evidence = boundEvidence(memoryEvidence(this.#evidence));
    return {
      store: { ...noted, ...this.#broken.store?.(noted) },
      lock: { ...lock, ...this.#broken.lock?.(lock) },
      evidence: { ...evidence, ...this.#broken.evidence?.(evidence) },
      close: async () => {
        await good.close();
        await lock.close();
      },
    };
  }
}

const SAMPLE = {
  objective: 'Protocol',
  document: { version: 'sample/1' },
  allowedProviders: ['scripted'],
  trigger: { kind: 'manual' },
} as const;

function boundLock(good: OwnerLock): OwnerLock {
  return {
    capabilities: good.capabilities,
    acquire: (...given) => good.acquire(...given),
    status: (...given) => good.status(...given),
    close: () => good.close(),
  };
}

function boundEvidence(good: Evidence): Evidence {
  return {
    capabilities: good.capabilities,
    begin: (...given) => good.begin(...given),
    finish: (...given) => good.finish(...given),
    attempts: (...given) => good.attempts(...given),
    attempted: (...given) => good.attempted(...given),
    read: (...given) => good.read(...given),
  };
}
