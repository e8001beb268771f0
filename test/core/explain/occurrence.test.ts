/** What an occurrence says of itself: its explanation, and what a pending one waits for (OC-9). */
import { describe, expect, it } from 'vitest';
import { explanationOf } from '../../../src/core/explain/explanation.js';
import { type Surroundings, type WaitingFor, waitingFor } from '../../../src/core/explain/waiting-for.js';
import type { Declaration } from '../../../src/core/model/declaration.js';
import type { Occurrence } from '../../../src/core/model/occurrence.js';
import type { Quarantine, ScheduleEntry } from '../../../src/core/model/schedule.js';
import { formatInstant } from '../../../src/core/time/instant.js';
import { minute, T0, World } from '../../support/builders.js';

const MARK: Quarantine = { reason: 'unresponsive', since: T0, epoch: 1, detail: 'runs on' };

/** A schedule with one queued occurrence, and that occurrence. */
function queued(declared: Partial<Declaration> = {}): { entry: ScheduleEntry; occurrence: Occurrence } {
  const { entry } = tickedWorld(declared);
  const occurrence = entry?.pending[0];
  if (entry === undefined || occurrence === undefined) throw new Error('nothing is queued');
  return { entry, occurrence };
}

function tickedWorld(declared: Partial<Declaration>): World {
  const world = World.of(declared);
  world.at(T0).tick();
  return world;
}

/** Everything at once that can stand in the way; the first of them is told, then it is taken away. */
const WAYS: readonly { readonly told: WaitingFor['kind']; readonly without: Partial<Record<keyof Way, true>> }[] = [
  { told: 'quarantine', without: {} },
  { told: 'expiry', without: { quarantine: true } },
  { told: 'gate', without: { quarantine: true, expiry: true } },
  { told: 'schedulePaused', without: { quarantine: true, expiry: true, gate: true } },
  { told: 'noOwner', without: { quarantine: true, expiry: true, gate: true, pause: true } },
  { told: 'retryAt', without: { quarantine: true, expiry: true, gate: true, pause: true, owner: true } },
  { told: 'key', without: { quarantine: true, expiry: true, gate: true, pause: true, owner: true, retry: true } },
  {
    told: 'slot',
    without: { quarantine: true, expiry: true, gate: true, pause: true, owner: true, retry: true, key: true },
  },
];

interface Way {
  readonly quarantine: true;
  readonly expiry: true;
  readonly gate: true;
  readonly pause: true;
  readonly owner: true;
  readonly retry: true;
  readonly key: true;
}

describe('what a pending occurrence waits for', () => {
  it.each(WAYS)('[OC-9] $told stands before what follows it', ({ told, without }) => {
    const { entry, occurrence } = queued({ expiresAt: formatInstant(minute(1)) });
    const around: Surroundings = {
      schedule: {
        ...entry.schedule,
        ...(without.quarantine ? {} : { quarantine: MARK }),
        ...(without.pause ? {} : { status: 'paused' }),
      },
      gate: { isPaused: without.gate !== true },
      isOwned: without.owner === true,
      ...(without.key ? {} : { keyHolder: 'other~1~m~r1' }),
      now: without.expiry ? T0 : minute(1),
    };
    const waiting = without.retry ? occurrence : ({ ...occurrence, status: 'retrying', retryAt: minute(2) } as const);
    expect(waitingFor(waiting, around)?.kind).toBe(told);
  });

  it('[OC-9, CT-9] a manual one is held by neither gate nor pause', () => {
    const { entry, occurrence } = queued();
    const schedule = { ...entry.schedule, status: 'paused' as const };
    const around = { schedule, gate: { isPaused: true }, isOwned: true, now: T0 };
    expect(waitingFor({ ...occurrence, origin: 'manual' }, around)).toEqual({ kind: 'slot' });
  });
});

describe('the explanation', () => {
  it('[OC-9, OC-11] of one that was asked to end before its dispatch says that the handler was never called', () => {
    const world = tickedWorld({});
    world.claim();
    const fault = { code: 'notDispatched', message: 'asked to end' };
    world.settle({ kind: 'failed', fault }, { abort: 'stop' });
    const [ended] = world.ended;
    expect(ended?.nativeState).toBe('not-dispatched');
    const cancelled = ended && ({ ...ended, status: 'cancelled', reason: 'stopped' } as const);
    expect(cancelled && explanationOf(cancelled)).toBe(
      'this occurrence was stopped by a control; the handler was never called',
    );
    expect(ended && explanationOf(ended)).toBe(
      'the owner was stopped before it called the handler; it is never run again',
    );
  });

  it('[OC-9, OV-3] of any other is the sentence of its reason, and nothing where it has none', () => {
    const { occurrence } = queued();
    expect(explanationOf(occurrence)).toBeUndefined();
    expect(explanationOf({ ...occurrence, status: 'skipped', reason: 'overlap' })).toContain(
      'the overlap policy is skip',
    );
  });
});
