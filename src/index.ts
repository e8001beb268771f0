/**
 * Door `everdue`: for applications and for authors of adapters. Re-exports and nothing else.
 */

export type {
  HandlerContext,
  HandlerLogger,
  HandlerWindow,
  LogFields,
} from './adapters/in-process/handler-context.js';
export { type InProcessOptions, inProcess } from './adapters/in-process/in-process.js';
export {
  type AnyHandler,
  type DocumentOf,
  type Handler,
  type HandlerResult,
  handler,
  type Provider,
  provider,
} from './adapters/in-process/provider.js';
export { type MemoryData, type MemoryOptions, memoryData } from './adapters/memory-data.js';
export { type MemoryWorkspaceOptions, memoryWorkspace } from './adapters/memory-workspace.js';
export { systemClock } from './adapters/system-clock.js';
export { type JsonSchemaName, jsonSchema } from './codec/declaration/json-schema.js';
export type { DeclarationChanges, DeclarationInput, OrUndefined, TriggerInput } from './codec/declaration-input.js';
export { digestOf } from './codec/digest.js';
export type {
  StandardIssue,
  StandardOutput,
  StandardResult,
  StandardSchemaProps,
  StandardSchemaV1,
} from './codec/standard-schema.js';
export { DEFAULT_JSON_LIMITS, type JsonLimits, parseStrictJson, type StrictJsonResult } from './codec/strict-json.js';
export type { OccurrenceView } from './core/explain/occurrence-view.js';
export type { WaitingFor } from './core/explain/waiting-for.js';
export type { Wire } from './core/explain/wire.js';
export { LINTS, type LintCode, type Warning } from './core/lint/warning.js';
export type { CatalogueRow, ClockStop, DeletedMark, Gate } from './core/model/catalogue.js';
export type {
  AttemptBudget,
  Declaration,
  Json,
  JsonObject,
  MisfirePolicy,
  OverlapPolicy,
  RetryBackoff,
} from './core/model/declaration.js';
export type { Expected, Notice } from './core/model/input.js';
export type { Issue } from './core/model/issue.js';
export { DEFAULT_POLICIES, LIMITS, type NumberLimit } from './core/model/limits.js';
export {
  type AttemptRecord,
  type Claim,
  type DueWindow,
  type EndRequest,
  type Fault,
  isTerminal,
  manualOccurrenceId,
  OCCURRENCE_TRANSITIONS,
  type Occurrence,
  type OccurrenceStatus,
  occurrenceId,
  type PlanReference,
  type PublicationReceipt,
  type StageRecord,
  type Verdict,
  type Verification,
} from './core/model/occurrence.js';
export { FAULTS, type MissedCause, REASONS, REASONS_VERSION, type ReasonCode } from './core/model/reason.js';
export {
  CONTROLS_BY_STATUS,
  type Definition,
  type GuardedControl,
  type HeldSpan,
  type LastEnded,
  type Quarantine,
  type Schedule,
  type ScheduleEntry,
  type ScheduleStatus,
  type StatusNote,
  type TakenSpan,
} from './core/model/schedule.js';
export {
  type CalendarPeriod,
  type CalendarTrigger,
  type CronDialect,
  type CronTrigger,
  type GapPolicy,
  type IntervalTrigger,
  type ManualTrigger,
  type NthWeekday,
  type NumberOrList,
  type OnceTrigger,
  TRIGGER_LIMITS,
  type Trigger,
} from './core/model/trigger.js';
export {
  type EpochMs,
  formatInstant,
  type InstantInput,
  MAX_INSTANT,
  MIN_INSTANT,
  parseInstant,
  toEpochMs,
} from './core/time/instant.js';
export type { TransitionEvent } from './core/transition/announce.js';
export { type DueOptions, nextDue, previousDue } from './core/trigger/next-due.js';
export type { PreviewInstant, PreviewNote, SkippedWallTime, TriggerPreview } from './core/trigger/preview.js';
export {
  ERROR_CODES,
  type ErrorDetails,
  isScheduleError,
  type RetryAdvice,
  ScheduleError,
  type ScheduleErrorCode,
} from './errors.js';
export { lintDeclaration, type OpenOptions, openSchedules, previewDeclaration } from './open-schedules.js';
export type { Clock, ClockCapabilities } from './ports/clock.js';
export type { AttemptWorkspace, Evidence, EvidenceCapabilities, OccurrenceEvidence } from './ports/evidence.js';
export type {
  ExecutionCapabilities,
  ExecutionOutcome,
  ExecutionRequest,
  ExecutionService,
  Plan,
  PlanRequest,
  PlanResult,
} from './ports/execution-service.js';
export type { ObservedEvent, Observer, ScheduleEvent } from './ports/observer.js';
export type {
  AcquireResult,
  Lease,
  LockCapabilities,
  OwnerLock,
  OwnerReport,
  OwnerStatus,
} from './ports/owner-lock.js';
export type {
  CallOptions,
  CatalogueChanges,
  CommitBatch,
  CommitResult,
  HistoryPage,
  HistoryQuery,
  RowChange,
  ScheduleStore,
  StoreCapabilities,
  StoredEntry,
} from './ports/schedule-store.js';
export type { Workspace } from './ports/workspace.js';
export type { GateControl, Schedules } from './runtime/client/face.js';
export type {
  Caller,
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
} from './runtime/client/options.js';
export {
  type AttentionMarks,
  type GateView,
  type ScheduleView,
  SKIP_MARKS,
} from './runtime/client/view.js';
export type {
  Owner,
  OwnerOptions,
  OwnerStatusView,
  RunOptions,
  TickOptions,
  TickSummary,
} from './runtime/owner/owner.js';
