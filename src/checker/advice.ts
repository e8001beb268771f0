/**
 * What an operator can do about a finding, by what is damaged: one file that can be put back alone, something that
 * `everdue repair` makes anew, or the catalogue, whose files stand for one another.
 */
import type { WorkspaceFinding } from './finding.js';

const COPY = 'Stop every process that uses the workspace and keep a copy of it.';

const CATALOGUE =
  'Put the whole of catalogue/ back from a backup, not single files of it, and leave occurrences/ as it is: the evidence is intact, and keeps what ran since the backup from running again. Then, whether or not an owner has stopped with `catalogueBehind` yet: `everdue schedule accept-clock`';

const REPAIR = '`everdue repair` mends it, and keeps the bytes that it replaces.';

/** By rule, where the rule alone says what to do. */
const BY_RULE: Readonly<Record<string, string>> = {
  'I2 late': `Nothing is lost: the next roll-over puts a right one in its place. ${REPAIR} See that the locks of the file system hold.`,
  'I3 flush': `Mend the disk, then start an owner, which writes the journal anew before it goes on. ${REPAIR}`,
  'I3 close': 'Nothing reads these bytes; the segment goes with a later snapshot.',
  'I15 mode': `Others may read or write what only this user should. ${REPAIR}`,
  'I15 links': 'Find the other name of the file, and remove it: a write through it would damage the catalogue.',
  'I15 unreadable':
    'Give this user the right to read the workspace, or look at the log of the system where the disk fails.',
  'I16 head':
    'A power cut can lose the mark, since it is never flushed. See that the newest changes are there; the next commit, or `everdue repair`, writes the mark anew.',
  'I1 version': 'Use the version of everdue that wrote it, or a newer one.',
  'I2 version': 'Use the version of everdue that wrote it, or a newer one.',
  'I5 instant':
    'Both were run, and nothing can undo that: see what the second one did. Evidence that a person copied here looks the same.',
  'I10 foreign': 'Nothing is to be done: what ran before stays where it is, and was not run again.',
};

/** What can be done about a finding. @internal */
export function adviceOn({ invariant, rule, file, severity }: Omit<WorkspaceFinding, 'advice'>): string {
  const known = BY_RULE[`${invariant} ${rule}`];
  if (known !== undefined && (invariant !== 'I16' || severity === 'note')) return known;
  switch (invariant) {
    case 'I1':
      return file.endsWith('store.json')
        ? `${COPY} Restore store.json from any backup of this workspace: it never changes.`
        : `${COPY} ${CATALOGUE}`;
    case 'I2':
      return snapshotAdvice(file);
    case 'I13':
      return `${COPY} Put the file back from a backup that was made after its last record. Without one: ${CATALOGUE}`;
    case 'I14':
      return `${COPY} ${REPAIR}`;
    case 'I15':
      return placeAdvice(file, rule);
    case 'I10':
      return `The journal has lost what this evidence proves, or came from an older backup; nothing of it is run again. ${COPY} ${CATALOGUE}`;
    case 'I17':
    case 'I20':
      return 'Restore the directory of the attempt from a backup: the catalogue goes on without it, and nothing is run again.';
    case 'I18':
      return `${COPY} Put this file back from a backup: a document never changes, so any backup that has it will do.`;
    default:
      return severity === 'note'
        ? 'Nothing in use reads this file; keep a copy, and look after the disk.'
        : `${COPY} ${CATALOGUE}`;
  }
}

function snapshotAdvice(file: string): string {
  if (!file.endsWith('catalogue.prev.json')) return `${COPY} ${CATALOGUE}`;
  return 'The catalogue goes on without this file, which would stand in for a lost snapshot: look after the disk, and make a backup. Later snapshots leave it behind.';
}

function placeAdvice(file: string, rule: string): string {
  if (rule === 'missing') {
    return /[\\/](locks|tmp|quarantine)$/.test(file)
      ? 'Nothing of worth stood in it. `everdue repair` makes it anew.'
      : `${COPY} Restore the directory from a backup with what was in it. \`everdue repair\` makes it anew where nothing of it is missing.`;
  }
  if (rule === 'name') return `Move ${file} out of the workspace: nothing in use has this name.`;
  if (/[\\/]locks[\\/]/.test(file)) {
    return 'Stop every process that uses the workspace and remove it: the next one makes the lock file anew.';
  }
  if (/(owner\.json|head)$/.test(file)) {
    return 'Stop every process that uses the workspace and move it out of the catalogue: the file is written anew.';
  }
  return `${COPY} Put the file or directory itself in its place: the catalogue follows no links.`;
}
