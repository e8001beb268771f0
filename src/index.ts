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
export { describe } from './core/explain/describe/describe.js';
export {
  type ClockGap,
  type ConditionCheck,
  type ConditionField,
  DUE_REASONS,
  type DueExplanation,
  type DueReason,
} from './core/explain/instant/due-explanation.js';
export { type DueQuestion, explain } from './core/explain/instant/explain.js';
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
export type { DateOrRange, Exclusion, NamedCalendar } from './core/model/exclusion.js';
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
  type AnyOfTrigger,
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
  type RruleTrigger,
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
export type { ZoneData } from './core/time/zone-data.js';
export { runtimeZoneData } from './core/time/zones.js';
export type { TransitionEvent } from './core/transition/announce.js';
export type { DueOptions } from './core/trigger/ask.js';
export type { ExclusionReason } from './core/trigger/due/excluded-days.js';
export type { CalendarInput, DueDeclaration, DueInput } from './core/trigger/due-input.js';
export { nextDue, previousDue } from './core/trigger/next-due.js';
export { type PreviewQuestion, preview } from './core/trigger/preview/ask-preview.js';
export type { ExcludedInstant } from './core/trigger/preview/excluded.js';
export type { TriggerPreview } from './core/trigger/preview/preview.js';
export type { PreviewInstant, PreviewNote } from './core/trigger/preview/shown-instant.js';
export type { SkippedWallTime } from './core/trigger/preview/skipped.js';
export { formatICalendar, type ICalendarOptions, parseICalendar } from './core/trigger/rrule/icalendar/icalendar.js';
export {
  ERROR_CODES,
  type ErrorDetails,
  isScheduleError,
  type RetryAdvice,
  ScheduleError,
  type ScheduleErrorCode,
} from './errors.js';
export {
  type AloneOptions,
  lintDeclaration,
  type OpenOptions,
  openSchedules,
  previewDeclaration,
} from './open-schedules.js';
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
} from './runtime/client/options.js';
export {
  type AttentionMarks,
  type CalendarView,
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
