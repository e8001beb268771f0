/**
 * The end of a simulation: owners and an operator, and no faults. What is owed must be done, and new work must be done.
 */
import { type FoundCatalogue, readCatalogue } from '../audit/catalogue-reading.js';
import type { Ledger } from '../audit/ledger.js';
import { PROVIDER } from './drawn-execution.js';
import { openIn, ROOT } from './hosts.js';
import type { SimMachine } from './sim-machine.js';
import { codeOf, type SimProcess } from './sim-process.js';
import type { Supervisor } from './supervisor.js';

const MINUTE = 60_000;

/** Longest time until new work is done, and until all that is owed is. */
const LONGEST_MS = 90 * MINUTE;

/** See the head of this file. */
export async function comeToRest(machine: SimMachine, ledger: Ledger, supervisor: Supervisor): Promise<void> {
  const { scheduler } = machine;
  supervisor.startAll((name) => name.startsWith('owner'));
  const done = { isDone: false };
  const operator = (process: SimProcess) => operate(process, ledger, done);
  machine.start('operator', operator, (_, error) => {
    if (error !== undefined) ledger.violate('I19', `the operator ended with ${codeOf(error)}`);
  });
  const until = scheduler.now + LONGEST_MS;
  if (!(await scheduler.runUntil(() => done.isDone || ledger.violations.length > 0, until))) {
    ledger.violate('I19', 'an owner makes no progress: new work was not done');
    return;
  }
  let owed: string | undefined;
  for (let at = scheduler.now; at < until; at = scheduler.now) {
    await scheduler.runUntil(() => ledger.violations.length > 0, at + MINUTE);
    if (ledger.violations.length > 0) return;
    owed = owedIn(await readCatalogue(machine.medium, ROOT), machine.wallNow());
    if (owed === undefined) return;
  }
  ledger.violate('I19', `what is owed is not done: ${owed}`);
}

/** Accepts the clock, opens the gate, and has something done. */
async function operate(process: SimProcess, ledger: Ledger, done: { isDone: boolean }): Promise<void> {
  const schedules = await openPatiently(process, ledger);
  const { occurrence } = await patiently(process, async () => {
    await schedules.gate.resume();
    await schedules.ensure({
      id: 'liveness',
      objective: 'See that owners get on',
      document: { version: 'drawn/1' },
      allowedProviders: [PROVIDER],
      trigger: { kind: 'manual' },
    });
    return schedules.trigger('liveness', { requestId: 'last' });
  });
  await patiently(process, async () => {
    if ((await schedules.status()).clockStop !== undefined) {
      ledger.acceptances += 1;
      await schedules.acceptClock();
    }
    await schedules.waitFor(occurrence);
  });
  for (;;) {
    done.isDone = true;
    await process.sleep(10_000, 'looks');
    if ((await schedules.status()).clockStop === undefined) continue;
    ledger.acceptances += 1;
    await schedules.acceptClock();
  }
}

async function openPatiently(process: SimProcess, ledger: Ledger) {
  return patiently(process, () => openIn(process, ledger));
}

/** Tries again what may work later; a store that failed works again once an owner has started. */
async function patiently<T>(process: SimProcess, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!['SCHEDULE_STORE_FAILED', 'SCHEDULE_CONTENTION', 'SCHEDULE_STORE_UNAVAILABLE'].includes(codeOf(error)))
        throw error;
      await process.sleep(1000, 'tries again soon');
    }
  }
}

/** What is owed and not done yet; nothing where all is. */
function owedIn({ changes, schedules }: FoundCatalogue, nowMs: number): string | undefined {
  for (const [id, { stored }] of schedules) {
    const { schedule, pending } = stored.entry;
    const old = pending.find(({ claim }) => claim !== undefined && claim.epoch < changes.epoch);
    if (old !== undefined) return `${old.id} is claimed by epoch ${old.claim?.epoch}, the epoch is ${changes.epoch}`;
    if (schedule.status !== 'active' || schedule.quarantine !== undefined) continue;
    const { nextDue } = schedule;
    if (nextDue !== undefined && nextDue < nowMs - MINUTE)
      return `${id} is due since ${new Date(nextDue).toISOString()}`;
    const late = pending.find(({ status, admittedAt }) => status === 'queued' && admittedAt < nowMs - 45 * MINUTE);
    if (late !== undefined) return `${late.id} is queued since ${new Date(late.admittedAt).toISOString()}`;
  }
  return undefined;
}
