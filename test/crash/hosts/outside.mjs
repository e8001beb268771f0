// What every host of these tests does alike: it opens the workspace, and writes down outside of it what it was told.
//
// The log is opened for appending and each line is one write, so that lines of several processes never mix. A kill in the middle
// of a write leaves a part of a line, so each begins on a fresh one. What stands there was known to somebody; what does not stand
// there was perhaps never told.
import { createHash } from 'node:crypto';
import { openSync, writevSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inProcess, openSchedules } from 'everdue';
import { fileWorkspace } from 'everdue/fs';

/** The one argument of a host. */
export const given = JSON.parse(process.argv[2] ?? '{}');

const log = openSync(given.log, 'a');

/** While it is on nothing is written down: what is done then is done elsewhere, to have everything loaded. */
export const rehearsal = { isOn: false };

/** Writes a line into the log, with a system call that the store does not use: tests of these may make the others fail. */
export function note(line) {
  if (rehearsal.isOn) return;
  const text = JSON.stringify({ by: given.name, atMs: Date.now(), ...line });
  writevSync(log, [Buffer.from(`\n${text}\n`)]);
}

/** Tells the parent. */
export function tell(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Codes that promise that nothing was committed. */
export const NOTHING_COMMITTED = [
  'SCHEDULE_STORE_UNAVAILABLE',
  'SCHEDULE_CONTENTION',
  'SCHEDULE_ABORTED',
  'SCHEDULE_CLOSED',
];

/** Opens the workspace; where `isLocked` is false, every lock of this process is taken by everybody who asks. */
export async function open(observer = () => {}, path = given.workspace) {
  if (given.isLocked === false) switchLocksOff();
  const workspace = await fileWorkspace(path, { retention: { perSchedule: given.perSchedule ?? 1000 } });
  return openSchedules({
    workspace: { ...workspace, close: () => workspace.close(), store: toldStore(workspace.store) },
    execution: inProcess({ providers: { outside: { kinds: { 'outside/1': { run } } } } }),
    concurrency: given.concurrency ?? 3,
    observer,
  });
}

function switchLocksOff() {
  const native = createRequire(import.meta.url)('fs-native-extensions');
  native.tryLock = () => true;
  native.unlock = () => {};
}

/** The store, noting what its callers are told; each commit has an actor of its own, by which it can be found. */
function toldStore(store) {
  let tries = 0;
  return {
    capabilities: store.capabilities,
    changes: (since, options) => store.changes(since, options),
    history: (query, options) => store.history(query, options),
    document: (digest, options) => store.document(digest, options),
    watch: (onChange) => store.watch(onChange),
    close: () => store.close(),
    async commit(batch, options) {
      tries += 1;
      const actor = `${given.name}/${process.pid}/${tries}`;
      try {
        const result = await store.commit({ ...batch, actor }, options);
        if (result.kind === 'committed') note({ is: 'commit', seq: result.seq, hash: result.hash });
        else note({ is: 'notCommitted', actor, found: result.kind });
        return result;
      } catch (error) {
        if (NOTHING_COMMITTED.includes(error.code)) note({ is: 'notCommitted', actor, found: error.code });
        throw error;
      }
    },
  };
}

/** A handler: leaves its line outside, then is at work for a while, and fails now and then. */
async function run(document, { occurrence, attempt, fencingToken, signal }) {
  note({ is: 'effect', occurrence, attempt, fencingToken });
  tell({ effect: occurrence });
  const chance = chanceOf(`${occurrence} ${attempt}`);
  await pause(chance() < 0.7 ? chance() * 15 : chance() * (document.workMs ?? 200), signal);
  if (chance() < (document.failing ?? 0)) throw new Error('a handler of this test fails');
  return { attempt };
}

/** Numbers in 0..1 that follow from a text. */
export function chanceOf(text) {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${given.seed} ${text} ${count}`).digest().readUInt32LE(0) / 2 ** 32;
  };
}

/** Waits, or rejects as soon as the signal fires. */
export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
