/**
 * What happens to the files of a machine behind its back: a person, a backup or a broken disk changes them.
 */
import { layoutOf } from '../../src/adapters/fs/layout.js';
import type { SimMedium } from '../sim/disk/sim-medium.js';
import { AT } from '../sim/disk/workspace-on.js';

/** Names of the workspace of every machine. */
export const LAYOUT = layoutOf(AT);

/** Takes what the catalogue is made of away, and leaves its folders and locks; returns what brings it back. */
export function takeCatalogueAway(medium: SimMedium): () => void {
  const { journal, snapshot, head, store } = LAYOUT;
  const paths = [snapshot, head, store, ...(medium.list(journal) ?? []).map((name) => `${journal}/${name}`)];
  for (const [index, path] of paths.entries()) medium.rename(path, `${AT}/aside-${index}`);
  return () => {
    for (const [index, path] of paths.entries()) medium.rename(`${AT}/aside-${index}`, path);
  };
}

/** Copies the catalogue, without the evidence beside it; returns what puts the copy in its place. */
export function backUp(medium: SimMedium): () => void {
  const kept = medium.files(LAYOUT.catalogue);
  return () => {
    for (const path of medium.files(LAYOUT.catalogue).keys()) medium.unlink(`${LAYOUT.catalogue}/${path}`);
    for (const [path, bytes] of kept) put(medium, `${LAYOUT.catalogue}/${path}`, bytes);
  };
}

/** Puts other bytes in the place of a file; returns what puts its own back. */
export function spoil(medium: SimMedium, path: string, change: (bytes: Buffer) => Buffer): () => void {
  const bytes = bytesOf(medium, path);
  put(medium, path, change(bytes));
  return () => put(medium, path, bytes);
}

/** What a file holds. */
export function bytesOf(medium: SimMedium, path: string): Buffer {
  const bytes = medium.files(AT).get(path.slice(AT.length + 1));
  if (bytes === undefined) throw new Error(`${path} does not exist`);
  return bytes;
}

/** Files below a directory, and how long they are together. */
export function sizeOf(medium: SimMedium, path: string): { readonly files: number; readonly bytes: number } {
  const all = [...medium.files(path).values()];
  return { files: all.length, bytes: all.reduce((sum, { length }) => sum + length, 0) };
}

/** How many files processes have open. */
export function openFiles(medium: SimMedium): number {
  const newest = medium.open(LAYOUT.store, 'read');
  medium.close(newest);
  let count = 0;
  for (let handle = 1; handle < newest; handle++) if (medium.pathOf(handle) !== '?') count += 1;
  return count;
}

function put(medium: SimMedium, path: string, bytes: Buffer): void {
  medium.unlink(path);
  const file = medium.open(path, 'create');
  medium.write(file, bytes, 0);
  medium.flush(file);
  medium.close(file);
}
