/** Short ways to ask the engine in tests: text in, text out. */
import type { Issue } from '../../src/core/model/issue.js';
import { epochMs, formatInstant } from '../../src/core/time/instant.js';
import { type CompiledTrigger, compileTrigger } from '../../src/core/trigger/compile.js';

/** A trigger that must be good, compiled. */
export function due(trigger: unknown): CompiledTrigger {
  const result = compileTrigger(trigger);
  if (!result.ok) throw new Error(`${JSON.stringify(trigger)}: ${JSON.stringify(result.issues)}`);
  return result.value;
}

/** The next `count` due instants strictly after a text, as text. */
export function upcoming(trigger: unknown, after: string, count: number): string[] {
  return due(trigger).list(Date.parse(after), count).map(formatInstant);
}

/** The due instant before a text, as text. */
export function latestBefore(trigger: unknown, text: string): string | undefined {
  const ms = due(trigger).previous(Date.parse(text));
  return ms === undefined ? undefined : formatInstant(epochMs(ms));
}

/** The issues of a trigger; none where it is good. */
export function issuesOf(trigger: unknown): readonly Issue[] {
  const result = compileTrigger(trigger);
  return result.ok ? [] : result.issues;
}
