/**
 * The rules of replay: whether a list of changes may follow a state, judged on a draft that nobody sees.
 *
 * A store refuses to write what these rules refuse, so that it never has to read it. They are relations between rows;
 * the shape of a row is the codec's to judge. A draft belongs to one state and one commit: plan, write, apply.
 */
import { plainCopy } from '../../codec/json/plain-copy.js';
import { type CatalogueRow, type DeletedMark, foldId } from '../../core/model/catalogue.js';
import { isTerminal, OCCURRENCE_TRANSITIONS, type Occurrence, type Verdict } from '../../core/model/occurrence.js';
import type { Definition, Schedule } from '../../core/model/schedule.js';
import { type EpochMs, isInstant } from '../../core/time/instant.js';
import type { RowChange } from '../../ports/schedule-store.js';
import type { CatalogueState, CommitDraft, EndedRecord, LateVerdict, StoredSchedule } from './catalogue-state.js';
import { type KeptRequest, keptRequestOf } from './kept-requests.js';

/** A schedule as it is replayed: a definition in it counts only where it is the one that the schedule gets anyway. */
type ReplayedSchedule = Omit<Schedule, 'definition'> & { readonly definition?: Definition };

/** A change as it is replayed: a schedule comes without a definition beside it where that did not change. @internal */
export type StateChange =
  | Exclude<RowChange, { readonly kind: 'schedule' }>
  | { readonly kind: 'schedule'; readonly schedule: ReplayedSchedule; readonly definition?: Definition };

/** What a commit is to do, beside its changes. @internal */
export interface CommitHead {
  readonly at: EpochMs;
  readonly raisesEpoch: boolean;
}

/** The draft, or the rule that the changes break. @internal */
export type Planned =
  | { readonly ok: true; readonly draft: CommitDraft }
  | { readonly ok: false; readonly rule: string; readonly message: string };

/** Judges the changes of the next commit of a state; changes nothing. @internal */
export function planCommit(state: CatalogueState, head: CommitHead, changes: readonly StateChange[]): Planned {
  if (!isInstant(head.at)) return { ok: false, rule: 'at', message: `${String(head.at)} is no instant` };
  const planner = new Planner(state, state.seq + 1);
  for (const [index, change] of changes.entries()) {
    const broken = planner.take(change);
    if (broken !== undefined) return { ok: false, rule: broken[0], message: `change ${index + 1}: ${broken[1]}` };
  }
  return { ok: true, draft: planner.finish(state.epoch + (head.raisesEpoch ? 1 : 0), head.at) };
}

/** A change of the port as it is replayed. @internal */
export function stateChangeOf(change: RowChange): StateChange {
  if (change.kind !== 'schedule') return change;
  const { schedule } = change;
  return change.isDefinitionChanged
    ? { kind: 'schedule', schedule, definition: schedule.definition }
    : { kind: 'schedule', schedule };
}

/** A change as it is replayed that shares nothing with its writer's objects, but for a definition that did not change (S-5). */
export function ownChangeOf(change: RowChange): StateChange {
  if (change.kind !== 'schedule') return plainCopy(change);
  const { isDefinitionChanged } = change;
  const schedule = plainCopy(change.schedule, isDefinitionChanged ? undefined : 'definition');
  return stateChangeOf({ kind: 'schedule', schedule, isDefinitionChanged });
}

/** A row with its definition; the row itself where that stands in it already, so that nothing is copied. */
function withDefinition(row: ReplayedSchedule, definition: Definition): Schedule {
  return row.definition === definition ? (row as Schedule) : { ...row, definition };
}

/** A rule by its name, and what was found. */
type Broken = readonly [rule: string, message: string] | undefined;

/** A schedule under change: its rows open, its history beside it. */
interface Open {
  schedule: Schedule;
  readonly before?: StoredSchedule;
  readonly pending: Map<string, Occurrence>;
  readonly createdSeq: number;
  /** Occurrences that ended so far, those of this commit included. */
  count: number;
  /** By id the records that ended, or got a verdict, in this commit; made for the first of them, as the other two are. */
  ended?: Map<string, EndedRecord>;
  verdicts?: LateVerdict[];
  /** By folded text the request ids of its revision that this commit brings. */
  requests?: Map<string, KeptRequest>;
}

class Planner {
  readonly #state: CatalogueState;
  readonly #seq: number;
  readonly #open = new Map<string, Open>();
  readonly #removed = new Map<string, DeletedMark>();
  readonly #keys = new Set<string>();
  #row: CatalogueRow | undefined;

