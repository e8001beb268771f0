/**
 * What the catalogue will be once a batch is committed: the mirror with the decisions of the batch on top.
 *
 * Later decisions of a batch build on earlier ones through it. It is thrown away when the commit is refused, and
 * handed to the mirror when it is durable.
 */
import { type CatalogueRow, type DeletedMark, foldId } from '../../core/model/catalogue.js';
import { concurrencyKeyOf } from '../../core/model/declaration.js';
import type { Accepted, DecisionContext, Input } from '../../core/model/input.js';
import type { ScheduleEntry } from '../../core/model/schedule.js';
import type { ZoneData } from '../../core/time/zone-data.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { type Claimant, KeyTable } from '../catalogue/key-table.js';
import { type KeptRequest, RequestTable } from '../catalogue/request-table.js';
import type { Rules } from '../rules.js';

/** Inputs whose decision looks at the concurrency key and the gate. */
const LOOKS_AROUND: ReadonlySet<Input['kind']> = new Set(['tick', 'trigger', 'claim']);

/** What a decision looks at, with the concurrency key that it looked up. @internal */
export interface DraftView {
  /** For `decide`. */
  readonly context: DecisionContext;
  /** The key that was looked up; absent where none was. */
  readonly key?: string;
  /** Whether it may look at the catalogue's own row: at the gate, exactly where a key is looked up, or at a calendar. */
  readonly isRowSeen: boolean;
}

/** See the head of this file. @internal */
export class CommitDraft {
  readonly #catalogue: Catalogue;
  readonly #rules: Rules;
  readonly #zoneData: ZoneData;
  readonly #entries = new Map<string, ScheduleEntry | undefined>();
  readonly #marks = new Map<string, DeletedMark>();
  readonly #keys = new KeyTable();
  readonly #requests = new RequestTable();
  readonly #kept: KeptRequest[] = [];

  constructor(catalogue: Catalogue, rules: Rules, zoneData: ZoneData) {
    this.#catalogue = catalogue;
    this.#rules = rules;
    this.#zoneData = zoneData;
  }

  /** Whether nothing was put on top yet. */
  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Schedules that changed and still exist. */
  get entries(): readonly ScheduleEntry[] {
    return [...this.#entries.values()].filter((entry) => entry !== undefined);
  }

  /** Marks of the schedules that were removed and not made again. */
  get marks(): readonly DeletedMark[] {
    return [...this.#marks.values()];
  }

  /** Request ids that are to be kept from then on, in order. */
  get requests(): readonly KeptRequest[] {
    return this.#kept;
  }

  /** A schedule as it will be. */
  entry(id: string): ScheduleEntry | undefined {
    const folded = foldId(id);
    return this.#entries.has(folded) ? this.#entries.get(folded) : this.#catalogue.entry(folded);
  }

  /** What a decision about this input may look at. */
  view(id: string, input: Input): DraftView {
    const folded = foldId(id);
    const entry = this.entry(folded);
    const mark = this.#marks.get(folded) ?? (entry === undefined ? this.#catalogue.mark(folded) : undefined);
    const key = entry === undefined ? undefined : keyOf(entry, input);
    const pending = key === undefined ? undefined : this.#keyPending(key, folded);
    const context: { -readonly [K in keyof DecisionContext]: DecisionContext[K] } = {
      gate: this.#row.gate,
      zoneData: this.#zoneData,
      isKeyHeld: entry !== undefined && key !== undefined && this.#isKeyHeld(key, claimantOf(entry, input), folded),
    };
    const { calendars } = this.#row;
    if (calendars !== undefined) context.calendars = calendars;
    if (entry !== undefined) context.entry = entry;
    if (mark !== undefined) context.mark = mark;
    if (pending !== undefined) context.keyPending = pending;
    const existing =
      entry === undefined || input.kind !== 'trigger' ? undefined : this.#existing(entry, input.requestId);
    if (existing !== undefined) context.existing = existing;
    const isRowSeen = key !== undefined || namesCalendar(entry, input);
    return key === undefined ? { context, isRowSeen } : { context, key, isRowSeen };
  }

  /** Puts an accepted decision on top. */
  put(id: string, input: Input, accepted: Accepted): void {
    const folded = foldId(id);
    if (input.kind === 'trigger' && input.isRequestKept && accepted.entry !== undefined) {
      const { revision } = accepted.entry.schedule;
      this.#kept.push({ scheduleId: folded, revision, request: input.requestId });
      this.#requests.add(folded, revision, [input.requestId]);
    }
    this.#entries.set(folded, accepted.entry);
    if (accepted.entry === undefined && accepted.mark !== undefined) this.#marks.set(folded, accepted.mark);
    else this.#marks.delete(folded);
    this.#keys.set(folded, accepted.entry === undefined ? [] : this.#rules.keyHolds(accepted.entry, this.#row.gate));
  }

  get #row(): CatalogueRow {
    return this.#catalogue.row;
  }

  /** The mirror knows those of its own revision; a revision that this batch makes has none but those of this batch. */
  #existing({ schedule }: ScheduleEntry, requestId: string): string | undefined {
    const isOfMirror = this.#catalogue.entry(schedule.id)?.schedule.revision === schedule.revision;
    const known = isOfMirror ? this.#catalogue.existing(schedule.id, requestId) : undefined;
    return known ?? this.#requests.occurrence(schedule, requestId);
  }

  #keyPending(key: string, own: string): string | undefined {
    return (
      this.#keys.pending(key, (schedule) => schedule === own) ??
      this.#catalogue.keyPending(key, (schedule) => schedule === own || this.#entries.has(schedule))
    );
  }

  #isKeyHeld(key: string, claimant: Claimant, own: string): boolean {
    return (
      this.#keys.isHeld(key, claimant, (schedule) => schedule === own) ||
      this.#catalogue.isKeyHeld(key, claimant, (schedule) => schedule === own || this.#entries.has(schedule))
    );
  }
}

/** The occurrence that an input wants to claim; for any other input nothing that waits, so that all that is active is ahead. */
function claimantOf({ pending }: ScheduleEntry, input: Input): Claimant {
  if (input.kind !== 'claim') return { occurrence: '' };
  const retryAt = pending.find(({ id }) => id === input.occurrence)?.retryAt;
  return { occurrence: input.occurrence, ...(retryAt === undefined ? {} : { retryAt }) };
}

/** The concurrency key that a decision about this input looks at. */
function keyOf(entry: ScheduleEntry, input: Input): string | undefined {
  if (!LOOKS_AROUND.has(input.kind)) return undefined;
  if (input.kind === 'claim') return entry.pending.find(({ id }) => id === input.occurrence)?.concurrencyKey;
  return concurrencyKeyOf(entry.schedule.definition.declaration);
}

/** Whether a declaration that a decision about this input may evaluate names a calendar (DE-12). */
function namesCalendar(entry: ScheduleEntry | undefined, input: Input): boolean {
  const next = 'definition' in input ? input.definition : undefined;
  return [entry?.schedule.definition, next].some((one) => one?.declaration.exclude?.calendar !== undefined);
}
