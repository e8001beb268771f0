/**
 * The check of a workspace in a folder: reads it slice by slice, follows no links, and changes nothing (ST-3, ST-8).
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, read, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, parse, resolve, sep } from 'node:path';
import { checkFiles } from './check-files.js';
import type { FileLook, FileSource } from './file-source.js';
import type { WorkspaceFinding } from './finding.js';

/** Bytes read at a time. */
const SLICE_BYTES = 256 * 1024;
const IS_WINDOWS = process.platform === 'win32';

/**
 * Every finding of a workspace; none means that all that is stored is whole. Reads only, also beside an owner at work and
 * on a medium that is mounted read-only.
 *
 * @remarks The check knows the format and nothing of the store: it reads, replays and judges with code of its own.
 * @public
 */
export async function checkWorkspace(path: string): Promise<readonly WorkspaceFinding[]> {
  const root = resolve(path);
  const found = await checkFiles(folderSource(root));
  const above = linksAbove(root);
  return [...above, ...found.map((finding) => placed(finding, root))];
}

/** The files of a folder. @internal */
export function folderSource(root: string): FileSource {
  const at = (path: string) => join(root, path);
  return {
    async list(path) {
      try {
        return lstatSync(at(path)).isDirectory() ? await readdir(at(path)) : undefined;
      } catch (error) {
        return absent(error);
      }
    },
    read: (path) => slicesOf(at(path)),
    look(path) {
      try {
        const stat = lstatSync(at(path), { throwIfNoEntry: false });
        return stat === undefined ? undefined : lookOf(stat);
      } catch (error) {
        return absent(error);
      }
    },
  };
}

async function* slicesOf(path: string): AsyncGenerator<Uint8Array, void, void> {
  // Opening must not wait, whatever has taken the place of a file.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    // Most files are histories that one slice holds: one byte more than a file has shows its end without another reading.
    const slice = Buffer.allocUnsafe(Math.min(SLICE_BYTES, fstatSync(file).size + 1));
    for (let position = 0; ; ) {
      const got = await readInto(slice, file, position);
      position += got;
      if (got > 0) yield slice.subarray(0, got);
      if (got < slice.length) return;
    }
  } finally {
    closeSync(file);
  }
}

function readInto(slice: Buffer, file: number, position: number): Promise<number> {
  return new Promise((resolved, rejected) => {
    read(file, slice, 0, slice.length, position, (error, got) => (error === null ? resolved(got) : rejected(error)));
  });
}

function absent(error: unknown): undefined {
  const { code } = error as { readonly code?: unknown };
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  throw error;
}

function lookOf(stat: Stats): FileLook {
  const kind = stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : stat.isSymbolicLink() ? 'link' : 'other';
  const facts = { kind, bytes: stat.size, links: stat.nlink, identity: `${stat.dev}:${stat.ino}` } as const;
  return IS_WINDOWS ? facts : { ...facts, mode: stat.mode & 0o777 };
}

/** Links on the way to the root: whoever moves one takes the catalogue along. */
function linksAbove(root: string): readonly WorkspaceFinding[] {
  const { root: top } = parse(root);
  const parts = root.slice(top.length).split(sep).filter(Boolean);
  const found: WorkspaceFinding[] = [];
  for (let length = 1; length < parts.length; length++) {
    const file = top + parts.slice(0, length).join(sep);
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
    const advice = 'Name the directory itself: no link may lead to a catalogue.';
    const message = 'it is a symbolic link';
    found.push({ severity: 'error', file, offset: 0, invariant: 'I15', rule: 'place', message, advice });
  }
  return found;
}

/** A finding with the absolute path of its file. */
function placed(finding: WorkspaceFinding, root: string): WorkspaceFinding {
  const { file } = finding;
  if (file.startsWith('(')) return finding;
  const path = file.startsWith(root) ? file : join(root, file);
  return { ...finding, file: path, advice: finding.advice.replace(`Move ${file} `, `Move ${path} `) };
}
