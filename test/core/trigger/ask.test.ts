/** What the conveniences refuse: every fault of a call at once, under one path wherever it is asked. */
import { expect, describe as group, it } from 'vitest';
import { describe } from '../../../src/core/explain/describe/describe.js';
import { explain } from '../../../src/core/explain/instant/explain.js';
import { lint } from '../../../src/core/lint/lint.js';
import type { Trigger } from '../../../src/core/model/trigger.js';
import { askDue } from '../../../src/core/trigger/ask.js';
import { nextDue, previousDue } from '../../../src/core/trigger/next-due.js';
import { preview } from '../../../src/core/trigger/preview/ask-preview.js';
import * as main from '../../../src/index.js';
import { sampleDefinition } from '../../runtime/sample-definition.js';

const AT = '2026-11-30T08:00:00Z';
const DAILY: Trigger = { kind: 'cron', expression: '0 9 * * *', timezone: 'Europe/Berlin' };
const HOURLY: Trigger = { kind: 'interval', start: AT, everySeconds: 3600 };

/** Every door, asked the same with good arguments beside. */
const doors: Readonly<Record<string, (due: never, options?: never) => unknown>> = {
  nextDue: (due, options) => nextDue(due, AT, options),
  previousDue: (due, options) => previousDue(due, AT, options),
  preview: (due, options) => preview(due, { from: AT }, options),
  explain: (due, options) => explain(due, AT, options),
  describe: (due, options) => describe(due, options),
  askDue: (due, options) => askDue(due, options),
};

/** Paths and rules of what is refused; fails for anything but a refusal with issues. */
function refused(ask: () => unknown): readonly string[] {
  try {
    ask();
  } catch (error) {
    expect(error).toMatchObject({ code: 'SCHEDULE_DECLARATION_INVALID', details: { issues: expect.any(Array) } });
    const { details } = error as { details: { issues: { path: string; rule: string }[] } };
    return details.issues.map(({ path, rule }) => `${path} ${rule}`);
  }
  return ['nothing'];
}

group.each(Object.entries(doors))('%s', (name, ask) => {
  it.each<[what: string, due: unknown, issues: readonly string[]]>([
    ['nothing', undefined, [' DE-1']],
    ['null', null, [' DE-1']],
    ['a number', 5, [' DE-1']],
    ['a list', [], [' DE-1']],
    ['an object that is no trigger', {}, ['kind DE-1']],
    ['a bad cron text', '0 25 * * *', ['expression TR-7']],
    ['a bad trigger', { ...DAILY, expression: '0 25 * * *' }, ['expression TR-7']],
    [
      'a bad trigger in a declaration',
      { trigger: { ...DAILY, expression: '0 25 * * *' } },
      ['trigger.expression TR-7'],
    ],
    ['a misspelt key', { trigger: DAILY, exlude: { weekdays: [0] } }, ['exlude DE-1']],
    [
      'several faults',
      { trigger: { ...DAILY, hour: 1 }, exclud: {}, exclude: null, spreadSeconds: 'x', id: 'a' },
      ['exclud DE-1', 'trigger.hour DE-1', 'exclude DE-12', 'spreadSeconds DE-12'],
    ],
  ])('[DE-1] refuses %s', (_, due, issues) => {
    expect(refused(() => ask(due as never))).toEqual(issues);
  });

  it('[DE-1] says which key is the nearest', () => {
    expect(() => ask({ trigger: DAILY, exlude: {} } as never)).toThrow('did you mean "exclude"?');
  });

  it('[DE-1, DE-9] takes a whole declaration, with limits of its budget at the top', () => {
    const { declaration } = sampleDefinition('job', { trigger: DAILY });
    expect(() =>
      ask({ ...declaration, document: {}, maxAttempts: 1, timeoutPerStageSeconds: 5 } as never),
    ).not.toThrow();
  });

  it.each<[what: string, options: unknown, issues: readonly string[]]>([
    ['null', null, ['options DE-1']],
    ['a text', 'UTC', ['options DE-1']],
    ['a misspelt one', { timezon: 'UTC' }, ['timezon DE-1']],
    ['calendars that are none', { calendars: 5 }, ['calendars DE-12']],
    ['zone data that is none', { zoneData: null }, ['zoneData TR-10']],
    ['a zone that is none', { timezone: 'Mars' }, ['timezone TR-9']],
    ['a zone that would change nothing', { timezone: 'UTC' }, ['timezone TR-11']],
  ])('[DE-1] refuses options: %s', (_, options, issues) => {
    expect(refused(() => ask(DAILY as never, options as never))).toEqual(issues);
  });

  it('[TR-11] takes a zone for a cron text, and the own one of a trigger; without one it has a use for times on a clock alone', () => {
    expect(() => ask('0 9 * * *' as never, { timezone: 'Asia/Tokyo' } as never)).not.toThrow();
    expect(() => ask(DAILY as never, { timezone: 'europe/berlin' } as never)).not.toThrow();
    const found = refused(() => ask(HOURLY as never, { timezone: 'UTC' } as never));
    expect(found).toEqual(name === 'explain' ? ['nothing'] : ['timezone TR-11']);
    expect(refused(() => ask('0 9 * * *' as never, { timezone: null } as never))).toEqual(['timezone TR-9']);
  });

  it('[DE-12] a calendar must be known, but where it is only named', () => {
    const due = { trigger: DAILY, exclude: { calendar: 'holidays' } } as never;
    expect(refused(() => ask(due))).toEqual(name === 'describe' ? ['nothing'] : ['exclude.calendar DE-12']);
    const calendars = { holidays: { dates: ['2026-12-24'], digest: '' } };
    expect(() => ask(due, { calendars } as never)).not.toThrow();
    const broken: [unknown, string][] = [
      [null, 'calendars.holidays'],
      [['2026-12-24'], 'calendars.holidays'],
      [{}, 'calendars.holidays.dates'],
      [{ dates: ['x'] }, 'calendars.holidays.dates[0]'],
    ];
    for (const [holidays, path] of broken) {
      expect(refused(() => ask(due, { calendars: { holidays } } as never))).toEqual([`${path} DE-12`]);
    }
  });
});

