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
export { type LintOptions, lint } from './lint/lint.js';
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
} from './model/trigger.js';
export { backoffMs, faultSignature, refusedBy } from './policy/attempt-budget.js';
export { isHeld, isPastExpiry, type KeyHold, keyHolds } from './policy/hold.js';
export { isLate, isTooLate, latenessMs } from './policy/lateness.js';
export { nextStep, type Step } from './policy/misfire.js';
export { type Admission, admission } from './policy/overlap.js';
export { isBudgetLow, occurrencesLeft } from './policy/trigger-budget.js';
export {
  type EpochMs,
  formatInstant,
  type InstantInput,
  MAX_INSTANT,
  MIN_INSTANT,
  parseInstant,
  toEpochMs,
} from './time/instant.js';
export { announce, type TransitionEvent } from './transition/announce.js';
export { decide } from './transition/decide.js';
export { compareDispatch, readyAt, readyOccurrence } from './transition/owner/dispatch-order.js';
export { wakeAt } from './transition/owner/wake.js';
export { type CompiledTrigger, type CompileResult, compileTrigger } from './trigger/compile.js';
export { type DueOptions, nextDue, previousDue } from './trigger/next-due.js';
export {
  type PreviewInstant,
  type PreviewNote,
  type PreviewRange,
  previewTrigger,
  type SkippedWallTime,
  type TriggerPreview,
} from './trigger/preview.js';
