/**
 * What a handler is given beside its document (OC-12).
 *
 * Instants are ISO 8601 UTC text here, as everywhere outside of the library. Once the handler has ended, `stage` and
 * `publish` refuse with `SCHEDULE_CLOSED`.
 */
import type { PublicationReceipt } from '../../core/model/occurrence.js';
import type { MissedCause } from '../../core/model/reason.js';

/** Due instants that an occurrence stands for, where it is more than its own (MF-4). @public */
export interface HandlerWindow {
  /** First due instant of it, ISO 8601 UTC. */
  readonly firstAt: string;
  /** Last due instant of it, ISO 8601 UTC. */
  readonly lastAt: string;
  /** How many; a floor when `isFloor`. */
  readonly count: number;
  /** True when counting stopped at 10000. */
  readonly isFloor: boolean;
  /** Why they were missed, as far as known. */
  readonly causes: readonly MissedCause[];
}

/** Facts for a log line; plain JSON values read best. @public */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where a handler's log lines go. What a logger throws never reaches the handler. @public */
export interface HandlerLogger {
  /** For the author of the handler. */
  debug(message: string, fields?: LogFields): void;
  /** Worth knowing. */
  info(message: string, fields?: LogFields): void;
  /** Worth looking at. */
  warn(message: string, fields?: LogFields): void;
  /** Went wrong. */
  error(message: string, fields?: LogFields): void;
}

/** See the head of this file. @public */
export interface HandlerContext {
  /** Id of the occurrence. */
  readonly occurrence: string;
  /** Id of its schedule. */
  readonly scheduleId: string;
  /** Revision of the schedule that made it. */
  readonly revision: number;
  /** Its due instant, ISO 8601 UTC. */
  readonly dueAt: string;
  /** Milliseconds between its due instant and its first claim. */
  readonly latenessMs: number;
  /** See {@link HandlerWindow}. */
  readonly window?: HandlerWindow;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** The occurrence id: equal for all attempts, so that other systems can recognise a repetition. */
  readonly idempotencyKey: string;
  /**
   * Number of the commit that made the claim, for whatever must refuse a late writer: for each resource, refuse what is lower
   * than the highest seen. It never falls while the catalogue is not restored from a backup, is higher for every later claim
   * of an occurrence or under one `concurrencyKey`, and is shared by claims of others that were committed together (OC-3).
   */
  readonly fencingToken: number;
  /** The last occurrence that succeeded before this one, with instants as ISO 8601 UTC. */
  readonly previousSuccess?: { readonly occurrence: string; readonly dueAt: string; readonly endedAt: string };
  /** Fires when the attempt is to end: cancel, stop, elapsed budget, or a stage at its timeout. */
  readonly signal: AbortSignal;
  /** The directory of this attempt; absent where the service was made with `needsWorkspace: false`. */
  readonly directory?: string;
  /** Writes log lines that carry occurrence, schedule and attempt. */
  readonly logger: HandlerLogger;
  /**
   * Runs a named part of the work under `budget.timeoutPerStageSeconds` and records it. It ends as `run` does, but rejects
   * at once with `SCHEDULE_ABORTED` when its timeout is over, and is not begun once the attempt is to end. The attempt ends
   * no earlier than every `run` (OC-10).
   *
   * @remarks Names have 1..64 characters without control characters, `main` is taken, and an attempt has at most 399 stages
   * beside it; else `SCHEDULE_DECLARATION_INVALID`. A stage that fails, or is refused, while nobody awaits it fails the
   * attempt. One that has blocked the process beyond its timeout rejects at its end.
   */
  stage<T>(name: string, run: (signal: AbortSignal) => T | Promise<T>): Promise<T>;
  /**
   * Writes a file `published/<name>` below the directory of the attempt, flushes it, reads it back and gives its receipt.
   *
   * @remarks `name` is a relative path with forward slashes, without `..`; it must not exist yet, and there are at most 400.
   * `SCHEDULE_DECLARATION_INVALID` for another one and for content that is neither text nor bytes,
   * `SCHEDULE_CONFIG_INVALID` without a directory, `SCHEDULE_WORKSPACE_UNUSABLE` where a folder of the name is a symbolic
   * link, `SCHEDULE_STORE_UNAVAILABLE` when it cannot be written or what is read back differs. The attempt ends no earlier
   * than every `publish`, and one that fails while nobody awaits it fails the attempt (OC-7).
   */
  publish(name: string, content: string | Uint8Array): Promise<PublicationReceipt>;
  /** Tells observers how far the work is; `fraction` is held between 0 and 1. */
  progress(note: string, fraction?: number): void;
}