  constructor(state: CatalogueState, seq: number) {
    this.#state = state;
    this.#seq = seq;
  }

  take(change: StateChange): Broken {
    switch (change.kind) {
      case 'schedule':
        return this.#takeSchedule(change.schedule, change.definition);
      case 'occurrence':
        return this.#takeOccurrence(change.occurrence);
      case 'verdict':
        return this.#takeVerdict(change.scheduleId, change.occurrence, change.verdict);
      case 'remove':
        return this.#takeRemoval(change.mark);
      case 'row':
        this.#row = change.row;
        return undefined;
    }
  }

  finish(epoch: number, at: EpochMs): CommitDraft {
    const schedules = new Map<string, StoredSchedule>();
    const ended = new Map<string, readonly EndedRecord[]>();
    const verdicts = new Map<string, readonly LateVerdict[]>();
    const requests = new Map<string, readonly KeptRequest[]>();
    for (const [id, open] of this.#open) {
      this.#touchKeys(open);
      schedules.set(id, {
        entry: { schedule: open.schedule, pending: [...open.pending.values()] },
        changeSeq: this.#seq,
        createdSeq: open.createdSeq,
        ended: open.count,
        exported: open.before?.exported ?? 0,
        ...(open.before?.pruned === undefined ? {} : { pruned: open.before.pruned }),
        ...(open.before?.prunedRecords === undefined ? {} : { prunedRecords: open.before.prunedRecords }),
      });
      if (open.ended !== undefined) ended.set(id, [...open.ended.values()]);
      if (open.verdicts !== undefined) verdicts.set(id, open.verdicts);
      if (open.requests !== undefined) requests.set(id, [...open.requests.values()]);
    }
    const row = this.#row === undefined ? {} : { row: this.#row };
    const rows = { schedules, removed: this.#removed, ended, verdicts, requests };
    return { seq: this.#seq, epoch, at, ...row, ...rows, keys: this.#keys };
  }

  /** A key's pending work changes with its occurrences, and with what may hold them (OV-1). */
  #touchKeys({ schedule, before, pending }: Open): void {
    const old = before?.entry.schedule;
    const isHoldChanged = old?.status !== schedule.status || old.quarantine !== schedule.quarantine;
    if (!isHoldChanged) return;
    for (const { concurrencyKey } of pending.values()) this.#keys.add(concurrencyKey);
    for (const quarantine of [old?.quarantine, schedule.quarantine]) {
      if (quarantine?.concurrencyKey !== undefined) this.#keys.add(quarantine.concurrencyKey);
    }
  }

  #openOf(id: string): Open | undefined {
    const folded = foldId(id);
    if (this.#removed.has(folded)) return this.#open.get(folded);
    const open = this.#open.get(folded);
    if (open !== undefined) return open;
    const before = this.#state.schedule(folded);
    if (before === undefined) return undefined;
    const { schedule, pending } = before.entry;
    const fresh: Open = {
      schedule,
      before,
      pending: new Map(pending.map((occurrence) => [occurrence.id, occurrence])),
      createdSeq: before.createdSeq,
      count: before.ended,
    };
    this.#open.set(folded, fresh);
    return fresh;
  }

  #takeSchedule(row: ReplayedSchedule, definition: Definition | undefined): Broken {
    const open = this.#openOf(row.id);
    if (open === undefined) return this.#create(row, definition);
    const { schedule } = open;
    if (row.id !== schedule.id) return ['id', `${row.id} is spelled ${schedule.id} already`];
    if (row.revision < schedule.revision || row.version < schedule.version) {
      return ['revision', `${row.id} goes back from revision ${schedule.revision}, version ${schedule.version}`];
    }
    if (row.revision > schedule.revision && definition === undefined) {
      return ['definition', `${row.id} has a new revision ${row.revision} without a definition`];
    }
    if (definition !== undefined && definition.declaration.id !== row.id) {
      return ['definition', `${row.id} is given the definition of ${definition.declaration.id}`];
    }
    if (row.revision > schedule.revision) delete open.requests;
    open.schedule = withDefinition(row, definition ?? schedule.definition);
    return undefined;
  }

