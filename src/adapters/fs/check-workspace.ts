/**
 * Looks at everything that is stored in a catalogue, and changes nothing (ST-3).
 *
 * Each part is read by the same rules as in use; the first fault of a part is a finding, and the other parts are looked
 * at all the same.
 */
import { resolve } from 'node:path';
import { isScheduleError } from '../../errors.js';
import type { StoredSchedule } from '../replay/catalogue-state.js';
import { placeFaults } from './check-places.js';
import type { Disk } from './disk/disk.js';
import { realDisk } from './disk/real-disk.js';
import { idOfName } from './disk/safe-name.js';
import { corrupt, storeError } from './disk/trouble.js';
import { Documents } from './history/documents.js';
import { historyFiles, linesIn, verdictIn } from './history/history-file.js';
import { isOnItsWay, wholeRecords } from './history/history-whole.js';
import { CatalogueReader } from './journal/catalogue-reader.js';
import { HeadFile } from './journal/head-mark.js';
import type { Replica } from './journal/replica.js';
import { historyPath, type Layout, layoutOf } from './layout.js';
import { storedWorkspace } from './open-layout.js';

/** Something that is wrong in a catalogue, and what an operator can do. @public */
export interface WorkspaceFinding {
  /** `error`: what is stored is damaged, or use fails. `note`: all of it can be used, but something was lost that guards it. */
  readonly severity: 'error' | 'note';
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
    for (const { path, rule, found, advice } of placeFaults(this.#disk, this.#layout)) {
      this.#note({ severity: 'error', file: path, offset: 0, rule, message: `${path}: ${found}`, advice });
    }
    const workspace = await this.#part(store, () => storedWorkspace(this.#disk, this.#layout));
    if (this.#disk.lookNow(failed) !== undefined) this.#note(failedFinding(failed));
    if (workspace === undefined) return this.#findings;
    const former = this.#disk.lookNow(formerSnapshot) === undefined ? 'absent' : await this.#checkFormer(workspace);
    await this.#checkCatalogue(workspace, former === 'whole');
    if (typeof former === 'object') this.#add(former.error, formerSnapshot, SPARE_ADVICE);
    return this.#findings;
  }

  /** The snapshot before the last one, with the segments behind it, stands for the same catalogue where both are whole. */
  async #checkFormer(workspace: string): Promise<'whole' | { readonly error: unknown }> {
    const layout = { ...this.#layout, snapshot: this.#layout.formerSnapshot };
    const head = new HeadFile(this.#disk, layout.head);
    const reader = new CatalogueReader(this.#disk, { layout, workspace }, head);
    try {
      await reader.readAnew();
      return 'whole';
    } catch (error) {
      return { error };
    } finally {
      await reader.close();
      await head.close();
    }
  }

  async #checkCatalogue(workspace: string, isFormerWhole: boolean): Promise<void> {
    const { journal, snapshot, formerSnapshot } = this.#layout;
    const head = new HeadFile(this.#disk, this.#layout.head);
    const reader = new CatalogueReader(this.#disk, { layout: this.#layout, workspace }, head);
    try {
      const replica = await this.#part(
        journal,
        () => reader.readAnew(),
        (file) => (isFormerWhole && file === snapshot ? restoreAdvice(snapshot, formerSnapshot) : undefined),
      );
      const mark = await this.#part(this.#layout.head, () => head.read());
      const isLost = !head.isWhole || (mark === undefined && (replica?.state.seq ?? 0) > 0);
      if (isLost && !this.#isFound(this.#layout.head)) this.#note(headFinding(this.#layout.head));
      if (replica !== undefined) await this.#checkRows(replica);
    } finally {
      await reader.close();
      await head.close();
    }
  }

  async #checkRows({ state }: Replica): Promise<void> {
    const documents = new Documents(this.#disk, this.#layout);
    for (const stored of state.schedules()) {
      const { id, definition } = stored.entry.schedule;
      await this.#part(this.#layout.documents, () => documents.read(definition.documentDigest, `schedule ${id}`));
      await this.#part(historyPath(this.#layout, id), () => this.#checkHistory(stored, state));
    }
    const names = await this.#part(this.#layout.history, () => this.#disk.list(this.#layout.history));
    for (const name of names ?? []) {
      if (idOfName(name) !== undefined) continue;
      const found = 'no schedule has a history of this name';
      this.#add(
        corrupt({ file: `${this.#layout.history}/${name}`, offset: 0, rule: 'name', found }),
        this.#layout.history,
      );
    }
  }

  async #checkHistory(stored: StoredSchedule, state: Replica['state']): Promise<void> {
    const { id } = stored.entry.schedule;
    const source = { seq: state.seq, stored, ended: state.ended(id), lateVerdicts: state.lateVerdicts(id) };
    const directory = historyPath(this.#layout, id);
    const { records, verdicts } = await historyFiles(this.#disk, directory, stored.createdSeq);
    await wholeRecords(this.#disk, directory, records, source);
    const isComing = isOnItsWay(source, source.lateVerdicts);
    for (const file of verdicts) {
      for (const line of (await linesIn(this.#disk, file, isComing)).lines) verdictIn(file.path, line, id);
    }
  }

  /** What a part gives; nothing where it is a finding. */
  async #part<T>(path: string, read: () => Promise<T>, adviceOn?: AdviceOn): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      this.#add(error, path, adviceOn);
      return undefined;
    }
  }

  #add(thrown: unknown, path: string, adviceOn?: AdviceOn): void {
    const error = storeError(thrown, 'checking', path);
    if (!isScheduleError(error)) throw error;
    const { details, message, hint, code } = error;
    const file = String(details['file'] ?? details['path'] ?? path);
    this.#note({
      severity: 'error',
      file,
      offset: Number(details['offset'] ?? 0),
      rule: String(details['rule'] ?? code),
      message,
      advice: adviceOn?.(file) ?? hint,
    });
  }

  /** The same fault may be met on two ways. */
  #note(finding: WorkspaceFinding): void {
    const { file, offset, rule } = finding;
    const isKnown = (one: WorkspaceFinding) =>
      one.file === file && (one.rule === 'place' || (one.offset === offset && one.rule === rule));
    if (!this.#findings.some(isKnown)) this.#findings.push(finding);
  }

  #isFound(file: string): boolean {
    return this.#findings.some((finding) => finding.file === file);
  }
}

/** What to do about a fault of a file, where that is not what its error says. */
type AdviceOn = (file: string) => string | undefined;

const SPARE_ADVICE: AdviceOn = () =>
  'The catalogue goes on without this file, which would stand in for a lost snapshot: look after the disk, and make a backup. Later snapshots leave it behind.';

function restoreAdvice(snapshot: string, formerSnapshot: string): string {
  return `Stop every process that uses the workspace, keep a copy of it, and copy ${formerSnapshot} over ${snapshot}: the journal since then is kept.`;
}

function headFinding(file: string): WorkspaceFinding {
  return {
    severity: 'note',
    file,
    offset: 0,
    rule: 'head',
    message: `${file}: the mark of the newest commit is lost, so a journal that was cut short would not be noticed`,
    advice:
      'A power cut can do this, since the mark is never flushed. See that the newest changes are there; the next commit writes the mark anew.',
  };
}

function failedFinding(file: string): WorkspaceFinding {
  return {
    severity: 'error',
    file,
    offset: 0,
    rule: 'flush',
    message: 'a flush of the journal failed and could not be undone',
    advice: 'Mend the disk, then start an owner: it writes the journal anew before it goes on.',
  };
}
