/**
 * A workspace in which everything has happened: real schedules, run by a real owner on the real store, with a clock in the
 * test's hands. Its files hold every kind of record that there is.
 */
import { realDisk } from '../../src/adapters/fs/disk/real-disk.js';
import type { FileWorkspaceOptions } from '../../src/adapters/fs/file-workspace.js';
import { openWorkspace } from '../../src/adapters/fs/file-workspace.js';
import { kernelLocks } from '../../src/adapters/fs/locks/native-lock.js';
import type { HandlerContext } from '../../src/adapters/in-process/handler-context.js';
import { inProcess } from '../../src/adapters/in-process/in-process.js';
import type { DeclarationInput } from '../../src/codec/declaration-input.js';
import { openSchedules } from '../../src/open-schedules.js';
import type { Schedules } from '../../src/runtime/client/face.js';
import { type ManualClock, manualClock } from '../../src/testing/manual-clock.js';

const START = '2026-03-02T08:00:00.000Z';

/** A host that has a workspace open. */
export interface BusyHost {
  readonly schedules: Schedules;
  readonly clock: ManualClock;
  /** Attempts that handlers were called for. */
  readonly effects: { readonly occurrence: string; readonly attempt: number }[];
  /** Waits for a roll-over that goes on behind commits. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a workspace as a host does; handlers do what the document says. */
export async function busyHost(
  root: string,
  { clock = manualClock(START), options = {} }: { clock?: ManualClock; options?: FileWorkspaceOptions } = {},
): Promise<BusyHost> {
  const effects: { occurrence: string; attempt: number }[] = [];
  const openLock = await kernelLocks(realDisk);
  const workspace = await openWorkspace(root, options, { disk: realDisk, openLock });
  let count = 0;
  const run = (document: { readonly [key: string]: unknown }, context: HandlerContext) => {
    effects.push({ occurrence: context.occurrence, attempt: context.attempt });
    return perform(document, context);
  };
  const schedules = await openSchedules({
    workspace,
    clock,
    randomId: () => `made${String(count++).padStart(8, '0')}`,
    execution: inProcess({ providers: { work: { kinds: { 'work/1': { run } } } }, clock }),
  });
  return {
    schedules,
    clock,
    effects,
    settled: () => workspace.store.settled(),
    close: () => schedules.close(),
  };
}

async function perform(document: { readonly [key: string]: unknown }, context: HandlerContext): Promise<unknown> {
  const { does, bytes } = document as { readonly does: string; readonly bytes?: number };
  if (does === 'fail') throw new Error('it does not work');
  if (does === 'recover' && context.attempt === 1) throw new Error('not at the first time');
  if (does === 'hang') await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
  if (does === 'hang') throw new Error('asked to end');
  await context.stage('write', () => context.publish('out.txt', `made by ${context.occurrence}`));
  return 'x'.repeat(bytes ?? 600);
}

/** A declaration of such a schedule. */
export function work(id: string, does: string, more: Partial<DeclarationInput> = {}, document: object = {}) {
  return {
    id,
    objective: `To ${does}`,
    document: { version: 'work/1', does, ...document },
    allowedProviders: ['work'],
    trigger: { kind: 'manual' },
    ...more,
  } as DeclarationInput & { readonly id: string };
}

/** An interval of so many seconds that begins a minute after a clock. */
export function every(seconds: number, clock: ManualClock, more: object = {}) {
  const start = new Date(clock.now() + 60_000).toISOString();
  return { kind: 'interval', start, everySeconds: seconds, ...more } as const;
}

/** Lets time pass in steps, with a tick after each. */
export async function live({ schedules, clock }: BusyHost, steps: number, stepSeconds: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    await clock.advance(stepSeconds * 1000);
    const ticking = schedules.owner().tick();
    await clock.runUntil(ticking);
  }
}

/** Parts of the life of a busy workspace, in order. */
export type Phase = 'collected' | 'controlled' | 'interrupted' | 'rolledOver';

/** Everything that can happen, once; `onPhase` is called after each part, and the host is closed at the end. */
export async function makeBusyWorkspace(
  root: string,
  onPhase: (phase: Phase, host: BusyHost) => Promise<void> | void = () => {},
): Promise<BusyHost['effects']> {
  const host = await busyHost(root, { options: { retention: { perSchedule: 20 } } });
  const { schedules } = host;
  await schedules.setCalendar('holidays', ['2026-12-24/2026-12-26']);
  const parts = { collected: collection, controlled: controls, interrupted: interruptions, rolledOver: bulk } as const;
  for (const [phase, part] of Object.entries(parts)) {
    await part(host);
    await host.settled();
    await onPhase(phase as Phase, host);
  }
  await host.close();
  return host.effects;
}

