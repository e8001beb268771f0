/**
 * Roll-over: ended records go to history, the journal goes on in a new segment, and a snapshot stands for what was before.
 *
 * The `close` record is the moment that counts. The snapshot is a cache of the chain: an old one is harmless while the
 * segments behind it are kept, and those behind the snapshot before are, so that it can take the place of a lost one.
 */
import { join } from 'node:path';
import type { CatalogueState, PrunedRecords, PrunedThrough, StoredSchedule } from '../../replay/catalogue-state.js';
import type { Disk } from '../disk/disk.js';
import { copyBytes, hasNoLinks, putFile, withFile } from '../disk/new-file.js';
import { idOfName } from '../disk/safe-name.js';
import { storeError } from '../disk/trouble.js';
import { prunedBy, spareEvidence } from '../evidence/evidence-guard.js';
import type { EvidencePrune, OldEvidence } from '../evidence/evidence-prune.js';
import type { EvidenceRemoval } from '../evidence/evidence-removal.js';
import type { Documents } from '../history/documents.js';
import type { HistoryExport } from '../history/history-export.js';
import type { HistoryPrune, Prunable } from '../history/history-prune.js';
import { type Layout, segmentOf, segmentPath } from '../layout.js';
import { type JournalWriter, sealRecord } from './journal-writer.js';
import type { Replica } from './replica.js';
import { peekSegment, segmentOfSnapshot, writeSnapshot } from './snapshot.js';

/** A snapshot is due when the journal since the last one is longer than this and than half of it (bytes). @internal */
export const ROLL_OVER_BYTES = 256 * 1024;

/** What a roll-over works with. @internal */
export interface RollOverTools {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly writer: JournalWriter;
  readonly history: HistoryExport;
  readonly prune: HistoryPrune;
  readonly documents: Documents;
  readonly oldEvidence: EvidencePrune;
  readonly evidenceRemoval: EvidenceRemoval;
  /** Runs under the state lock with everything read and durable; nothing where, without the lock, somebody else was faster. */
  alone<T>(work: (replica: Replica) => Promise<T>): Promise<T | undefined>;
}

/** More ended records than this in memory make a snapshot due sooner: a burst may have outrun the last roll-over. */
const MOST_UNEXPORTED = 4096;

/** So many times what makes a snapshot due, and at least so much journal (bytes), cannot wait for a quiet moment. */
const URGENT_FACTOR = 4;
const URGENT_BYTES = 4 * 1_048_576;

/** What tells whether a snapshot is due. @internal */
export type RollOverSizes = Pick<Replica, 'journalBytes' | 'snapshotBytes'> & {
  readonly state: Pick<CatalogueState, 'unexported'>;
};

/** Whether a snapshot is due. @internal */
export function isRollOverDue({ journalBytes, snapshotBytes, state }: RollOverSizes): boolean {
  // What ended while the last one was under way is not in its snapshot's past, and may be more than a start should read.
  if (state.unexported > URGENT_FACTOR * MOST_UNEXPORTED) return true;
  const isCrowded = state.unexported > MOST_UNEXPORTED;
  return journalBytes > (isCrowded ? ROLL_OVER_BYTES : Math.max(ROLL_OVER_BYTES, snapshotBytes / 2));
}

/** Whether a snapshot that is due cannot be put off. @internal */
export function isRollOverUrgent({ journalBytes, snapshotBytes, state }: RollOverSizes): boolean {
  const isCrowded = state.unexported > URGENT_FACTOR * MOST_UNEXPORTED;
  return isCrowded || journalBytes > Math.max(URGENT_BYTES, (URGENT_FACTOR * snapshotBytes) / 2);
}

/**
 * Rolls over where it is due; the caller holds the roll-over lock, and commits go on beside it. Rejects where the disk
 * gives trouble: then the catalogue stands as it was, and the next attempt does what is left to do.
 *
 * @internal
 */
