/**
 * The history of one schedule: its files hold what ended, once, without a gap, as it ended (I13; `FORMAT.md`, History).
 */
import { countOf, isSame, listOf, rowOrEmpty, textOf } from '../bytes/json-value.js';
import { nameOfId } from '../bytes/names.js';
import type { FileSource } from '../file-source.js';
import type { Findings, Place } from '../finding.js';
import { endedOf, judgedOf } from '../journal/snapshot.js';
import { type Ended, type Entry, recordPrint, type World } from '../journal/world.js';
import { judgeAlone } from '../rules/occurrence-rules.js';
import { TERMINAL } from '../rules/row-members.js';
import { type HistoryFile, type HistoryLine, readHistoryFile } from './history-file.js';
import { type KnownRecord, knownOf } from './known-record.js';
import { checkDirectory, checkFile, tellUnknown } from './places.js';

const FILE_NAME = /^(verdicts-)?(\d{12,15})\.jsonl$/;
/** Interrupted occurrences that a schedule keeps in mind until they are resolved. */
const UNRESOLVED_KEPT = 1000;

/** Checks the history of a schedule; what is known then of every occurrence of it, by id. @internal */
export async function checkHistory(
  source: FileSource,
  world: World,
  entry: Entry,
  findings: Findings,
): Promise<ReadonlyMap<string, KnownRecord>> {
  return new HistoryCheck(source, world, entry, findings).run();
}

class HistoryCheck {
  readonly #source: FileSource;
  readonly #world: World;
  readonly #entry: Entry;
  readonly #findings: Findings;
  readonly #directory: string;
  readonly #known = new Map<string, KnownRecord>();
  /** Digests of the lines of the records in files, by number. */
  readonly #lines = new Map<number, string>();
  /** Numbers that stand there again with another line. */
  readonly #doubled = new Set<number>();
  readonly #verdicts = new Map<string, unknown>();
  /** Interrupted records without a verdict in them, by number. */
  readonly #open = new Map<number, string>();
  /** Records of the trigger that count against the budget of the current revision. */
  #counted = 0;
  #isDamaged = false;

  constructor(source: FileSource, world: World, entry: Entry, findings: Findings) {
    this.#source = source;
    this.#world = world;
    this.#entry = entry;
    this.#findings = findings;
    this.#directory = `catalogue/history/${nameOfId(entry.id)}`;
  }

