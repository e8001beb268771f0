/** Places in a union are the author's: whoever takes out what lint names keeps every due instant. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { describe as described } from '../../../src/core/explain/describe/describe.js';
import { explain } from '../../../src/core/explain/instant/explain.js';
import { lint } from '../../../src/core/lint/lint.js';
import type { Trigger } from '../../../src/core/model/trigger.js';
import { compileTrigger } from '../../../src/core/trigger/compile.js';
import { preview } from '../../../src/core/trigger/preview/ask-preview.js';
import { lintDeclaration, previewDeclaration } from '../../../src/open-schedules.js';
import { hourly } from '../../runtime/client-bench.js';
import { declaration } from '../../support/builders.js';
import { NOW } from './lint-one.js';

const timezone = 'Europe/Berlin';
const cron = (expression: string): Trigger => ({ kind: 'cron', expression, timezone });
const anyOf = (...of: Trigger[]): Trigger => ({ kind: 'anyOf', of });
const [daily, monday] = [cron('0 9 * * *'), cron('0 9 * * MON')];

/** The paths of one code for a trigger as its author wrote it. */
function pathsOf(code: string, trigger: Trigger): readonly string[] {
  return lint(declaration({ trigger }), { now: NOW, authored: { trigger } })
    .filter((found) => found.code === code)
    .map(({ path }) => path);
}

