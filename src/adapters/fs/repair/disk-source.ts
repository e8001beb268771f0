/**
 * The files of a disk as a check reads them, so that a check and a repair look at the same bytes, real or simulated.
 */
import { join } from 'node:path';
import { type CheckOptions, checkFiles } from '../../../checker/check-files.js';
import type { FileSource } from '../../../checker/file-source.js';
import type { WorkspaceFinding } from '../../../checker/finding.js';
import type { Disk, FileFacts } from '../disk/disk.js';
import { SLICE_BYTES } from '../disk/line-reader.js';
import { codeOf } from '../disk/trouble.js';

/** Every finding of a workspace on a disk; files are named with their whole path. @internal */
export async function checkWorkspaceOn(
  disk: Disk,
  root: string,
  options?: CheckOptions,
): Promise<readonly WorkspaceFinding[]> {
  const found = await checkFiles(diskSource(disk, root), options);
  return found.map((finding) => ({
    ...finding,
    file: finding.file.startsWith('(') ? finding.file : join(root, finding.file),
  }));
}

function diskSource(disk: Disk, root: string): FileSource {
  return {
    list: async (path) => {
      const isDirectory = (await looked(disk, join(root, path)))?.kind === 'directory';
      return isDirectory ? disk.list(join(root, path)) : undefined;
    },
    read: (path) => slicesOf(disk, join(root, path)),
    look: (path) => looked(disk, join(root, path)),
  };
}

async function looked(disk: Disk, path: string): Promise<FileFacts | undefined> {
  try {
    return await disk.look(path);
  } catch (error) {
    // A part of the path is a file.
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

async function* slicesOf(disk: Disk, path: string): AsyncGenerator<Uint8Array, void, void> {
  const file = await disk.open(path, 'read');
  try {
    const slice = Buffer.allocUnsafe(SLICE_BYTES);
    for (let position = 0; ; ) {
      const got = await disk.read(file, slice, position);
      if (got === 0) return;
      position += got;
      yield slice.subarray(0, got);
    }
  } finally {
    await disk.close(file);
  }
}
