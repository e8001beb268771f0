/**
 * Names, kinds, links and modes of what stands in `catalogue/`, and of the directories that lead to it (I15).
 */
import { DIRECTORIES, FILES, segmentOf } from '../bytes/names.js';
import type { FileLook, FileSource } from '../file-source.js';
import type { Findings } from '../finding.js';

const LOCKS = ['owner', 'state', 'roll-over'];
const LOCK_NAME = /^(owner|state|roll-over)\.(lock|db|db-journal|db-wal|db-shm)$/;
const IN_CATALOGUE: ReadonlySet<string> = new Set(
  [...DIRECTORIES, ...Object.values(FILES)].map((path) => path.replace(/^catalogue\/?/, '')),
);

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
/** The snapshot may have a second name, and a third one for a moment. */
const SNAPSHOT_NAMES = 3;

/** Finds what is missing, misplaced, unknown, or open to others; what stands in files is not looked at. @internal */
export async function checkPlaces(source: FileSource, findings: Findings): Promise<void> {
  const wrong = await checkDirectories(source, findings);
  const isBelowWrong = (path: string) => wrong.some((one) => path.startsWith(`${one}/`));
  for (const name of LOCKS.flatMap((lock) => [`${lock}.lock`, `${lock}.db`])) {
    const path = `catalogue/locks/${name}`;
    if (!isBelowWrong(path)) checkLock(path, await source.look(path), findings);
  }
  for (const path of [FILES.owner, FILES.head, FILES.store, FILES.failed]) {
    const look = isBelowWrong(path) ? undefined : await source.look(path);
    if (look !== undefined) judgeFile(path, look, findings);
  }
  for (const path of [FILES.snapshot, FILES.former]) {
    const look = isBelowWrong(path) ? undefined : await source.look(path);
    if (look?.kind === 'file') judgeMode(path, look, FILE_MODE, findings);
    if (look?.kind === 'file' && look.links > SNAPSHOT_NAMES) tellLinks(path, look, findings);
  }
  const names: readonly (readonly [string, (name: string) => boolean])[] = [
    ['catalogue', (name) => IN_CATALOGUE.has(name)],
    ['catalogue/locks', (name) => LOCK_NAME.test(name)],
    ['catalogue/tmp', (name) => name.endsWith('.tmp')],
    ['catalogue/journal', (name) => segmentOf(name) !== undefined],
  ];
  for (const [directory, isKnown] of names) {
    if (isBelowWrong(`${directory}/`)) continue;
    for (const name of (await source.list(directory)) ?? []) {
      if (!isKnown(name)) tellUnknown(`${directory}/${name}`, findings);
      else if (directory === 'catalogue/journal') await checkFile(source, `${directory}/${name}`, findings);
    }
  }
}

/** Judges a file that must be a regular one with one name; false where it cannot be read as such. @internal */
export async function checkFile(source: FileSource, path: string, findings: Findings): Promise<boolean> {
  const look = await source.look(path);
  return look !== undefined && judgeFile(path, look, findings);
}

/** Judges what must be a directory, if it is there. @internal */
export async function checkDirectory(
  source: FileSource,
  path: string,
  findings: Findings,
): Promise<'absent' | 'right' | 'wrong'> {
  const look = await source.look(path);
  if (look === undefined) return 'absent';
  if (look.kind !== 'directory') {
    tellPlace(path, look, 'directory', findings);
    return 'wrong';
  }
  judgeMode(path, look, DIRECTORY_MODE, findings);
  return 'right';
}

/** A name that nothing in use has. @internal */
export function tellUnknown(path: string, findings: Findings): void {
  findings.note(['I15', 'name'], { file: path, offset: 0 }, 'nothing in use has this name');
}

async function checkDirectories(source: FileSource, findings: Findings): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const path of DIRECTORIES) {
    if (wrong.some((one) => path.startsWith(`${one}/`))) continue;
    const look = await source.look(path);
    if (look === undefined) {
      findings.error(['I15', 'missing'], { file: path, offset: 0 }, 'the directory does not exist');
    } else if (look.kind !== 'directory') {
      tellPlace(path, look, 'directory', findings);
      wrong.push(path);
    } else if (path.startsWith('catalogue')) judgeMode(path, look, DIRECTORY_MODE, findings);
    else judgeOpen(path, look, findings);
  }
  return wrong;
}

function checkLock(path: string, look: FileLook | undefined, findings: Findings): void {
  if (look === undefined || !judgeFile(path, look, findings, true)) return;
  if (look.links === 1) return;
  findings.error(['I15', 'place'], { file: path, offset: 0 }, `the lock file has ${look.links} names`);
}

function judgeFile(path: string, look: FileLook, findings: Findings, isLock = false): boolean {
  if (look.kind !== 'file') {
    tellPlace(path, look, 'regular file', findings);
    return false;
  }
  judgeMode(path, look, FILE_MODE, findings);
  if (look.links > 1 && !isLock) tellLinks(path, look, findings);
  return true;
}

function tellPlace(path: string, { kind }: FileLook, expected: string, findings: Findings): void {
  const found = kind === 'link' ? 'it is a symbolic link' : `it is no ${expected}`;
  findings.error(['I15', 'place'], { file: path, offset: 0 }, found);
}

function tellLinks(path: string, { links }: FileLook, findings: Findings): void {
  findings.note(['I15', 'links'], { file: path, offset: 0 }, `the file has ${links} names`);
}

function judgeMode(path: string, { mode }: FileLook, expected: number, findings: Findings): void {
  if (mode === undefined || mode === expected) return;
  const found = `its mode is ${mode.toString(8).padStart(4, '0')}, it was made with ${expected.toString(8).padStart(4, '0')}`;
  findings.note(['I15', 'mode'], { file: path, offset: 0 }, found);
}

/** The root and the evidence may be shared on purpose; that anybody may write there is no purpose. */
function judgeOpen(path: string, { mode }: FileLook, findings: Findings): void {
  if (mode === undefined || (mode & 0o002) === 0) return;
  findings.note(['I15', 'mode'], { file: path, offset: 0 }, 'everybody may write in it');
}
