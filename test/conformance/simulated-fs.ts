/** The file store, lock and evidence on a simulated machine, opened as the contracts want it. */
import type { OpenEvidence } from '../../src/testing/contracts/evidence-contract.js';
import type { OpenLock } from '../../src/testing/contracts/lock-contract.js';
import type { OpenStore } from '../../src/testing/contracts/store/open-store.js';
import { type Between, SimulatedMachine } from './simulated-workspace.js';

/** A store. */
export async function simulatedStore(between?: Between): Promise<OpenStore> {
  const machine = new SimulatedMachine(between);
  const another = async () => (await machine.open()).store;
  const reopen = () => {
    machine.killAll();
    return another();
  };
  const cutPower = () => {
    machine.cutPower();
    return another();
  };
  const spoilWrites = async () => machine.spoilWrites();
  return { store: await another(), another, reopen, cutPower, spoilWrites, close: () => machine.close() };
}

/** A lock. */
export async function simulatedLock(between?: Between): Promise<OpenLock> {
  const machine = new SimulatedMachine(between);
  const another = async () => (await machine.open()).lock;
  const holdElsewhere = async () => {
    const elsewhere = await machine.openElsewhere();
    const held = await elsewhere.workspace.lock.acquire();
    if (held.kind !== 'acquired') throw new Error('the other process found it held');
    return { kill: async () => elsewhere.kill() };
  };
  const takeAway = () => machine.deleteOwnerLock();
  return { lock: await another(), another, holdElsewhere, takeAway, close: () => machine.close() };
}

/** Evidence. */
export async function simulatedEvidence(between?: Between): Promise<OpenEvidence> {
  const machine = new SimulatedMachine(between);
  const open = async () => (await machine.open()).evidence;
  const reopen = () => {
    machine.killAll();
    return open();
  };
  const cutPower = () => {
    machine.cutPower();
    return open();
  };
  return { evidence: await open(), reopen, cutPower, close: () => machine.close() };
}
