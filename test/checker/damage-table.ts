/**
 * One damage, at least, for every invariant: how it is done, and what the check must say of it. Here: what stands beside the
 * journal, and what was logged outside of the workspace.
 */
import { JOURNAL_DAMAGES } from './damage-journal.js';
import { type DamageRow, forged, found, JOURNAL, lastSegment, onFiles } from './damage-row.js';
import { Forger, type Loose, reseal, sealed } from './forger.js';
import type { MemoryFiles } from './memory-files.js';

const logs: readonly DamageRow[] = [
  {
    invariant: 'I11',
    what: 'an attempt ran twice',
    phase: 'interrupted',
    file: '(effects)',
    rule: 'effect',
    damage: () => ({ effects: [1, 1].map((attempt) => ({ occurrence: 'by-hand~1~m~Order-1', attempt })) }),
  },
  {
    invariant: 'I11',
    what: 'an attempt ran that nobody claimed',
    phase: 'interrupted',
    file: '(effects)',
    rule: 'effect',
    damage: () => ({ effects: [{ occurrence: 'hangs~1~m~never', attempt: 1 }] }),
  },
  {
    invariant: 'I12',
    what: 'an acknowledged commit is not there',
    phase: 'interrupted',
    file: '(acknowledged)',
    rule: 'acknowledged',
    damage: () => ({ acknowledged: [{ seq: 99_999, hash: 'a'.repeat(64) }] }),
  },
  {
    invariant: 'I12',
    what: 'an acknowledged commit is another one',
    phase: 'interrupted',
    file: '(acknowledged)',
    rule: 'acknowledged',
    damage: () => ({ acknowledged: [{ seq: 3, hash: 'a'.repeat(64) }] }),
  },
  {
    invariant: 'I20',
    what: 'the evidence of a deleted schedule is gone',
    phase: 'interrupted',
    file: 'occurrences/left',
    rule: 'evidence',
    damage: (files) => {
      new Forger(files).write();
      files.remove('occurrences/left');
      return { isEvidenceKept: true };
    },
  },
];

/** Attempt directories of a schedule, in order. */
function attemptsOf(files: MemoryFiles, schedule: string): readonly string[] {
  const dispatches = files
    .files()
    .filter((path) => path.startsWith(`occurrences/${schedule}/`) && path.endsWith('/dispatch.json'));
  return dispatches.map((path) => path.replace(/\/dispatch\.json$/, ''));
}

function firstAttempt(files: MemoryFiles, schedule: string): string {
  return attemptsOf(files, schedule)[0] ?? '';
}

const evidence: readonly DamageRow[] = [
  onFiles('I10', 'an attempt directory has no claim', 'attempt-9', 'dispatch', (files) => {
    const first = firstAttempt(files, 'by-hand');
    files.duplicate(first, first.replace('attempt-1', 'attempt-9'));
  }),
  onFiles('I10', 'an empty attempt directory has no claim', 'attempt-9', 'claim', (files) => {
    files.makeDirectory(firstAttempt(files, 'by-hand').replace('attempt-1', 'attempt-9'));
  }),
  onFiles('I10', 'evidence names another commit', 'dispatch.json', 'lost', (files) => {
    const path = `${firstAttempt(files, 'hangs')}/dispatch.json`;
    files.put(path, files.text(path).replace(/"hash": "[0-9a-f]{64}"/, `"hash": "${'b'.repeat(64)}"`));
  }),
  onFiles('I10', 'evidence of nobody', 'stranger', 'stray', (files) => {
    const directory = 'occurrences/stranger/manual/stranger~1~m~x/attempt-1';
    files.makeDirectory(directory);
  }),
  onFiles(
    'I10',
    'the last claim is cut off, and the head is lost with it',
    'dispatch.json',
    'lost',
    (files) => {
      const path = lastSegment(files);
      const all = files.lines(path);
      const claim = all.findLastIndex((line) => line.includes('"status":"running"'));
      files.put(path, all.slice(0, claim).join(''));
      files.remove('catalogue/head');
    },
    { phase: 'collected' },
  ),
  onFiles('I10', 'the record of a dispatch is no JSON', 'dispatch.json', 'json', (files) => {
    files.put(`${firstAttempt(files, 'by-hand')}/dispatch.json`, 'x');
  }),
  onFiles('I17', 'the result of a success is gone', 'result.json', 'result', (files) => {
    files.remove(`${firstAttempt(files, 'minutely')}/result.json`);
  }),
  onFiles('I17', 'the result is another one', 'result.json', 'result', (files) => {
    const path = `${firstAttempt(files, 'minutely')}/result.json`;
    files.put(path, files.text(path).replace('"bytes": ', '"bytes": 1'));
  }),
  onFiles('I17', 'the evidence of a success is gone', 'occurrences/Retries', 'evidence', (files) => {
    files.remove('occurrences/Retries');
  }),
  onFiles('I17', 'the attempt that succeeded is gone', 'occurrences/Retries', 'evidence', (files) => {
    files.remove(attemptsOf(files, 'Retries').find((path) => path.endsWith('attempt-2')) ?? '');
  }),
  forged('I17', 'a success was never verified', 'verification', (forger) => {
    const { row } = found(forger.occurrences(), ({ row: one }) => one['status'] === 'succeeded');
    row['verification'] = { ...(row['verification'] as Loose), isVerified: false };
  }),
];

function historyFiles(files: MemoryFiles, schedule: string): readonly string[] {
  return files.files().filter((path) => path.startsWith(`catalogue/history/${schedule}/`));
}

/**
 * Writes the first record of a history once more behind the others, as after a crash, with members of its occurrence changed.
 * The journal that said what it is goes.
 */
