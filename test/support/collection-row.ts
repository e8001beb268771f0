/**
 * One row of a table about collection: a declaration, what happened before, and what one tick makes of it.
 */
import { expect } from 'vitest';
import type { Declaration } from '../../src/core/model/declaration.js';
import { minute, T0, World } from './builders.js';

/** See the head of this file. */
export interface CollectionRow {
  readonly title: string;
  readonly declared?: Partial<Declaration>;
  /** What happens before the tick that counts. */
  readonly before?: (world: World) => void;
  /** Time of the tick in minutes after T0. */
  readonly at: number;
  readonly pending?: readonly string[];
  readonly ended?: readonly string[];
  readonly nextDue: number | undefined;
  readonly through?: number;
  readonly spent?: number;
  readonly status?: string;
}

/** Leaves the occurrence of minute 0 queued. */
export const queued = (world: World): void => void world.at(T0).tick();
/** Leaves it running. */
export const running = (world: World): void => {
  queued(world);
  world.claim();
};

/** Makes the tick and compares. */
export function checkRow({
  declared,
  before,
  at,
  pending,
  ended,
  nextDue,
  through,
  spent,
  status,
}: CollectionRow): void {
  const world = World.of(declared);
  before?.(world);
  const skip = world.ended.length;
  world.at(minute(at)).tick();
  expect(world.waiting, 'pending').toEqual(pending ?? []);
  expect(world.history.slice(skip), 'ended').toEqual(ended ?? []);
  expect(world.schedule.nextDue, 'nextDue').toBe(nextDue === undefined ? undefined : minute(nextDue));
  if (through !== undefined) expect(world.schedule.collectedThrough, 'collectedThrough').toBe(minute(through));
  if (spent !== undefined) expect(world.schedule.spent, 'spent').toBe(spent);
  expect(world.schedule.status).toBe(status ?? 'active');
}