  #create(row: ReplayedSchedule, definition: Definition | undefined): Broken {
    const folded = foldId(row.id);
    if (definition === undefined) return ['definition', `${row.id} is new and has no definition`];
    if (definition.declaration.id !== row.id) {
      return ['definition', `${row.id} is given the definition of ${definition.declaration.id}`];
    }
    if (this.#removed.has(folded)) return ['remove', `${row.id} is removed and made in one commit`];
    const mark = this.#state.mark(folded)?.mark;
    if (mark !== undefined && mark.id !== row.id) return ['id', `${row.id} was spelled ${mark.id} before`];
    if (mark !== undefined && row.revision <= mark.revision) {
      return ['revision', `${row.id} starts again at revision ${row.revision}, it was at ${mark.revision}`];
    }
    this.#open.set(folded, {
      schedule: withDefinition(row, definition),
      pending: new Map(),
      createdSeq: this.#seq,
      count: 0,
    });
    return undefined;
  }

  #takeOccurrence(occurrence: Occurrence): Broken {
    const { id, scheduleId, status } = occurrence;
    const open = this.#openOf(scheduleId);
    if (open === undefined) return ['schedule', `${id} belongs to ${scheduleId}, which does not exist`];
    if (open.schedule.id !== scheduleId) return ['schedule', `${id} names ${scheduleId}, spelled ${open.schedule.id}`];
    if (occurrence.revision > open.schedule.revision) {
      return ['revision', `${id} is of a revision that ${scheduleId} does not have`];
    }
    const before = open.pending.get(id);
    if (before === undefined && this.#endedRecord(open, id) !== undefined)
      return ['terminal', `${id} has ended already`];
    const isAgain = before === undefined && !this.#keepRequest(open, occurrence);
    if (isAgain) return ['request', `the request of ${id} made an occurrence already`];
    const allowed = before === undefined ? FIRST_STATES : OCCURRENCE_TRANSITIONS[before.status];
    if (status !== before?.status && !allowed.includes(status)) {
      return ['transition', `${id} cannot become ${status} after ${before?.status ?? 'nothing'}`];
    }
    this.#keys.add(occurrence.concurrencyKey);
    if (isTerminal(status)) {
      open.pending.delete(id);
      open.count += 1;
      setEnded(open, { n: open.count, seq: this.#seq, occurrence });
    } else {
      open.pending.set(id, occurrence);
    }
    return undefined;
  }

  /** Keeps the request id of a new record; false where this revision has it already. */
  #keepRequest(open: Open, occurrence: Occurrence): boolean {
    const { schedule } = open;
    const request = keptRequestOf(occurrence);
    if (request === undefined || occurrence.revision !== schedule.revision) return true;
    const folded = foldId(request);
    const isKnown = this.#state.hasRequest(schedule.id, schedule.revision, request);
    if (isKnown || open.requests?.has(folded) === true) return false;
    open.requests ??= new Map();
    open.requests.set(folded, { request, seq: this.#seq });
    return true;
  }

  #takeVerdict(scheduleId: string, occurrence: string, verdict: Verdict): Broken {
    const open = this.#openOf(scheduleId);
    if (open === undefined) return ['schedule', `a verdict on ${occurrence} of ${scheduleId}, which does not exist`];
    if (open.pending.has(occurrence)) return ['terminal', `a verdict on ${occurrence}, which has not ended`];
    // Also beside a record that is still in memory: it may be on its way to where it is kept, as it was.
    open.verdicts ??= [];
    open.verdicts.push({ seq: this.#seq, occurrence, verdict });
    const known = this.#endedRecord(open, occurrence);
    if (known !== undefined) setEnded(open, { ...known, occurrence: { ...known.occurrence, verdict } });
    return undefined;
  }

  #takeRemoval(mark: DeletedMark): Broken {
    const open = this.#openOf(mark.id);
    if (open?.before === undefined) return ['schedule', `${mark.id} is removed and does not exist`];
    if (open.schedule.id !== mark.id) return ['id', `${mark.id} is spelled ${open.schedule.id}`];
    if (open.pending.size > 0) return ['remove', `${mark.id} is removed with work pending`];
    if (mark.revision !== open.schedule.revision) {
      return ['revision', `${mark.id} is removed at revision ${mark.revision}, it is at ${open.schedule.revision}`];
    }
    this.#open.delete(foldId(mark.id));
    this.#removed.set(foldId(mark.id), mark);
    return undefined;
  }

  #endedRecord(open: Open, id: string): EndedRecord | undefined {
    return (
      open.ended?.get(id) ?? (open.before === undefined ? undefined : this.#state.endedRecord(open.schedule.id, id))
    );
  }
}

function setEnded(open: Open, record: EndedRecord): void {
  open.ended ??= new Map();
  open.ended.set(record.occurrence.id, record);
}

/** States in which a record may appear: admitted, admitted and claimed at once, or skipped at once. */
const FIRST_STATES: readonly Occurrence['status'][] = ['queued', 'running', 'skipped'];