export function writeAgain(files: MemoryFiles, schedule: string, change: Loose): void {
  files.remove('catalogue/catalogue.prev.json');
  const [path = ''] = historyFiles(files, schedule);
  const [first = ''] = files.lines(path);
  const record = JSON.parse(first.slice(65)) as Loose;
  const occurrence = { ...(record['occurrence'] as Loose), ...change };
  files.put(path, files.text(path) + sealed({ ...record, occurrence }));
}

/** The first document of the catalogue. */
function documentOf(files: MemoryFiles): string {
  return files.files().find((path) => path.startsWith('catalogue/documents/')) ?? '';
}

const rolled = { phase: 'rolledOver' } as const;

const beside: readonly DamageRow[] = [
  onFiles(
    'I13',
    'a line of a history is dropped',
    'history/late',
    'history',
    (files) => {
      const [path = ''] = historyFiles(files, 'late');
      files.put(path, files.lines(path).toSpliced(2, 1).join(''));
    },
    rolled,
  ),
  onFiles(
    'I13',
    'a history is lost',
    'history/late',
    'history',
    (files) => {
      files.remove('catalogue/history/late');
    },
    rolled,
  ),
  onFiles(
    'I13',
    'the oldest file is lost, as if it had been pruned',
    'history/bulk',
    'history',
    (files) => {
      files.remove(historyFiles(files, 'bulk')[0] ?? '');
    },
    rolled,
  ),
  onFiles(
    'I13',
    'a record is another one',
    'history/late',
    'history',
    (files) => {
      const [path = ''] = historyFiles(files, 'late');
      const all = files.lines(path);
      files.put(path, all.with(1, all[0] ?? '').join(''));
    },
    rolled,
  ),
  onFiles(
    'I13',
    'a record that is written again is another one then',
    'history/bulk',
    'history',
    (files) => writeAgain(files, 'bulk', { admittedAt: '2020-01-01T00:00:00.000Z' }),
    rolled,
  ),
  onFiles(
    'I13',
    'the verdicts are lost',
    'history/hangs',
    'verdict',
    (files) => {
      files.remove(historyFiles(files, 'hangs').find((path) => path.includes('verdicts-')) ?? '');
    },
    rolled,
  ),
  onFiles(
    'I5',
    'an occurrence is in the history twice',
    'history/late',
    'twice',
    (files) => {
      const [path = ''] = historyFiles(files, 'late');
      const all = files.lines(path);
      const [first, second] = all.slice(0, 2).map((line) => JSON.parse(line.slice(65)) as Loose);
      files.put(path, all.with(1, sealed({ ...second, occurrence: first?.['occurrence'] })).join(''));
    },
    rolled,
  ),
  onFiles('I14', 'the snapshot says something else than the journal', 'catalogue.json', 'snapshot', (files) => {
    reseal(files, 'catalogue/catalogue.json', (body) => body.replace('"skipsInRow":0', '"skipsInRow":5'));
  }),
  onFiles('I14', 'the snapshot lacks a schedule', 'catalogue.json', 'snapshot', (files) => {
    reseal(files, 'catalogue/catalogue.json', (body) => body.split('\n').toSpliced(1, 1).join('\n'));
  }),
  onFiles('I15', 'a directory is lost', 'catalogue/quarantine', 'missing', (files) =>
    files.remove('catalogue/quarantine'),
  ),
  onFiles('I15', 'a segment is a link', JOURNAL, 'place', (files) => {
    const path = lastSegment(files);
    files.change(path, { kind: 'link' });
  }),
  onFiles(
    'I15',
    'a document has two names',
    'catalogue/documents',
    'links',
    (files) => {
      files.change(documentOf(files), { links: 2 });
    },
    { severity: 'note' },
  ),
  onFiles(
    'I15',
    'others may read a history',
    'catalogue/history',
    'mode',
    (files) => files.change('catalogue/history', { mode: 0o755 }),
    {
      severity: 'note',
    },
  ),
  onFiles(
    'I15',
    'a file that nothing knows',
    'catalogue/notes.txt',
    'name',
    (files) => files.put('catalogue/notes.txt', 'hello'),
    {
      severity: 'note',
    },
  ),
  onFiles(
    'I16',
    'the journal is cut before what was durable',
    JOURNAL,
    'head',
    (files) => {
      const path = lastSegment(files);
      files.put(path, files.lines(path).slice(0, -1).join(''));
    },
    { phase: 'collected' },
  ),
  onFiles('I16', 'the head marks a commit that never was', 'catalogue/head', 'head', (files) => {
    files.put('catalogue/head', sealed({ seq: 50, hash: 'c'.repeat(64) }).padEnd(512, ' '));
  }),
  onFiles('I16', 'the head is lost', 'catalogue/head', 'head', (files) => files.remove('catalogue/head'), {
    severity: 'note',
  }),
  onFiles('I18', 'a document is another one', 'catalogue/documents', 'document', (files) => {
    files.put(documentOf(files), '{"version":"work/1","does":"harm"}');
  }),
  onFiles('I18', 'a document is lost', 'catalogue/documents', 'document', (files) => {
    files.remove(documentOf(files));
  }),
  forged('I19', 'an owner goes on beside the claims of a former one', 'recovery', (forger) => {
    const { record, row } = found(forger.occurrences(), ({ row: one }) => one['reason'] === 'ownerDied');
    record.ops = (record.ops ?? []).filter((op) => op['occurrence'] !== row);
  }),
];

/** Every damage. */
export const DAMAGES: readonly DamageRow[] = [...JOURNAL_DAMAGES, ...evidence, ...logs, ...beside];
