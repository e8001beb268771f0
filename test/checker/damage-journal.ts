/**
 * Damages to what the catalogue is made of: its identity, its snapshots, its journal, and what the records of that say.
 */
import {
  type DamageRow,
  firstSegment,
  forged,
  found,
  isNew,
  JOURNAL,
  lastSegment,
  onFiles,
  scheduleRows,
  stepsOf,
} from './damage-row.js';
import { type Loose, reseal, sealed } from './forger.js';

const identity: readonly DamageRow[] = [
  onFiles('I1', 'store.json is lost', 'store.json', 'missing', (files) => files.remove('catalogue/store.json')),
  onFiles('I1', 'store.json is of a version to come', 'store.json', 'version', (files) => {
    const path = 'catalogue/store.json';
    files.put(path, files.text(path).replace('"version":1', '"version":2'));
  }),
  onFiles('I1', 'store.json names another workspace', 'catalogue/catalogue.', 'workspace', (files) => {
    reseal(files, 'catalogue/store.json', () => '{"workspace":"another"}\n');
  }),
  forged('I1', 'a segment is of another workspace', 'workspace', ({ records }) => {
    found(records.slice(1), ({ kind }) => kind === 'open')['workspace'] = 'another';
  }),
  onFiles('I2', 'the snapshot has a wrong digest', 'catalogue.json', 'sealed', (files) => {
    const path = 'catalogue/catalogue.json';
    files.put(path, files.text(path).replace('"revision":1', '"revision":7'));
  }),
  onFiles('I2', 'the snapshot is cut', 'catalogue.json', 'sealed', (files) =>
    files.put('catalogue/catalogue.json', files.bytes('catalogue/catalogue.json').subarray(0, 700)),
  ),
  onFiles('I2', 'the snapshot is lost', 'catalogue.json', 'missing', (files) =>
    files.remove('catalogue/catalogue.json'),
  ),
  onFiles('I2', 'the snapshot stands nowhere in the chain', 'catalogue.json', 'chain', (files) => {
    reseal(files, 'catalogue/catalogue.json', (body) =>
      body.replace(/"prev":"[0-9a-f]{64}"/, `"prev":"${'a'.repeat(64)}"`),
    );
  }),
  onFiles('I2', 'the spare snapshot is damaged', 'catalogue.prev.json', 'sealed', (files) =>
    files.put('catalogue/catalogue.prev.json', files.bytes('catalogue/catalogue.prev.json').subarray(0, 100)),
  ),
  onFiles('I2', 'a row of the snapshot has no form', 'catalogue.json', 'snapshot', (files) => {
    reseal(files, 'catalogue/catalogue.json', (body) => body.replace('"changeSeq":', '"changeSeqs":'));
  }),
];

