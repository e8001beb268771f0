/** How large a workspace is, and how much of it opening reads. */
import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { filesToRead } from '../startup/files-to-read.mjs';

/** Bytes of everything, of the journal, and of the files that opening reads. */
export async function sizeOf(path) {
  const all = await fs.readdir(path, { recursive: true });
  const journal = all.filter((name) => name.startsWith(join('catalogue', 'journal')));
  return {
    all: await bytesOf(all.map((name) => join(path, name))),
    journal: await bytesOf(journal.map((name) => join(path, name))),
    atOpen: await bytesOf(await filesToRead(path)),
  };
}

async function bytesOf(paths) {
  let sum = 0;
  for (const path of paths) sum += (await fs.stat(path)).size;
  return sum;
}
