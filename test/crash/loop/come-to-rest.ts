/**
 * The end of a loop: one owner, and no faults. New work must be done, and everything that is owed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { fileWorkspace } from '../../../src/adapters/fs/file-workspace.js';
import { inProcess, openSchedules } from '../../../src/index.js';
import type { FoundCatalogue } from '../../sim/audit/catalogue-reading.js';
import { Fleet, type FleetCounts } from './fleet.js';
import { readFolder } from './judge.js';

/** What the last owner works with. */
export interface RestOptions {
  readonly hosts: string;
  readonly workspace: string;
  readonly log: string;
  readonly seed: string;
  readonly perSchedule: number;
}

type Complain = (rule: string, found: string) => void;

/** Longest time until an owner has done new work, and again until all is done that is owed. */
const LONGEST_MS = 20_000;

/** What an owner at work may be behind. */
const BEHIND_MS = 3000;

/** See the head of this file. The starts of the last owner count with the others. */
export async function comeToRest(options: RestOptions, complain: Complain, counts: FleetCounts): Promise<void> {
  const { hosts, workspace, log, seed, perSchedule } = options;
  const fleet = new Fleet({ hosts, given: { workspace, log, seed, perSchedule }, complain });
  fleet.start('owner-last');
  try {
    await haveSomethingDone(workspace);
    await settle(workspace, complain);
  } catch (error) {
    complain('I19', `the last owner makes no progress: ${String(error)}`);
  } finally {
    await fleet.end();
  }
  counts.ownerStarts += fleet.counts.ownerStarts;
}

async function haveSomethingDone(workspace: string): Promise<void> {
  const schedules = await openSchedules({
    workspace: await fileWorkspace(workspace),
    execution: inProcess({ providers: { outside: { kinds: { 'outside/1': { run: () => null } } } } }),
  });
  try {
    await schedules.ensure({
      id: 'liveness',
      objective: 'See that owners get on',
      document: { version: 'outside/1' },
      allowedProviders: ['outside'],
      trigger: { kind: 'manual' },
    });
    const { occurrence } = await schedules.trigger('liveness', { requestId: 'last' });
    const { status } = await schedules.waitFor(occurrence, { signal: AbortSignal.timeout(LONGEST_MS) });
    if (status !== 'succeeded') throw new Error(`${occurrence} ended ${status}`);
  } finally {
    await schedules.close();
  }
}

async function settle(workspace: string, complain: Complain): Promise<void> {
  const until = performance.now() + LONGEST_MS;
  for (;;) {
    const owed = owedIn(await readFolder(workspace), Date.now());
    if (owed === undefined) return;
    if (performance.now() > until) return complain('I19', `what is owed is not done: ${owed}`);
    await delay(100);
  }
}

/** What is owed and not done yet; nothing where all is. */
function owedIn({ changes, schedules }: FoundCatalogue, nowMs: number): string | undefined {
  for (const [id, { stored }] of schedules) {
    const { schedule, pending } = stored.entry;
    const old = pending.find(({ claim }) => claim !== undefined && claim.epoch < changes.epoch);
    if (old !== undefined) return `${old.id} is claimed by epoch ${old.claim?.epoch}, the epoch is ${changes.epoch}`;
    const late = pending.find(({ status, admittedAt }) => status !== 'running' && admittedAt < nowMs - BEHIND_MS);
    const isHeld = schedule.status === 'paused' && late?.origin === 'trigger';
    if (late !== undefined && !isHeld)
      return `${late.id} is ${late.status} since ${new Date(late.admittedAt).toISOString()}`;
    const { nextDue } = schedule;
    if (schedule.status === 'active' && nextDue !== undefined && nextDue < nowMs - BEHIND_MS)
      return `${id} is due since ${new Date(nextDue).toISOString()}`;
  }
  return undefined;
}
