/** Lints a declaration of the builders that draws no warning by itself, with some of it changed. */
import { type LintOptions, lint } from '../../../src/core/lint/lint.js';
import type { LintCode, Warning } from '../../../src/core/lint/warning.js';
import type { Declaration } from '../../../src/core/model/declaration.js';
import type { CalendarTrigger, CronTrigger } from '../../../src/core/model/trigger.js';
import { epochMs } from '../../../src/core/time/instant.js';
import { declaration } from '../../support/builders.js';

/** Monday, 2026-10-12, 00:00 in Winnipeg: just before the first due instant of the seed. */
export const NOW = epochMs(Date.parse('2026-10-12T05:00:00Z'));

/** The warnings of the default declaration with changes. */
export function warningsOf(changes: Partial<Declaration>, options: Partial<LintOptions> = {}): readonly Warning[] {
  return lint(declaration(changes), { now: NOW, ...options });
}

/** Their codes. */
export function codesOf(changes: Partial<Declaration>, options: Partial<LintOptions> = {}): readonly LintCode[] {
  return warningsOf(changes, options).map(({ code }) => code);
}

/** The messages of one code. */
export function messagesOf(
  code: LintCode,
  changes: Partial<Declaration>,
  options: Partial<LintOptions> = {},
): readonly string[] {
  return warningsOf(changes, options)
    .filter((found) => found.code === code)
    .map(({ message }) => message);
}

/** A cron trigger in New York. */
export function cron(expression: string, more: Partial<CronTrigger> = {}): CronTrigger {
  return { kind: 'cron', expression, timezone: 'America/New_York', ...more };
}

/** A calendar trigger in New York. */
export function calendar(more: Partial<CalendarTrigger>): CalendarTrigger {
  return { kind: 'calendar', timezone: 'America/New_York', ...more };
}
