/**
 * The client: the face of the package on top of one catalogue. Each method is one line to the file that does the work.
 */
import type { DeclarationChanges, DeclarationInput } from '../../codec/declaration-input.js';
import type { OccurrenceEvidence } from '../../ports/evidence.js';
import type { Observer } from '../../ports/observer.js';
import type { CallOptions } from '../../ports/schedule-store.js';
import type { Owner } from '../owner/owner.js';
import type { OwnerOptions } from '../owner/owner-parts.js';
import * as controls from './calls/controls.js';
import { acceptClock, gateControl } from './calls/gate.js';
import * as readings from './calls/read.js';
import { waitFor } from './calls/wait.js';
import type { GateControl, Schedules } from './face.js';
import type {
  CallerOptions,
  ChangeOptions,
  CreateOptions,
  DeletedSchedule,
  EnsureOptions,
  EnsureResult,
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
import { preview } from './registration/preview.js';
import * as registration from './registration/register.js';
import type { OccurrenceView, ScheduleView } from './view.js';

/** See {@link Schedules}. @internal */
export class ScheduleClient implements Schedules {
  readonly gate: GateControl;
  readonly #parts: ClientParts;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.gate = gateControl(parts);
  }

  create(declaration: DeclarationInput, options: CreateOptions = {}): Promise<ScheduleView> {
    return registration.create(this.#parts, declaration, options);
  }

  ensure(declaration: DeclarationInput & { readonly id: string }, options: EnsureOptions = {}): Promise<EnsureResult> {
    return registration.ensure(this.#parts, declaration, options);
  }

  preview(declaration: DeclarationInput, options: PreviewOptions = {}): Promise<SchedulePreview> {
    return preview(this.#parts, declaration, options);
  }

  list(options: ListOptions = {}): Promise<SchedulePage> {
    return readings.list(this.#parts, options);
  }

  get(id: string, options: GetOptions = {}): Promise<ScheduleDetail> {
    return readings.get(this.#parts, id, options);
  }

  update(id: string, changes: DeclarationChanges, options: UpdateOptions): Promise<ScheduleView> {
    return registration.update(this.#parts, id, changes, options);
  }

  pause(id: string, options: ChangeOptions): Promise<ScheduleView> {
    return controls.hold(this.#parts, 'pause', id, options);
  }

  resume(id: string, options: ResumeOptions): Promise<ScheduleView> {
    return controls.resume(this.#parts, id, options);
  }

  cancel(id: string, options: ChangeOptions): Promise<ScheduleView> {
    return controls.hold(this.#parts, 'cancel', id, options);
  }

  delete(id: string, options: RevisionOptions): Promise<DeletedSchedule> {
    return controls.remove(this.#parts, id, options);
  }

  trigger(id: string, options: TriggerOptions = {}): Promise<TriggerResult> {
    return controls.trigger(this.#parts, id, options);
  }

  stop(id: string, occurrence: string, options: Partial<RevisionOptions> = {}): Promise<StopResult> {
    return controls.stop(this.#parts, id, occurrence, options);
  }

  rerun(id: string, occurrence: string, options: TriggerOptions = {}): Promise<TriggerResult> {
    return controls.rerun(this.#parts, id, occurrence, options);
  }

  resolve(id: string, occurrence: string, options: ResolveOptions): Promise<OccurrenceView> {
    return controls.resolve(this.#parts, id, occurrence, options);
  }

  waitFor(occurrence: string, options: CallOptions = {}): Promise<OccurrenceView> {
    return waitFor(this.#parts, occurrence, options);
  }

  acceptClock(options: CallerOptions = {}): Promise<SchedulesStatus> {
    return acceptClock(this.#parts, options);
  }

  status(options: CallOptions = {}): Promise<SchedulesStatus> {
    return readings.status(this.#parts, options);
  }

  evidence(occurrence: string, options: CallOptions = {}): Promise<OccurrenceEvidence> {
    return readings.evidence(this.#parts, occurrence, options);
  }

  observe(observer: Observer): () => void {
    return this.#parts.events.observe(observer);
  }

  owner(options: OwnerOptions = {}): Owner {
    return this.#parts.newOwner(options);
  }

  async close(): Promise<void> {
    await this.#parts.committer.close();
    await this.#parts.workspace.close();
  }
}
