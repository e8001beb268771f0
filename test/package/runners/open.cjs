// The same for CommonJS: what is loaded are the CommonJS files of the package.
const { mkdtemp, rm } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { memoryData, memoryWorkspace } = require('everdue');
const { fileWorkspace } = require('everdue/fs');

async function openMemory() {
  const data = memoryData();
  const open = async () => memoryWorkspace({ data }).store;
  return { store: await open(), another: open, close: () => data.dispose() };
}

async function openFolder() {
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

async function openMutant() {
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

module.exports = { openMemory, openFolder, openMutant };
