/** What has run counts for the schedule, whatever its revision: a clock set back, and a catalogue from a backup (CO-6). */
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/adapters/fs/layout.js';
import { checkWorkspace } from '../../src/checker/check-workspace.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { type ScriptedExecution, scriptedExecution } from '../../src/testing/scripted-execution.js';
import { emptyRoot } from '../adapters/fs/ground.js';
import { everyMinute, folderHost } from './folder-host.js';

type Host = Awaited<ReturnType<typeof folderHost>>;

const MINUTE = 60_000;
const START = '2027-01-01T00:00:00.000Z';

const tenMinutely = (changes: object = {}) =>
  everyMinute('a', {
    trigger: { kind: 'interval', start: '2027-01-01T00:10:00Z', everySeconds: 600 },
    overlap: 'queue',
    ...changes,
  });

/** Due instants of the trigger, or requests, whose handler was called more than once, as the ids that name them. */
function doubled({ executed }: ScriptedExecution): readonly string[] {
  const byDue = new Map<string, string[]>();
  for (const { occurrence } of executed) {
    const [, , ...of] = occurrence.split('~');
    byDue.set(of.join('~'), [...(byDue.get(of.join('~')) ?? []), occurrence]);
  }
  return [...byDue.values()].filter((ids) => ids.length > 1).flat();
}

/** Ten minutes and a tick, so many times. */
async function ticks({ clock, schedules }: Host, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await clock.advance(10 * MINUTE);
    await clock.runUntil(schedules.owner().tick());
  }
}

const made = (execution: ScriptedExecution, clock = manualClock(START)) =>
  ({ execution, clock }) satisfies Parameters<typeof folderHost>[1];

const CHANGES: Readonly<Record<string, (host: Host) => Promise<unknown>>> = {
  'an update': ({ schedules }) => schedules.update('a', { graceSeconds: 61 }, { revision: 1 }),
  'two updates': async ({ schedules }) => {
    await schedules.update('a', { trigger: { kind: 'interval', start: START, everySeconds: 420 } }, { revision: 1 });
    await schedules.update('a', { trigger: tenMinutely().trigger }, { revision: 2 });
  },
  'a cancellation and an update': async ({ schedules }) => {
    await schedules.cancel('a', { revision: 1 });
    await schedules.update('a', { graceSeconds: 61 }, { revision: 1 });
  },
  'a deletion and a creation': async ({ schedules }) => {
    await schedules.delete('a', { revision: 1 });
    await schedules.create(tenMinutely());
  },
};

describe('a clock that was set back', () => {
  for (const needsWorkspace of [true, false]) {
    for (const [what, change] of Object.entries(CHANGES)) {
      const how = needsWorkspace ? 'with workspaces' : 'without workspaces';
      it(`[CO-6, CT-3, CT-7] after ${what}, ${how}: runs no due instant again once it is accepted`, async () => {
        const root = join(emptyRoot(), 'work');
        const execution = scriptedExecution([], { needsWorkspace });
        const host = await folderHost(root, made(execution));
        await host.schedules.create(tenMinutely());
        await ticks(host, 12);
        expect(execution.executed).toHaveLength(12);
        await change(host);
        for (let round = 0; round < 2; round++) {
          host.clock.step(-60 * MINUTE);
          await host.clock.runUntil(host.schedules.owner().tick());
          await host.schedules.acceptClock();
          await ticks(host, 6);
          expect(execution.executed).toHaveLength(12);
        }
        expect(host.changes()).toContain('clockBehind');
        await ticks(host, 3);
        expect(doubled(execution)).toEqual([]);
        expect(execution.executed).toHaveLength(15);
        expect(await checkWorkspace(root)).toEqual([]);
      });
    }
  }

  it('[CO-6, CT-3] and was ahead before: an update in between makes nothing due that was recorded ahead', async () => {
    const root = join(emptyRoot(), 'work');
    const execution = scriptedExecution([], { needsWorkspace: false });
    const host = await folderHost(root, made(execution, manualClock('2027-01-01T01:00:00Z')));
    await host.schedules.create(tenMinutely());
    await ticks(host, 3);
    host.clock.step(-150 * MINUTE);
    await host.clock.runUntil(host.schedules.owner().tick());
    await host.schedules.acceptClock();
    await ticks(host, 2);
    await host.schedules.update('a', { graceSeconds: 61 }, { revision: 1 });
    await ticks(host, 4);
    await host.schedules.cancel('a', { revision: 2 });
    await host.schedules.update('a', { graceSeconds: 62 }, { revision: 2 });
    await ticks(host, 12);
    expect(doubled(execution)).toEqual([]);
    expect(await checkWorkspace(root)).toEqual([]);
  });
});

