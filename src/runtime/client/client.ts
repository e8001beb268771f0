/**
 * The client: the face of the package on top of one catalogue. Each method is one line to the file that does the work.
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
import { closedError } from '../commit/commit.js';
import type { Owner } from '../owner/owner.js';
import type { OwnerOptions } from '../owner/owner-parts.js';
import * as calendars from './calls/calendars.js';
import * as controls from './calls/controls.js';
import * as gate from './calls/gate.js';
import * as readings from './calls/read.js';
import { waitFor } from './calls/wait.js';
import { type CallName, type GivenCall, refuseBadCall, refuseBadObserver } from './checked-call.js';
import type { GateControl, Schedules } from './face.js';
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
import type { ClientParts } from './parts.js';
import { lint } from './registration/lint-declaration.js';
import { preview } from './registration/preview.js';
import * as registration from './registration/register.js';
import type { CalendarView, OccurrenceView, ScheduleView } from './view.js';

/** See {@link Schedules}. @internal */
export class ScheduleClient implements Schedules {
  readonly gate: GateControl;
  readonly #parts: ClientParts;
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.gate = {
      pause: (options = {}) => this.#call('pause the gate of', { options }, () => gate.pauseGate(parts, options)),
      resume: (options = {}) => this.#call('open the gate of', { options }, () => gate.resumeGate(parts, options)),
      status: (options = {}) => this.#call('read the gate of', { options }, () => gate.readGate(parts, options)),
    };
  }

  create<Doc extends object = JsonObject>(
    declaration: DeclarationInput<Doc>,
    options: CreateOptions = {},
  ): Promise<ScheduleView> {
    return this.#call('create', { options }, (parts) => registration.create(parts, declaration, options));
  }

  ensure<Doc extends object = JsonObject>(
    declaration: DeclarationInput<Doc> & { readonly id: string },
    options: EnsureOptions = {},
  ): Promise<EnsureResult> {
    return this.#call('ensure', { options }, (parts) => registration.ensure(parts, declaration, options));
  }

  preview<Doc extends object = JsonObject>(
    declaration: DeclarationInput<Doc>,
    options: PreviewOptions = {},
  ): Promise<SchedulePreview> {
    return this.#call('preview', { options }, (parts) => preview(parts, declaration, options));
  }

  lint<Doc extends object = JsonObject>(
    declaration: DeclarationInput<Doc>,
    options: CallOptions = {},
  ): Promise<readonly Warning[]> {
    return this.#call('lint', { options }, (parts) => lint(parts, declaration, options));
  }

  explain(id: string, question: DueQuestion, options: ExplainOptions = {}): Promise<DueExplanation> {
    return this.#call('explain', { id, options }, (parts) => readings.explain(parts, id, question, options));
  }

  list(options: ListOptions = {}): Promise<SchedulePage> {
    return this.#call('list', { options }, (parts) => readings.list(parts, options));
  }

  get(id: string, options: GetOptions = {}): Promise<ScheduleDetail> {
    return this.#call('get', { id, options }, (parts) => readings.get(parts, id, options));
  }

  update<Doc extends object = JsonObject>(
    id: string,
    changes: DeclarationChanges<Doc>,
    options: UpdateOptions,
  ): Promise<ScheduleView> {
    return this.#call('update', { id, options }, (parts) => registration.update(parts, id, changes, options));
  }

  pause(id: string, options: ChangeOptions): Promise<ScheduleView> {
    return this.#call('pause', { id, options }, (parts) => controls.hold(parts, 'pause', id, options));
  }

  resume(id: string, options: ResumeOptions): Promise<ScheduleView> {
    return this.#call('resume', { id, options }, (parts) => controls.resume(parts, id, options));
  }

  cancel(id: string, options: ChangeOptions): Promise<ScheduleView> {
    return this.#call('cancel', { id, options }, (parts) => controls.hold(parts, 'cancel', id, options));
  }

  delete(id: string, options: RevisionOptions): Promise<DeletedSchedule> {
    return this.#call('delete', { id, options }, (parts) => controls.remove(parts, id, options));
  }

  trigger(id: string, options: TriggerOptions = {}): Promise<TriggerResult> {
    return this.#call('trigger', { id, options }, (parts) => controls.trigger(parts, id, options));
  }

  stop(id: string, occurrence: string, options: Partial<RevisionOptions> = {}): Promise<StopResult> {
    const given = { id, occurrence, options };
    return this.#call('stop', given, (parts) => controls.stop(parts, id, occurrence, options));
  }

  rerun(id: string, occurrence: string, options: TriggerOptions = {}): Promise<TriggerResult> {
    const given = { id, occurrence, options };
    return this.#call('rerun', given, (parts) => controls.rerun(parts, id, occurrence, options));
  }

  resolve(id: string, occurrence: string, options: ResolveOptions): Promise<OccurrenceView> {
    const given = { id, occurrence, options };
    return this.#call('resolve', given, (parts) => controls.resolve(parts, id, occurrence, options));
  }

  waitFor(occurrence: string, options: CallOptions = {}): Promise<OccurrenceView> {
    return this.#call('wait for', { occurrence, options }, (parts) => waitFor(parts, occurrence, options));
  }

  setCalendar(name: string, dates: readonly DateOrRange[], options: CallerOptions = {}): Promise<CalendarView> {
    return this.#call('set the calendar', { options }, (parts) => calendars.setCalendar(parts, name, dates, options));
  }

  calendars(options: CallOptions = {}): Promise<readonly CalendarView[]> {
    return this.#call('read the calendars of', { options }, (parts) => calendars.calendars(parts, options));
  }

  acceptClock(options: CallerOptions = {}): Promise<SchedulesStatus> {
    return this.#call('accept the clock of', { options }, (parts) => gate.acceptClock(parts, options));
  }

  status(options: CallOptions = {}): Promise<SchedulesStatus> {
    return this.#call('read the status of', { options }, (parts) => readings.status(parts, options));
  }

  evidence(occurrence: string, options: CallOptions = {}): Promise<OccurrenceEvidence> {
    const given = { occurrence, options };
    return this.#call('read the evidence of', given, (parts) => readings.evidence(parts, occurrence, options));
  }

  observe(observer: Observer): () => void {
    refuseBadObserver(observer);
    return this.#parts.events.observe(observer);
  }

  owner(options: OwnerOptions = {}): Owner {
    return this.#parts.newOwner(options);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // Handlers may make calls until they have ended.
    await this.#parts.stopOwners();
    this.#isClosed = true;
    await this.#parts.committer.close();
    await this.#parts.workspace.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Refuses a call of the wrong form, as a rejection like any other; else makes it. */
  async #call<T>(control: CallName, given: GivenCall, make: (parts: ClientParts) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closedError();
    refuseBadCall(control, given);
    return await make(this.#parts);
  }
}
