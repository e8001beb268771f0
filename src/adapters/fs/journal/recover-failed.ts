/**
 * What an owner does at its start after a flush failed for good: every segment that counts is written anew (ST-4).
 *
 * The same file would not tell which of its pages never reached the medium, so each gets a fresh one. The mark that
 * stopped everybody is moved aside, not removed.
 */
import { join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import { type Layout, segmentOf, segmentPath } from '../layout.js';
import type { CatalogueReader } from './catalogue-reader.js';
import type { JournalWriter } from './journal-writer.js';

/** Does nothing where no flush failed. The caller holds the state lock. @internal */
export async function recoverFailed(
  disk: Disk,
  layout: Layout,
  writer: JournalWriter,
  reader: CatalogueReader,
): Promise<void> {
  if (disk.lookNow(layout.failed) === undefined) return;
  // Damage is found before anything is written.
  await reader.readAnew();
  for (const name of (await disk.list(layout.journal)) ?? []) {
    const segment = segmentOf(name);
    if (segment !== undefined) await writer.renew(segmentPath(layout, segment));
  }
  await reader.readAnew();
  await disk.rename(layout.failed, join(layout.quarantine, `store.failed-${disk.randomHex(8)}`));
  await disk.flushDirectory(layout.catalogue);
}
