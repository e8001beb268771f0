/**
 * Looks at everything that is stored in a catalogue, and changes nothing (ST-3).
 *
 * Each part is read by the same rules as in use; the first fault of a part is a finding, and the other parts are looked
 * at all the same.
 */
import { resolve } from 'node:path';
import { isScheduleError } from '../../errors.js';
import type { Disk } from './disk/disk.js';
import { realDisk } from './disk/real-disk.js';
import { idOfName } from './disk/safe-name.js';
import { corrupt, storeError } from './disk/trouble.js';
import { Documents } from './history/documents.js';
import { historyFiles, recordIn, verdictIn, wholeLines } from './history/history-file.js';
import { CatalogueReader } from './journal/catalogue-reader.js';
import { HeadFile } from './journal/head-mark.js';
import type { Replica } from './journal/replica.js';
import { readSnapshot } from './journal/snapshot.js';
import { historyPath, type Layout, layoutOf } from './layout.js';
import { storedWorkspace } from './open-layout.js';

/** Something that is wrong in a catalogue, and what an operator can do. @public */
export interface WorkspaceFinding {
  /** Absolute path of the file. */
  readonly file: string;
  /** Offset of the first byte of what is wrong. */
  readonly offset: number;
  /** Short name of the rule that it breaks. */
  readonly rule: string;
  /** What was found. */
  readonly message: string;
  /** What an operator can do. */
  readonly advice: string;
}

/** Every finding of a workspace; none means that all that is stored is whole. Reads only. @public */
export async function checkWorkspace(path: string): Promise<readonly WorkspaceFinding[]> {
  return new WorkspaceCheck(realDisk, layoutOf(resolve(path))).run();
}

class WorkspaceCheck {
  readonly #disk: Disk;
  readonly #layout: Layout;
  readonly #findings: WorkspaceFinding[] = [];

  constructor(disk: Disk, layout: Layout) {
    this.#disk = disk;
    this.#layout = layout;
  }

  async run(): Promise<readonly WorkspaceFinding[]> {
    const { store, failed, formerSnapshot } = this.#layout;
    const workspace = await this.#part(store, () => storedWorkspace(this.#disk, this.#layout));
    if (this.#disk.lookNow(failed) !== undefined) this.#findings.push(failedFinding(failed));
    if (this.#disk.lookNow(formerSnapshot) !== undefined) {
      await this.#part(formerSnapshot, () => readSnapshot(this.#disk, formerSnapshot));
    }
    if (workspace === undefined) return this.#findings;
    const head = new HeadFile(this.#disk, this.#layout.head);
    const reader = new CatalogueReader(this.#disk, { layout: this.#layout, workspace }, head);
    try {
      const replica = await this.#part(this.#layout.journal, () => reader.readAnew());
      if (replica !== undefined) await this.#checkRows(replica);
    } finally {
      await reader.close();
      await head.close();
    }
    return this.#findings;
  }

  async #checkRows({ state }: Replica): Promise<void> {
    const documents = new Documents(this.#disk, this.#layout);
    for (const { entry, createdSeq, exported } of state.schedules()) {
      const { id, definition } = entry.schedule;
      await this.#part(this.#layout.documents, () => documents.read(definition.documentDigest));
      await this.#part(historyPath(this.#layout, id), () => this.#checkHistory(id, createdSeq, exported));
    }
    for (const name of (await this.#disk.list(this.#layout.history)) ?? []) {
      if (idOfName(name) !== undefined) continue;
      const found = 'no schedule has a history of this name';
      this.#add(
        corrupt({ file: `${this.#layout.history}/${name}`, offset: 0, rule: 'name', found }),
        this.#layout.history,
      );
    }
  }

  async #checkHistory(id: string, createdSeq: number, exported: number): Promise<void> {
    const directory = historyPath(this.#layout, id);
    const { records, verdicts } = await historyFiles(this.#disk, directory, createdSeq);
    const numbers = new Set<number>();
    for (const { path } of records) {
      for (const line of (await wholeLines(this.#disk, path)).lines) {
        const { n } = recordIn(path, line);
        if (n <= exported) numbers.add(n);
      }
    }
    for (const { path } of verdicts) {
      for (const line of (await wholeLines(this.#disk, path)).lines) verdictIn(path, line);
    }
    // Pruning takes the oldest; what is left has no gap and goes to the newest.
    for (let n = exported; n > exported - Math.max(1, numbers.size) && n > 0; n--) {
      if (numbers.has(n)) continue;
      const found = `record ${n} of the history is missing`;
      throw corrupt({ file: records.at(-1)?.path ?? directory, offset: 0, rule: 'history', found });
    }
  }

  async #part<T>(path: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      this.#add(error, path);
      return undefined;
    }
  }

  #add(thrown: unknown, path: string): void {
    const error = storeError(thrown, 'checking', path);
    if (!isScheduleError(error)) throw error;
    const { details, message, hint, code } = error;
    this.#findings.push({
      file: String(details['file'] ?? details['path'] ?? path),
      offset: Number(details['offset'] ?? 0),
      rule: String(details['rule'] ?? code),
      message,
      advice: this.#adviceOn(String(details['file'] ?? path)) ?? hint,
    });
  }

  /** The snapshot before the last one, with the segments behind it, stands for the same catalogue. */
  #adviceOn(file: string): string | undefined {
    const { snapshot, formerSnapshot } = this.#layout;
    if (file !== snapshot || this.#disk.lookNow(formerSnapshot) === undefined) return undefined;
    return `Stop every process that uses the workspace, keep a copy of it, and copy ${formerSnapshot} over ${snapshot}: the journal since then is kept.`;
  }
}

function failedFinding(file: string): WorkspaceFinding {
  return {
    file,
    offset: 0,
    rule: 'flush',
    message: 'a flush of the journal failed and could not be undone',
    advice: 'Mend the disk, then start an owner: it writes the journal anew before it goes on.',
  };
}
