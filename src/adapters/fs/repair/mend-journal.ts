/**
 * Mends what stands for the journal and can be made anew of it: a snapshot, the head mark, copies after a failed flush.
 *
 * Each is done only where the journal that it rests on was read whole by the rules of the store, on top of what the check
 * said. A record of the journal is never touched.
 */
import type { WorkspaceFinding } from '../../../checker/finding.js';
import { isScheduleError } from '../../../errors.js';
import { copyBytes, putFile, withFile } from '../disk/new-file.js';
import { CatalogueReader } from '../journal/catalogue-reader.js';
import { EMPTY_HEAD, HeadFile, type HeadMark } from '../journal/head-mark.js';
import { JournalWriter } from '../journal/journal-writer.js';
import { acted, keepBytes, keptName, type RepairAction, type RepairGround } from './kept-bytes.js';
import { recoverFailed } from './recover-failed.js';

/** What a walk along the journal found, by the rules of the store: the last commit that it met. */
interface Walked {
  readonly last: HeadMark | undefined;
}

/** Writes the segments anew after a flush that could not be undone, as an owner does at its start (ST-4). @internal */
export async function mendFailedFlush(ground: RepairGround): Promise<readonly RepairAction[]> {
  const { disk, layout, workspace, isRehearsal } = ground;
  if (disk.lookNow(layout.failed) === undefined || (await walk(ground, layout.snapshot)) === undefined) return [];
  const keptAs = keptName(ground, layout.failed);
  if (!isRehearsal) {
    const head = new HeadFile(disk, layout.head);
    const reader = new CatalogueReader(disk, { layout, workspace }, head);
    try {
      await recoverFailed(disk, layout, reader, keptAs);
    } finally {
      await reader.close();
      await head.close();
    }
  }
  const did = 'every segment of the journal was written anew, and the mark of the failed flush moved to quarantine';
  return [
    acted(
      { kind: 'failedFlush', file: layout.failed, did },
      isRehearsal ? undefined : `${layout.quarantine}/${keptAs}`,
    ),
  ];
}

/** Puts the snapshot before in the place of one that is damaged, or the other way round; both stand for the catalogue. @internal */
export async function mendSnapshots(
  ground: RepairGround,
  findings: readonly WorkspaceFinding[],
): Promise<readonly RepairAction[]> {
  const { snapshot, formerSnapshot } = ground.layout;
  const isDamaged = (file: string) =>
    findings.some((finding) => finding.file === file && SNAPSHOT.has(finding.invariant));
  if (isDamaged(snapshot)) return replaceSnapshot(ground, snapshot, formerSnapshot);
  return isDamaged(formerSnapshot) ? replaceSnapshot(ground, formerSnapshot, snapshot) : [];
}

/** Invariants that a snapshot can break. */
const SNAPSHOT: ReadonlySet<string> = new Set(['I1', 'I2', 'I14']);

async function replaceSnapshot(ground: RepairGround, file: string, by: string): Promise<readonly RepairAction[]> {
  const { disk, layout, isRehearsal } = ground;
  const kind = disk.lookNow(file)?.kind;
  if ((kind !== undefined && kind !== 'file') || (await walk(ground, by)) === undefined) return [];
  const kept = await keepBytes(ground, file);
  if (!isRehearsal) {
    await withFile(disk, by, (from) =>
      putFile(disk, layout.tmp, file, (to) => copyBytes(disk, from, to, disk.factsNow(from).bytes)),
    );
  }
  const did = `a copy of ${by} was put in its place: the journal since then is whole`;
  return [acted({ kind: 'snapshot', file, did }, kept)];
}

/** Writes the head mark anew, where it is lost and nothing says that the journal was cut short. @internal */
export async function mendHead(
  ground: RepairGround,
  findings: readonly WorkspaceFinding[],
): Promise<readonly RepairAction[]> {
  const { disk, layout, isRehearsal } = ground;
  const isLost = findings.some(({ invariant, severity }) => invariant === 'I16' && severity === 'note');
  const isShort = findings.some(({ invariant, severity }) => invariant === 'I10' && severity === 'error');
  const kind = disk.lookNow(layout.head)?.kind;
  if (!isLost || isShort || (kind !== undefined && kind !== 'file')) return [];
  const walked = (await walk(ground, layout.formerSnapshot)) ?? (await walk(ground, layout.snapshot));
  if (walked?.last === undefined) return [];
  const { last } = walked;
  const kept = await keepBytes(ground, layout.head);
  if (!isRehearsal) await markAnew(ground, last);
  const did = `the journal was made durable, and commit ${last.seq}, its last, marked anew`;
  return [acted({ kind: 'head', file: layout.head, did }, kept)];
}

/** A mark says that everything up to it is durable, so that is seen to first. */
async function markAnew({ disk, layout, workspace }: RepairGround, last: HeadMark): Promise<void> {
  await putFile(disk, layout.tmp, layout.head, EMPTY_HEAD);
  const head = new HeadFile(disk, layout.head);
  const reader = new CatalogueReader(disk, { layout, workspace }, head);
  try {
    const replica = await reader.readAnew();
    const secured = await new JournalWriter(disk, layout, head).secure(replica);
    if (secured === 'secured') await head.write({ ...last, end: replica.hash });
  } finally {
    await reader.close();
    await head.close();
  }
}

/** Reads the journal from a snapshot on, by the rules of the store; nothing where they refuse it. */
async function walk({ disk, layout, workspace }: RepairGround, snapshot: string): Promise<Walked | undefined> {
  if (disk.lookNow(snapshot) === undefined) return undefined;
  const head = new HeadFile(disk, layout.head);
  const reader = new CatalogueReader(disk, { layout: { ...layout, snapshot }, workspace }, head);
  try {
    const { lastCommit } = await reader.readAnew();
    return { last: lastCommit };
  } catch (error) {
    if (isScheduleError(error, 'SCHEDULE_CATALOGUE_CORRUPT') || isScheduleError(error, 'SCHEDULE_CATALOGUE_VERSION')) {
      return undefined;
    }
    throw error;
  } finally {
    await reader.close();
    await head.close();
  }
}
