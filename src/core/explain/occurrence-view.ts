/**
 * An occurrence as people and programs outside see it: its record, and what follows from it (OC-9).
 */
import type { Fault, Occurrence } from '../model/occurrence.js';
import type { WaitingFor } from './waiting-for.js';
import type { Wire } from './wire.js';

/** An occurrence as callers see it: its record with instants as UTC text, and what follows from it (OC-9). @public */
export type OccurrenceView = Wire<Occurrence> & {
  /** Milliseconds between its due instant, or its registration where that came later (CT-4), and its first claim; absent before that. */
  readonly latenessMs?: number;
  /** The fault of its last attempt that ended, where that had one. */
  readonly fault?: Fault;
  /** A sentence for a person: what went wrong, and why it has this status. Absent where there is nothing to explain. */
  readonly explanation?: string;
  /** What a pending one waits for; in answers of `get` alone, and absent while a living owner runs it. */
  readonly waitingFor?: Wire<WaitingFor>;
};
