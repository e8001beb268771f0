/**
 * The judgement of a real folder: its bytes by the independent checker, its journal, and its catalogue as whoever opens it
 * finds it, all held against the log that was kept outside of it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { realDisk } from '../../../src/adapters/fs/disk/real-disk.js';
import { openWorkspace } from '../../../src/adapters/fs/file-workspace.js';
import { kernelLocks } from '../../../src/adapters/fs/locks/native-lock.js';
import { checkFiles } from '../../../src/checker/check-files.js';
import { folderSource } from '../../../src/checker/check-workspace.js';
import { judgeCatalogue, judgeJournal } from '../../sim/audit/audit.js';
import { catalogueIn, type FoundCatalogue } from '../../sim/audit/catalogue-reading.js';
import { walkJournal } from '../../sim/audit/journal-walk.js';
import type { Ledger } from '../../sim/audit/ledger.js';

/** Judges a workspace that nobody uses any more, after an owner has settled what others left; what was found in it. */
export async function judgeFolder(root: string, ledger: Ledger): Promise<FoundCatalogue | undefined> {
  judgeJournal(walkJournal(journalIn(root)), ledger);
  const acknowledged = [...ledger.commits.values()].sort((a, b) => a.seq - b.seq);
  const known = { effects: ledger.effects, acknowledged, isEvidenceKept: true, isRecovered: true };
  for (const { severity, invariant, rule, message, file } of await checkFiles(folderSource(root), known)) {
    if (severity === 'error') ledger.violate('ST-3', `the check finds ${invariant} ${rule} in ${file}: ${message}`);
  }
  try {
    const found = await readFolder(root);
    judgeCatalogue(found, ledger);
    return found;
  } catch (error) {
    ledger.violate('ST-3', `the catalogue cannot be read: ${String(error)}`);
    return undefined;
  }
}

/** The catalogue of a real folder. */
export async function readFolder(root: string): Promise<FoundCatalogue> {
  const workspace = await openWorkspace(root, {}, { disk: realDisk, openLock: await kernelLocks(realDisk) });
  try {
    return await catalogueIn(workspace.store);
  } finally {
    await workspace.close();
  }
}

function journalIn(root: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(join(root, 'catalogue/journal'));
  return new Map(
    names.map((name) => [`catalogue/journal/${name}`, readFileSync(join(root, 'catalogue/journal', name))]),
  );
}
