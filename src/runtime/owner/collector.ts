/**
 * Collection as the owner drives it: a tick for every schedule that wants one, and for no other (CO-1, CO-3, OW-8).
 *
 * What finds a free slot is collected by the commit that claims it. While slots take what is due, the rest waits for the
 * next one to be free; once that comes to a halt it is collected as it is, so many at a time, together in shared commits.
 * What a tick leaves for a further commit follows at once. A schedule that a tick did not change is not looked at again before it changes or expires: one that this
 * owner does not collect (OW-9), or whose collection is stopped (CO-6), costs an idle owner nothing.
 */
import type { CatalogueRow } from '../../core/model/catalogue.js';
import type { OwnerInput } from '../../core/model/input.js';
import type { ScheduleEntry } from '../../core/model/schedule.js';
import { expiryOf, isPastExpiry } from '../../core/policy/hold.js';
import type { EpochMs } from '../../core/time/instant.js';
import type { ZoneData } from '../../core/time/zone-data.js';
import { isOutdated } from '../../core/transition/due-basis.js';
import { isScheduleError, ScheduleError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { DueWork } from '../catalogue/due-work.js';
import { scheduleView } from '../client/view.js';
import type { ClockWatch } from '../clock/clock-watch.js';
import type { StoreTrouble } from '../clock/store-trouble.js';
import type { Committed, Committer } from '../commit/commit.js';
import type { PlannedInput } from '../commit/commit-plan.js';
import type { DueSchedule } from '../dispatch/claims.js';
import type { Dispatcher } from '../dispatch/dispatch.js';
import type { EventHub } from '../events.js';
import type { OwnerOptions } from './owner-parts.js';
import type { Tally } from './tally.js';

/** What a collector works with. @internal */
export interface CollectorParts {
  readonly catalogue: Catalogue;
  readonly committer: Committer;
  readonly watch: ClockWatch;
  readonly clock: Clock;
  readonly events: EventHub;
  readonly trouble: StoreTrouble;
  readonly tally: Tally;
  /** The zone data of this process (TR-10). */
  readonly zoneData: ZoneData;
  /** See {@link OwnerOptions.collect}. */
  readonly collect: OwnerOptions['collect'];
  readonly epoch: () => number;
  /** Fills free slots with what is ready or due; resolves once that is submitted. */
  readonly fill: () => Promise<void>;
  /** What the slots are at: how many were taken so far, and whether one is about to change. */
  readonly slots: Pick<Dispatcher, 'started' | 'isChanging' | 'changed'>;
}

/** Schedules that are collected together without a slot. */
const AT_A_TIME = 128;

/** See the head of this file. @internal */
export class Collector {
  readonly #on: CollectorParts;
  /** The calendars as of the last time that every schedule was held against them; undefined before the first time. */
  #followed: { readonly calendars: CatalogueRow['calendars'] } | undefined;
  readonly #due: DueWork;
  readonly #inFlight = new Set<Promise<unknown>>();
  /** Slots that had been taken in the turn before. */
  #startedBefore = 0;
  #hasMore = false;

  constructor(on: CollectorParts) {
    this.#on = on;
    this.#due = new DueWork(on.catalogue);
  }

  /** Whether a tick now would find a schedule that this owner may change. */
  hasWork(now: EpochMs): boolean {
    return this.#on.catalogue.wakesBy(now).some((entry) => this.#collects(entry) || isPastExpiry(entry.schedule, now));
  }

  /** Collects what is due by now, or a part of it; true where more is to be collected at once (CO-3). */
  async collect(now: EpochMs): Promise<boolean> {
    const { trouble, clock, fill, slots } = this.#on;
    if (trouble.waitMs > 0) return false;
    this.#hasMore = false;
    this.#due.look(now);
    await fill();
    const isMoving = slots.isChanging || slots.started !== this.#startedBefore;
    this.#startedBefore = slots.started;
    await this.#tick(this.#due.take(AT_A_TIME, !isMoving));
    await Promise.all(this.#inFlight);
    // What slots took may end at once, and then they take more.
    if (isMoving && !this.#due.isEmpty) {
      await slots.changed();
      await clock.sleep(0);
    }
    return this.#hasMore || !this.#due.isEmpty;
  }

  /** The next schedule that is due, for a slot of the dispatcher: see {@link DueWork.next}. */
  nextDue(ready: ScheduleEntry | undefined): DueSchedule | undefined {
    const entry = this.#due.next(ready);
    if (entry === undefined) return undefined;
    return { entry, collect: (further) => this.#tickOne(entry, further) };
  }

  /** Schedules whose next due instant was computed with other zone data, or with another state of their calendar (TR-10, DE-12). */
  outdated(): readonly ScheduleEntry[] {
    const { catalogue, zoneData } = this.#on;
    const { calendars } = catalogue.row;
    const sources = { zoneData, ...(calendars === undefined ? {} : { calendars }) };
    return [...catalogue.entries()].filter(({ schedule }) => isOutdated(schedule, sources));
  }

  /** Ticks the schedules that are outdated, so that none wakes too late: once, and whenever a calendar was edited since. */
  async followSources(): Promise<void> {
    const { catalogue, trouble } = this.#on;
    const { calendars } = catalogue.row;
    if (trouble.waitMs > 0) return;
    if (this.#followed !== undefined && this.#followed.calendars === calendars) return;
    await this.#tick(this.outdated());
    if (trouble.waitMs <= 0) this.#followed = { calendars };
  }

  async #tick(entries: readonly ScheduleEntry[]): Promise<void> {
    await Promise.all(entries.map((entry) => this.#tickOne(entry, undefined)));
  }

  /** A schedule for which the rules themselves fail is left alone until it changes; it delays no other one (CO-4). */
  #isOwnFault(entry: ScheduleEntry, error: unknown): boolean {
    if (!isScheduleError(error, 'SCHEDULE_ADAPTER_BROKEN')) return false;
    const { id } = entry.schedule;
    if (error.details['scheduleId'] !== id) return false;
    this.#on.events.warn(`schedule ${id} cannot be collected: ${error.message}`, error.cause);
    this.#on.catalogue.postpone(id, undefined);
    return true;
  }

  /** Collects one schedule, with what follows from that; undefined where that was not possible, which is noted. */
  #tickOne(entry: ScheduleEntry, further: PlannedInput['further']): Promise<Committed | undefined> {
    const ticking = this.#commitTick(entry, further)
      .then((committed) => {
        this.#on.trouble.over();
        this.#note(entry, committed);
        return committed;
      })
      .catch((error: unknown) => {
        if (!this.#isOwnFault(entry, error)) this.#on.trouble.note(error);
        return undefined;
      })
      .finally(() => this.#inFlight.delete(ticking));
    this.#inFlight.add(ticking);
    return ticking;
  }

  async #commitTick(entry: ScheduleEntry, further: PlannedInput['further']): Promise<Committed> {
    const { committer, watch, epoch } = this.#on;
    const input: OwnerInput = { kind: 'tick', spans: watch.spans, collects: this.#collects(entry) };
    return committer.submit(entry.schedule.id, input, { actor: 'owner', epoch: epoch(), further });
  }

  #note(entry: ScheduleEntry, { decision, entry: after }: Committed): void {
    const { catalogue, clock, tally, fill } = this.#on;
    const { id } = entry.schedule;
    tally.collected(entry, decision);
    // One that was changed since it was found to be due may be due later now: it is not to be passed over.
    const isIdle = decision.kind !== 'accepted' && after === entry && catalogue.entry(id) === entry;
    if (isIdle) catalogue.postpone(id, expiryAfter(entry, clock.now()));
    if (decision.kind === 'accepted' && decision.hasMore === true) this.#hasMore = true;
    fill();
  }

  #collects(entry: ScheduleEntry): boolean {
    const { collect } = this.#on;
    if (this.#on.catalogue.row.clockStop !== undefined) return false;
    if (typeof collect !== 'function') return collect ?? true;
    const { id } = entry.schedule;
    let answer: unknown;
    try {
      answer = collect(scheduleView(entry, this.#on.clock.now()));
    } catch (cause) {
      throw badCollect(id, 'threw', cause);
    }
    // A promise would be true whatever it resolves with.
    if (typeof answer !== 'boolean') throw badCollect(id, 'answered neither true nor false', undefined);
    return answer;
  }
}

function badCollect(scheduleId: string, what: string, cause: unknown): ScheduleError {
  return new ScheduleError(
    'SCHEDULE_CONFIG_INVALID',
    `The owner's collect function ${what} for schedule ${scheduleId}.`,
    {
      details: { scheduleId },
      hint: 'Let it answer true or false for every schedule, at once.',
      ...(cause === undefined ? {} : { cause }),
    },
  );
}

function expiryAfter({ schedule }: ScheduleEntry, now: EpochMs): EpochMs | undefined {
  const expiry = expiryOf(schedule);
  return expiry !== undefined && expiry > now ? expiry : undefined;
}
