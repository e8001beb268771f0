/** Durability: what a crash, a full disk or a foreign program does to files, and what nobody builds upon. */
import { describe, expect, it } from 'vitest';
import { segmentPath } from '../../src/adapters/fs/layout.js';
import { held } from '../../src/testing/scripted-execution.js';
import { LEAVES_ZEROS, LOSES_ALL, LOSES_BYTES, LOSES_NAMES, LOSES_NOTHING } from '../sim/disk/power-cut.js';
import { every, HOUR, hourly, hours, MINUTE, recordsOf, SECOND } from './jobs.js';
import { Machine } from './machine.js';
import { backUp, bytesOf, LAYOUT, spoil } from './tampering.js';

const CUTS = { LOSES_ALL, LOSES_NAMES, LOSES_BYTES, LEAVES_ZEROS, LOSES_NOTHING };

describe('a power cut', () => {
  it.each(Object.entries(CUTS))(
    '[ST-2, OC-3, OW-2] it empties files, or brings an older state back, so that jobs are lost or run again: %s',
    async (_, cut) => {
      const machine = new Machine();
      for (let night = 0; night < 5; night++) {
        const process = await machine.serve({ steps: night % 2 === 0 ? [] : [held()], needsWorkspace: true });
        await process.schedules.ensure(hourly('job', { overlap: 'queue' }));
        await machine.pass(HOUR + night * MINUTE);
        await process.kill();
        machine.medium.cutPower(cut);
      }
      const last = await machine.serve();
      const records = await recordsOf(last, 'job');
      expect(records.map((record) => record.slice(0, 11))).toEqual(hours(9, 13, '').map((hour) => hour.trim()));
      expect(machine.ran).toHaveLength(5);
    },
  );

  it('[ST-2, ST-3] an empty or zero-filled file is read as an empty catalogue, and saved over the good data: it is refused, and stays', async () => {
    for (const path of [LAYOUT.snapshot, LAYOUT.store, segmentPath(LAYOUT, 1)]) {
      const machine = new Machine();
      const process = await machine.serve();
      await process.schedules.create(hourly('job'));
      await machine.pass(HOUR);
      await process.kill();
      const restore = spoil(machine.medium, path, (bytes) => Buffer.alloc(bytes.length));
      const before = bytesOf(machine.medium, path);
      await expect(machine.boot()).rejects.toMatchObject({ code: 'SCHEDULE_CATALOGUE_CORRUPT' });
      expect(bytesOf(machine.medium, path)).toEqual(before);
      restore();
      expect(await recordsOf(await machine.boot(), 'job')).toEqual(hours(9, 9));
    }
  });
});

describe('a disk', () => {
  it('[ST-1, ST-2] a virus scanner makes each rename fail, and nothing can be saved: a run needs none', async () => {
    const machine = new Machine();
    let isScanning = false;
    const process = await machine.serve({
      hook: ({ call, path }) => {
        const isOurs = path.startsWith(LAYOUT.catalogue);
        return isScanning && isOurs && call === 'rename' ? { kind: 'fail', code: 'EPERM' } : undefined;
      },
    });
    await process.schedules.create(hourly('job', { trigger: every(MINUTE) }));
    isScanning = true;
    await machine.pass(2 * HOUR);
    expect(await recordsOf(process, 'job')).toHaveLength(61);
    await process.kill();
    expect(await recordsOf(await machine.serve(), 'job')).toHaveLength(61);
  });

  it('[ST-2, ST-4] a write that came out short is taken for the whole: nothing of it counts, and the next one is complete', async () => {
    const machine = new Machine();
    let written: number | undefined;
    const process = await machine.serve({
      hook: ({ call, path }) =>
        written !== undefined && call === 'write' && path.startsWith(LAYOUT.journal)
          ? { kind: 'fail', code: 'ENOSPC', written }
          : undefined,
    });
    await process.schedules.create(hourly('job', { trigger: every(MINUTE) }));
    for (const bytes of [0, 1, 70, 150, 400]) {
      written = bytes;
      await machine.pass(20 * MINUTE);
      written = undefined;
      await machine.pass(20 * MINUTE);
    }
    await process.kill();
    const next = await machine.serve();
    const due =
      (Date.parse((await next.schedules.get('job')).schedule.nextDue ?? '') - Date.UTC(2026, 10, 30, 9)) / MINUTE;
    expect(await recordsOf(next, 'job')).toHaveLength(due);
    expect(machine.ran).toHaveLength(due);
  });

  it('[ST-5] writes of several processes at the same time interfere: each change of each of them is there', async () => {
    const machine = new Machine();
    const processes = await Promise.all(Array.from({ length: 6 }, () => machine.boot()));
    await Promise.all(
      processes.map(async ({ schedules }, n) => {
        for (let k = 0; k < 10; k++) await schedules.create(hourly(`p${n}-${k}`));
      }),
    );
    const owner = await machine.serve({ concurrency: 60 });
    expect((await owner.schedules.list()).schedules).toHaveLength(60);
    await machine.pass(HOUR);
    expect(machine.ran).toHaveLength(60);
  });

  it('[CO-6, OC-3] a restored backup fires everything again: it stops at the first directory that it does not know of', async () => {
    const machine = new Machine();
    const first = await machine.serve({ needsWorkspace: true });
    await first.schedules.create(hourly('job'));
    await machine.pass(MINUTE);
    const restore = backUp(machine.medium);
    await machine.pass(3 * HOUR);
    await first.kill();
    restore();
    const next = await machine.serve({ needsWorkspace: true });
    expect(machine.ran).toHaveLength(3);
    expect((await next.schedules.status()).clockStop).toMatchObject({ reason: 'catalogueBehind' });
    await next.schedules.acceptClock();
    await machine.pass(HOUR);
    expect(machine.ranAt).toEqual(['11-30 09:00', '11-30 10:00', '11-30 11:00', '11-30 12:00']);
  });

  it('[ST-4, OC-8] a job that could not keep its evidence is run again and again: it fails with the reason, as often as its budget says', async () => {
    const machine = new Machine();
    const process = await machine.serve({
      needsWorkspace: true,
      hook: ({ call, path }) =>
        call === 'makeDirectory' && path.startsWith(`${LAYOUT.occurrences}/`)
          ? { kind: 'fail', code: 'EACCES' }
          : undefined,
    });
    await process.schedules.create(hourly('job', { maxRetries: 2, budget: { maxRepeatedFailures: 5 } }));
    await machine.pass(HOUR + SECOND);
    const { history } = await process.schedules.get('job');
    expect(history).toMatchObject([{ status: 'failed', fault: { code: 'evidenceUnavailable' } }]);
    expect(history[0]?.attempts).toHaveLength(3);
    expect(machine.ran).toEqual([]);
  });
});
