/**
 * Keeps the bytes that a repair replaces: a copy in `quarantine/`, made durable before anything is written in their place.
 */
import { basename, join } from 'node:path';
import type { EpochMs } from '../../../core/time/instant.js';
import { compactInstant } from '../../../core/time/instant.js';
import type { Disk } from '../disk/disk.js';
import { copyBytes, putFile, withFile } from '../disk/new-file.js';
import type { Layout } from '../layout.js';

/** Something that a repair did, or would do. @public */
export interface RepairAction {
  /** What was mended: the head mark, a snapshot, the copies after a failed flush, a mode, a leftover, a directory. */
  readonly kind: 'head' | 'snapshot' | 'failedFlush' | 'mode' | 'leftover' | 'directory';
  /** Absolute path of the file. */
  readonly file: string;
  /** What was done, for people. */
  readonly did: string;
  /** Where the bytes are kept that were replaced; absent where there were none, or in a rehearsal. */
  readonly keptAt?: string;
}

/** What the steps of a repair work with. @internal */
export interface RepairGround {
  readonly disk: Disk;
  readonly layout: Layout;
  /** The id of the workspace. */
  readonly workspace: string;
  /** When the repair is made; dates what is kept, and tells how old a leftover is. */
  readonly now: EpochMs;
  /** True: nothing is written. */
  readonly isRehearsal: boolean;
  /** Sets the permission bits of a file or directory, without following a link. */
  setMode(path: string, mode: number): Promise<void>;
}

/** The name in quarantine of what was found under a path. @internal */
export function keptName({ now }: RepairGround, path: string): string {
  return `${basename(path)}.${compactInstant(now)}`;
}

/** Keeps a copy of a file that is about to be replaced; the path of the copy, nothing where there is no file. @internal */
export async function keepBytes(ground: RepairGround, path: string): Promise<string | undefined> {
  const { disk, layout, isRehearsal } = ground;
  if (isRehearsal || disk.lookNow(path)?.kind !== 'file') return undefined;
  const kept = join(layout.quarantine, keptName(ground, path));
  await withFile(disk, path, (from) =>
    putFile(disk, layout.tmp, kept, (to) => copyBytes(disk, from, to, disk.factsNow(from).bytes)),
  );
  return kept;
}

/** An action with where the bytes before it are kept. @internal */
export function acted(action: Omit<RepairAction, 'keptAt'>, keptAt: string | undefined): RepairAction {
  return keptAt === undefined ? action : { ...action, keptAt };
}
