/** The recorded cases of `test/golden`: due instants, and cron texts that must be accepted or refused. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { epochMs, formatInstant, parseInstant } from '../../../src/core/time/instant.js';
import { compileTrigger } from '../../../src/core/trigger/compile.js';

interface GoldenCase {
  readonly id: string;
  readonly kind: 'cron' | 'calendar' | 'interval' | 'rrule-like';
  readonly expr?: string;
  readonly trigger?: Record<string, unknown>;
  readonly opts?: Record<string, boolean>;
  readonly timezone: string;
  readonly from: string;
  readonly count: number;
  readonly expected: readonly string[];
  readonly note: string;
}

interface SyntaxCase {
  readonly id: string;
  readonly expr: unknown;
  readonly verdict: 'accept' | 'reject';
  readonly timezone?: string;
  readonly why: string;
}

function lines<Row>(name: string): Row[] {
  const text = readFileSync(new URL(`../../golden/${name}`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

/** The trigger that a golden case means: its `opts` are a dialect, its `every` of an interval is in seconds. */
function triggerOf(golden: GoldenCase): Record<string, unknown> {
  const { kind, timezone, expr, opts, trigger } = golden;
  if (kind === 'cron') return { kind, expression: expr, timezone, ...(opts && { dialect: opts }) };
  if (kind === 'calendar') return { kind, timezone, ...trigger };
  if (kind === 'rrule-like') {
    const { rrule, ...rest } = trigger as { readonly rrule: string };
    return { kind: 'rrule', rule: rrule, timezone, ...rest };
  }
  const { every, ...rest } = trigger as { readonly every: number };
  return { kind: 'interval', everySeconds: every, ...rest };
}

function compiled(trigger: unknown) {
  const result = compileTrigger(trigger);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

const RULE = { cron: 'TR-6', calendar: 'TR-3', interval: 'TR-2', 'rrule-like': 'TR-14' };
/** Cases whose zone got other rules in zone data younger than the case: right under 2025c, not after it. */
const CHANGED_SINCE_2025C = (process.versions['tz'] ?? '') > '2025c' ? ['cal-002'] : [];

const golden = lines<GoldenCase>('triggers.jsonl').filter(({ id }) => !CHANGED_SINCE_2025C.includes(id));
const syntax = lines<SyntaxCase>('cron-syntax.jsonl');

describe('golden due instants', () => {
  it.each(golden.map((one) => [RULE[one.kind], one.id, one.note, one] as const))(
    '[%s] %s: %s',
    (_rule, _id, _note, one) => {
      const trigger = compiled(triggerOf(one));
      const from = parseInstant(one.from) as number;
      const expected = one.expected.map((text) => parseInstant(text) as number);
      expect(trigger.list(from, one.count).map(formatInstant)).toEqual(
        expected.map((ms) => formatInstant(epochMs(ms))),
      );
      expect(trigger.count(from, Number.MAX_SAFE_INTEGER, one.count)).toBe(expected.length);
      // Backwards the same instants come in reverse.
      let before = expected.length < one.count ? Number.POSITIVE_INFINITY : (expected.at(-1) ?? from) + 1;
      for (const ms of [...expected].reverse()) {
        before = trigger.previous(before) as number;
        expect(before).toBe(ms);
      }
    },
  );
});

describe('golden cron texts', () => {
  it.each(
    syntax.map((one) => [one.timezone === undefined ? 'TR-7' : 'TR-9', one.verdict, one.id, one.why, one] as const),
  )('[%s] %s %s: %s', (_rule, _verdict, _id, _why, one) => {
    const result = compileTrigger({ kind: 'cron', expression: one.expr, timezone: one.timezone ?? 'UTC' });
    expect(result.ok).toBe(one.verdict === 'accept');
    if (result.ok) return;
    const fault =
      one.timezone === undefined ? { path: 'expression', rule: 'TR-7' } : { path: 'timezone', rule: 'TR-9' };
    expect(result.issues.length).toBeGreaterThan(0);
    for (const issue of result.issues) expect(issue).toMatchObject(fault);
  });
});
