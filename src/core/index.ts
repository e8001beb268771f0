/**
 * Door `everdue/core`: the pure core, for previews in a browser, other runtimes, simulations. Re-exports and nothing else.
 * Loads neither zod nor a Temporal polyfill, and no module of Node.
 */

export {
  ERROR_CODES,
  type ErrorDetails,
  isScheduleError,
  type RetryAdvice,
  ScheduleError,
  type ScheduleErrorCode,
} from '../errors.js';
export { describe } from './explain/describe/describe.js';
export {
  type ClockGap,
  type ConditionCheck,
  type ConditionField,
  DUE_REASONS,
  type DueExplanation,
  type DueReason,
} from './explain/instant/due-explanation.js';
export { type DueQuestion, explain } from './explain/instant/explain.js';
export { type LintOptions, lint } from './lint/lint.js';
export type { AuthoredParts } from './lint/outlook.js';
export { LINTS, type LintCode, type Warning } from './lint/warning.js';
export {
  type CatalogueRow,
  type ClockStop,
  type DeletedMark,
  type Gate,
  NEW_CATALOGUE,
} from './model/catalogue.js';
export type {
  AttemptBudget,
  Declaration,
  Json,
  JsonObject,
  MisfirePolicy,
  OverlapPolicy,
  RetryBackoff,
} from './model/declaration.js';
export type { DateOrRange, Exclusion, NamedCalendar } from './model/exclusion.js';
export type {
  AbortCause,
  Accepted,
  AttemptOutcome,
  Control,
  Decision,
  DecisionContext,
  Expected,
  Input,
  Notice,
  OwnerInput,
  Refusal,
  Settlement,
} from './model/input.js';
export { foundText, type Issue } from './model/issue.js';
export { DEFAULT_POLICIES, LIMITS, type NumberLimit } from './model/limits.js';
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
} from './model/occurrence.js';
export { FAULTS, type MissedCause, REASONS, REASONS_VERSION, type ReasonCode } from './model/reason.js';
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
} from './model/schedule.js';
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
} from './model/trigger.js';
export { isHeld, isPastExpiry } from './policy/hold.js';
export { isLate, isTooLate, latenessMs } from './policy/lateness.js';
export { occurrencesLeft } from './policy/trigger-budget.js';
export {
  type EpochMs,
  formatInstant,
  type InstantInput,
  instantFault,
  MAX_INSTANT,
  MIN_INSTANT,
  parseInstant,
  toEpochMs,
} from './time/instant.js';
export type { ZoneData, ZoneFault } from './time/zone-data.js';
export { runtimeZoneData } from './time/zones.js';
export { announce, type TransitionEvent } from './transition/announce.js';
export { decide } from './transition/decide.js';
export { type AskedDue, askDue, type DueOptions } from './trigger/ask.js';
export { type CompiledTrigger, type CompileOptions, type CompileResult, compileTrigger } from './trigger/compile.js';
export { type CompileDueOptions, type CompileDueResult, compileDue, type DueParts } from './trigger/due/compile-due.js';
export type { ExclusionReason } from './trigger/due/excluded-days.js';
export type { CalendarInput, DueDeclaration, DueInput, OrUndefined, TriggerInput } from './trigger/due-input.js';
export { nextDue, previousDue } from './trigger/next-due.js';
export { type PreviewQuestion, preview } from './trigger/preview/ask-preview.js';
export type { ExcludedInstant } from './trigger/preview/excluded.js';
export { type PreviewRange, previewTrigger, type TriggerPreview } from './trigger/preview/preview.js';
export type { PreviewInstant, PreviewNote } from './trigger/preview/shown-instant.js';
export type { SkippedWallTime } from './trigger/preview/skipped.js';
export { formatICalendar, type ICalendarOptions, parseICalendar } from './trigger/rrule/icalendar/icalendar.js';
