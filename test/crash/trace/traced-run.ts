/**
 * One run with a system call that fails: a host works until it is done, gives up or is killed; a second one without a tracer
 * finishes what is left, and the files are held against what both were told and did.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ledger, type Violation } from '../../sim/audit/ledger.js';
import type { Random } from '../../sim/random.js';
import { spawnHost } from '../child-host.js';
import { judgeFolder } from '../loop/judge.js';
import { readOutsideLog } from '../loop/outside-log.js';
import { attach, type Injection } from './strace.js';

/** Path of the journal below the folder of a run. */
const JOURNAL = 'work/catalogue/journal/00000001.jsonl';

/** What came of a run. */
export interface TracedReport {
  readonly injection: Injection;
  /** How the traced host ended: its exit code, or null where it was killed. */
  readonly ended: number | null;
  /** Calls that it was refused. */
  readonly refused: number;
  readonly violations: readonly Violation[];
}

/**
 * Calls that the store makes while such a host works, and how often. Node itself writes to wake its threads, so calls of
 * `write` are meant for the journal alone.
 */
const CALLS: readonly (readonly [calls: string, most: number, path?: string])[] = [
  ['openat', 48],
  ['mkdir', 13],
  ['write', 5, JOURNAL],
  ['fdatasync', 12],
  ['fsync', 19],
  ['rename', 9],
  ['pread64', 10, JOURNAL],
  ['pwrite64', 14],
];

/** Injections that are spread over all kinds of calls. */
export function drawInjections(random: Random, count: number): readonly Injection[] {
  return Array.from({ length: count }, (_, index) => {
    const [calls, most, path] = CALLS[index % CALLS.length] as (typeof CALLS)[number];
    const does = random.of(['EIO', 'ENOSPC', 'KILL'] as const);
    return { calls, does, when: random.between(1, most), ...(path === undefined ? {} : { path }) };
  });
}

/** Makes a run. See the head of this file. */
export async function tracedRun(hosts: string, injection: Injection): Promise<TracedReport> {
  const folder = mkdtempSync(join(tmpdir(), 'everdue-traced-'));
  const [workspace, log] = [join(folder, 'work'), join(folder, 'outside.log')];
  const ledger = new Ledger(() => 0, 1000);
  const given = { workspace, log, seed: 'traced' };
  const script = join(hosts, 'traced-host.mjs');
  const only = injection.path === undefined ? {} : { path: join(folder, injection.path) };
  const traced = { ...given, name: 'traced', warmUp: join(folder, 'warm'), isTraced: true };
  // One thread, so that calls are counted together.
  const host = spawnHost(script, [JSON.stringify(traced)], { under: ['env', 'UV_THREADPOOL_SIZE=1'] });
  await host.heard(({ ready }) => ready === true);
  const tracer = await attach(host.pid, { ...injection, ...only });
  host.signal('SIGUSR2');
  const ended = await host.ended;
  await tracer.ended;
  if (ended !== 0 && ended !== 3 && injection.does !== 'KILL') ledger.violate('ST-4', `the host ended with ${ended}`);
  const second = await spawnHost(script, [JSON.stringify({ ...given, name: 'second' })]).ended;
  if (second !== 0) ledger.violate('I19', `without faults, the next host ended with ${second}`);
  readOutsideLog(log, ledger);
  await judgeFolder(workspace, ledger);
  const refused = [...ledger.refusals.values()].reduce((sum, count) => sum + count, 0);
  if (ledger.violations.length === 0) rmSync(folder, { recursive: true });
  return { injection, ended, refused, violations: ledger.violations };
}
