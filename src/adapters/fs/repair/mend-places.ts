/**
 * Mends names and modes: directories that hold nothing of worth, modes that let others in, what a crash left in `tmp/`.
 */
import { join } from 'node:path';
import type { WorkspaceFinding } from '../../../checker/finding.js';
import { makeLockFiles } from '../open-layout.js';
import type { RepairAction, RepairGround } from './kept-bytes.js';

/** A temporary file that is younger may be on its way to its name: documents are written before a commit takes a lock. */
const LEFTOVER_AFTER_MS = 3_600_000;

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/** Makes directories anew whose content is of no worth, or of which nothing is missing. @internal */
export async function mendDirectories(
  { disk, layout, isRehearsal }: RepairGround,
  findings: readonly WorkspaceFinding[],
): Promise<readonly RepairAction[]> {
  const isLost = (invariant: string) => findings.some((finding) => finding.invariant === invariant);
  const empty = [
    layout.tmp,
    layout.quarantine,
    ...(isLost('I13') ? [] : [layout.history]),
    ...(isLost('I18') ? [] : [layout.documents]),
    ...(isLost('I17') || isLost('I20') ? [] : [layout.occurrences]),
  ];
  const actions: RepairAction[] = [];
  for (const file of empty) {
    if (disk.lookNow(file) !== undefined) continue;
    if (!isRehearsal) await disk.makeDirectory(file);
    actions.push({ kind: 'directory', file, did: 'the directory was made anew; nothing of it is missing' });
  }
  if (!isRehearsal && actions.length > 0) {
    for (const path of [layout.catalogue, layout.root]) await disk.flushDirectory(path);
  }
  return actions;
}

/**
 * Makes the directory of the locks anew with the files in it. Whoever holds a file of the removed one finds that it is not the
 * file in its place, and the epoch fences it, as where one lock file was removed. But it may be at work until then, so
 * nothing else is mended in its company (OW-1, OW-5).
 *
 * @internal
 */
export async function mendLocks({ disk, layout, isRehearsal }: RepairGround): Promise<readonly RepairAction[]> {
  if (!isRehearsal) {
    await disk.makeDirectory(layout.locks);
    await makeLockFiles(disk, layout);
    await disk.flushDirectory(layout.catalogue);
  }
  const did =
    'the directory was made anew with its lock files; nothing else was looked into, since a process may hold a removed one: repair again';
  return [{ kind: 'directory', file: layout.locks, did }];
}

/** Gives files and directories of the catalogue the modes that they were made with (ST-8). @internal */
export async function mendModes(
  ground: RepairGround,
  findings: readonly WorkspaceFinding[],
): Promise<readonly RepairAction[]> {
  const { disk, layout, isRehearsal } = ground;
  const actions: RepairAction[] = [];
  for (const { invariant, rule, file } of findings) {
    const isInside = file === layout.catalogue || file.startsWith(join(layout.catalogue, '/'));
    if (invariant !== 'I15' || rule !== 'mode' || !isInside) continue;
    const facts = disk.lookNow(file);
    if (facts?.kind !== 'file' && facts?.kind !== 'directory') continue;
    const mode = facts.kind === 'file' ? FILE_MODE : DIRECTORY_MODE;
    if (!isRehearsal) await ground.setMode(file, mode);
    const [from, to] = [facts.mode, mode].map((bits) => bits.toString(8).padStart(4, '0'));
    actions.push({ kind: 'mode', file, did: `its mode was changed from ${from} to ${to}` });
  }
  return actions;
}

/** Removes what writers that died left in `tmp/`: it never had the name that it was made for. @internal */
export async function removeLeftovers({
  disk,
  layout,
  now,
  isRehearsal,
}: RepairGround): Promise<readonly RepairAction[]> {
  const actions: RepairAction[] = [];
  for (const name of (await disk.list(layout.tmp)) ?? []) {
    const file = join(layout.tmp, name);
    const facts = await disk.look(file);
    if (facts?.kind !== 'file' || !name.endsWith('.tmp') || now - facts.changedAtMs < LEFTOVER_AFTER_MS) continue;
    if (!isRehearsal) await disk.unlink(file);
    actions.push({ kind: 'leftover', file, did: `a temporary file of ${facts.bytes} bytes was removed` });
  }
  return actions;
}
