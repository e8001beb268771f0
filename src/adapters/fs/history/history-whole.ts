/**
 * What the files of a history must agree with (ST-3): their schedule, its counts, and what is still in memory.
 *
 * Records have numbers without gaps, and pruning takes whole files from the oldest on and leaves the number of the last
 * record that it took. So what is left goes from there without a gap to the newest record that was moved to files, and
 * anything less is damage, never a shorter history.
 */
import type { EndedRecord, LateVerdict, StoredSchedule } from '../../replay/catalogue-state.js';
import type { Disk } from '../disk/disk.js';
import { corrupt } from '../disk/trouble.js';
import { type HistoryFile, type IsOnItsWay, linesIn, RESTORE_FILE, recordIn } from './history-file.js';

/** What is in memory of a schedule at one commit. @internal */
export interface HistorySource {
  /** The newest commit. */
  readonly seq: number;
  readonly stored: StoredSchedule;
  readonly ended: readonly EndedRecord[];
  readonly lateVerdicts: readonly LateVerdict[];
}

/** Whether a commit is not in files for certain: its lines are in memory, or it is newer than what is known here. @internal */
export function isOnItsWay({ seq }: HistorySource, inMemory: readonly { readonly seq: number }[]): IsOnItsWay {
  const oldest = inMemory[0]?.seq ?? seq + 1;
  return (of) => of >= oldest;
}

/** A record with the place behind it. */
interface Found {
  readonly record: EndedRecord;
  readonly path: string;
  readonly end: number;
}

/**
 * Every record in the files of a history that is not in memory, by number, whatever the order of the lines. Throws
 * `SCHEDULE_CATALOGUE_CORRUPT`.
 *
 * @internal
 */
export async function wholeRecords(
  disk: Disk,
  directory: string,
  files: readonly HistoryFile[],
  source: HistorySource,
): Promise<ReadonlyMap<number, EndedRecord>> {
  const { entry, exported, prunedRecords = 0 } = source.stored;
  const isComing = isOnItsWay(source, source.ended);
  const found = new Map<number, Found>();
  for (const file of files) {
    const { path } = file;
    for (const line of (await linesIn(disk, file, isComing)).lines) {
      const record = recordIn(path, line, entry.schedule.id);
      if (record.n <= exported) found.set(record.n, { record, path, end: line.offset + line.bytes.length + 1 });
    }
    await disk.pause(0);
  }
  for (let n = exported; n > prunedRecords; n--) {
    if (!found.has(n)) throw gap(found, n, files[0]?.path ?? directory);
  }
  return new Map([...found].map(([n, { record }]) => [n, record]));
}

function gap(found: ReadonlyMap<number, Found>, missing: number, otherwise: string): Error {
  let before: Found | undefined;
  for (const one of found.values()) {
    if (one.record.n < missing && one.record.n > (before?.record.n ?? 0)) before = one;
  }
  const place = { file: before?.path ?? otherwise, offset: before?.end ?? 0 };
  return corrupt(
    { ...place, rule: 'history', found: `record ${missing} of the history must stand here` },
    RESTORE_FILE,
  );
}
