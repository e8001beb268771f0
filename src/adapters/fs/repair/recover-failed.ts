/**
 * What an owner does at its start, and a repair, after a flush failed for good: every segment that counts is written anew (ST-4).
 *
 * The same file would not tell which of its pages never reached the medium, so each gets a fresh one. The mark that
 * stopped everybody is moved aside, not removed.
 */
import { join } from 'node:path';
import type { Disk } from '../disk/disk.js';
import type { CatalogueReader } from '../journal/catalogue-reader.js';
import { SegmentGrew, SegmentRenewal } from '../journal/segment-renewal.js';
import { type Layout, segmentOf, segmentPath } from '../layout.js';

/** Copies of one segment that are made before it is given up. */
const COPIES = 3;

/** Does nothing where no flush failed; `keptAs` names the mark in quarantine. The caller holds the state lock. @internal */
export async function recoverFailed(
  disk: Disk,
  layout: Layout,
  reader: CatalogueReader,
  keptAs = `store.failed-${disk.randomHex(8)}`,
): Promise<void> {
  if (disk.lookNow(layout.failed) === undefined) return;
  // Damage is found before anything is written.
  await reader.readAnew();
  const renewal = new SegmentRenewal(disk, layout);
  for (const name of (await disk.list(layout.journal)) ?? []) {
    const segment = segmentOf(name);
    if (segment !== undefined) await renewPatiently(renewal, segmentPath(layout, segment));
  }
  await reader.readAnew();
  await disk.rename(layout.failed, join(layout.quarantine, keptAs));
  await disk.flushDirectory(layout.catalogue);
}

/** Somebody whom the lock did not keep out may append meanwhile: then the copy is made again. */
async function renewPatiently(renewal: SegmentRenewal, path: string): Promise<void> {
  for (let copies = 1; ; copies++) {
    try {
      return await renewal.renew(path);
    } catch (error) {
      if (!(error instanceof SegmentGrew) || copies === COPIES) throw error;
    }
  }
}
