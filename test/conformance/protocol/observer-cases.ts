/** What observers are told and when: cases for clauses O-1 to O-4, which bind whoever tells. */
import assert from 'node:assert/strict';
import type { ObservedEvent } from '../../../src/ports/observer.js';
import type { ScheduleStore } from '../../../src/ports/schedule-store.js';
import type { ContractCase } from '../../../src/testing/contracts/contract-case.js';
import { fails, succeeds } from '../../../src/testing/scripted-execution.js';
import { caseIn } from './owner-cases.js';
import type { Broken, World } from './world.js';

type OccurrenceEvent = Extract<ObservedEvent, { readonly type: 'occurrence' }>;

/** See the head of this file. */
export function observerCases(broken: Broken = {}): readonly ContractCase[] {
  const make = caseIn(broken);
  return [
    make('O-1', 'what is told of survives a death at that very moment', async (world) => {
      const looks: Promise<string | undefined>[] = [];
      const look = async (store: Promise<ScheduleStore>, { occurrence, to }: OccurrenceEvent) => {
        const found = await statusOf(await store, occurrence.id);
        return found === to ? undefined : `${occurrence.id} was told to be ${to}, and would be ${found}`;
      };
      await live(world, (event) => {
        if (event.type === 'occurrence') looks.push(look(world.afterDeath(), event));
      });
      assert.deepEqual(
        (await Promise.all(looks)).filter((complaint) => complaint !== undefined),
        [],
      );
      assert.ok(looks.length >= 6, `${looks.length} events of occurrences were told`);
    }),
    make('O-2', 'events of a schedule come in the order of its commits', async (world) => {
      const last = new Map<string, string>();
      const wrong: string[] = [];
      await live(world, (event) => {
        if (event.type !== 'occurrence') return;
        const { id } = event.occurrence;
        if (event.from !== last.get(id)) wrong.push(`${id}: ${event.from} -> ${event.to} after ${last.get(id)}`);
        last.set(id, event.to);
      });
      assert.deepEqual(wrong, []);
      assert.deepEqual([...last.values()], ['succeeded', 'failed']);
    }),
    make('O-3', 'what an observer throws harms nobody, and becomes a warning of the process', async (world) => {
      let warnings = 0;
      const warned = () => {
        warnings += 1;
      };
      // The report of the test is no place for the warnings that are wanted here.
      const others = process.listeners('warning');
      process.removeAllListeners('warning');
      process.on('warning', warned);
      try {
        await live(world, () => {
          throw new Error('an observer of a test throws');
        });
        await new Promise((resolve) => setImmediate(resolve));
      } finally {
        process.off('warning', warned);
        for (const other of others) process.on('warning', other);
      }
      assert.ok(warnings > 0, 'nobody was warned');
    }),
    make('O-4', 'what is told is plain: JSON whose instants are texts', async (world) => {
      const told: ObservedEvent[] = [];
      await live(world, (event) => told.push(event));
      for (const event of told) {
        assert.deepEqual(JSON.parse(JSON.stringify(event)), event);
        for (const [path, value] of instantsIn(event)) {
          assert.match(String(value), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, `${event.type}.${path} is ${String(value)}`);
        }
      }
      assert.ok(told.length > 6);
    }),
  ];
}

/** An owner's life in which one occurrence succeeds and one fails. */
async function live(world: World, observer: (event: ObservedEvent) => unknown): Promise<void> {
  const observed = (event: ObservedEvent) => void observer(event);
  const steps = [succeeds({ rows: 2 }), fails('broken')];
  const schedules = await world.openWith({ id: 'a', overlap: 'queue' }, { steps, observer: observed });
  const asked = [];
  for (const requestId of ['one', 'two']) asked.push(await schedules.trigger('a', { requestId }));
  const owner = schedules.owner();
  await world.clock.runUntil(owner.start());
  await world.clock.advance(1000);
  await world.clock.runUntil(owner.stop());
  const ends = [];
  for (const { occurrence } of asked) ends.push((await schedules.waitFor(occurrence)).status);
  assert.deepEqual(ends, ['succeeded', 'failed']);
  await schedules.close();
}

async function statusOf(store: ScheduleStore, occurrence: string): Promise<string | undefined> {
  const { schedules } = await store.changes(0);
  const pending = schedules.flatMap(({ entry }) => entry.pending).find(({ id }) => id === occurrence);
  if (pending !== undefined) return pending.status;
  return (await store.history({ scheduleId: 'a', occurrence, limit: 1 })).records[0]?.status;
}

/** Members whose names end in `At`, at any depth, by their paths. */
function instantsIn(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]): (readonly [string, unknown])[] =>
    /^at$|At$/.test(key) ? [[`${path}${key}`, member]] : [...instantsIn(member, `${path}${key}.`)],
  );
}
