/**
 * What must hold after a disturbance: the next owner and the next client get on, and what they find stands against everything
 * that was told and done before, and against the independent checker.
 */
import { layoutOf } from '../../../src/adapters/fs/layout.js';
import { audit } from '../audit/audit.js';
import { LOSES_ALL } from '../disk/power-cut.js';
import type { Hook } from '../disk/sim-disk.js';
import { ROOT } from '../world/hosts.js';
import { codeOf } from '../world/sim-process.js';
import type { Bench, BenchProcess } from './bench.js';
import { declared, ensures, type Told, tells, triggers } from './told-calls.js';
import { MINUTE, type Transaction } from './transactions.js';

/** Refusals that a disturbed process may meet. */
export const EXPECTED: readonly string[] = [
  'SCHEDULE_STORE_UNAVAILABLE',
  'SCHEDULE_STORE_FAILED',
  'SCHEDULE_CONTENTION',
  'SCHEDULE_LOCK_LOST',
  'SCHEDULE_LOCK_HELD',
  'SCHEDULE_REVISION_CONFLICT',
  'SCHEDULE_WORK_PENDING',
  'SCHEDULE_NOT_APPLICABLE',
  'SCHEDULE_EXISTS',
  'SCHEDULE_NOT_FOUND',
];

/**
 * Has something done, by a client and an owner; the occurrence must have succeeded then. After a flush that failed for good,
 * the owner comes first.
 */
export async function getsOn(process: BenchProcess, request: string): Promise<void> {
  if (process.bench.medium.look(layoutOf(ROOT).failed) !== undefined) await process.schedules.owner().tick();
  await ensures(process, declared('probe'));
  await triggers(process, 'probe', request);
  await process.schedules.owner().tick();
  const id = `probe~1~m~${request}`;
  const { occurrence } = await process.schedules.get('probe', { occurrence: id });
  if (occurrence?.status !== 'succeeded')
    process.bench.ledger.violate('I19', `${id} was asked for and is ${occurrence?.status ?? 'gone'}`);
}

/** A process that takes over after a disturbance, with what it is to do. */
export function successor(
  bench: Bench,
  { how = {}, mend }: Transaction,
  name: string,
  hook?: Hook,
): { readonly process: BenchProcess; readonly work: () => Promise<void> } {
  const process = bench.process(name, { ...how, hook });
  const work = async () => {
    await mend?.(process);
    await process.open();
    await getsOn(process, name);
  };
  return { process, work };
}

/** Somebody reads everything: what is answered, others may act on, though nothing is committed. */
export async function readsAll(bench: Bench, { how = {} }: Transaction): Promise<void> {
  const process = bench.process('reader', how);
  const end = await process.does(async () => {
    const schedules = await process.open();
    for (const { id } of (await schedules.list()).schedules) {
      const { schedule, pending, history } = await schedules.get(id);
      const { revision, version } = schedule;
      const note = (more: Partial<Told>) => tells(process, 'get', id, async () => ({ revision, version, ...more }));
      for (const { id: occurrence } of pending) await note({ occurrence });
      for (const { id: occurrence } of history) await note({ occurrence, isEnding: true });
      await note({});
    }
  });
  const isAllowed = typeof end === 'object' && EXPECTED.includes(codeOf(end.refused));
  if (end !== 'done' && !isAllowed) bench.ledger.violate('ST-2', `a reader ${told(end)}`);
}

/** Lets the next process take over, cuts the power once more, and audits what is there. */
export async function judge(bench: Bench, transaction: Transaction, name = 'next'): Promise<void> {
  bench.time.pass(2 * MINUTE);
  const { process, work } = successor(bench, transaction, name);
  const end = await process.does(work);
  if (end !== 'done') {
    const how = typeof end === 'string' ? end : `was refused: ${told(end.refused)}`;
    bench.ledger.violate('I19', `the next process ${how}`);
  }
  bench.cutPower(LOSES_ALL);
  await audit(bench.medium, ROOT, bench.ledger, true);
}

/** An error, or how a process ended, as a person wants to see it. */
export function told(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'refused' in error) return `was refused: ${told(error.refused)}`;
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `; caused by ${told(error.cause)}`;
  const where = codeOf(error).startsWith('SCHEDULE_') ? '' : ` ${error.stack}`;
  return `${codeOf(error)}: ${error.message}${where}${cause}`;
}
