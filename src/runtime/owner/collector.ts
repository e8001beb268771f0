/**
 * Collection as the owner drives it: a tick for every schedule that wants one, and for no other (CO-1, CO-3, OW-8).
 *
 * All ticks of a turn are submitted together, so that they share commits. What a tick leaves for a further commit follows
 * at once. A schedule that a tick did not change is not looked at again before it changes or expires: one that this
 * owner does not collect (OW-9), or whose collection is stopped (CO-6), costs an idle owner nothing.
 */
import type { OwnerInput } from '../../core/model/input.js';
import type { ScheduleEntry } from '../../core/model/schedule.js';
import { expiryOf, isCollectable, isPastExpiry } from '../../core/policy/hold.js';
import type { EpochMs } from '../../core/time/instant.js';
import { isScheduleError, ScheduleError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { scheduleView } from '../client/view.js';
import type { ClockWatch } from '../clock/clock-watch.js';
import type { StoreTrouble } from '../clock/store-trouble.js';
import type { Committer } from '../commit/commit.js';
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
  /** Version of the zone data of this process (TR-10). */
  readonly zoneData: string;
  /** See {@link OwnerOptions.collect}. */
  readonly collect: OwnerOptions['collect'];
  readonly epoch: () => number;
  /** Hears that a commit may have made work ready. */
  readonly onCommitted: () => void;
}

/** See the head of this file. @internal */
export class Collector {
  readonly #on: CollectorParts;

  constructor(on: CollectorParts) {
    this.#on = on;
  }

  /** Whether a tick now would find a schedule that this owner may change. */
  hasWork(now: EpochMs): boolean {
    return this.#on.catalogue.wakesBy(now).some((entry) => this.#collects(entry) || isPastExpiry(entry.schedule, now));
  }

  /** Ticks every schedule that wants it; true where more is to be collected at once (CO-3). */
  async collect(now: EpochMs): Promise<boolean> {
    if (this.#on.trouble.waitMs > 0) return false;
    return this.#tick(this.#on.catalogue.wakesBy(now), now);
  }

  /** Schedules whose next due instant was computed with other zone data (TR-10). */
  staleZones(): readonly ScheduleEntry[] {
    const { catalogue, zoneData } = this.#on;
    return [...catalogue.entries()].filter(({ schedule }) => {
      const isDue = isCollectable(schedule) && schedule.nextDue !== undefined;
      const { trigger } = schedule.definition.declaration;
      return isDue && schedule.zoneData !== zoneData && 'timezone' in trigger;
    });
  }

  /** Ticks the schedules of {@link Collector.staleZones}, so that none wakes too late. */
  async followZoneData(now: EpochMs): Promise<void> {
    await this.#tick(this.staleZones(), now);
  }

  async #tick(entries: readonly ScheduleEntry[], now: EpochMs): Promise<boolean> {
    const { trouble } = this.#on;
    const results = await Promise.allSettled(entries.map((entry) => this.#tickOne(entry, now)));
    let hasMore = false;
    let isTroubled = false;
    for (const [position, result] of results.entries()) {
      if (result.status === 'fulfilled') hasMore ||= result.value;
      else if (!this.#isOwnFault(entries[position], result.reason)) {
        trouble.note(result.reason);
        isTroubled = true;
      }
    }
    if (results.length > 0 && !isTroubled) trouble.over();
    return hasMore;
  }

  /** A schedule for which the rules themselves fail is left alone until it changes; it delays no other one (CO-4). */
  #isOwnFault(entry: ScheduleEntry | undefined, error: unknown): boolean {
    if (entry === undefined || !isScheduleError(error, 'SCHEDULE_ADAPTER_BROKEN')) return false;
    const { id } = entry.schedule;
    if (error.details['scheduleId'] !== id) return false;
    this.#on.events.warn(`schedule ${id} cannot be collected: ${error.message}`, error.cause);
    this.#on.catalogue.postpone(id, undefined);
    return true;
  }

  async #tickOne(entry: ScheduleEntry, now: EpochMs): Promise<boolean> {
    const { catalogue, committer, tally } = this.#on;
    const { id } = entry.schedule;
    const input: OwnerInput = { kind: 'tick', spans: this.#on.watch.spans, collects: this.#collects(entry) };
    const committed = await committer.submit(id, input, { actor: 'owner', epoch: this.#on.epoch() });
    tally.collected(entry, committed.decision);
    const isIdle = committed.decision.kind !== 'accepted' && catalogue.entry(id) === committed.entry;
    if (isIdle) catalogue.postpone(id, expiryAfter(entry, now));
    this.#on.onCommitted();
    return committed.decision.kind === 'accepted' && committed.decision.hasMore === true;
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
