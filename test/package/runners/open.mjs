// What a user's tests open for each case of the store contract: ES modules.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryData, memoryWorkspace } from 'everdue';
import { fileWorkspace } from 'everdue/fs';

/** A store in memory. */
export async function openMemory() {
  const data = memoryData();
  const open = async () => memoryWorkspace({ data }).store;
  return { store: await open(), another: open, close: () => data.dispose() };
}

/** A store in a folder; nobody cuts the power of this machine for a test. */
export async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'everdue-runner-'));
  const opened = [];
  const open = async () => {
    const workspace = await fileWorkspace(folder);
    opened.push(workspace);
    return workspace.store;
  };
  const close = async () => {
    for (const workspace of opened) await workspace.close();
    await rm(folder, { recursive: true });
  };
  const waived = { survivesPowerLoss: 'the power of this machine is not cut' };
  return { store: await open(), another: open, reopen: open, waived, close };
}

/** A mutant: it tells history oldest first. */
export async function openMutant() {
  const { store, ...others } = await openMemory();
  const history = async (query) => {
    const page = await store.history(query);
    return { ...page, records: [...page.records].reverse() };
  };
  return {
    ...others,
    store: new Proxy(store, { get: (good, name) => (name === 'history' ? history : bound(good, name)) }),
  };
}

function bound(good, name) {
  return typeof good[name] === 'function' ? good[name].bind(good) : good[name];
}
