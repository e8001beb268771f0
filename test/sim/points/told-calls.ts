/**
 * Calls of a client on a bench: what is answered, or refused with the word that nothing was committed, is noted outside of the
 * disk.
 */
import type { DeclarationInput } from '../../../src/codec/declaration-input.js';
import type { Schedules } from '../../../src/runtime/client/face.js';
import type { TriggerResult } from '../../../src/runtime/client/options.js';
import type { ScheduleView } from '../../../src/runtime/client/view.js';
import type { Answered } from '../audit/ledger.js';
import { codeOf } from '../world/sim-process.js';
import { NOTHING_COMMITTED } from '../world/told-store.js';
import type { BenchProcess } from './bench.js';
import { type Does, documentThat, PROVIDER } from './written-handlers.js';

/** What an answer says. */
export type Told = Omit<Answered, 'call' | 'by' | 'atMs' | 'scheduleId'>;

/** A declaration of a manual schedule whose handler does something. */
export function declared(
  id: string,
  does: Does = 'succeed',
  more: Omit<Partial<DeclarationInput>, 'id'> = {},
): DeclarationInput & { readonly id: string } {
  return {
    id,
    objective: `Bench ${id}`,
    document: documentThat(does),
    allowedProviders: [PROVIDER],
    trigger: { kind: 'manual' },
    overlap: 'queue',
    ...more,
  };
}

/** Makes a call, and notes what it is answered. */
export async function tells(
  process: BenchProcess,
  call: string,
  scheduleId: string,
  make: (schedules: Schedules) => Promise<Told>,
): Promise<void> {
  const told = await make(process.schedules);
  const { ledger, time } = process.bench;
  ledger.answers.push({ call, by: process.name, atMs: time.now(), scheduleId, ...told });
}

/** Asks for an occurrence. */
export async function triggers(process: BenchProcess, id: string, requestId?: string): Promise<void> {
  const request = requestId === undefined ? {} : { requestId };
  try {
    await tells(process, 'trigger', id, async (schedules) => occurred(await schedules.trigger(id, request)));
  } catch (error) {
    const { answers } = process.bench.ledger;
    const isNew = !answers.some(
      ({ occurrence }) => occurrence?.endsWith(`~m~${requestId}`) && occurrence.startsWith(id),
    );
    if (requestId !== undefined && isNew && NOTHING_COMMITTED.includes(codeOf(error)))
      process.bench.ledger.refusedRequests.set(`${id} ${requestId}`, codeOf(error));
    throw error;
  }
}

/** Registers, or sees that it is registered. */
export function ensures(process: BenchProcess, declaration: ReturnType<typeof declared>): Promise<void> {
  const make = async (schedules: Schedules) => viewed((await schedules.ensure(declaration)).schedule);
  return tells(process, 'ensure', declaration.id, make);
}

/** Registers. */
export function creates(process: BenchProcess, declaration: ReturnType<typeof declared>): Promise<void> {
  return tells(process, 'create', declaration.id, async (schedules) => viewed(await schedules.create(declaration)));
}

/** The revision and the version of an answer. */
export function viewed({ revision, version, nextDue }: ScheduleView): Told {
  return { revision, version, nextDue };
}

/** The occurrence of an answer. */
export function occurred({ occurrence, schedule }: TriggerResult): Told {
  return { occurrence, revision: schedule.revision, version: schedule.version };
}
