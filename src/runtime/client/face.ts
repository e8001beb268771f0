/**
 * The face of the package: what a host can do with its schedules (CT-1).
 *
 * Every surface calls this and nothing else. Controls work with and without an owner running, and start no process
 * (CT-10). Ids are found in any case of letters. Instants in answers are ISO 8601 UTC texts. What goes wrong with a call
 * is thrown as a `ScheduleError`; what goes wrong with an occurrence is in its record.
 */
import type { DeclarationChanges, DeclarationInput } from '../../codec/declaration-input.js';
import type { DueExplanation } from '../../core/explain/instant/due-explanation.js';
import type { DueQuestion } from '../../core/explain/instant/explain.js';
import type { Warning } from '../../core/lint/warning.js';
import type { JsonObject } from '../../core/model/declaration.js';
import type { DateOrRange } from '../../core/model/exclusion.js';
import type { OccurrenceEvidence } from '../../ports/evidence.js';
import type { Observer } from '../../ports/observer.js';
import type { CallOptions } from '../../ports/schedule-store.js';
import type { Owner } from '../owner/owner.js';
import type { OwnerOptions } from '../owner/owner-parts.js';
import type {
  CallerOptions,
  ChangeOptions,
  CreateOptions,
  DeletedSchedule,
  EnsureOptions,
  EnsureResult,
  ExplainOptions,
  GetOptions,
  ListOptions,
  PreviewOptions,
  ResolveOptions,
  ResumeOptions,
  RevisionOptions,
  ScheduleDetail,
  SchedulePage,
  SchedulePreview,
  SchedulesStatus,
  StopResult,
  TriggerOptions,
  TriggerResult,
  UpdateOptions,
} from './options.js';
import type { CalendarView, GateView, OccurrenceView, ScheduleView } from './view.js';

/** The gate of the whole catalogue (CT-9): while it is paused nothing is collected, or dispatched by trigger; manual triggers work. @public */
export interface GateControl {
  /** Pauses; a gate that is paused already stays as it is. */
  pause(options?: CallerOptions & { readonly note?: string | undefined }): Promise<GateView>;
  /** Opens it again; what was missed follows each schedule's misfire policy. */
  resume(options?: CallerOptions): Promise<GateView>;
  /** How it is. */
  status(options?: CallOptions): Promise<GateView>;
}