const journal: readonly DamageRow[] = [
  onFiles('I3', 'a bit of a record is flipped', JOURNAL, 'bytes', (files) => {
    const path = firstSegment(files);
    const bytes = Buffer.from(files.bytes(path));
    bytes[3000] = (bytes[3000] ?? 0) ^ 4;
    files.put(path, bytes);
  }),
  onFiles('I3', 'a record is dropped', JOURNAL, 'chain', (files) => {
    const path = firstSegment(files);
    files.put(path, files.lines(path).toSpliced(5, 1).join(''));
  }),
  onFiles('I3', 'two records are swapped', JOURNAL, 'chain', (files) => {
    const path = firstSegment(files);
    const [a = '', b = ''] = files.lines(path).slice(5, 7);
    files.put(path, files.lines(path).toSpliced(5, 2, b, a).join(''));
  }),
  onFiles('I3', 'a segment is lost', JOURNAL, 'missing', (files) => files.remove(lastSegment(files))),
  onFiles('I3', 'a record has no known form', JOURNAL, 'record', (files) => {
    const path = lastSegment(files);
    files.put(
      path,
      files
        .lines(path)
        .concat(sealed({ seq: 1, prev: 'x' }))
        .join(''),
    );
  }),
  onFiles('I3', 'a segment has records that nothing leads to', JOURNAL, 'lost', (files) => {
    files.duplicate(firstSegment(files), `${JOURNAL}/00000099.jsonl`);
  }),
  onFiles('I3', 'a flush failed', 'store.failed', 'flush', (files) => files.put('catalogue/store.failed', '{}\n')),
  forged('I3', 'a number is left out', 'seq', ({ records }) => {
    for (const record of records) if (record.seq > 40) record.seq += 1;
  }),
  forged('I3', 'a row lacks a member', 'row', (forger) => {
    delete found(forger.occurrences(), () => true).row['admittedAt'];
  }),
  forged('I3', 'an operation has no known name', 'row', (forger) => {
    found(forger.ops('schedule'), () => true).op['t'] = 'timetable';
  }),
  forged('I4', 'an owner skips an epoch', 'epoch', ({ records }) => {
    const own = found(records, ({ kind, epoch }) => kind === 'own' && epoch === 3);
    own['epoch'] = 4;
  }),
  forged('I4', 'an owner writes under a former epoch', 'epoch', ({ records }) => {
    found(records, ({ kind, epoch }) => kind === 'commit' && epoch === 4)['epoch'] = 3;
  }),
  forged('I4', 'a client claims', 'epoch', (forger) => {
    const { record } = found(forger.occurrences(), ({ row }) => row['status'] === 'running');
    delete record['epoch'];
    record.kind = 'commit';
  }),
];

const occurrences: readonly DamageRow[] = [
  forged('I5', 'an id is not that of its due instant', 'id', (forger) => {
    for (const row of stepsOf(forger, (one) => isNew(one, 'queued'))) row['dueAt'] = '2026-03-02T08:00:30.000Z';
  }),
  forged('I5', 'a window ends elsewhere', 'window', (forger) => {
    const { row } = found(
      forger.occurrences(),
      ({ row: one }) => one['window'] !== undefined && one['status'] === 'skipped',
    );
    row['window'] = { ...(row['window'] as Loose), lastAt: '2026-03-02T08:00:30.000Z' };
  }),
  forged('I5', 'a request makes two occurrences', 'request', (forger) => {
    for (const { row } of forger.occurrences()) {
      if (row['id'] === 'by-hand~1~m~Order-2') row['id'] = 'by-hand~1~m~order-1';
    }
  }),
  forged('I6', 'an occurrence begins at its end', 'transition', (forger) => {
    const [first = {}, ...others] = stepsOf(forger, (row) => isNew(row, 'queued'));
    Object.assign(first, others.at(-1), { status: 'failed', reason: 'retriesSpent' });
  }),
  forged('I6', 'an ended occurrence ends again', 'terminal', (forger) => {
    const { record, row } = found(forger.occurrences(), ({ row: one }) => one['status'] === 'skipped');
    record.ops?.push({ t: 'occurrence', occurrence: { ...row } });
  }),
  forged('I6', 'an attempt is left out', 'attempt', (forger) => {
    const running = found(forger.occurrences(), ({ row }) => row['status'] === 'running').row;
    running['claim'] = { ...(running['claim'] as Loose), attempt: 2 };
  }),
  forged('I6', 'a late owner settles what it does not own any more', 'epoch', (forger) => {
    const { row } = found(forger.occurrences(), ({ row: one }) => one['reason'] === 'ownerDied');
    Object.assign(row, { status: 'failed', reason: 'retriesSpent' });
  }),
  forged('I6', 'an admitted occurrence moves to another key', 'fixed', (forger) => {
    const steps = stepsOf(forger, (row) => isNew(row, 'queued'));
    (steps.at(-1) ?? {})['concurrencyKey'] = 'another';
  }),
  forged('I6', 'a token is not that of the claim', 'token', (forger) => {
    const { row } = found(
      forger.occurrences(),
      ({ row: one }) => one['status'] === 'succeeded' && (one['attempts'] as Loose[]).length === 1,
    );
    const [attempt, ...others] = row['attempts'] as Loose[];
    row['attempts'] = [{ ...attempt, fencingToken: 1 }, ...others];
  }),
  forged('I7', 'two run under one key', 'key', (forger) => {
    for (const { row } of forger.occurrences()) row['concurrencyKey'] = 'shared';
    const { record, row } = found(forger.occurrences(), ({ row: one }) => one['status'] === 'running');
    const other = found(forger.occurrences(), ({ row: one }) => one['status'] === 'running' && one['id'] !== row['id']);
    record.ops?.push({
      t: 'occurrence',
      occurrence: structuredClone({ ...other.row, claim: { ...(row['claim'] as Loose) } }),
    });
  }),
  forged('I7', 'coalesce lets a second one in', 'overlap', (forger) => {
    const { record, row } = found(
      forger.occurrences(),
      ({ row: one }) => one['reason'] === 'coalesced' || one['reason'] === 'overlap',
    );
    const { reason: _reason, behind: _behind, endedAt: _endedAt, window: _window, ...rest } = row;
    record.ops = (record.ops ?? []).map((op) =>
      op['occurrence'] === row ? { ...op, occurrence: { ...rest, status: 'queued' } } : op,
    );
  }),
];

