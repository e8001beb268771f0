/**
 * Disturbances of a transaction: its process dies at a step, its disk gives trouble there, or it is stopped there while another
 * owner, whom no lock keeps out, takes over. Each leaves worlds that are judged.
 */
import type { Effect, Hook, Step } from '../disk/sim-disk.js';
import { codeOf } from '../world/sim-process.js';
import type { Bench, BenchProcess } from './bench.js';
import { EXPECTED, getsOn, told } from './judge.js';
import { triggers } from './told-calls.js';
import { MINUTE, type Transaction } from './transactions.js';

/** What may happen. */
export type Kind = 'crash' | 'trouble' | 'takeover';

/** One disturbance: where, and what. */
export interface Disturbance {
  readonly kind: Kind;
  /** Names it among all of its transaction. */
  readonly label: string;
  readonly step: Step;
  readonly effect?: Effect;
  /** Steps that meet the effect. */
  readonly times?: number;
  /** Time that passes before another owner takes over (milliseconds). */
  readonly passesMs?: number;
}

/** Calls that change something on the disk: between two of them, a crash leaves the same. */
export const CHANGING: readonly Step['call'][] = [
  'write',
  'writeNow',
  'flush',
  'flushDirectory',
  'makeDirectory',
  'rename',
  'link',
  'unlink',
  'removeDirectory',
];

/** Codes that a call may fail with, as disks give them. */
const CODES: Readonly<Partial<Record<Step['call'], readonly string[]>>> = {
  write: ['ENOSPC', 'EIO'],
  writeNow: ['ENOSPC'],
  makeDirectory: ['ENOSPC', 'EACCES'],
  rename: ['EACCES', 'ENOSPC'],
  link: ['EACCES', 'ENOSPC'],
  open: ['EACCES', 'EIO'],
  list: ['EACCES'],
  look: ['EACCES'],
  unlink: ['EACCES'],
  removeDirectory: ['EACCES'],
};

/** Steps that a trouble lasts which does not go by at once. */
const LASTS = 25;

/** Every disturbance of a transaction with these steps. */
export function disturbancesOf(kind: Kind, steps: readonly Step[]): readonly Disturbance[] {
  if (kind === 'crash') return crashesOf(steps);
  return steps.flatMap((step) => (kind === 'trouble' ? troublesAt(step) : takeoversAt(step)));
}

/** Crashes before each step that changes something, in the middle of each write, and behind the last one. */
export function crashesOf(steps: readonly Step[]): readonly Disturbance[] {
  const changing = steps.filter(({ call }) => CHANGING.includes(call));
  const last = changing.at(-1);
  return [
    ...changing.flatMap((step) => [
      named('crash', step, 'dies before', { effect: { kind: 'crashBefore' } }),
      ...(step.bytes === undefined || step.isNow || step.bytes < 2
        ? []
        : [named('crash', step, 'dies within', { effect: { kind: 'crashWithin', written: step.bytes >> 1 } })]),
    ]),
    ...(last === undefined ? [] : [named('crash', last, 'dies behind', { effect: { kind: 'crashAfter' } })]),
  ];
}

function troublesAt(step: Step): readonly Disturbance[] {
  const { call, bytes = 0, isNow } = step;
  const codes = CODES[call] ?? ['EIO'];
  const fails = codes.map((code) => named('trouble', step, code, { effect: { kind: 'fail', code } }));
  const lasting = named('trouble', step, `${codes[0]} for a while`, { times: LASTS });
  const more: Disturbance[] = [];
  if (call === 'write' && bytes > 1 && !isNow)
    more.push(
      named('trouble', step, 'ENOSPC behind a half', { effect: { kind: 'fail', code: 'ENOSPC', written: bytes >> 1 } }),
    );
  if (call === 'flush')
    more.push(named('trouble', step, 'EIO, and evicted', { effect: { kind: 'fail', code: 'EIO', isEvicted: true } }));
  return [...fails, lasting, ...more];
}

function takeoversAt(step: Step): readonly Disturbance[] {
  if (step.isNow) return [];
  const long = named('takeover', step, 'is stopped for 90 s', { passesMs: 1.5 * MINUTE });
  const short = named('takeover', step, 'is stopped', { passesMs: 0 });
  const { call, bytes = 0 } = step;
  if (call !== 'write' || bytes < 2) return [short, long];
  const between = async () => {};
  const effect: Effect = { kind: 'inPieces', written: bytes >> 1, between };
  return [short, long, named('takeover', step, 'is stopped within', { passesMs: 0, effect })];
}

function named(kind: Kind, step: Step, what: string, more: Omit<Disturbance, 'kind' | 'label' | 'step'>): Disturbance {
  return { kind, label: `${what} at step ${step.number} (${step.call} ${step.path})`, step, ...more };
}

