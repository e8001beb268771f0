/** Lint over a catalogue: its calendars, and how long runs of the schedule took lately. */
import { describe, expect, it } from 'vitest';
import { inProcess } from '../../src/adapters/in-process/in-process.js';
import { lintDeclaration, previewDeclaration } from '../../src/open-schedules.js';
import type { Schedules } from '../../src/runtime/client/face.js';
import { bench, hourly } from './client-bench.js';

const EVERY_MINUTE = { kind: 'interval', start: '2026-11-30T08:00:00Z', everySeconds: 60 } as const;

/** Schedules of which each run takes so many seconds of the clock, in turn. */
async function slow(...seconds: number[]) {
  const made = await bench();
  const run = async (): Promise<void> => {
    await made.clock.advance((seconds.shift() ?? 0) * 1000);
  };
  const execution = inProcess({ clock: made.clock, providers: { report: { kinds: { 'report/1': { run } } } } });
  const schedules = await made.second({ execution });
  return schedules;
}

async function runOnce(schedules: Schedules, id: string): Promise<void> {
  await schedules.trigger(id);
  await schedules.owner().tick();
}

function codes(warnings: readonly { readonly code: string }[]): readonly string[] {
  return warnings.map(({ code }) => code);
}

describe('lint of a catalogue', () => {
  it('[TR-12] warns of due instants closer together than a run of the schedule took lately', async () => {
    const schedules = await slow(10, 90, 5);
    const given = hourly('often', { trigger: EVERY_MINUTE, maxOccurrences: 'unlimited' });
    await schedules.create(given, { paused: true });
    await runOnce(schedules, 'often');
    expect(codes(await schedules.lint(given))).toEqual([]);
    await runOnce(schedules, 'often');
    await runOnce(schedules, 'often');
    expect((await schedules.get('often')).history).toHaveLength(3);
    expect(await schedules.lint({ ...given, id: 'OFTEN' })).toEqual([
      {
        code: 'shortInterval',
        path: 'trigger',
        rule: 'TR-12',
        message: expect.stringContaining('come as close as 60 s, and a run recently took 90 s'),
      },
    ]);
    expect(codes(await schedules.lint({ ...given, id: 'another' }))).toEqual([]);
    expect(codes(await lintDeclaration(given))).toEqual([]);
  });

  it('[TR-12] looks at the last ten ended occurrences', async () => {
    const schedules = await slow(90, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    const given = hourly('often', { trigger: EVERY_MINUTE, maxOccurrences: 'unlimited' });
    await schedules.create(given, { paused: true });
    for (let run = 1; run <= 10; run += 1) await runOnce(schedules, 'often');
    expect(codes(await schedules.lint(given))).toEqual(['shortInterval']);
    await runOnce(schedules, 'often');
    expect(codes(await schedules.lint(given))).toEqual([]);
  });

  it('[TR-12, DE-12] judges by the calendars of the catalogue, and refuses one that it lacks', async () => {
    const { schedules } = await bench();
    const trigger = { kind: 'calendar', times: ['09:00'], months: [12], monthDays: [24], timezone: 'UTC' } as const;
    const given = hourly('xmas', { trigger, exclude: { calendar: 'holidays' }, maxOccurrences: 'unlimited' });
    await expect(schedules.lint(given)).rejects.toMatchObject({
      code: 'SCHEDULE_DECLARATION_INVALID',
      details: { issues: [{ path: 'exclude.calendar' }] },
    });
    await schedules.setCalendar('holidays', ['2026-12-24/2199-12-31']);
    expect(codes(await schedules.lint(given))).toEqual(['neverDue']);
    expect(codes(await lintDeclaration(given))).toEqual([]);
  });

  it.each<[what: string, ask: () => Promise<unknown>, path: string]>([
    ['lint of nothing', () => lintDeclaration(undefined as never), ''],
    ['lint without options', () => lintDeclaration(hourly('a'), null as never), 'options'],
    ['a preview of nothing', () => previewDeclaration(null as never), ''],
    ['a preview without options', () => previewDeclaration(hourly('a'), null as never), 'options'],
  ])('[DE-1, TR-11, TR-12] refuses %s', async (_, ask, path) => {
    await expect(ask()).rejects.toMatchObject({
      code: 'SCHEDULE_DECLARATION_INVALID',
      details: { issues: [expect.objectContaining({ path })] },
    });
  });
});
