/**
 * Counts flushes of this process, by standing in for every function of `node:fs` that makes one.
 *
 * It must be imported before anything that may keep those functions; a module that is imported first runs first.
 */
import fs from 'node:fs';
import { open } from 'node:fs/promises';

let flushes = 0;

for (const name of ['fsync', 'fdatasync', 'fsyncSync', 'fdatasyncSync']) countCalls(fs, name);
const handle = await open(new URL(import.meta.url));
for (const name of ['sync', 'datasync']) countCalls(Object.getPrototypeOf(handle), name);
await handle.close();

function countCalls(holder, name) {
  const original = holder[name];
  holder[name] = function counted(...given) {
    flushes += 1;
    return original.apply(this, given);
  };
}

/** Flushes since the process began. */
export function flushCount() {
  return flushes;
}
