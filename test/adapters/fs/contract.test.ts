/** The file adapters against the published contracts of their ports. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { realDisk } from '../../../src/adapters/fs/disk/real-disk.js';
import { evidenceContract } from '../../../src/testing/contracts/evidence-contract.js';
import { lockContract } from '../../../src/testing/contracts/lock-contract.js';
import { storeContract } from '../../../src/testing/contracts/store-contract.js';
import { emptyRoot, namesOf, openAt } from './ground.js';

/** Rules that the clauses of each port belong to. */
const RULES = { S: 'ST-1, ST-2, ST-5', L: 'OW-1', E: 'OC-8' } as const;

async function openStore() {
  const root = emptyRoot();
  const { store, close } = await openAt(root);
  return {
    store,
    another: async () => (await openAt(root)).store,
    reopen: async () => (await openAt(root)).store,
    close,
  };
}

async function openLock() {
  const root = emptyRoot();
  const { lock, close } = await openAt(root);
  return {
    lock,
    another: async () => (await openAt(root)).lock,
    holdElsewhere: () => holdInProcess(namesOf(root).ownerLock),
    close,
  };
}

async function openEvidence() {
  const root = emptyRoot();
  const { evidence, close } = await openAt(root);
  return { evidence, reopen: async () => (await openAt(root)).evidence, close };
}

/** Another process that takes the kernel lock on a file and keeps it. */
async function holdInProcess(path: string): Promise<{ kill(): Promise<void> }> {
  const script = `
    const fs = require('node:fs');
    const { tryLock } = require('fs-native-extensions');
    console.log(tryLock(fs.openSync(process.argv[1], 'r+')) ? 'held' : 'busy');
    setInterval(() => {}, 60_000);
  `;
  const child: ChildProcess = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [first] = (await once(child.stdout as NodeJS.ReadableStream, 'data', {
    signal: AbortSignal.timeout(10_000),
  })) as [Buffer];
  expect(first.toString().trim()).toBe('held');
  return {
    async kill() {
      const exit = once(child, 'exit', { signal: AbortSignal.timeout(10_000) });
      child.kill('SIGKILL');
      await exit;
    },
  };
}

describe('file store', () => {
  for (const { clause, title, run } of storeContract(openStore)) it(`[${RULES.S}] ${clause}: ${title}`, run);
});

describe('file owner lock', () => {
  for (const { clause, title, run } of lockContract(openLock)) it(`[${RULES.L}] ${clause}: ${title}`, run);
});

describe('file evidence', () => {
  for (const { clause, title, run } of evidenceContract(openEvidence)) it(`[${RULES.E}] ${clause}: ${title}`, run);
});

describe('the disk of this machine', () => {
  it('[ST-8] new files have mode 0600 and directories 0700, whatever the umask', async () => {
    const root = emptyRoot();
    const before = process.umask(0o177);
    try {
      for (const umask of [0o000, 0o177]) {
        process.umask(umask);
        const file = await realDisk.open(`${root}/file-${umask}`, 'create');
        expect(realDisk.factsNow(file).mode).toBe(0o600);
        await realDisk.close(file);
        await realDisk.makeDirectory(`${root}/directory-${umask}`);
        expect(realDisk.lookNow(`${root}/directory-${umask}`)?.mode).toBe(0o700);
      }
    } finally {
      process.umask(before);
    }
  });
});