  async run(): Promise<ReadonlyMap<string, KnownRecord>> {
    const { pending, records } = this.#entry;
    for (const [id, row] of pending) this.#remember(id, knownOf(row), row, undefined);
    for (const [id, { n, occurrence }] of records) this.#remember(id, knownOf(occurrence), occurrence, n);
    const place = await checkDirectory(this.#source, this.#directory, this.#findings);
    if (place === 'wrong') return this.#known;
    const files = place === 'absent' ? [] : await this.#files();
    const recordFiles = files.filter(({ kind }) => kind === 'records');
    const isRecordComing = comingFrom(this.#world, records.values().next().value?.seq);
    for (const file of recordFiles) {
      await this.#read(file, isRecordComing, (line) => this.#takeRecord(file.path, line));
    }
    const isVerdictComing = comingFrom(this.#world, this.#entry.verdicts[0]?.seq);
    for (const file of files.filter(({ kind }) => kind === 'verdicts')) {
      await this.#read(file, isVerdictComing, (line) => this.#takeVerdict(line));
    }
    if (this.#doubled.size > 0) await this.#judgeDoubled(recordFiles);
    if (!this.#isDamaged) await this.#judgeWhole(recordFiles);
    return this.#known;
  }

  /** Files of this schedule, oldest first; those of a former one of its id are on their way out. */
  async #files(): Promise<readonly HistoryFile[]> {
    const files: HistoryFile[] = [];
    for (const name of (await this.#source.list(this.#directory)) ?? []) {
      const [, prefix, digits] = FILE_NAME.exec(name) ?? [];
      const path = `${this.#directory}/${name}`;
      if (digits === undefined) tellUnknown(path, this.#findings);
      else if (Number(digits) >= this.#entry.createdSeq && (await this.#isFile(path))) {
        files.push({ path, firstSeq: Number(digits), kind: prefix === undefined ? 'records' : 'verdicts' });
      }
    }
    return files.sort((a, b) => a.firstSeq - b.firstSeq);
  }

  async #isFile(path: string): Promise<boolean> {
    const isFile = await checkFile(this.#source, path, this.#findings);
    if (!isFile) this.#isDamaged = true;
    return isFile;
  }

  /** Reads a file up to its first fault: what stands behind one cannot be told from what was lost. */
  async #read(
    file: HistoryFile,
    isComing: (seq: number) => boolean,
    take: (line: HistoryLine) => string | undefined,
  ): Promise<void> {
    const fault = await readHistoryFile(this.#source, file, isComing, take);
    if (fault !== undefined) this.#tellDamage({ file: file.path, offset: fault.offset }, fault.found);
  }

  #takeRecord(file: string, { value, hash, offset }: HistoryLine): string | undefined {
    const record = endedOf(value);
    if (typeof record === 'string') return record;
    const { n, seq, occurrence } = record;
    const { id: schedule, ended, createdSeq } = this.#entry;
    const id = textOf(occurrence['id']);
    if (occurrence['scheduleId'] !== schedule) {
      return `${id} is no occurrence of the schedule that this history belongs to`;
    }
    if (n > ended || seq < createdSeq || seq > this.#world.seq)
      return `the schedule has no record ${n} of commit ${seq}`;
    if (!TERMINAL.has(textOf(occurrence['status']))) return `${id} has not ended`;
    const print = this.#entry.moved.get(n) ?? this.#memoryPrint(id, n);
    if (print !== undefined && print !== recordPrint(record)) return otherRecord(n);
    const known = this.#lines.get(n);
    if (known !== undefined) {
      if (known !== hash) this.#doubled.add(n);
      return undefined;
    }
    this.#lines.set(n, hash);
    if (n > this.#entry.exported) return undefined;
    judgeAlone(occurrence, (rule, message) => this.#findings.error(rule, { file, offset }, message));
    if (this.#known.has(id)) {
      this.#findings.error(['I5', 'twice'], { file, offset }, `${id} is recorded twice`);
    }
    this.#remember(id, knownOf(occurrence), occurrence, n);
    return undefined;
  }

  #memoryPrint(id: string, n: number): string | undefined {
    const record = this.#entry.records.get(id);
    return record?.n === n ? recordPrint(record) : undefined;
  }

  /** A record that was written twice, since a crash came in between, may have got its verdict meanwhile, and nothing else. */
  async #judgeDoubled(files: readonly HistoryFile[]): Promise<void> {
    const prints = new Map<number, string>();
    for (const file of files) {
      await readHistoryFile(this.#source, file, ANY_SEQ, ({ value, offset }) => {
        const record = endedOf(value);
        if (typeof record === 'string') return record;
        const { n } = record;
        if (!this.#doubled.has(n)) return undefined;
        const print = recordPrint(record);
        if ((prints.get(n) ?? print) !== print) this.#tellDamage({ file: file.path, offset }, otherRecord(n));
        prints.set(n, prints.get(n) ?? print);
        return undefined;
      });
    }
  }

  #tellDamage(place: Place, found: string): void {
    this.#isDamaged = true;
    this.#findings.error(['I13', 'history'], place, found);
  }

  #remember(id: string, known: KnownRecord, row: Ended['occurrence'], n: number | undefined): void {
    this.#known.set(id, known);
    const isCounted = row['origin'] === 'trigger' && row['isClosing'] !== true;
    if (isCounted && row['revision'] === this.#entry.row['revision']) this.#counted += 1;
    if (n !== undefined && known.status === 'interrupted' && row['verdict'] === undefined) this.#open.set(n, id);
  }

  #takeVerdict({ value }: HistoryLine): string | undefined {
    const judged = judgedOf(value);
    if (typeof judged === 'string') return judged;
    const { occurrence, verdict, seq } = judged;
    if (!occurrence.startsWith(`${this.#entry.id}~`)) {
      return `${occurrence} is no occurrence of the schedule that this history belongs to`;
    }
    if (seq > this.#world.seq) return `a verdict of commit ${seq}, which does not exist`;
    this.#verdicts.set(occurrence, verdict);
    return undefined;
  }

  async #judgeWhole(files: readonly HistoryFile[]): Promise<void> {
    const { id, exported, prunedRecords, row } = this.#entry;
    for (let n = exported; n > prunedRecords; n--) {
      if (this.#lines.has(n)) continue;
      await this.#tellGap(files, n);
      return;
    }
    this.#judgeVerdicts();
    const spent = countOf(row['spent']);
    const isRight = prunedRecords === 0 ? this.#counted === spent : this.#counted <= spent;
    if (isRight) return;
    const place = { file: files[0]?.path ?? this.#directory, offset: 0 };
    this.#findings.error(['I9', 'spent'], place, `${id} spent ${spent} of its budget on ${this.#counted} occurrences`);
  }

  /** A verdict is a record too: an interrupted occurrence is unresolved, or has one. */
  #judgeVerdicts(): void {
    const place = { file: this.#directory, offset: 0 };
    for (const { occurrence, verdict } of this.#entry.movedVerdicts) {
      if (isSame(this.#verdicts.get(occurrence), verdict)) continue;
      this.#findings.error(['I13', 'verdict'], place, `the verdict on ${occurrence} is not in the history`);
    }
    const unresolved = new Set(listOf(this.#entry.row['unresolved']));
    const judged = new Set([...this.#verdicts.keys(), ...this.#entry.verdicts.map(({ occurrence }) => occurrence)]);
    const newestFirst = [...this.#open].sort(([a], [b]) => b - a).slice(0, UNRESOLVED_KEPT);
    for (const [, id] of newestFirst) {
      if (unresolved.has(id) || judged.has(id)) continue;
      this.#findings.error(['I13', 'verdict'], place, `${id} is resolved, and its verdict is not in the history`);
    }
  }

  /** Says where a record is missing: behind the one before it. */
  async #tellGap(files: readonly HistoryFile[], missing: number): Promise<void> {
    let before = 0;
    for (const n of this.#lines.keys()) if (n < missing && n > before) before = n;
    let place = { file: files[0]?.path ?? this.#directory, offset: 0 };
    for (const { path, firstSeq, kind } of before === 0 ? [] : files) {
      await readHistoryFile(this.#source, { path, firstSeq, kind }, ANY_SEQ, ({ value, end }) => {
        if (rowOrEmpty(value)['n'] === before) place = { file: path, offset: end };
        return undefined;
      });
    }
    this.#findings.error(['I13', 'history'], place, `record ${missing} of the history must stand here`);
  }
}

const ANY_SEQ = () => true;

function otherRecord(n: number): string {
  return `record ${n} is not what it was`;
}

/** Whether a commit is not in files for certain: its lines are in memory still, or it is newer than what is known here. */
function comingFrom(world: World, oldestInMemory: number | undefined): (seq: number) => boolean {
  const oldest = oldestInMemory ?? world.seq + 1;
  return (seq) => seq >= oldest;
}