/** A process that is to make a transaction, whose steps count from the moment in which it begins. */
export function acting(
  bench: Bench,
  { how = {}, isOpening = false, act }: Transaction,
  hook: (process: BenchProcess) => Hook,
): { readonly process: BenchProcess; readonly work: () => Promise<void> } {
  let first: number | undefined = isOpening ? 0 : undefined;
  const process: BenchProcess = bench.process('acting', {
    ...how,
    hook: (step) => (first === undefined ? undefined : look({ ...step, number: step.number - first })),
  });
  const look = hook(process);
  const work = async () => {
    if (!isOpening) await process.open();
    first ??= process.disk.steps;
    await act(process);
  };
  return { process, work };
}

/** Makes a transaction, disturbed; what it came to must be what a caller may be told. */
export async function disturb(bench: Bench, transaction: Transaction, disturbance: Disturbance): Promise<void> {
  const { process, work } = acting(bench, transaction, (self) => hookOf(bench, transaction, disturbance, self));
  const end = await process.does(work);
  const { ledger } = bench;
  if (end === 'hangs') ledger.violate('ST-4', 'nothing comes of it');
  const isRefused = typeof end === 'object';
  if (isRefused && !EXPECTED.includes(codeOf(end.refused)))
    ledger.violate('ST-4', `it was refused: ${told(end.refused)}`);
  if (disturbance.kind === 'crash' && end !== 'ended') ledger.violate('test', `it was to die, and is ${String(end)}`);
  if (disturbance.kind === 'trouble') await goesOn(process, transaction);
}

function hookOf(bench: Bench, transaction: Transaction, disturbance: Disturbance, self: BenchProcess): Hook {
  const { kind, step, times = 1, effect, passesMs = 0 } = disturbance;
  if (kind === 'takeover') return takeoverHook(bench, transaction, self, { step, passesMs, effect });
  return (now) => {
    if (now.number < step.number || now.number >= step.number + times) return undefined;
    return effect ?? { kind: 'fail', code: (CODES[now.call] ?? ['EIO'])[0] as string };
  };
}

/** Stops a process at a step until another one has taken over; what else it does meanwhile waits too. */
function takeoverHook(
  bench: Bench,
  transaction: Transaction,
  self: BenchProcess,
  { step, passesMs, effect }: { step: Step; passesMs: number; effect: Effect | undefined },
): Hook {
  let taking: Promise<void> | undefined;
  const take = () => {
    self.isStopped = true;
    taking = takeOver(bench, transaction, passesMs).finally(() => {
      self.isStopped = false;
    });
    return taking;
  };
  return (now) => {
    if (now.isNow) return undefined;
    if (now.number === step.number && effect?.kind === 'inPieces') return { ...effect, between: take };
    if (now.number === step.number) return take().then(() => undefined);
    return self.isStopped ? taking?.then(() => undefined) : undefined;
  };
}

/**
 * Another process, whom no lock keeps out: it becomes the owner, has something done, tries the same as the first one, and leaves
 * an occurrence behind that no former owner may run.
 */
async function takeOver(bench: Bench, { how = {}, mend, act }: Transaction, passesMs: number): Promise<void> {
  bench.time.pass(passesMs);
  const other = bench.process('other', { ...how, passesLocks: true });
  try {
    await mend?.(other);
    const schedules = await other.open();
    await getsOn(other, 'other');
    const passOver = (error: unknown) => {
      if (![...EXPECTED, 'SCHEDULE_CLOSED'].includes(codeOf(error))) throw error;
    };
    await act(other).catch(passOver);
    await triggers(other, 'probe', 'left').catch(passOver);
    await schedules.close();
  } catch (error) {
    bench.ledger.violate('OW-5', `the process that takes over was refused: ${told(error)}`);
  }
}

/** The same process tries again once the trouble is over. */
async function goesOn(process: BenchProcess, { mend, isOpening = false }: Transaction): Promise<void> {
  const { ledger } = process.bench;
  let last: unknown;
  let isClosed = false;
  for (let tries = 1; tries <= LASTS + 2; tries++) {
    const end = await process.does(async () => {
      if (isOpening || isClosed) {
        await mend?.(process);
        await process.open();
      }
      await getsOn(process, `on${tries}`);
    });
    if (end === 'done') return;
    if (typeof end === 'string') return ledger.violate('ST-4', `after the trouble, it ${end}`);
    last = end.refused;
    isClosed ||= codeOf(last) === 'SCHEDULE_CLOSED';
    if (!isClosed && !EXPECTED.includes(codeOf(last))) break;
  }
  ledger.violate('ST-4', `after the trouble, it does not go on: ${told(last)}`);
}
