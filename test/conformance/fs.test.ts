/**
 * The workspace in a folder keeps the published contracts: between handles, after a reopening and between processes on a
 * real disk, and after power cuts and on a spoiled disk on a simulated one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileWorkspace } from '../../src/adapters/fs/index.js';
import type { Workspace } from '../../src/ports/workspace.js';
import { evidenceContract } from '../../src/testing/contracts/evidence-contract.js';
import { lockContract } from '../../src/testing/contracts/lock-contract.js';
import { storeContract } from '../../src/testing/contracts/store-contract.js';
import { keeps } from './keeps.js';
import { simulatedEvidence, simulatedLock, simulatedStore } from './simulated-fs.js';

const HOLDER = fileURLToPath(new URL('./hold-lock.mjs', import.meta.url));

/** The power of a machine that runs tests is not cut; the simulated one below is. */
const NO_POWER_CUT = {
  survivesPowerLoss: 'judged on a simulated machine',
  isDurable: 'judged on a simulated machine',
};

/** A new folder, with as many workspaces on it as a case asks for. */
async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'everdue-conformance-'));
  const opened: Workspace[] = [];
  const open = async () => {
    const workspace = await fileWorkspace(folder);
    opened.push(workspace);
    return workspace;
  };
  const close = async () => {
    for (const workspace of opened) await workspace.close();
    await rm(folder, { recursive: true });
  };
  return { folder, open, close };
}

/** Lets another process take the lock of a folder; resolves once it has it. */
async function holdElsewhere(folder: string) {
  const child = spawn(process.execPath, [HOLDER, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  const said = await Promise.race([once(child.stdout, 'data'), gone]);
  if (String(said[0]).trim() !== 'held') throw new Error(`the holder said ${String(said[0])}`);
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

keeps(
  'file store',
  'ST-5',
  storeContract(async () => {
    const { open, close } = await openFolder();
    const store = (await open()).store;
    const another = async () => (await open()).store;
    return { store, another, reopen: another, waived: NO_POWER_CUT, close };
  }),
  ['cutPower', 'spoilWrites'],
);

keeps(
  'file lock',
  'OW-1',
  lockContract(async () => {
    const { folder, open, close } = await openFolder();
    const another = async () => (await open()).lock;
    const takeAway = () => rm(join(folder, 'catalogue/locks/owner.lock'));
    return { lock: await another(), another, holdElsewhere: () => holdElsewhere(folder), takeAway, close };
  }),
  ['passTime'],
);

keeps(
  'file evidence',
  'OC-8',
  evidenceContract(async () => {
    const { open, close } = await openFolder();
    const reopen = async () => (await open()).evidence;
    return { evidence: await reopen(), reopen, waived: NO_POWER_CUT, close };
  }),
  ['cutPower'],
);

keeps(
  'file store on a simulated machine',
  'ST-2, ST-4, ST-5',
  storeContract(() => simulatedStore()),
);
keeps(
  'file lock on a simulated machine',
  'OW-1',
  lockContract(() => simulatedLock()),
  ['passTime'],
);
keeps(
  'file evidence on a simulated machine',
  'OC-3, OC-8, ST-2',
  evidenceContract(() => simulatedEvidence()),
);