describe('a catalogue from a backup', () => {
  /** Three instants, a backup, what `change` does, six instants, and the backup put back; the host that goes on then. */
  async function restored(execution: ScriptedExecution, declaration: object, change: (host: Host) => Promise<unknown>) {
    const root = join(emptyRoot(), 'work');
    const backup = join(emptyRoot(), 'backup');
    const first = await folderHost(root, made(execution));
    await first.schedules.create(tenMinutely(declaration));
    await ticks(first, 3);
    await first.schedules.close();
    cpSync(layoutOf(root).catalogue, backup, { recursive: true });
    const second = await folderHost(root, made(execution, first.clock));
    await change(second);
    await ticks(second, 6);
    await second.schedules.close();
    rmSync(layoutOf(root).catalogue, { recursive: true });
    cpSync(backup, layoutOf(root).catalogue, { recursive: true });
    return await folderHost(root, made(execution, first.clock));
  }

  for (const misfire of ['runOnce', 'catchUp'] as const) {
    for (const [what, change] of Object.entries(CHANGES)) {
      it(`[CO-6, OC-8] older than ${what}: is found to be behind (${misfire}), and runs nothing again`, async () => {
        const execution = scriptedExecution([], { needsWorkspace: true });
        const host = await restored(execution, { misfire, maxCatchUp: 100 }, change);
        await host.clock.runUntil(host.schedules.owner().tick());
        expect(host.changes()).toContain('catalogueBehind');
        expect(await host.schedules.status()).toMatchObject({ clockStop: { reason: 'catalogueBehind' } });
        expect(doubled(execution)).toEqual([]);
        const known = execution.executed.length;
        await host.schedules.acceptClock();
        await ticks(host, 3);
        expect(doubled(execution)).toEqual([]);
        expect(execution.executed).toHaveLength(known + 3);
      });

      it(`[CO-6, CT-1] older than ${what}: accepted before an owner has looked (${misfire}), it goes on behind all that ran`, async () => {
        const execution = scriptedExecution([], { needsWorkspace: true });
        const host = await restored(execution, { misfire, maxCatchUp: 100 }, change);
        const known = execution.executed.length;
        await host.schedules.acceptClock();
        await ticks(host, 3);
        expect(host.changes()).toContain('clockAccepted');
        expect(host.changes()).not.toContain('catalogueBehind');
        expect(doubled(execution)).toEqual([]);
        expect(execution.executed).toHaveLength(known + 3);
        const { history } = await host.schedules.get('a', { history: { limit: 100 } });
        expect(new Set(history.map(({ status }) => status))).toEqual(new Set(['succeeded']));
      });
    }
  }

  it('[CO-6, OC-1] older than the revision that a request ran under: does not run it again', async () => {
    const execution = scriptedExecution([], { needsWorkspace: true });
    const host = await restored(execution, {}, async ({ schedules }) => {
      await schedules.update('a', { graceSeconds: 61 }, { revision: 1 });
      await schedules.trigger('a', { requestId: 'order-1' });
    });
    await host.schedules.acceptClock();
    const { occurrence } = await host.schedules.trigger('a', { requestId: 'order-1' });
    await host.clock.runUntil(host.schedules.owner().tick());
    expect(doubled(execution)).toEqual([]);
    expect((await host.schedules.get('a', { occurrence })).occurrence).toMatchObject({
      status: 'interrupted',
      reason: 'attemptExists',
    });
  });

  it('[CO-6, CT-1] of which nothing has run since: an acceptance changes nothing, and what is owed stays owed', async () => {
    const execution = scriptedExecution([], { needsWorkspace: true });
    const root = join(emptyRoot(), 'work');
    const host = await folderHost(root, made(execution));
    await host.schedules.create(tenMinutely({ misfire: 'catchUp', maxCatchUp: 100 }));
    await ticks(host, 3);
    await host.clock.advance(30 * MINUTE);
    await host.schedules.acceptClock();
    expect((await host.schedules.get('a')).schedule.nextDue).toBe('2027-01-01T00:40:00.000Z');
    await host.clock.runUntil(host.schedules.owner().tick());
    expect(execution.executed).toHaveLength(6);
    expect(host.changes()).not.toContain('clockAccepted');
  });
});

describe('an update at a due instant', () => {
  it('[CO-5, CT-3] leaves the instant to the new revision, or records it as superseded where that is not due then', async () => {
    for (const [everySeconds, expected] of [
      [600, ['a~1~20270101T001000000Z skipped', 'a~2~20270101T002000000Z succeeded']],
      [420, ['a~1~20270101T002000000Z skipped']],
    ] as const) {
      const host = await folderHost(join(emptyRoot(), 'work'), made(scriptedExecution()));
      await host.schedules.create(tenMinutely());
      await host.clock.advance(20 * MINUTE);
      const trigger = { kind: 'interval', start: START, everySeconds } as const;
      await host.schedules.update('a', { trigger, graceSeconds: 61 }, { revision: 1 });
      await host.clock.runUntil(host.schedules.owner().tick());
      const { history } = await host.schedules.get('a');
      expect(history.map(({ id, status }) => `${id} ${status}`).reverse()).toEqual(expected);
    }
  });
});

describe('the check', () => {
  it('[ST-3, CO-6] tells of a due instant that was run under two revisions', async () => {
    const root = join(emptyRoot(), 'work');
    const host = await folderHost(root, made(scriptedExecution([], { needsWorkspace: true })));
    await host.schedules.create(tenMinutely());
    await ticks(host, 2);
    await host.schedules.update('a', { graceSeconds: 61 }, { revision: 1 });
    await ticks(host, 1);
    await host.schedules.close();
    expect(await checkWorkspace(root)).toEqual([]);
    const month = join(root, 'occurrences', 'a', '2027-01');
    const [first = ''] = readdirSync(month).sort();
    cpSync(join(month, first), join(month, first.replace('~1~', '~2~')), { recursive: true });
    const found = (await checkWorkspace(root)).filter(({ invariant }) => invariant === 'I5');
    expect(found).toMatchObject([{ rule: 'instant', severity: 'error' }]);
    expect(found[0]?.message).toContain('a~2~20270101T001000000Z was run, and a~1~20270101T001000000Z');
  });
});