/** A catalogue of durable schedules; see the head of this file. @public */
export interface Schedules {
  /**
   * Registers a declaration; `nextDue` is its first due instant at or after now (CT-4).
   *
   * @throws `SCHEDULE_DECLARATION_INVALID`, `SCHEDULE_EXISTS`, `SCHEDULE_NEVER_DUE`, `SCHEDULE_PROVIDER_DENIED`,
   * `SCHEDULE_PLAN_FAILED`, `SCHEDULE_NO_PLANNER`, `SCHEDULE_DOCUMENT_STALE`.
   */
  create<Doc extends object = JsonObject>(
    declaration: DeclarationInput<Doc>,
    options?: CreateOptions,
  ): Promise<ScheduleView>;
  /**
   * Makes the catalogue agree with a declaration that has an id: what a host calls at every start. Changes nothing where
   * they agree already, in any status and without a planner (CT-13).
   *
   * @throws as {@link Schedules.create} where something has to change.
   */
  ensure<Doc extends object = JsonObject>(
    declaration: DeclarationInput<Doc> & { readonly id: string },
    options?: EnsureOptions,
  ): Promise<EnsureResult>;
  /** The due instants of a declaration with local times; changes nothing (TR-11). */
  preview<Doc extends object = JsonObject>(
    declaration: DeclarationInput<Doc>,
    options?: PreviewOptions,
  ): Promise<SchedulePreview>;
  /**
   * What a declaration allows and its author probably did not mean, with the calendars of the catalogue, and with the time
   * that runs took lately where a schedule of this id has some (TR-12); changes nothing.
   *
   * @throws `SCHEDULE_DECLARATION_INVALID`.
   */
  lint<Doc extends object = JsonObject>(
    declaration: DeclarationInput<Doc>,
    options?: CallOptions,
  ): Promise<readonly Warning[]>;
  /**
   * Why a registered schedule is due at an instant or not, by its declaration as it stands, its calendar and the zone data
   * of this process (TR-11); with `{local}`, at a time on the clock of its zone. Says nothing of pauses, budgets and what
   * became of an occurrence: `get` does.
   *
   * @throws `SCHEDULE_NOT_FOUND`, `SCHEDULE_DECLARATION_INVALID` for what is no instant and no time, and for a zone beside
   * another one of the trigger's own.
   */
  explain(id: string, question: DueQuestion, options?: ExplainOptions): Promise<DueExplanation>;
  /** Schedules in order of their ids, filtered and paged. */
  list(options?: ListOptions): Promise<SchedulePage>;
  /** One schedule with its pending occurrences and its history, newest first. @throws `SCHEDULE_NOT_FOUND`. */
  get(id: string, options?: GetOptions): Promise<ScheduleDetail>;
  /**
   * Changes a declaration (CT-3); a change of `objective` or `labels` alone makes no new revision.
   *
   * @throws as {@link Schedules.create}, and `SCHEDULE_REVISION_CONFLICT`, `SCHEDULE_WORK_PENDING`, `SCHEDULE_NOT_FOUND`.
   */
  update<Doc extends object = JsonObject>(
    id: string,
    changes: DeclarationChanges<Doc>,
    options: UpdateOptions,
  ): Promise<ScheduleView>;
  /** Stops collection, and the dispatch of what the trigger made (CT-5). @throws `SCHEDULE_REVISION_CONFLICT`, `SCHEDULE_NOT_APPLICABLE`. */
  pause(id: string, options: ChangeOptions): Promise<ScheduleView>;
  /** Ends a pause; `missed` says what becomes of the due instants in it (CT-5). @throws as {@link Schedules.pause}. */
  resume(id: string, options: ResumeOptions): Promise<ScheduleView>;
  /** Ends the schedule: waiting work is `cancelled`, running work is asked to end (CT-6). @throws as {@link Schedules.pause}. */
  cancel(id: string, options: ChangeOptions): Promise<ScheduleView>;
  /** Removes the schedule with its history; evidence stays (CT-7). @throws as {@link Schedules.pause}, and `SCHEDULE_WORK_PENDING`. */
  delete(id: string, options: RevisionOptions): Promise<DeletedSchedule>;
  /** Asks for one occurrence now (CT-8); a request id that exists already answers with its occurrence (OC-1). @throws `SCHEDULE_NOT_APPLICABLE`. */
  trigger(id: string, options?: TriggerOptions): Promise<TriggerResult>;
  /** Ends one pending occurrence; the schedule goes on (CT-11). @throws `SCHEDULE_NOT_FOUND`, `SCHEDULE_NOT_APPLICABLE`. */
  stop(id: string, occurrence: string, options?: Partial<RevisionOptions>): Promise<StopResult>;
  /** Asks for a new occurrence in place of a failed or interrupted one (CT-14). @throws as {@link Schedules.stop}. */
  rerun(id: string, occurrence: string, options?: TriggerOptions): Promise<TriggerResult>;
  /** Puts an operator's verdict beside an interrupted occurrence, which stays interrupted (CT-16). @throws as {@link Schedules.stop}. */
  resolve(id: string, occurrence: string, options: ResolveOptions): Promise<OccurrenceView>;
  /** Resolves with the record of an occurrence once it has ended. @throws `SCHEDULE_NOT_FOUND`, `SCHEDULE_ABORTED`. */
  waitFor(occurrence: string, options?: CallOptions): Promise<OccurrenceView>;
  /**
   * Writes a named calendar: days and ranges of days (at most 400) that schedules leave out whose `exclude.calendar` names
   * it (DE-12). Dates are kept in order with touching ones joined; equal ones change nothing. An edit moves the next due
   * instants of those schedules: what is read shows it at once, and the owner tells it with a notice `nextDueMoved` for each.
   * An empty list empties the calendar; none is ever taken away.
   *
   * @throws `SCHEDULE_DECLARATION_INVALID` for a name or dates that are none, and for a 65th calendar.
   */
  setCalendar(name: string, dates: readonly DateOrRange[], options?: CallerOptions): Promise<CalendarView>;
  /** Every named calendar, in order of their names (DE-12). */
  calendars(options?: CallOptions): Promise<readonly CalendarView[]>;
  /** The gate of the whole catalogue (CT-9). */
  readonly gate: GateControl;
  /**
   * Accepts the clock as it is after it was found behind, or the catalogue after a backup, whether or not an owner has found that
   * yet (CO-6); changes nothing where the clock is right and the catalogue knows of all that has run.
   */
  acceptClock(options?: CallerOptions): Promise<SchedulesStatus>;
  /** Whether an owner lives, the gate, a stop of the clock, and counts (OW-1). */
  status(options?: CallOptions): Promise<SchedulesStatus>;
  /** What the attempts of an occurrence left behind, also after its schedule was deleted (CT-12). @throws `SCHEDULE_NOT_FOUND`. */
  evidence(occurrence: string, options?: CallOptions): Promise<OccurrenceEvidence>;
  /** Hears what this process commits (OW-7); the function that comes back ends it. */
  observe(observer: Observer): () => void;
  /** The owner of this catalogue in this process, to be run by the host. @throws `SCHEDULE_CONFIG_INVALID` without an execution service. */
  owner(options?: OwnerOptions): Owner;
  /**
   * Stops the owner of these schedules where one runs, as its `stop` does (what runs has the drain limit to end), then ends
   * what is in flight and releases the workspace; idempotent. A handler that awaits it waits for itself.
   */
  close(): Promise<void>;
  /** The same as {@link Schedules.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
