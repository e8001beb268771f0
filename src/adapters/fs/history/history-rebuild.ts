/**
 * Writes the end of a history anew, where a process before wrote lines and died, or failed, before the journal said that
 * they are there (ST-2, ST-6).
 *
 * Of such lines a power cut may have left any, and a flush of them may have failed without telling the next one. So whatever
 * whole lines there are go to fresh files together with all that must be there, in order; nothing whole is left out.
 */
import { dirname, join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { putFile } from '../disk/new-file.js';
import type { Layout } from '../layout.js';
import {
  HISTORY_FILE_BYTES,
  type HistoryFile,
  type HistoryKind,
  historyFileName,
  linesIn,
  orderIn,
} from './history-file.js';

/** A line: the commit, the number, the bytes with the newline. @internal */
export interface HistoryEntry {
  readonly seq: number;
  readonly n: number;
  readonly bytes: Buffer;
}

/** Files whose lines are written anew, oldest first, with the whole lines in them. @internal */
export interface UnsureFiles {
  readonly files: readonly (HistoryFile & { readonly bytes: number })[];
  readonly lines: readonly HistoryEntry[];
}

/** Files that hold whole lines of commits from `inMemory` on, which nobody said are durable; nothing where none does. @internal */
export async function unsureFiles(
  disk: Disk,
  all: readonly HistoryFile[],
  inMemory: number,
): Promise<UnsureFiles | undefined> {
  const files: (HistoryFile & { readonly bytes: number })[] = [];
  const lines: HistoryEntry[] = [];
  for (const [index, file] of all.entries()) {
    const next = all[index + 1];
    if (next !== undefined && next.firstSeq < inMemory) continue;
    const bytes = disk.lookNow(file.path)?.bytes ?? 0;
    files.push({ ...file, bytes });
    const found = await linesIn(disk, file, (seq) => seq >= inMemory);
    for (const line of found.lines) {
      lines.push({ ...orderIn(file.path, line), bytes: Buffer.concat([line.bytes, Buffer.from('\n')]) });
    }
  }
  return lines.some(({ seq }) => seq >= inMemory) ? { files, lines } : undefined;
}

/** Writes unsure files anew with these entries; what stands in them is in the new ones too. Rejects where they grow meanwhile. @internal */
export async function rebuildHistory(
  disk: Disk,
  layout: Layout,
  kind: HistoryKind,
  { files, lines }: UnsureFiles,
  entries: readonly HistoryEntry[],
): Promise<void> {
  const directory = dirname(files[0]?.path ?? '');
  const written = new Set<string>();
  const judge = (): void => {
    for (const { path, bytes } of files) {
      const now = disk.lookNow(path)?.bytes;
      if (!written.has(path) && now !== bytes) throw new Error(`${path} was changed by another process meanwhile`);
    }
  };
  for (const batch of packed([...lines, ...entries])) {
    const path = join(directory, historyFileName(kind, batch[0]?.seq ?? 0));
    await putFile(disk, layout.tmp, path, Buffer.concat(batch.map(({ bytes }) => bytes)), judge);
    written.add(path);
  }
  judge();
  for (const { path } of files) if (!written.has(path)) await disk.unlink(path);
}

/** Lines in order, each once, in as many files as it takes; lines of one commit stay together. */
function packed(all: readonly HistoryEntry[]): readonly (readonly HistoryEntry[])[] {
  const unique = new Map(all.map((entry) => [entry.bytes.toString('latin1'), entry]));
  const sorted = [...unique.values()].sort((a, b) => a.n - b.n || a.seq - b.seq);
  const files: HistoryEntry[][] = [];
  let size = 0;
  for (const entry of sorted) {
    const open = files.at(-1);
    const isFull = size + entry.bytes.length > HISTORY_FILE_BYTES && open?.at(-1)?.seq !== entry.seq;
    if (open === undefined || isFull) files.push([entry]);
    else open.push(entry);
    size = open === undefined || isFull ? entry.bytes.length : size + entry.bytes.length;
  }
  return files;
}
