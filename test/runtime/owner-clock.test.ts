/** The owner and the clock: steps, a clock that is behind, an accepted one, a backup that was restored. */
import { describe, expect, it } from 'vitest';
import { scriptedExecution } from '../../src/testing/scripted-execution.js';
import { type Bench, everySeconds, MANUAL, ownerBench } from './owner-bench.js';

const HOUR = 3_600_000;

/** What an operator does through a client. */
async function acceptClock(bench: Bench): Promise<void> {
  const { catalogue, committer } = bench;
  await committer.submitRow(
    ({ clockStop: _, ...row }, at) => ({ ...row, acceptedClockAt: at, acceptedSeenAt: catalogue.lastSeenAt }),
    { actor: 'op' },
  );
  await bench.clock.settle();
}

describe('steps of the clock', () => {
  it('[CO-6, MF-4] a step forward is an event, and explains what it made late', async () => {
    const bench = ownerBench();
    await bench.create('a', { overlap: 'queue' });
    await bench.owner.start();
    await bench.clock.settle();
    bench.clock.step(10 * 60_000);
    await bench.clock.advance(30_000);
    expect(bench.changes()).toEqual(['started', 'clockStep']);
    const [record] = await bench.history('a');
    expect(record?.window).toMatchObject({ count: 10, causes: ['clockStep'] });
    await bench.owner.stop();
  });

  it('[CO-6] a step back makes nothing due twice', async () => {
    const bench = ownerBench();
    await bench.create('a');
    await bench.owner.start();
    await bench.clock.advance(120_000);
    bench.clock.step(-50_000);
    await bench.clock.advance(110_000);
    expect(await bench.outcomes('a')).toEqual(['08:01:00 succeeded', '08:02:00 succeeded', '08:03:00 succeeded']);
    expect(bench.changes()).toEqual(['started', 'clockStep']);
    await bench.owner.stop();
  });

  it('[CO-6] a difference of less than two seconds is no step', async () => {
    const bench = ownerBench();
    await bench.owner.start();
    bench.clock.step(2000);
    await bench.clock.advance(30_000);
    expect(bench.changes()).toEqual(['started']);
    await bench.owner.stop();
  });
});

describe('a clock that is behind the catalogue', () => {
  it('[CO-6] stops collection, not manual work, until it has passed the last commit', async () => {
    const bench = ownerBench();
    await bench.create('a', { trigger: everySeconds(600, bench.clock.now() + 600_000) });
    await bench.create('m', { trigger: MANUAL });
    await bench.owner.tick();
    await bench.clock.advance(HOUR);
    await bench.owner.tick();
    const known = (await bench.outcomes('a')).length;
    bench.clock.step(-30 * 60_000);
    await bench.owner.start();
    await bench.clock.settle();
    expect(bench.catalogue.row.clockStop).toMatchObject({ reason: 'clockBehind' });
    expect(bench.changes()).toContain('clockBehind');
    await bench.trigger('m', 'r1');
    await bench.clock.settle();
    expect(await bench.outcomes('m')).toEqual(['r1 succeeded']);
    await bench.clock.advance(25 * 60_000);
    expect((await bench.outcomes('a')).length).toBe(known);
    await bench.clock.advance(16 * 60_000);
    expect(bench.catalogue.row.clockStop).toBeUndefined();
    expect((await bench.outcomes('a')).length).toBe(known + 1);
    await bench.owner.stop();
  });

  it('[CO-6, OW-8] a stopped collection does not keep the owner busy', async () => {
    const bench = ownerBench();
    await bench.create('a');
    await bench.owner.tick();
    await bench.clock.advance(HOUR);
    await bench.create('b', { trigger: MANUAL });
    bench.clock.step(-20 * 60_000);
    await bench.owner.start();
    await bench.clock.settle();
    await bench.clock.advance(3000);
    expect(bench.clock.sleepers()).toMatchObject([{ ms: 30_000 }]);
    await bench.owner.stop();
  });

  it('[CO-6] an accepted clock lets every schedule go on at the first instant that nothing accounts for', async () => {
    const execution = scriptedExecution();
    const bench = ownerBench({ start: '2030-01-01T00:00:00.000Z', execution });
    await bench.create('a', { trigger: everySeconds(HOUR / 1000, Date.UTC(2026, 0, 1)), overlap: 'queue' });
    await bench.owner.start();
    await bench.clock.advance(3 * HOUR);
    const wrong = (await bench.outcomes('a')).length;
    expect(wrong).toBe(4);
    bench.clock.step(Date.UTC(2026, 10, 30, 8) - bench.clock.now());
    await bench.clock.advance(2 * HOUR);
    expect((await bench.outcomes('a')).length).toBe(wrong);
    await acceptClock(bench);
    await bench.clock.advance(2 * HOUR);
    expect(bench.catalogue.row.clockStop).toBeUndefined();
    expect((await bench.outcomes('a')).slice(wrong)).toEqual([
      '10:00:00 succeeded',
      '11:00:00 succeeded',
      '12:00:00 succeeded',
    ]);
    const { seq } = bench.catalogue;
    await bench.owner.stop();
    await bench.owner.start();
    expect(bench.catalogue.seq).toBe(seq + 1);
    await bench.owner.stop();
    expect(bench.changes()).toContain('clockAccepted');
  });

  it('[CO-6] after a restored backup no instant that has a workspace is due again', async () => {
    const bench = ownerBench({ execution: scriptedExecution([], { needsWorkspace: true }) });
    await bench.create('a', { trigger: everySeconds(600, bench.clock.now() + 600_000) });
    for (const minute of ['1000', '2000', '3000']) await bench.evidence.begin(`a~1~20261130T08${minute}000Z`, 1, {});
    await bench.clock.advance(600_000);
    await bench.owner.start();
    await bench.clock.settle();
    expect(await bench.outcomes('a')).toEqual(['08:10:00 interrupted attemptExists']);
    expect(bench.catalogue.row.clockStop).toMatchObject({ reason: 'catalogueBehind' });
    await acceptClock(bench);
    expect(bench.catalogue.entry('a')?.schedule.nextDue).toBe(Date.UTC(2026, 10, 30, 8, 40));
    await bench.clock.advance(30 * 60_000);
    expect(await bench.outcomes('a')).toEqual(['08:10:00 interrupted attemptExists', '08:40:00 succeeded']);
    await bench.owner.stop();
  });
});
