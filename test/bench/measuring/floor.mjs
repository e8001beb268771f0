/**
 * Floors of durable work: the barest code that puts as many bytes on the same disk with as many flushes, and does nothing else.
 */

/**
 * Floors of durable work: the barest code that puts as many bytes on the same disk with as many flushes, and does nothing else.
 */
import fs from 'node:fs';
import { promisify } from 'node:util';

const write = promisify(fs.write);
const flush = promisify(fs.fdatasync);

/** A file that grows: `append` resolves when the bytes are on the disk. */
export function floorJournal(path) {
  const file = fs.openSync(path, 'ax');
  return {
    async append(bytes) {
      await write(file, bytes);
      await flush(file);
    },
    close: () => fs.closeSync(file),
  };
}

/** A journal whose appends share flushes: what comes while one is under way goes into the next one. */
export function groupJournal(path) {
  const journal = floorJournal(path);
  let waiting = [];
  let isDraining = false;
  const drain = async () => {
    isDraining = true;
    await undefined;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await journal.append(Buffer.concat(group.map(({ bytes }) => bytes)));
      for (const { resolve } of group) resolve();
    }
    isDraining = false;
  };
  return {
    append: (bytes) =>
      new Promise((resolve) => {
        waiting.push({ bytes, resolve });
        if (!isDraining) drain();
      }),
    close: journal.close,
  };
}

/** A line of JSON, as a floor would write it. */
export function line(value) {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}
