/**
 * From an execution request to the context of a handler: instants become text, notes become plain, loggers harmless.
 */
import type { DueWindow } from '../../../core/model/occurrence.js';
import { formatInstant } from '../../../core/time/instant.js';
import { isSecretName, ScheduleError, WITHHELD } from '../../../errors.js';
import type { ExecutionRequest } from '../../../ports/execution-service.js';
import { plainText } from '../handler-answer.js';
import type { HandlerContext, HandlerLogger, HandlerWindow, LogFields } from '../handler-context.js';
import type { Publications } from './publications.js';
import type { Stages } from './stages.js';

/** What a context is made of. @internal */
export interface ContextParts {
  /** What the owner asks for. */
  readonly request: ExecutionRequest;
  /** Runs the stages. */
  readonly stages: Stages;
  /** Keeps what is published. */
  readonly publications: Publications;
  /** Where log lines go, if anywhere. */
  readonly logger: HandlerLogger | undefined;
}

/** The context of one attempt. @internal */
export function contextOf({ request, stages, publications, logger }: ContextParts): HandlerContext {
  const { occurrence, scheduleId, attempt, window, previousSuccess, directory } = request;
  const context: { -readonly [Name in keyof HandlerContext]: HandlerContext[Name] } = {
    occurrence,
    scheduleId,
    revision: request.revision,
    dueAt: formatInstant(request.dueAt),
    latenessMs: request.latenessMs,
    attempt,
    idempotencyKey: request.idempotencyKey,
    fencingToken: request.fencingToken,
    get signal() {
      return stages.signal;
    },
    logger: guarded(logger, { occurrence, scheduleId, attempt }),
    stage: (name, run) => stages.run(name, run),
    publish: (name, content) =>
      stages.attach(async () => {
        if (stages.isOver) throw new ScheduleError('SCHEDULE_CLOSED', 'The attempt is over; nothing was published.');
        return await publications.publish(name, content);
      }),
    progress: (note, fraction) => {
      if (!stages.isOver) request.progress(plainText(String(note)), shareOf(fraction));
    },
  };
  if (window !== undefined) context.window = windowOf(window);
  if (previousSuccess !== undefined) context.previousSuccess = successOf(previousSuccess);
  if (directory !== undefined) context.directory = directory;
  return context;
}

function windowOf(window: DueWindow): HandlerWindow {
  return { ...window, firstAt: formatInstant(window.firstAt), lastAt: formatInstant(window.lastAt) };
}

function successOf(success: NonNullable<ExecutionRequest['previousSuccess']>) {
  const { occurrence, dueAt, endedAt } = success;
  return { occurrence, dueAt: formatInstant(dueAt), endedAt: formatInstant(endedAt) };
}

function shareOf(fraction: number | undefined): number | undefined {
  return fraction === undefined || Number.isNaN(fraction) ? undefined : Math.min(1, Math.max(0, fraction));
}

/** The fields of a log line; a text under the name of a secret, such as `authorization`, is not written. */
function withoutSecrets(fields: LogFields = {}): LogFields {
  const shown = ([name, value]: [string, unknown]) => [
    name,
    isSecretName(name) && value !== undefined ? WITHHELD : value,
  ];
  return Object.fromEntries(Object.entries(fields).map(shown));
}

const SILENT: HandlerLogger = { debug() {}, info() {}, warn() {}, error() {} };

/** A logger that adds the facts of the attempt, keeps secrets out, and whose own trouble reaches nobody. */
function guarded(logger: HandlerLogger | undefined, facts: LogFields): HandlerLogger {
  if (logger === undefined) return SILENT;
  const line = (level: keyof HandlerLogger) => (message: string, fields?: LogFields) => {
    try {
      logger[level](message, { ...withoutSecrets(fields), ...facts });
    } catch {
      // Logging is for people; work goes on without it.
    }
  };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}
