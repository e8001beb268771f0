/**
 * The scheduler of a simulation: virtual time, and the order in which everything happens.
 *
 * Everything that waits is an event with a time. The next one is taken, ties by chance; then everything runs that can run
 * without waiting again, before the next event is taken. So one seed is one order, however many processes there are.
 */
import { createHash, type Hash } from 'node:crypto';
import type { Random } from '../random.js';

/** Somebody whose events can be held back, or dropped. */
export interface Actor {
  readonly name: string;
  /** Its events are dropped. */
  readonly isDead: boolean;
  /** Its events wait until then; in the past where it is not stopped. */
  readonly stoppedUntil: number;
}

/** An event that is to come. */
export interface Due {
  /** Takes it away; fine where it has happened. */
  cancel(): void;
}

interface Event {
  at: number;
  readonly order: number;
  readonly actor: Actor;
  readonly label: string;
  run: (() => void) | undefined;
}

/** See the head of this file. */
export class Scheduler {
  readonly #random: Random;
  readonly #queue = new EventQueue();
  readonly #digest: Hash = createHash('sha256');
  readonly #onTrace: ((line: string) => void) | undefined;
  #now = 0;
  #steps = 0;

  constructor(random: Random, onTrace?: (line: string) => void) {
    this.#random = random;
    this.#onTrace = onTrace;
  }

  /** Virtual milliseconds since the beginning, with fractions. */
  get now(): number {
    return this.#now;
  }

  /** Events that have happened. */
  get steps(): number {
    return this.#steps;
  }

  /** Digest of everything that was noted so far. */
  get traceHash(): string {
    return this.#digest.copy().digest('hex');
  }

  /** Adds an event; one that is late happens next. */
  add(afterMs: number, actor: Actor, label: string, run: () => void): Due {
    const event: Event = { at: this.#now + afterMs, order: this.#random.next(), actor, label, run };
    this.#queue.push(event);
    return {
      cancel: () => {
        event.run = undefined;
      },
    };
  }

  /** Waits as an event; never resolves for an actor that dies meanwhile. */
  wait(afterMs: number, actor: Actor, label: string): Promise<void> {
    return new Promise((resolve) => this.add(afterMs, actor, label, resolve));
  }

  /** Notes a line in the trace. */
  note(actor: Actor, text: string): void {
    const line = `${this.#now.toFixed(3)} ${actor.name} ${text}`;
    this.#digest.update(`${line}\n`);
    this.#onTrace?.(line);
  }

  /** Lets events happen until a condition holds; false where the time is over, or nothing is to come, before it does. */
  async runUntil(isReached: () => boolean, untilMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    for (;;) {
      await turn();
      if (isReached()) return true;
      const event = this.#next(untilMs);
      if (event === undefined) return false;
      event.run?.();
    }
  }

  /** The next event that happens; stopped ones are put off, dead ones dropped. */
  #next(untilMs: number): Event | undefined {
    for (;;) {
      const event = this.#queue.peek();
      if (event === undefined || event.at > untilMs) {
        if (untilMs !== Number.POSITIVE_INFINITY) this.#now = Math.max(this.#now, untilMs);
        return undefined;
      }
      this.#queue.pop();
      if (event.run === undefined || event.actor.isDead) continue;
      this.#now = Math.max(this.#now, event.at);
      if (event.actor.stoppedUntil > this.#now) {
        event.at = event.actor.stoppedUntil;
        this.#queue.push(event);
        continue;
      }
      this.#steps += 1;
      this.note(event.actor, event.label);
      return event;
    }
  }
}

/** Lets everything run that waits for nothing. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Events, the earliest first: a binary heap. */
class EventQueue {
  readonly #heap: Event[] = [];

  peek(): Event | undefined {
    return this.#heap[0];
  }

  push(event: Event): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    for (; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (isBefore(heap[parent] as Event, event)) break;
      heap[at] = heap[parent] as Event;
      at = parent;
    }
    heap[at] = event;
  }

  pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child += 1;
      if (isBefore(last, heap[child] as Event)) break;
      heap[at] = heap[child] as Event;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
