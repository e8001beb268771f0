/** Which files of a workspace opening has to read: the snapshot and the journal behind it, not what is kept of older ones. */
import { promises as fs } from 'node:fs';
import { join } from 'node:path';

/** Paths, the snapshot first; it is absent in a new workspace. */
export async function filesToRead(path) {
  const catalogue = join(path, 'catalogue');
  const snapshot = join(catalogue, 'catalogue.json');
  const text = await fs.readFile(snapshot, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const first = text === undefined ? 0 : Number(/"segment":(\d+)/.exec(text)?.[1]);
  if (Number.isNaN(first)) throw new Error(`${snapshot} names no segment; the benchmark must learn the new format`);
  const segments = (await fs.readdir(join(catalogue, 'journal'))).filter((name) => Number.parseInt(name, 10) >= first);
  const journal = segments.sort().map((name) => join(catalogue, 'journal', name));
  return text === undefined ? journal : [snapshot, ...journal];
}
