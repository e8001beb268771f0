/**
 * Where observers are told what happened (OW-7), after the commit that it speaks of is durable (O-1) and in order (O-2).
 *
 * What an observer throws, or what it rejects with later, becomes a warning of the process and nothing else (O-3).
 */
import type { Observer, ScheduleEvent } from '../ports/observer.js';

/** Tells every observer every event. @internal */
export class EventHub {
  readonly #observers = new Set<Observer>();
  readonly #warn: (message: string, cause: unknown) => void;

  constructor(warn: (message: string, cause: unknown) => void) {
    this.#warn = warn;
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
    for (const observer of this.#observers) this.#tell(observer, event);
  }

  /** Tells events in order. */
  emitAll(events: readonly ScheduleEvent[]): void {
    for (const event of events) this.emit(event);
  }

  #tell(observer: (event: ScheduleEvent) => unknown, event: ScheduleEvent): void {
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
