/** Folders that live as long as the process, all on one disk. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = mkdtempSync(join(tmpdir(), 'everdue-bench-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));

let count = 0;

/** A path that nothing has yet, for a folder or a file. */
export function freshPath(name) {
  count += 1;
  return join(root, `${name}-${count}`);
}