export async function rollOver(tools: RollOverTools): Promise<void> {
  const { disk, layout, writer, history, alone } = tools;
  // What goes to history is durable in the journal: else a record could be known there alone after a power cut.
  const before = await alone(async (replica) => {
    if (!isRollOverDue(replica)) return undefined;
    return { content: replica.state.content(), due: replica.state.schedulesToExport() };
  });
  if (before === undefined) return;
  const { content, due: exported } = before;
  await history.run(content, exported);
  const rolled = await alone(async (replica) => ({ replica, snapshot: await writer.roll(replica, content.seq) }));
  if (rolled === undefined || rolled.snapshot === 'raced') return;
  const { replica, snapshot } = rolled;
  await keepFormer(disk, layout);
  const bytes = await writeSnapshot(disk, layout.tmp, layout.snapshot, snapshot, snapshot.content, () =>
    refuseOvertaken(disk, layout, snapshot.segment),
  );
  // Between that look and the rename nothing keeps others out; the former snapshot counts then, and the next one is theirs.
  refuseOvertaken(disk, layout, snapshot.segment);
  replica.countFromSnapshot(snapshot.segment, bytes);
  await removeSegments(disk, layout);
  const nowMs = disk.lookNow(layout.snapshot)?.changedAtMs ?? 0;
  await pruneHistories(tools, exported, nowMs);
  await removeHistories(tools, replica);
  await alone((now) => collectDocuments(tools, now, nowMs));
  await removeEvidence(
    tools,
    exported.map(({ entry }) => entry.schedule.id),
    nowMs,
  );
}

/**
 * The snapshot that counts now becomes the former one; both names stand for it until the new one is in place. Where the former
 * one counts, since the other came too late, it stays.
 */
async function keepFormer(disk: Disk, layout: Layout): Promise<void> {
  if (disk.lookNow(segmentPath(layout, await peekSegment(disk, layout.snapshot))) === undefined) return;
  const temporary = join(layout.tmp, `${disk.randomHex(24)}.tmp`);
  try {
    await disk.link(layout.snapshot, temporary);
  } catch (error) {
    if (!hasNoLinks(error)) throw error;
    await withFile(disk, layout.snapshot, (from) =>
      putFile(disk, layout.tmp, layout.formerSnapshot, (to) => copyBytes(disk, from, to, disk.factsNow(from).bytes)),
    );
    return;
  }
  await disk.rename(temporary, layout.formerSnapshot);
  // Renaming one name of a file to another of the same file does nothing, the temporary one included.
  await disk.unlink(temporary);
  await disk.flushDirectory(layout.catalogue);
}

/** Without the lock, others may have rolled over meanwhile, and have removed what a snapshot of before them needs. */
function refuseOvertaken(disk: Disk, layout: Layout, segment: number): void {
  const path = segmentPath(layout, segment);
  if (disk.lookNow(path) === undefined) throw new Error(`${path} is gone: another process has rolled over since`);
}

/** Segments before the former snapshot, and before the one that counts, stand for nothing any more. */
async function removeSegments(disk: Disk, layout: Layout): Promise<void> {
  const segment = Math.min(
    await segmentOfSnapshot(disk, layout.formerSnapshot),
    await segmentOfSnapshot(disk, layout.snapshot),
  );
  for (const name of (await disk.list(layout.journal)) ?? []) {
    const number = segmentOf(name);
    if (number !== undefined && number < segment) await disk.unlink(segmentPath(layout, number));
  }
}

/** What goes is in the journal before it goes. */
async function pruneHistories(
  { history, prune, writer, alone }: RollOverTools,
  schedules: readonly StoredSchedule[],
  nowMs: number,
): Promise<void> {
  const prunable = await prune.find(schedules, nowMs);
  const { paths, pruned, records } = prunable;
  if (paths.length === 0) return;
  const isNoted = await alone((replica) => notePruned(writer, replica, pruned, ofSame(replica.state, records)));
  if (!isNoted) return;
  await prune.remove(prunable);
  history.forget(paths);
}