/** Every policy of a trigger. */
async function collection(host: BusyHost): Promise<void> {
  const { schedules, clock } = host;
  await schedules.create(work('minutely', 'work', { trigger: every(60, clock), misfire: 'catchUp', maxCatchUp: 3 }));
  await schedules.create(work('Retries', 'recover', { trigger: every(120, clock), maxRetries: 2, overlap: 'queue' }));
  const retryBackoff = { initialSeconds: 30, factor: 2, maxSeconds: 300 };
  await schedules.create(work('backoff', 'fail', { trigger: every(300, clock), maxRetries: 1, retryBackoff }));
  await schedules.create(work('few', 'work', { trigger: every(60, clock), maxOccurrences: 3, misfire: 'skip' }));
  const expiresAt = new Date(clock.now() + 600_000).toISOString();
  await schedules.create(work('expiring', 'work', { trigger: every(90, clock), expiresAt }));
  await schedules.create(work('stops', 'fail', { trigger: every(60, clock), pauseAfterFailures: 2 }));
  await schedules.create(work('late', 'work', { trigger: every(30, clock), maxLatenessSeconds: 120, overlap: 'skip' }));
  await schedules.create(work('by-hand', 'work'));
  await live(host, 6, 60);
  await live(host, 2, 600);
}

/** Every control of a client. */
async function controls({ schedules, clock }: BusyHost): Promise<void> {
  await schedules.trigger('by-hand', { requestId: 'Order-1' });
  await schedules.trigger('by-hand', { requestId: 'Order-2' });
  await clock.runUntil(schedules.owner().tick());
  await schedules.update('by-hand', { objective: 'in other words' }, { revision: 1 });
  await schedules.update(
    'by-hand',
    { document: { version: 'work/1', does: 'recover' }, maxRetries: 1 },
    { revision: 1 },
  );
  const { occurrence } = await schedules.trigger('by-hand', { requestId: 'Order-1' });
  await schedules.stop('by-hand', occurrence);
  await schedules.pause('minutely', { revision: 1, note: 'for a while' });
  await clock.advance(400_000);
  await schedules.resume('minutely', { revision: 1, missed: 'runOnce' });
  await schedules.gate.pause({ note: 'for a moment' });
  await clock.advance(200_000);
  await clock.runUntil(schedules.owner().tick());
  await schedules.gate.resume();
  await clock.runUntil(schedules.owner().tick());
  await schedules.create(work('gone', 'work', { trigger: every(60, clock) }));
  await clock.advance(120_000);
  await clock.runUntil(schedules.owner().tick());
  await schedules.cancel('gone', { revision: 1 });
  await schedules.delete('gone', { revision: 1 });
  await schedules.create(work('gone', 'work', { trigger: every(60, clock) }));
  await clock.advance(120_000);
  await schedules.update('gone', { trigger: every(45, clock) }, { revision: 2, pending: 'withdraw' });
  await clock.advance(120_000);
  await clock.runUntil(schedules.owner().tick());
  await schedules.create(work('left', 'work'));
  await schedules.trigger('left');
  await clock.runUntil(schedules.owner().tick());
  await schedules.delete('left', { revision: 1 });
}

/** Owners that die at work, and what operators say of it. */
async function interruptions({ schedules, clock }: BusyHost): Promise<void> {
  await schedules.create(work('hangs', 'hang', { overlap: 'queue' }));
  for (const request of ['one', 'two']) {
    const { occurrence } = await schedules.trigger('hangs', { requestId: request });
    const owner = schedules.owner({ drainSeconds: 0 });
    await owner.start();
    await clock.runUntil(async () => (await schedules.status()).counts.running === 1);
    await owner.stop({ force: true });
    await clock.runUntil(schedules.owner().tick());
    if (request === 'one')
      await schedules.resolve('hangs', occurrence, { verdict: 'notDone', note: 'nothing was there' });
  }
  const { occurrence } = await schedules.trigger('hangs', { requestId: 'three' });
  const owner = schedules.owner();
  await owner.start();
  await clock.runUntil(async () => (await schedules.status()).counts.running === 1);
  await schedules.stop('hangs', occurrence);
  await clock.runUntil(schedules.waitFor(occurrence));
  await clock.runUntil(owner.stop());
}

/** Records so large that history files fill and the journal is rolled over; what else was due is over by then. */
async function bulk(host: BusyHost): Promise<void> {
  const { schedules, clock } = host;
  for (const { id, revision, status } of (await schedules.list()).schedules) {
    if (id !== 'Retries' && status === 'active') await schedules.cancel(id, { revision });
  }
  const more = { trigger: every(1, clock), misfire: 'catchUp', maxCatchUp: 100, overlap: 'queue' } as const;
  await schedules.create(
    work('bulk', 'work', { ...more, graceSeconds: 0, maxOccurrences: 'unlimited' }, { bytes: 60_000 }),
  );
  for (const seconds of [85, 24, 24]) {
    await live(host, 1, seconds);
    await host.settled();
    // Its record is in a file by now, so the verdict comes late.
    if (seconds === 85) await schedules.resolve('hangs', 'hangs~1~m~two', { verdict: 'unknown', note: 'nobody knows' });
  }
  await schedules.pause('bulk', { revision: 1 });
}
