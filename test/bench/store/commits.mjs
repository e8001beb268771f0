/** Commits of the file store beside the flush floor, SQLite, and the memory store, which shows what is not the disk. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileWorkspace } from '../../../dist/fs.js';
import { memoryWorkspace } from '../../../dist/index.js';
import { floorJournal } from '../measuring/floor.mjs';
import { flushCount } from '../measuring/flushes.mjs';
import { optionalPeer } from '../measuring/peers.mjs';
import { bytes, digits, ms, printTable, rate } from '../measuring/report.mjs';
import { elapsedUntil, interleaved, median, ratio } from '../measuring/rounds.mjs';
import { freshPath } from '../measuring/scratch.mjs';
import { commit, seed } from '../measuring/seed.mjs';

const SCHEDULES = 100;

/** Prints commits a second, of one change and of many. */
export async function commits() {
  await ofSize(1, 100);
  await ofSize(64, 15);
}

async function ofSize(changes, count) {
  const folder = freshPath('workspace');
  const file = await openStore(await fileWorkspace(folder));
  const memory = await openStore(memoryWorkspace());
  const size = await journalBytes(folder, () => file.commit(changes));
  const journal = floorJournal(freshPath('floor'));
  const text = Buffer.alloc(size, 'x');
  const sqlite = await openSqlite(text);
  const flushed = { commits: 0, flushes: 0 };
  const contenders = [
    { name: 'append and fdatasync, as many bytes', run: () => journal.append(text) },
    {
      name: 'everdue file store',
      run: async () => {
        const before = flushCount();
        await file.commit(changes);
        flushed.commits += 1;
        flushed.flushes += flushCount() - before;
      },
    },
    ...(sqlite === undefined ? [] : [{ name: 'better-sqlite3, WAL, synchronous FULL', run: sqlite.insert }]),
    { name: 'everdue memory store', run: () => memory.commit(changes) },
  ];
  const samples = await interleaved(
    contenders.map(({ name, run }) => ({ name, sample: () => msPerRun(run, count) })),
    7,
  );
  const [floor] = contenders;
  const rows = contenders.map(({ name }) => {
    const each = median(samples.get(name));
    return [name, rate(1000 / each), ms(each), digits(ratio(samples, floor.name, name))];
  });
  const perCommit = digits(flushed.flushes / flushed.commits);
  const title = `Commits of ${changes} ${changes === 1 ? 'change' : 'changes'}, ${bytes(size)}, one after another; ${perCommit} flushes a commit`;
  printTable(title, ['one commit after another', 'commits', 'each', 'rate / floor'], rows);
  await file.close();
  await memory.close();
  journal.close();
  sqlite?.close();
}

async function msPerRun(run, count) {
  const total = await elapsedUntil(async () => {
    for (let done = 0; done < count; done += 1) await run();
  });
  return total / count;
}

/** A store with schedules, whose rows are written again and again. */
async function openStore(workspace) {
  const { store } = workspace;
  await seed(store, { count: SCHEDULES, trigger: { kind: 'manual' } });
  const { seq, schedules } = await store.changes(0);
  let newest = seq;
  let turn = 0;
  return {
    async commit(changes) {
      const rows = Array.from({ length: changes }, () => {
        turn += 1;
        const { schedule } = schedules[turn % schedules.length].entry;
        return { kind: 'schedule', isDefinitionChanged: false, schedule: { ...schedule, lastClaim: turn } };
      });
      newest = await commit(store, newest, rows);
    },
    close: () => workspace.close(),
  };
}

/** Bytes that a commit puts into the journal. */
async function journalBytes(folder, run) {
  const journal = join(folder, 'catalogue', 'journal');
  const size = () => readdirSync(journal).reduce((sum, name) => sum + statSync(join(journal, name)).size, 0);
  const before = size();
  await run();
  return size() - before;
}

async function openSqlite(text) {
  const peer = await optionalPeer('better-sqlite3');
  if (peer === undefined) return undefined;
  const database = new peer.default(freshPath('sqlite'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE record (id INTEGER PRIMARY KEY, body BLOB NOT NULL)');
  const insert = database.prepare('INSERT INTO record (body) VALUES (?)');
  return { insert: async () => void insert.run(text), close: () => database.close() };
}
