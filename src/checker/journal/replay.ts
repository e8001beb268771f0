/**
 * Makes the catalogue anew, record by record, and judges every step on the way (I4 to I9, I17, I19).
 *
 * A broken rule is a finding, and the replay goes on with what stands in the record: one fault must not hide the next.
 */
import { countOf, isCount, listOf, type Row, rowOf, rowOrEmpty, textOf } from '../bytes/json-value.js';
import { folded } from '../bytes/names.js';
import type { Findings, Place, Rule } from '../finding.js';
import { type Decided, judgeAdmission, judgeCreation, judgeDue, judgeRow, judgeSpent } from '../rules/due-rules.js';
import { isNewClaim, judgeAlone, judgeStep, type Tell } from '../rules/occurrence-rules.js';
import {
  CATALOGUE_MEMBERS,
  DEFINITION_MEMBERS,
  MARK_MEMBERS,
  memberFault,
  occurrenceFault,
  SCHEDULE_MEMBERS,
  TERMINAL,
  VERDICT_MEMBERS,
} from '../rules/row-members.js';
import type { ChainRecord } from './chain.js';
import { claimKey, declarationOf, type Entry, type World } from './world.js';

/** By name of an operation the member that holds its row, and the shape of that. */
const SHAPES: ReadonlyMap<string, readonly [member: string, members: Readonly<Record<string, string>>]> = new Map([
  ['definition', ['definition', DEFINITION_MEMBERS]],
  ['schedule', ['schedule', SCHEDULE_MEMBERS]],
  ['occurrence', ['occurrence', {}]],
  ['verdict', ['verdict', VERDICT_MEMBERS]],
  ['remove', ['mark', MARK_MEMBERS]],
  ['row', ['row', CATALOGUE_MEMBERS]],
]);

/** See the head of this file. @internal */
export class Replay {
  readonly #world: World;
  readonly #workspace: string;
  readonly #findings: Findings;
  #place: Place = { file: '', offset: 0 };
  #epoch: number | undefined;
  #definitions = new Map<string, Row>();
  #decided = new Map<string, Decided>();
  readonly #tell: Tell = (rule, message) => this.#findings.error(rule, this.#place, message);

  constructor(world: World, workspace: string, findings: Findings) {
    this.#world = world;
    this.#workspace = workspace;
    this.#findings = findings;
  }

  /** Takes the next record of the chain. */
  take({ file, offset, hash, row }: ChainRecord): void {
    this.#place = { file, offset };
    const world = this.#world;
    world.hashes.add(hash);
    const isCommit = row['kind'] === 'commit' || row['kind'] === 'own';
    const expected = world.seq + (isCommit ? 1 : 0);
    if (row['seq'] !== expected)
      this.#tell(['I3', 'seq'], `the number is ${String(row['seq'])}, ${expected} must follow`);
    if (isCommit) this.#takeCommit(row, hash);
    else if (row['kind'] === 'open') this.#takeOpen(row);
    else if (row['kind'] === 'prune') this.#takePrune(row);
  }

  #takeOpen(row: Row): void {
    if (row['workspace'] !== this.#workspace)
      this.#tell(['I1', 'workspace'], 'the segment belongs to another workspace');
    this.#world.markExported(countOf(row['exportedThrough']));
  }

