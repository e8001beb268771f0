/** An owner that is stopped (SIGSTOP) in the middle of a run and goes on later, as after a suspended machine or a debugger. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { checkWorkspace } from '../../src/adapters/fs/index.js';
import type { Schedules } from '../../src/index.js';
import { type ChildHost, startHost } from './child-host.js';
import { ID, openEffects } from './effects-catalogue.js';

const hosts: ChildHost[] = [];

let folder: string;
let schedules: Schedules;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'everdue-stopped-'));
  schedules = await openEffects(folder);
});

afterEach(async () => {
  for (const one of hosts.splice(0)) await one.end('SIGKILL');
  await schedules.close();
  expect(await checkWorkspace(join(folder, 'work'))).toEqual([]);
});

function host(...mode: readonly string[]): ChildHost {
  const started = startHost(inject('consumer'), join(folder, 'work'), join(folder, 'effects.log'), ...mode);
  hosts.push(started);
  return started;
}

/** How often handlers began an occurrence. */
function effectsOf(occurrence: string): number {
  const lines = readFileSync(join(folder, 'effects.log'), 'utf8').split('\n');
  return lines.filter((line) => line.startsWith(`${occurrence} `)).length;
}

describe.skipIf(process.platform === 'win32')('SIGSTOP of the owner', () => {
  it('[OW-1, CT-10] keeps the lock; when it goes on it ends its work, and nothing ran twice', async () => {
    const { occurrence } = await schedules.trigger(ID, { requestId: 'slow' });
    const first = host('hear');
    await first.heard(({ effect }) => effect === occurrence);
    first.signal('SIGSTOP');

    const refused = host('finish');
    expect(await refused.heard(({ error }) => error !== undefined)).toMatchObject({ error: 'SCHEDULE_LOCK_HELD' });
    expect(await refused.ended).toBe(1);
    expect(await schedules.status()).toMatchObject({ owner: { isAlive: true, pid: first.pid } });
    await schedules.update(ID, { objective: 'Reworded meanwhile' }, { revision: 1 });

    first.signal('SIGCONT');
    first.signal('SIGUSR2');
    expect(await schedules.waitFor(occurrence)).toMatchObject({ status: 'succeeded' });
    await first.end('SIGTERM');
    expect(effectsOf(occurrence)).toBe(1);
  });

  it('[OW-5, OC-6] where no lock keeps another owner out, it can record nothing when it goes on, and ends', async () => {
    const { occurrence } = await schedules.trigger(ID, { requestId: 'slow' });
    const first = host('hear', 'locks-off');
    await first.heard(({ effect }) => effect === occurrence);
    first.signal('SIGSTOP');

    const second = host('finish', 'locks-off');
    expect(await schedules.waitFor(occurrence)).toMatchObject({ status: 'interrupted', reason: 'ownerDied' });
    const next = await schedules.trigger(ID, { requestId: 'next' });
    expect(await schedules.waitFor(next.occurrence)).toMatchObject({ status: 'succeeded' });

    first.signal('SIGCONT');
    first.signal('SIGUSR2');
    expect(await first.heard(({ error }) => error !== undefined)).toMatchObject({ error: 'SCHEDULE_LOCK_LOST' });
    expect(await first.ended).toBe(1);
    await second.end('SIGTERM');
    expect((await schedules.get(ID, { occurrence })).occurrence).toMatchObject({ status: 'interrupted' });
    expect([effectsOf(occurrence), effectsOf(next.occurrence)]).toEqual([1, 1]);
  });
});
