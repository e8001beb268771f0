/**
 * Evidence: a workspace per attempt, made exclusively, that outlives its schedule.
 *
 * Clauses:
 * - E-1 `begin` makes the workspace of an attempt exactly once, durably and with its dispatch record; a second call for the same attempt answers `exists`.
 * - E-2 `finish` writes the result record durably, before the settlement is committed.
 * - E-3 `read` returns what is kept of an occurrence, also after its schedule was deleted.
 * - E-4 The place of an occurrence follows from its id alone; no id leads outside of the root.
 * - E-5 `attempts` lists the attempts that exist for an occurrence; none means that nothing was dispatched.
 * - E-6 A due instant is begun under one revision of its schedule: the first attempt of it under another one answers `exists`, and so
 *   does that of a request which has a workspace under a newer revision. `attempted` lists due instants of every revision.
 */
import type { JsonObject } from '../core/model/declaration.js';
import type { EpochMs } from '../core/time/instant.js';
import type { CallOptions } from './schedule-store.js';

/** What evidence promises. @public */
export interface EvidenceCapabilities {
  /** It survives a power cut, and so bars a second dispatch of the same attempt. */
  readonly isDurable: boolean;
}

/** Where an attempt may write. @public */
export interface AttemptWorkspace {
  /** Absolute path of the directory of this attempt. */
  readonly directory: string;
}

/** What is kept of an occurrence. @public */
export interface OccurrenceEvidence {
  /** Its id. */
  readonly occurrence: string;
  /** Absolute path of its directory. */
  readonly directory: string;
  /** Its attempts, oldest first. */
  readonly attempts: readonly {
    readonly attempt: number;
    readonly directory: string;
    /** What was written before the handler was called. */
    readonly dispatch?: JsonObject;
    /** What was written after it ended. */
    readonly result?: JsonObject;
    /** Other files below it, with their sizes, at most 1000. */
    readonly files: readonly { readonly path: string; readonly bytes: number }[];
  }[];
}

/** See the clauses at the head of this file. @public */
export interface Evidence {
  /** What this evidence promises. */
  readonly capabilities: EvidenceCapabilities;
  /** Makes the workspace of an attempt and writes its dispatch record (E-1), unless it ran under another revision (E-6). */
  begin(
    occurrence: string,
    attempt: number,
    dispatch: JsonObject,
    options?: CallOptions,
  ): Promise<AttemptWorkspace | 'exists'>;
  /** Writes the result record (E-2). */
  finish(occurrence: string, attempt: number, result: JsonObject, options?: CallOptions): Promise<void>;
  /** Numbers of the attempts that exist (E-5). */
  attempts(occurrence: string, options?: CallOptions): Promise<readonly number[]>;
  /** Due instants at or after `from` of a schedule that have a workspace, under whatever revision; each once (E-6, CO-6). */
  attempted(scheduleId: string, from: EpochMs, options?: CallOptions): Promise<readonly EpochMs[]>;
  /** What is kept (E-3); undefined where nothing is. */
  read(occurrence: string, options?: CallOptions): Promise<OccurrenceEvidence | undefined>;
}
