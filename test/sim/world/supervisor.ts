/**
 * The supervisor of a simulated machine: it starts owners and clients, and starts them again when they are gone.
 */
import type { Ledger } from '../audit/ledger.js';
import { describe } from './client-calls.js';
import { clientProgram, ownerProgram } from './hosts.js';
import type { SimMachine } from './sim-machine.js';
import { codeOf, type SimProcess } from './sim-process.js';

/** Errors that may end an owner or keep a process from starting. */
const EXPECTED: readonly string[] = [
  'SCHEDULE_LOCK_HELD',
  'SCHEDULE_LOCK_LOST',
  'SCHEDULE_STORE_UNAVAILABLE',
  'SCHEDULE_STORE_FAILED',
  'SCHEDULE_CONTENTION',
  'SCHEDULE_ABORTED',
];

interface Post {
  readonly name: string;
  readonly program: (process: SimProcess, ledger: Ledger) => Promise<void>;
  /** Longest pause before it is started again. */
  readonly pauseMs: number;
}

/** See the head of this file. */
export class Supervisor {
  readonly #machine: SimMachine;
  readonly #ledger: Ledger;
  readonly #posts: readonly Post[];
  readonly #running = new Map<Post, SimProcess | 'starting'>();
  /** False while nothing is started. */
  isOn = true;

  constructor(machine: SimMachine, ledger: Ledger) {
    this.#machine = machine;
    this.#ledger = ledger;
    const { owners, clients } = machine.options;
    this.#posts = [
      ...Array.from({ length: owners }, (_, n) => ({ name: `owner${n}`, program: ownerProgram, pauseMs: 20_000 })),
      ...Array.from({ length: clients }, (_, n) => ({ name: `client${n}`, program: clientProgram, pauseMs: 5000 })),
    ];
  }

  /** Starts whatever does not run, each soon; those that are named alone where names are given. */
  startAll(isWanted: (name: string) => boolean = () => true): void {
    this.isOn = true;
    for (const post of this.#posts) {
      const running = this.#running.get(post);
      const isGone = running === undefined || running === 'starting' || running.isDead;
      if (isGone && isWanted(post.name)) this.#startSoon(post, 1000);
    }
  }

  #startSoon(post: Post, withinMs: number): void {
    const { scheduler, random } = this.#machine;
    this.#running.set(post, 'starting');
    scheduler.add(random.next() * withinMs, this.#machine, `starts ${post.name}`, () => {
      if (this.isOn && this.#running.get(post) === 'starting') this.#start(post);
    });
  }

  #start(post: Post): void {
    const program = (process: SimProcess) => post.program(process, this.#ledger);
    const process = this.#machine.start(post.name, program, (_, error) => {
      this.#running.delete(post);
      if (error !== undefined && !EXPECTED.includes(codeOf(error))) {
        this.#ledger.violate('OW-4', `${process.name} ended with ${describe(error)}`);
      }
      if (this.isOn) this.#startSoon(post, post.pauseMs);
    });
    this.#running.set(post, process);
  }
}