  #takePrune(row: Row): void {
    for (const one of listOf(row['records'])) {
      const { id, n } = rowOrEmpty(one) as { readonly id?: unknown; readonly n?: unknown };
      const entry = this.#world.entry(textOf(id));
      if (entry === undefined || entry.id !== id) continue;
      if (countOf(n) > entry.exported)
        this.#tell(['I13', 'prune'], `record ${String(n)} of ${entry.id} is pruned before it is in a file`);
      entry.prunedRecords = Math.max(entry.prunedRecords, countOf(n));
    }
    for (const one of listOf(row['pruned'])) {
      const { id, revision, through } = rowOrEmpty(one) as {
        readonly id: string;
        readonly revision: number;
        readonly through: string;
      };
      const entry = this.#world.entry(id);
      if (entry === undefined || entry.id !== id || revision < (entry.pruned?.revision ?? 0)) continue;
      if (entry.pruned === undefined || through > entry.pruned.through) entry.pruned = { revision, through };
    }
  }

  #takeCommit(row: Row, hash: string): void {
    const world = this.#world;
    const isOwn = row['kind'] === 'own';
    const epoch = world.epoch + (isOwn ? 1 : 0);
    this.#epoch = isCount(row['epoch']) ? row['epoch'] : undefined;
    if (this.#epoch !== undefined && this.#epoch !== epoch) {
      this.#tell(['I4', 'epoch'], `the record is of epoch ${this.#epoch}, the epoch is ${epoch}`);
    }
    world.epoch = epoch;
    world.seq = countOf(row['seq']);
    world.commits.set(world.seq, hash);
    const at = textOf(row['at']);
    if (at > world.lastSeenAt) world.lastSeenAt = at;
    this.#definitions = new Map();
    this.#decided = new Map();
    for (const op of listOf(row['ops'])) this.#takeOp(rowOf(op));
    for (const decided of this.#decided.values()) this.#endDecision(decided);
    const [unused] = this.#definitions.keys();
    if (unused !== undefined) this.#tell(['I3', 'row'], `the definition of ${unused} has no schedule behind it`);
  }

  #takeOp(op: Row | undefined): void {
    const kind = textOf(op?.['t']);
    const shape = SHAPES.get(kind);
    if (op === undefined || shape === undefined) {
      this.#tell(['I3', 'row'], 'no operation has this name');
      return;
    }
    const [member, members] = shape;
    const fault = kind === 'occurrence' ? occurrenceFault(op[member]) : memberFault(op[member], members);
    if (fault === undefined) this.#takeShaped(kind, rowOrEmpty(op[member]), op);
    else this.#tell(['I3', 'row'], `${kind}: ${fault}`);
  }

  #takeShaped(kind: string, row: Row, op: Row): void {
    if (kind === 'definition') this.#definitions.set(textOf(declarationOf(row)['id']), row);
    else if (kind === 'schedule') this.#takeRow(row);
    else if (kind === 'occurrence') this.#takeOccurrence(row);
    else if (kind === 'verdict') this.#takeVerdict(textOf(op['schedule']), textOf(op['occurrence']), row);
    else if (kind === 'remove') this.#takeRemoval(row);
    else {
      this.#world.row = row;
      this.#world.rowSeq = this.#world.seq;
    }
  }

  #takeRow(row: Row): void {
    const world = this.#world;
    const id = textOf(row['id']);
    const key = folded(id);
    const definition = this.#definitions.get(id);
    this.#definitions.delete(id);
    const decided = this.#decided.get(key);
    if (decided !== undefined) this.#endDecision(decided);
    const entry = world.entries.get(key);
    if (entry === undefined) {
      this.#create(row, definition);
      return;
    }
    if (entry.id !== id) this.#tell(['I8', 'id'], `${id} is spelled ${entry.id} already`);
    judgeRow(entry, row, definition, this.#tell);
    this.#decided.set(key, { id: key, row: entry.row, definition: entry.definition, hasRow: true, made: 0 });
    if (row['revision'] !== entry.row['revision']) entry.requests.clear();
    entry.row = row;
    entry.definition = definition ?? entry.definition;
    entry.changeSeq = world.seq;
  }

  #create(row: Row, definition: Row | undefined): void {
    const world = this.#world;
    const id = textOf(row['id']);
    const key = folded(id);
    judgeCreation(row, world.marks.get(key)?.mark, this.#tell);
    if (definition === undefined) this.#tell(['I8', 'definition'], `${id} is new and has no definition`);
    world.marks.delete(key);
    world.entries.set(key, {
      id,
      row,
      definition: definition ?? {},
      pending: new Map(),
      changeSeq: world.seq,
      createdSeq: world.seq,
      ended: 0,
      exported: 0,
      prunedRecords: 0,
      records: new Map(),
      verdicts: [],
      requests: new Map(),
      moved: new Map(),
      movedVerdicts: [],
    });
    this.#decided.set(key, { id: key, hasRow: true, made: 0 });
  }

  #endDecision(decided: Decided): void {
    const entry = this.#world.entries.get(decided.id);
    if (entry === undefined) return;
    if (decided.hasRow) judgeSpent(entry, decided, this.#tell);
    else if (decided.made > 0)
      this.#tell(['I9', 'spent'], `${entry.id} has new occurrences and no row that counts them`);
  }

  #takeOccurrence(row: Row): void {
    const world = this.#world;
    const id = textOf(row['id']);
    const entry = world.entry(textOf(row['scheduleId']));
    if (entry === undefined || entry.id !== row['scheduleId']) {
      this.#tell(['I5', 'schedule'], `${id} belongs to ${textOf(row['scheduleId'])}, which does not exist`);
      return;
    }
    const before = entry.pending.get(id);
    if (before === undefined && entry.records.has(id)) this.#tell(['I6', 'terminal'], `${id} has ended already`);
    judgeAlone(row, this.#tell);
    const writer = { epoch: this.#epoch, world, definition: entry.definition };
    judgeStep(before, row, writer, this.#tell);
    if (before === undefined) this.#admit(row, entry);
    this.#noteClaim(before, row);
    entry.changeSeq = world.seq;
    if (!TERMINAL.has(textOf(row['status']))) {
      entry.pending.set(id, row);
      return;
    }
    entry.pending.delete(id);
    entry.ended += 1;
    entry.records.set(id, { n: entry.ended, seq: world.seq, occurrence: row });
  }

  #admit(row: Row, entry: Entry): void {
    const id = textOf(row['id']);
    const decided = this.#decided.get(folded(entry.id)) ?? { id: folded(entry.id), hasRow: false, made: 0 };
    this.#decided.set(folded(entry.id), decided);
    const isClosing = row['isClosing'] === true;
    const revision = row['revision'];
    if (revision !== entry.row['revision'] && !(isClosing && revision === decided.row?.['revision'])) {
      this.#tell(['I8', 'revision'], `${id} is new, and ${entry.id} is at revision ${String(entry.row['revision'])}`);
    }
    if (row['origin'] === 'trigger') {
      judgeDue(row, entry, decided, rowOrEmpty(this.#world.row['gate'])['isPaused'] === true, this.#tell);
      if (!isClosing) decided.made += 1;
      if (row['status'] === 'queued') judgeAdmission(row, entry, this.#tell);
    } else if (row['isRequestKept'] === true && revision === entry.row['revision']) {
      const request = id.slice(`${entry.id}~${String(revision)}~m~`.length);
      if (entry.requests.has(folded(request)))
        this.#tell(['I5', 'request'], `the request of ${id} made an occurrence already`);
      entry.requests.set(folded(request), request);
    }
  }

  /** Keeps the list of what runs, and judges what a new claim finds there (I7, I19). */
  #noteClaim(before: Row | undefined, row: Row): void {
    const world = this.#world;
    const id = textOf(row['id']);
    const claim = rowOrEmpty(row['claim']);
    if (isNewClaim(before, row)) {
      const attempt = countOf(claim['attempt']);
      world.claims.set(claimKey(id, attempt), { seq: world.seq, hasWorkspace: claim['hasWorkspace'] === true });
      this.#judgeOthers(id, textOf(row['concurrencyKey']), countOf(claim['epoch']));
    }
    if (row['status'] === 'running') {
      world.running.set(id, { key: textOf(row['concurrencyKey']), epoch: countOf(claim['epoch']) });
      return;
    }
    world.running.delete(id);
    const last = countOf(rowOrEmpty(before?.['claim'])['attempt']);
    const hasWorkspace = rowOrEmpty(before?.['claim'])['hasWorkspace'] === true;
    if (row['status'] !== 'succeeded' || !hasWorkspace) return;
    world.successes.set(id, {
      schedule: textOf(row['scheduleId']),
      occurrence: row,
      attempt: last,
      place: this.#place,
    });
  }

  #judgeOthers(id: string, key: string, epoch: number): void {
    const rules: Rule = ['I7', 'key'];
    for (const [other, running] of this.#world.running) {
      if (other === id) continue;
      if (running.key === key) this.#tell(rules, `${id} is claimed while ${other} runs under its key`);
      if (running.epoch < epoch)
        this.#tell(['I19', 'recovery'], `${id} is claimed while the claim of ${other} is of epoch ${running.epoch}`);
    }
  }

  #takeVerdict(scheduleId: string, occurrence: string, verdict: Row): void {
    const entry = this.#world.entry(scheduleId);
    if (entry === undefined) {
      this.#tell(['I5', 'schedule'], `a verdict on ${occurrence} of ${scheduleId}, which does not exist`);
      return;
    }
    if (entry.pending.has(occurrence))
      this.#tell(['I6', 'terminal'], `a verdict on ${occurrence}, which has not ended`);
    const { seq } = this.#world;
    entry.changeSeq = seq;
    entry.verdicts = [...entry.verdicts, { seq, occurrence, verdict }];
    const record = entry.records.get(occurrence);
    if (record === undefined) return;
    entry.records.set(occurrence, { ...record, occurrence: { ...record.occurrence, verdict } });
  }

  #takeRemoval(mark: Row): void {
    const world = this.#world;
    const id = textOf(mark['id']);
    const key = folded(id);
    const entry = world.entries.get(key);
    const decided = this.#decided.get(key);
    if (decided !== undefined) this.#endDecision(decided);
    this.#decided.delete(key);
    if (entry === undefined) {
      this.#tell(['I8', 'remove'], `${id} is removed and does not exist`);
    } else {
      if (entry.id !== id) this.#tell(['I8', 'id'], `${id} is spelled ${entry.id}`);
      if (entry.pending.size > 0) this.#tell(['I8', 'remove'], `${id} is removed with work pending`);
      if (entry.row['revision'] !== mark['revision']) {
        this.#tell(
          ['I8', 'revision'],
          `${id} is removed at revision ${String(mark['revision'])}, it is at ${String(entry.row['revision'])}`,
        );
      }
      if (textOf(mark['collectedThrough']) < textOf(entry.row['collectedThrough'])) {
        this.#tell(['I9', 'due'], `the mark of ${id} is collected through less than it was`);
      }
    }
    for (const occurrence of entry?.pending.keys() ?? []) world.running.delete(occurrence);
    world.entries.delete(key);
    world.marks.set(key, { mark, changeSeq: world.seq });
    world.deleted.add(key);
  }
}
