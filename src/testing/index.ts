/**
 * Door `everdue/testing`: contracts, manual clock, scripted execution, faulty stores and crashes, steps. Re-exports and nothing else.
 */
export { type ArbitrarySet, arbitraries } from './arbitraries.js';
export { clockContract, type OpenClock } from './contracts/clock-contract.js';
export type { CaseResult, ContractCase, ContractSubject } from './contracts/contract-case.js';
export { evidenceContract, type OpenEvidence } from './contracts/evidence-contract.js';
export { executionContract, type OpenExecution } from './contracts/execution-contract.js';
export { lockContract, type OpenLock } from './contracts/lock-contract.js';
export type { OpenStore } from './contracts/store/open-store.js';
export { storeContract } from './contracts/store-contract.js';
export { type CrashingWorkspace, type CrashPoint, crashingWorkspace, type WorkspaceCall } from './crash-workspace.js';
export type { Arbitrary, FastCheck } from './fast-check.js';
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
export type { ClientStep, SeenRevision } from './steps/client-step.js';
export { type PlayedSchedules, type PlayedStep, type PlayedWorld, playSteps } from './steps/play-steps.js';