describe('places in a union', () => {
  it.each<[trigger: Trigger, redundant: readonly string[]]>([
    [anyOf(monday, daily), ['trigger.of[0]']],
    [anyOf(daily, monday), ['trigger.of[1]']],
    [anyOf(daily, daily), ['trigger.of[1]']],
    [anyOf(cron('0 9 * * 0-6'), daily, monday), ['trigger.of[1]', 'trigger.of[2]']],
    [anyOf(cron('0 12 * * *'), anyOf(monday, cron('0 10 * * *')), daily), ['trigger.of[1].of[0]']],
    [anyOf(daily, cron('0 12 * * *')), []],
  ])('[TR-12] %j: redundant are %j', (trigger, redundant) => {
    expect(pathsOf('redundantMember', trigger)).toEqual(redundant);
  });

  it('[TR-12] a warning names the trigger that is due as well', () => {
    const trigger = anyOf(monday, daily);
    const [found] = lint(declaration({ trigger }), { now: NOW, authored: { trigger } });
    expect(found?.message).toMatch(/ `trigger\.of\[1\]` is due as well$/);
  });

  it('[TR-12] of the text, the policies, the zone and the clock of a member are those of the author', () => {
    const zoned = { ...cron('0 12 * * *'), timezone: 'EST' } as Trigger;
    const wild = { ...cron('*/30 12 * * *'), gap: 'shift', repeat: 'first' } as Trigger;
    const trigger = anyOf(zoned, wild, cron('*/45 11 * * *'), cron('30 2 * * *'));
    expect(pathsOf('fixedZone', trigger)).toEqual(['trigger.of[0].timezone']);
    expect(pathsOf('idlePolicy', trigger)).toEqual(['trigger.of[1].gap', 'trigger.of[1].repeat']);
    expect(pathsOf('unevenStep', trigger)).toEqual(['trigger.of[2].expression']);
    expect(new Set(pathsOf('transition', trigger))).toEqual(new Set(['trigger.of[3]']));
  });

  it('[TR-12] of a declaration in its normal form are those of the normal form', () => {
    const compiled = compileTrigger(anyOf(monday, daily));
    if (!compiled.ok || compiled.normalized.kind !== 'anyOf') throw new Error('not compiled');
    const place = compiled.normalized.of.findIndex((one) => one.kind === 'cron' && one.expression.endsWith('MON'));
    const found = lint(declaration({ trigger: compiled.normalized }), { now: NOW });
    expect(found.map(({ path }) => path)).toEqual([`trigger.of[${place}]`]);
  });

  it.each([
    [[monday, daily], 0],
    [[daily, monday], 1],
  ] as const)('[TR-11, TR-12] of what an author hands over are those of the author: %j', async (of, place) => {
    const given = hourly('union', { trigger: { kind: 'anyOf', of }, maxOccurrences: 'unlimited' });
    expect(await lintDeclaration(given)).toMatchObject([{ code: 'redundantMember', path: `trigger.of[${place}]` }]);
    const shown = await previewDeclaration(given, { from: '2027-01-05T00:00:00Z', count: 1 });
    expect(shown.instants[0]?.members).toEqual([1 - place]);
  });

  it('[TR-11] are told by describe, explain and preview alike', () => {
    const trigger = anyOf(cron('0 9 * * *'), cron('0 8 * * *'), anyOf(cron('0 7 * * *'), cron('0 6 * * *')));
    expect(described(trigger)).toMatch(
      /\(1\) at 09:00 .*\(2\) at 08:00 .*\(3\) \[.*\(3\.1\) at 07:00 .*\(3\.2\) at 06:00/,
    );
    const { sentence, members } = explain(trigger, { local: '2027-01-05T09:00' });
    expect(sentence).toContain('is due: (1) at 09:00 every day');
    expect(members?.map(({ isDue }) => isDue)).toEqual([true, false, false]);
    expect(explain(trigger, { local: '2027-01-05T09:01' }).sentence).toMatch(
      /\(1\) the minute .*\(3\) none .*\(3\.2\) the hour/,
    );
    expect(preview(trigger, { from: '2027-01-05T08:00:00Z', count: 1 }).instants[0]?.members).toEqual([0]);
  });

  const member = fc.constantFrom(
    '0 9 * * *',
    '0 9 * * MON',
    '0 9,10 * * *',
    '0 10 * * *',
    '0 9 * * 0-6',
    '0 */6 * * *',
  );
  test.prop([fc.array(member, { minLength: 1, maxLength: 5 })], { numRuns: 100 })(
    '[TR-12] everything that is named redundant can be taken out at once, and no due instant is lost',
    (texts) => {
      const trigger = anyOf(...texts.map(cron));
      const named = new Set(pathsOf('redundantMember', trigger));
      const left = anyOf(...texts.map(cron).filter((_, place) => !named.has(`trigger.of[${place}]`)));
      const listOf = (one: Trigger) => {
        const compiled = compileTrigger(one);
        return compiled.ok ? compiled.value.list(NOW, 60) : [];
      };
      expect(listOf(left)).toEqual(listOf(trigger));
      expect(pathsOf('redundantMember', left)).toEqual([]);
    },
  );
});

describe('a member that is taken out', () => {
  const at = (expression: string, more: object = {}) => ({ ...cron(expression), ...more }) as Trigger;
  const berlin = { timezone: 'Europe/Berlin' };
  const withRdate: Trigger = {
    kind: 'rrule',
    rule: 'FREQ=DAILY',
    dtstart: '2026-01-01T09:00:00',
    timezone,
    rdates: ['2027-06-01T10:00:00'],
  };

  it.each<[string, Trigger, Trigger, readonly string[]]>([
    ['on weekdays of every day', at('* * * * MON-FRI'), at('* * * * *'), []],
    ['at all minutes but one', at('0-16,18-59 * * * *'), at('* * * * *'), []],
    ['alike but for the repeated hour', at('0 0-23 * * *', berlin), at('0 * * * *', berlin), []],
    ['on workdays, all minutes but one', at('* * * * MON-FRI'), at('0-16,18-59 * * * *'), []],
    ['on workdays of every day', at('0 9 * * MON-FRI'), at('0 9 * * *'), ['trigger.of[0]']],
    ['in months of all', at('*/5 * * 11,12 *'), at('*/5 * * * *'), []],
    ['on dates of all', at('*/15 * 1-15 * *'), at('*/15 * * * *'), []],
    ['that ends', at('0 9 * * *', { end: '2027-03-01T00:00:00Z' }), at('0 9 * * *'), ['trigger.of[0]']],
    [
      'that ends sooner',
      at('0 9 * * *', { end: '2027-02-01T00:00:00Z' }),
      at('0 9 * * *', { end: '2027-05-01T00:00:00Z' }),
      ['trigger.of[0]'],
    ],
    ['that ends in ten years', at('0 9 * * *', { end: '2036-11-30T00:00:00Z' }), at('0 9 * * *'), ['trigger.of[0]']],
    ['alike in winter', at('0 9 * * *', berlin), at('0 9 * * *', { timezone: 'Africa/Lagos' }), []],
    [
      'alike but on a spring night',
      at('30 2 * * *', berlin),
      at('30 2 * * *', { ...berlin, gap: 'shift' }),
      ['trigger.of[0]'],
    ],
    [
      'alike but on an autumn night',
      at('30 2 * * *', berlin),
      at('30 2 * * *', { ...berlin, repeat: 'both' }),
      ['trigger.of[0]'],
    ],
    ['alike but on a date put in', at('0 9 * * *'), withRdate, ['trigger.of[0]']],
  ])('[TR-12] is never the one that is due more often: %s', (_title, less, more, named) => {
    expect(pathsOf('redundantMember', anyOf(less, more))).toEqual(named);
    const turned = named.map(() => 'trigger.of[1]');
    expect(pathsOf('redundantMember', anyOf(more, less))).toEqual(turned);
  });

  it('[TR-12, DE-11] is the whole union where nothing would be left of it', () => {
    const trigger = anyOf(at('0 9 * * *'), anyOf(at('0 9 * * *'), at('0 9 * * MON')));
    expect(pathsOf('redundantMember', trigger)).toEqual(['trigger.of[1]']);
  });
});
