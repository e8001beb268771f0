/**
 * What a check finds without reading content: directories, lock files and the report of the owner, each where and what it
 * must be, so that nothing that a check lets pass fails in use (ST-3, ST-8).
 */
import { sep } from 'node:path';
import type { Disk, FileFacts } from './disk/disk.js';
import { directoriesOf, type Layout } from './layout.js';
import { misplaced } from './open-layout.js';

/** Something that stands in the wrong place, or does not stand where it must. @internal */
export interface PlaceFault {
  readonly path: string;
  readonly rule: 'missing' | 'place';
  readonly found: string;
  readonly advice: string;
}

/** Every fault of this kind; none of a workspace that does not exist. @internal */
export function placeFaults(disk: Disk, layout: Layout): readonly PlaceFault[] {
  if (disk.lookNow(layout.catalogue) === undefined) return [];
  const wrong = [...misplaced(disk, layout)].map(
    ({ path, found, hint }) => ({ path, rule: 'place', found, advice: hint }) as const,
  );
  const isBelowWrong = (path: string) => wrong.some((fault) => path.startsWith(fault.path + sep));
  return [
    ...wrong,
    ...directoriesOf(layout)
      .filter((path) => !isBelowWrong(path) && disk.lookNow(path) === undefined)
      .map(missingDirectory),
    ...filesOf(layout)
      .filter(([path]) => !isBelowWrong(path))
      .flatMap(([path, isLock]) => fileFault(path, disk.lookNow(path), isLock)),
  ];
}

function missingDirectory(path: string): PlaceFault {
  const advice =
    'Stop every process that uses the workspace, and restore the directory from a backup with what was in it.';
  return { path, rule: 'missing', found: 'the directory does not exist', advice };
}

/** Files that are opened as they are, and whether a file of more than one name is of no use there. */
function filesOf({ ownerLock, stateLock, rollOverLock, owner, head }: Layout): readonly (readonly [string, boolean])[] {
  const locks = [ownerLock, stateLock, rollOverLock].flatMap((path) => [path, path.replace(/\.lock$/, '.db')]);
  return [...locks.map((path) => [path, true] as const), [owner, false], [head, false]];
}

/** Lock files and reports that are missing are made when they are needed. */
function fileFault(path: string, facts: FileFacts | undefined, isLock: boolean): readonly PlaceFault[] {
  if (facts === undefined) return [];
  const advice = isLock
    ? 'Stop every process that uses the workspace and remove it: the next one makes the lock file anew.'
    : 'Stop every process that uses the workspace and move it out of the catalogue: the file is written anew.';
  if (facts.kind === 'link') return [{ path, rule: 'place', found: 'it is a symbolic link', advice }];
  if (facts.kind !== 'file') return [{ path, rule: 'place', found: 'it is no regular file', advice }];
  if (!isLock || facts.links === 1) return [];
  return [{ path, rule: 'place', found: `the lock file has ${facts.links} names`, advice }];
}
