/**
 * The law of due instants: whatever updates, deletions, clock steps and acceptances come in whatever order, no due instant of
 * a schedule is recorded twice, under whatever revision (CO-5, CO-6).
 *
 * The world plays the runtime: it knows the records that a catalogue has, which go with a deletion, and hands them to an
 * accepted clock. What was ever recorded is kept apart, as instants.
 */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, vi } from 'vitest';
import type { Declaration } from '../../src/core/model/declaration.js';
import type { Decision, Input } from '../../src/core/model/input.js';
import type { Occurrence } from '../../src/core/model/occurrence.js';
import { epochMs } from '../../src/core/time/instant.js';
import { compileTrigger } from '../../src/core/trigger/compile.js';
import { every, MINUTE, T0, World } from '../support/builders.js';

const numRuns = 2 * Number(process.env['EVERDUE_RUNS'] ?? 300);

vi.setConfig({ testTimeout: 600_000 });

/** A world that keeps every due instant that was ever recorded. */
class InstantWorld extends World {
  readonly instants = new Map<number, string>();
  readonly #seen = new Set<string>();
  /** The highest time of any decision, as a catalogue has it. */
  lastSeenAt = 0;

  override do(input: Input): Decision {
    const before = this.entry?.schedule.definition.declaration;
    const decision = super.do(input);
    if (decision.kind !== 'accepted') return decision;
    this.lastSeenAt = Math.max(this.lastSeenAt, this.now);
    const after = decision.entry;
    for (const one of [...decision.ended, ...(after?.pending ?? [])]) {
      const isOfNow = one.revision === after?.schedule.revision;
      const declaration = isOfNow ? after?.schedule.definition.declaration : before;
      if (declaration !== undefined) this.#note(one, declaration);
    }
    return decision;
  }

  #note(one: Occurrence, { trigger }: Declaration): void {
    if (one.origin !== 'trigger' || this.#seen.has(one.id)) return;
    this.#seen.add(one.id);
    const compiled = compileTrigger(trigger);
    if (!compiled.ok) throw new Error('the trigger is valid');
    const firstAt = one.window?.firstAt ?? one.dueAt;
    for (let at = compiled.value.next(firstAt - 1); at !== undefined && at <= one.dueAt; at = compiled.value.next(at)) {
      const other = this.instants.get(at);
      expect(other, `${new Date(at).toISOString()} of ${one.id} was recorded before`).toBeUndefined();
      this.instants.set(at, one.id);
    }
  }

  /** What a runtime does for an operator: the clock is accepted, and the schedule follows. */
  acceptClock(): void {
    const taken = [...this.ended, ...this.pending]
      .filter(({ origin, dueAt }) => origin === 'trigger' && dueAt >= this.now)
      .map(({ dueAt, window }) => ({ from: window?.firstAt ?? dueAt, until: dueAt }));
    const isClockBehind = this.lastSeenAt > this.now;
    this.do({ kind: 'acceptClock', acceptedAt: this.now, isClockBehind, taken });
    this.lastSeenAt = this.now;
  }
}

const triggers = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(60, 120, 180, 420).map((seconds) => every(seconds, T0)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }).map((n) => every(120, T0, epochMs(T0 + n * MINUTE))) },
);

const declarations: fc.Arbitrary<Partial<Declaration>> = fc.record({
  trigger: triggers,
  overlap: fc.constantFrom('queue', 'skip', 'coalesce'),
  misfire: fc.constantFrom('skip', 'runOnce', 'catchUp'),
  maxCatchUp: fc.constantFrom(1, 5, 100),
  maxOccurrences: fc.constantFrom<Declaration['maxOccurrences'][]>('unlimited', 'unlimited', 4),
  graceSeconds: fc.constantFrom(0, 60),
});

const steps = fc.array(
  fc.record({
    act: fc.constantFrom(
      ...['pass', 'pass', 'pass', 'pass', 'pass', 'back', 'back', 'ahead', 'update', 'update'],
      ...['cancel', 'delete', 'pause', 'resume', 'run', 'run', 'none'],
    ),
    minutes: fc.integer({ min: 0, max: 25 }),
    declaration: declarations,
  }),
  { minLength: 5, maxLength: 40, size: 'max' },
);

describe('no due instant twice', () => {
  test.prop([declarations, steps], { numRuns })(
    '[CO-5, CO-6, CT-3, CT-7] whatever is updated, deleted, stepped back and accepted, no due instant is recorded twice',
    (first, walk) => {
      const world = new InstantWorld(T0);
      world.create(first);
      for (const { act, minutes, declaration } of walk) {
        if (world.entry === undefined) world.create(declaration);
        take(world, act, minutes, declaration);
        if (act !== 'none') world.tick();
      }
    },
  );
});

function take(world: InstantWorld, act: string, minutes: number, declaration: Partial<Declaration>): void {
  if (world.entry === undefined) return;
  switch (act) {
    case 'back':
      // Up to a minute is let pass; more stops collection until it is accepted.
      world.at(epochMs(Math.max(T0, world.now - minutes * MINUTE)));
      if (world.now < world.lastSeenAt - MINUTE) world.acceptClock();
      return;
    case 'ahead':
      world.at(epochMs(world.now + 4 * minutes * MINUTE));
      return;
    case 'update':
      world.update(declaration, { pending: 'withdraw' });
      return;
    case 'cancel':
      world.cancel();
      return;
    case 'delete':
      runHeldAside(world);
      world.delete();
      return;
    case 'pause':
      world.pause();
      return;
    case 'resume':
      world.resume();
      return;
    case 'run':
      runHeldAside(world);
      return;
    default:
      world.at(epochMs(world.now + minutes * MINUTE));
  }
}

/** Runs what is pending; what a pause holds stays. */
function runHeldAside(world: InstantWorld): void {
  for (const { id } of world.pending) {
    if (world.claim(id).kind !== 'accepted') return;
    if (world.pending.some(({ status }) => status === 'running')) world.succeed();
  }
}