const schedules: readonly DamageRow[] = [
  forged('I8', 'a revision is left out', 'revision', (forger) => {
    const rows = scheduleRows(forger, 'by-hand');
    for (const row of rows) if (row['revision'] === 2) row['revision'] = 3;
  }),
  forged('I8', 'an occurrence names a revision that is not there', 'revision', (forger) => {
    const { row } = found(forger.occurrences(), ({ row: one }) => isNew(one, 'queued'));
    row['revision'] = 5;
    row['id'] = String(row['id']).replace('~1~', '~5~');
  }),
  forged('I8', 'a schedule is removed with work pending', 'remove', (forger) => {
    const { record, op } = found(forger.ops('remove'), ({ op: one }) => (one['mark'] as Loose)['id'] === 'left');
    const { row } = found(forger.occurrences(), ({ row: one }) => one['scheduleId'] === 'left');
    const again = { ...row, id: 'left~1~m~again' };
    record.ops = [{ t: 'occurrence', occurrence: again }, op];
  }),
  forged('I8', 'what is declared changes without a revision', 'definition', (forger) => {
    const cosmetic = forger
      .ops('definition')
      .filter(({ op }) => ((op['definition'] as Loose)['declaration'] as Loose)['id'] === 'by-hand')[1];
    const definition = cosmetic?.op['definition'] as Loose;
    definition['declaration'] = { ...(definition['declaration'] as Loose), overlap: 'queue' };
  }),
  forged('I9', 'collection goes back', 'due', (forger) => {
    const rows = scheduleRows(forger, 'minutely');
    (rows[4] ?? {})['collectedThrough'] = '2026-03-02T08:00:00.000Z';
  }),
  forged('I9', 'a budget is not counted', 'spent', (forger) => {
    for (const row of scheduleRows(forger, 'late')) row['spent'] = 0;
  }),
  forged('I9', 'a budget is overdrawn', 'budget', (forger) => {
    for (const { op } of forger.ops('definition')) {
      const definition = op['definition'] as Loose;
      const declaration = definition['declaration'] as Loose;
      if (declaration['id'] === 'few') definition['declaration'] = { ...declaration, maxOccurrences: 2 };
    }
  }),
  forged('I9', 'something is due after the expiry', 'expiry', (forger) => {
    for (const { op } of forger.ops('definition')) {
      const definition = op['definition'] as Loose;
      const declaration = definition['declaration'] as Loose;
      if (declaration['id'] === 'expiring')
        definition['declaration'] = { ...declaration, expiresAt: '2026-03-02T08:02:00.000Z' };
    }
  }),
  forged('I9', 'something is collected in a pause', 'paused', (forger) => {
    for (const row of scheduleRows(forger, 'late')) row['status'] = 'paused';
  }),
];

/** See the head of this file. */
export const JOURNAL_DAMAGES: readonly DamageRow[] = [...identity, ...journal, ...occurrences, ...schedules];
