/**
 * Door `everdue/testing`: contracts, manual clock, scripted execution, faulty store. Re-exports and nothing else.
 */
export { type Arbitrary, type ArbitrarySet, arbitraries, type FastCheck } from './arbitraries.js';
export { clockContract, type OpenClock } from './contracts/clock-contract.js';
export type { ContractCase } from './contracts/contract-case.js';
export { evidenceContract, type OpenEvidence } from './contracts/evidence-contract.js';
export { executionContract, type OpenExecution } from './contracts/execution-contract.js';
export { lockContract, type OpenLock } from './contracts/lock-contract.js';
export type { OpenStore } from './contracts/store/open-store.js';
export { storeContract } from './contracts/store-contract.js';
export { type FaultyStore, faultyStore, SimulatedCrash, type StoreCall, type StoreTrouble } from './faulty-store.js';
export { type Decided, type Given, given, type Surroundings } from './given.js';
export { type ManualClock, manualClock, type RunLimits, type Sleeper } from './manual-clock.js';
export {
  fails,
  held,
  hung,
  rejects,
  type ScriptedExecution,
  type ScriptedStep,
  type ScriptOptions,
  scriptedExecution,
  succeeds,
  succeedsUnverified,
} from './scripted-execution.js';
