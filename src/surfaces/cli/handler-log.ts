/**
 * Where handlers' log lines go when the configuration names no logger: standard error, one line each.
 *
 * For people a time, the level, the occurrence, the message and its fields; for programs one JSON object. What a handler
 * writes can forge no line and move no cursor.
 */
import { inspect } from 'node:util';
import type { HandlerLogger, LogFields } from '../../index.js';
import { jsonText, plain } from './output/layout/plain.js';

/** A logger that gives each line, without its line break, to `write`. @internal */
export function lineLogger(write: (line: string) => void, isJson: boolean): HandlerLogger {
  const log =
    (level: keyof HandlerLogger) =>
    (message: string, fields: LogFields = {}) => {
      const { occurrence, scheduleId, attempt, ...own } = fields;
      const at = new Date().toISOString();
      if (isJson) return write(jsonText({ type: 'log', at, level, ...fields, message }, false));
      const who = `${String(occurrence)}${attempt === 1 ? '' : ` attempt ${String(attempt)}`}`;
      write(plain(`${at} ${level} ${who}: ${message}${fieldsOf(own)}`));
    };
  const shown = (level: keyof HandlerLogger) => (message: string, fields?: LogFields) =>
    log(level)(String(message), isJson ? jsonFields(fields) : fields);
  return { debug: shown('debug'), info: shown('info'), warn: shown('warn'), error: shown('error') };
}

function fieldsOf(fields: LogFields): string {
  return Object.entries(fields)
    .map(([name, value]) => ` ${name}=${valueText(value)}`)
    .join('');
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return /^[\w./:@~+-]+$/.test(value) ? value : JSON.stringify(value);
  if (value instanceof Error) return JSON.stringify(errorText(value));
  return jsonOf(value) ?? inspected(value);
}

/** Fields as JSON can say them; what it cannot (a cycle, a bigint) as text. */
function jsonFields(fields: LogFields = {}): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (value instanceof Error) return [name, errorText(value)];
      return [name, jsonOf(value) === undefined ? inspected(value) : value];
    }),
  );
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // A log line tells what it can.
    return undefined;
  }
}

function inspected(value: unknown): string {
  return inspect(value, { depth: 3, breakLength: Number.POSITIVE_INFINITY });
}

function errorText(error: Error): string {
  return `${error.name}: ${error.message}`;
}