group('every fault of a call at once', () => {
  it.each<[what: string, ask: () => unknown, issues: readonly string[]]>([
    ['no arguments', () => (nextDue as () => unknown)(), [' DE-1', 'after DE-2']],
    [
      'all of them wrong',
      () => nextDue({ trigger: 5, a: 1 } as never, 'x', { timezon: 1 } as never),
      ['timezon DE-1', 'a DE-1', 'trigger DE-1', 'after DE-2'],
    ],
    [
      'a preview',
      () => preview('x', { from: 1, until: null, count: 0, timezone: 'UTC' } as never),
      ['expression TR-7', 'timezone DE-1', 'from DE-2', 'until DE-2', 'count TR-11'],
    ],
    ['a preview without a question', () => preview(DAILY, null as never), ['question DE-1', 'from DE-2']],
    ['an explanation', () => explain('x', { local: 1, at: 2 } as never), ['expression TR-7', 'at DE-1', 'local TR-11']],
    ['an explanation without a question', () => (explain as (due: Trigger) => unknown)(DAILY), ['instant DE-2']],
    ['a lint of nothing', () => (lint as () => unknown)(), [' DE-1', 'now DE-2']],
    [
      'a lint of a part',
      () =>
        lint(
          { trigger: DAILY, overlap: 'queue', misfire: 'skip', graceSeconds: 1, maxCatchUp: 1 } as never,
          null as never,
        ),
      ['maxOccurrences DE-1', 'maxRetries DE-1', 'budget DE-1', 'now DE-2'],
    ],
  ])('[DE-1] %s', (_, ask, issues) => {
    expect(refused(ask)).toEqual(issues);
  });

  it('[DE-1] names what is wrong once in its message', () => {
    expect(() => (nextDue as () => unknown)()).toThrow(
      /^no due instant: must be a trigger, .*; after: is required: must/,
    );
    expect(() => nextDue(DAILY, '2026-01-01')).toThrow(/^no due instant: after: must say a time of day and its offset/);
    expect(() => explain(DAILY, { local: 'x' })).toThrow(/^no explanation: local: must be a time on the clock/);
  });

  it('[TR-11] the main door has them as well', () => {
    expect(main).toMatchObject({ nextDue, previousDue, preview, explain, describe });
  });
});
