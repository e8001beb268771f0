/**
 * What owner processes and client processes of a simulation do, through the public face alone.
 */
import { openWorkspace } from '../../../src/adapters/fs/file-workspace.js';
import { openSchedulesIn } from '../../../src/open-schedules.js';
import type { Schedules } from '../../../src/runtime/client/face.js';
import type { Ledger } from '../audit/ledger.js';
import { deploy, makeCall } from './client-calls.js';
import { drawnExecution } from './drawn-execution.js';
import { codeOf, type SimProcess } from './sim-process.js';
import { toldStore } from './told-store.js';

/** Where the workspace of a simulation is. */
export const ROOT = '/machine/work';

/** Opens the schedules of the simulated workspace in a process, with a store that notes what it tells. */
export async function openIn(process: SimProcess, ledger: Ledger): Promise<Schedules> {
  const { historyKept, evidenceKept, concurrency } = process.machine.options;
  const { disk, clock, facts } = process;
  const workspace = await openWorkspace(
    ROOT,
    {
      retention: { perSchedule: historyKept },
      ...(evidenceKept > 0 ? { evidence: { keep: { newest: evidenceKept } } } : {}),
    },
    { disk, openLock: await process.locks(), warn: (error) => facts.warn(String(error), error) },
  );
  return openSchedulesIn(facts, {
    workspace: { ...workspace, store: toldStore(workspace.store, ledger, process.name) },
    execution: drawnExecution(process, ledger),
    clock,
    concurrency,
    randomId: () => process.randomId(),
    observer: (event) => {
      const isBehind = event.type === 'owner' && event.change === 'catalogueBehind';
      if (isBehind && ledger.restores === 0) ledger.violate('CO-6', event.detail);
      if (isBehind) ledger.catalogueStops += 1;
    },
  });
}

/** Owns the catalogue until it is asked to stop; ends with whatever ended the owner. */
export async function ownerProgram(process: SimProcess, ledger: Ledger): Promise<void> {
  const schedules = await openIn(process, ledger);
  const { drainSeconds, tickChance } = process.machine.options;
  const owner = schedules.owner({ drainSeconds });
  const { signal } = process.asked;
  if (!process.random.chance(tickChance)) await owner.run({ signal });
  else {
    for (let ticks = process.random.between(1, 8); ticks > 0 && !signal.aborted; ticks--) {
      await owner.tick({ signal }).catch(passOver('SCHEDULE_LOCK_HELD', 'SCHEDULE_ABORTED'));
      await process.sleep(process.random.spread(200, 30_000));
    }
  }
  await schedules.close();
}

/** Makes calls until it is asked to stop. */
export async function clientProgram(process: SimProcess, ledger: Ledger): Promise<void> {
  const schedules = await openIn(process, ledger);
  const { signal } = process.asked;
  if (process.machine.options.isRevised && process.random.chance(0.5)) await deploy(process, schedules, ledger);
  for (let calls = process.random.between(3, 60); calls > 0 && !signal.aborted; calls--) {
    await process.sleep(process.random.next() * 2 * process.machine.options.callEveryMs);
    await makeCall(process, schedules, ledger);
  }
  await schedules.close();
}

function passOver(...codes: readonly string[]): (error: unknown) => void {
  return (error) => {
    if (!codes.includes(codeOf(error))) throw error;
  };
}
