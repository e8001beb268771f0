/**
 * Where observers are told what happened (OW-7), after the commit that it speaks of is durable (O-1) and in order (O-2).
 *
 * What an observer throws, or what it rejects with later, becomes a warning of the process and nothing else (O-3). An
 * event is put into the form that observers hear (O-4) when there is one, and once.
 */
import { plainCopy } from '../codec/json/plain-copy.js';
import { toWire } from '../codec/rows.js';
import type { Schedule } from '../core/model/schedule.js';
import type { ObservedEvent, Observer, ScheduleEvent } from '../ports/observer.js';
import { occurrenceView } from './client/view.js';

/** Tells every observer every event. @internal */
export class EventHub {
  readonly #observers = new Set<Observer>();
  readonly #listeners = new Set<(event: ScheduleEvent) => void>();
  readonly #warn: (message: string, cause: unknown) => void;
  readonly #scheduleOf: (id: string) => Schedule | undefined;

  /** `scheduleOf` gives the schedule of an occurrence that is told of, as it is now. */
  constructor(
    warn: (message: string, cause: unknown) => void,
    scheduleOf: (id: string) => Schedule | undefined = () => undefined,
  ) {
    this.#warn = warn;
    this.#scheduleOf = scheduleOf;
  }

  /** Whether anybody is told. */
  get isHeard(): boolean {
    return this.#observers.size + this.#listeners.size > 0;
  }

  /** Adds a listener of the runtime itself, which is told events as they are; the function that comes back takes it away again. */
  listen(listener: (event: ScheduleEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Adds an observer; the function that comes back takes it away again. */
  observe(observer: Observer): () => void {
    const own: Observer = (event) => observer(event);
    this.#observers.add(own);
    return () => {
      this.#observers.delete(own);
    };
  }

  /** Tells the warnings of the process, for what no event stands for. */
  warn(message: string, cause: unknown): void {
    this.#warn(message, cause);
  }

  /** Tells one event. */
  emit(event: ScheduleEvent): void {
    for (const listener of this.#listeners) listener(event);
    if (this.#observers.size === 0) return;
    const observed = this.#observed(event);
    // Each has an event of its own: what one does to it, no other hears.
    for (const observer of this.#observers) this.#tell(observer, plainCopy(observed));
  }

  /** Tells events in order. */
  emitAll(events: readonly ScheduleEvent[]): void {
    for (const event of events) this.emit(event);
  }

  #observed(event: ScheduleEvent): ObservedEvent {
    if (event.type !== 'occurrence') return toWire(event);
    const { occurrence, ...rest } = event;
    return { ...toWire(rest), occurrence: occurrenceView(occurrence, this.#scheduleOf(event.scheduleId)) };
  }

  #tell(observer: (event: ObservedEvent) => unknown, event: ObservedEvent): void {
    const report = (cause: unknown): void => {
      this.#warn(`an observer failed at an event of type ${event.type}; the owner goes on`, cause);
    };
    try {
      const answer = observer(event);
      if (answer instanceof Promise) answer.catch(report);
    } catch (cause) {
      report(cause);
    }
  }
}