/** Those whose schedule was not removed, and made again, in the meantime. */
function ofSame(state: CatalogueState, records: Prunable['records']): readonly PrunedRecords[] {
  return records.flatMap(({ id, n, createdSeq }) => (state.schedule(id)?.createdSeq === createdSeq ? { id, n } : []));
}

async function notePruned(
  writer: JournalWriter,
  replica: Replica,
  all: readonly PrunedThrough[],
  allRecords: readonly PrunedRecords[] = [],
): Promise<boolean> {
  const { state } = replica;
  for (let start = 0; start < Math.max(all.length, allRecords.length); start += PRUNED_A_RECORD) {
    const pruned = all.slice(start, start + PRUNED_A_RECORD);
    const records = allRecords.slice(start, start + PRUNED_A_RECORD);
    const head = { seq: state.seq, prev: replica.hash, at: state.lastSeenAt };
    if ((await writer.append(replica, sealRecord({ ...head, kind: 'prune', pruned, records }))) === 'raced') {
      return false;
    }
    state.markPruned(pruned, records);
  }
  return true;
}

/** Schedules that one `prune` record names. */
const PRUNED_A_RECORD = 1000;

/** Histories whose schedule is gone: removing them right after its commit may have been cut short. */
async function removeHistories({ disk, layout, history }: RollOverTools, { state }: Replica): Promise<void> {
  const names = (await disk.list(layout.history)) ?? [];
  for (const [index, name] of names.entries()) {
    if (index > 0 && index % LOOKS_A_SLICE === 0) await disk.pause(0);
    const id = idOfName(name);
    if (id !== undefined && state.schedule(id) === undefined) await history.remove(id);
  }
}

/** Schedules, or names, that are looked at before other work has its turn. */
const LOOKS_A_SLICE = 1000;

/** Documents that nothing names, unless work of a former revision is pending whose document is not known here (ST-9). */
async function collectDocuments({ disk, documents }: RollOverTools, { state }: Replica, nowMs: number): Promise<void> {
  const named = new Set<string>();
  let count = 0;
  for (const { entry } of state.schedules()) {
    if (++count % LOOKS_A_SLICE === 0) await disk.pause(0);
    const { schedule, pending } = entry;
    if (pending.some(({ revision }) => revision !== schedule.revision)) return;
    named.add(schedule.definition.documentDigest);
  }
  await documents.collect(named, nowMs);
}

/**
 * Evidence that is too old, unless the catalogue still needs it; what was set aside is taken apart in any case (ST-9).
 * What cannot be removed keeps nothing else from going; the first trouble is thrown at the end.
 */
async function removeEvidence(tools: RollOverTools, busy: readonly string[], nowMs: number): Promise<void> {
  const { oldEvidence, evidenceRemoval } = tools;
  const errors: unknown[] = [];
  const old = await oldEvidence.find(busy, nowMs);
  if (old.length > 0) await evidenceRemoval.prepare();
  for (let start = 0; start < old.length; start += SET_ASIDE_AT_A_TIME) {
    errors.push(...(await setAside(tools, old.slice(start, start + SET_ASIDE_AT_A_TIME))));
  }
  errors.push(...(await evidenceRemoval.clear()));
  if (errors.length > 0) throw storeError(errors[0], 'removing old evidence', tools.layout.occurrences);
}

async function setAside(tools: RollOverTools, old: readonly OldEvidence[]): Promise<readonly unknown[]> {
  const { evidenceRemoval, alone, writer } = tools;
  const done = await alone(async (replica) => {
    const spare = spareEvidence(replica.state, old);
    if (spare.length === 0 || !(await notePruned(writer, replica, prunedBy(replica.state, spare)))) return undefined;
    return { spare, errors: await evidenceRemoval.setAside(spare) };
  });
  if (done === undefined) return [];
  await evidenceRemoval.settle(done.spare);
  return done.errors;
}

/** Directories that are renamed under the state lock before others have their turn. */
const SET_ASIDE_AT_A_TIME = 32;
