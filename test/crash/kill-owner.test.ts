/** `kill -9` of a real owner in a real process: interrupted, and never a second execution. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Schedules } from '../../src/index.js';
import { startHost } from './child-host.js';
import { ID, openEffects } from './effects-catalogue.js';

let folder: string;
let effects: string;
let schedules: Schedules;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'everdue-crash-'));
  effects = join(folder, 'effects.log');
  schedules = await openEffects(folder);
});

afterEach(() => schedules.close());

const host = (mode: string) => startHost(inject('consumer'), join(folder, 'work'), effects, mode);

function effectsOf(occurrence: string): number {
  const lines = existsSync(effects) ? readFileSync(effects, 'utf8').split('\n') : [];
  return lines.filter((line) => line.startsWith(`${occurrence} `)).length;
}

describe('kill -9 of the owner', () => {
  it('[OC-6, OW-2, ST-2] in the middle of a run ends in interrupted, never in a second execution', async () => {
    const { occurrence } = await schedules.trigger(ID, { requestId: 'hangs' });
    const first = host('hang');
    await first.heard(({ effect }) => effect === occurrence);
    await first.end('SIGKILL');
    expect((await schedules.get(ID)).pending).toMatchObject([{ id: occurrence, status: 'running' }]);

    const second = host('finish');
    const record = await schedules.waitFor(occurrence);
    expect(record).toMatchObject({ status: 'interrupted', reason: 'ownerDied', nativeState: 'unknown' });
    const next = await schedules.trigger(ID, { requestId: 'after' });
    expect(await schedules.waitFor(next.occurrence)).toMatchObject({ status: 'succeeded' });
    await second.end('SIGTERM');
    expect(effectsOf(occurrence)).toBe(1);
    expect(effectsOf(next.occurrence)).toBe(1);
  });

  it('[OC-3, OC-8] between claim and dispatch ends in interrupted, known as not dispatched or unknown, and runs nothing', async () => {
    const { occurrence } = await schedules.trigger(ID, { requestId: 'claimed' });
    const first = host('claimed');
    await first.ended;
    const second = host('finish');
    const record = await schedules.waitFor(occurrence);
    await second.end('SIGTERM');
    expect(record).toMatchObject({ status: 'interrupted', reason: 'ownerDied' });
    const dispatched = await schedules.evidence(occurrence).then(
      ({ attempts }) => attempts.length > 0,
      () => false,
    );
    expect(record.nativeState).toBe(dispatched ? 'unknown' : 'not-dispatched');
    expect(effectsOf(occurrence)).toBe(0);
  });

  it('[OW-1, OW-5] frees the lock at once; while it lives a second owner is refused with who holds it', async () => {
    const first = host('finish');
    await first.heard(({ owner }) => owner === 'started');
    const refused = host('finish');
    expect(await refused.heard(({ error }) => error !== undefined)).toMatchObject({ error: 'SCHEDULE_LOCK_HELD' });
    expect(await refused.ended).toBe(1);
    expect(await schedules.status()).toMatchObject({ owner: { isAlive: true, pid: first.pid } });
    await first.end('SIGKILL');
    expect(await schedules.status()).toMatchObject({ owner: { isAlive: false } });
    const second = host('finish');
    await second.heard(({ owner }) => owner === 'started');
    await second.end('SIGTERM');
  });

  it('[ST-5, CT-10] controls of this process and an owner in another one lose nothing', async () => {
    const owner = host('finish');
    await owner.heard(({ owner: change }) => change === 'started');
    const requests = Array.from({ length: 20 }, (_, n) => schedules.trigger(ID, { requestId: `r${n}` }));
    const admitted = await Promise.all(requests);
    const records = await Promise.all(
      admitted.filter(({ admitted: how }) => how === 'queued').map(({ occurrence }) => schedules.waitFor(occurrence)),
    );
    await owner.end('SIGTERM');
    expect(records.length).toBeGreaterThan(0);
    expect(new Set(records.map(({ status }) => status))).toEqual(new Set(['succeeded']));
    const { history } = await schedules.get(ID, { history: { limit: 100 } });
    expect(history).toHaveLength(20);
    for (const { id, status } of history) expect(effectsOf(id)).toBe(status === 'succeeded' ? 1 : 0);
  });
});
