/**
 * The calls of a simulated client: one is drawn, made, and its answer or its refusal noted outside of the disk.
 */
import type { Schedules } from '../../../src/runtime/client/face.js';
import type { TriggerResult } from '../../../src/runtime/client/options.js';
import type { ScheduleView } from '../../../src/runtime/client/view.js';
import type { Answered, Ledger } from '../audit/ledger.js';
import { CALENDAR, type Drawing, drawDates, drawDeclaration, drawDocument, drawTrigger } from './declarations.js';
import { codeOf, type SimProcess } from './sim-process.js';
import { NOTHING_COMMITTED } from './told-store.js';

/** Refusals that any client must be ready for. */
const EXPECTED: readonly string[] = [
  ...NOTHING_COMMITTED,
  'SCHEDULE_STORE_FAILED',
  'SCHEDULE_REVISION_CONFLICT',
  'SCHEDULE_WORK_PENDING',
  'SCHEDULE_NOT_APPLICABLE',
  'SCHEDULE_NOT_FOUND',
  'SCHEDULE_EXISTS',
  'SCHEDULE_NEVER_DUE',
];

/** What a call works with. */
interface Call {
  readonly process: SimProcess;
  readonly schedules: Schedules;
  readonly ledger: Ledger;
  readonly id: string;
  readonly drawing: Drawing;
}

type Told = Omit<Answered, 'call' | 'by' | 'atMs' | 'scheduleId'> | undefined;

/** The calls by name; as often as it stands here is one drawn. */
const CALLS: Readonly<Record<string, { readonly weight: number; readonly make: (call: Call) => Promise<Told> }>> = {
  create: { weight: 6, make: create },
  ensure: { weight: 3, make: ensure },
  update: { weight: 4, make: update },
  reword: { weight: 1, make: reword },
  pause: { weight: 2, make: pause },
  resume: { weight: 3, make: resume },
  cancel: { weight: 1, make: cancel },
  delete: { weight: 1, make: remove },
  trigger: { weight: 8, make: trigger },
  again: { weight: 2, make: triggerAgain },
  stop: { weight: 2, make: stop },
  rerun: { weight: 2, make: rerun },
  resolve: { weight: 2, make: resolve },
  gate: { weight: 1, make: gate },
  acceptClock: { weight: 1, make: acceptClock },
  renew: { weight: 0, make: renew },
  recreate: { weight: 0, make: recreate },
  setBack: { weight: 0, make: setBack },
  setCalendar: { weight: 1, make: setCalendar },
  read: { weight: 3, make: read },
};

const DRAWN = Object.entries(CALLS).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name));

/** What is called all the time in a run that is revised; `setBack` nowhere else. */
const REVISING = ['renew', 'renew', 'recreate', 'setBack', 'setBack'] as const;

/** See the head of this file. */
export async function makeCall(process: SimProcess, schedules: Schedules, ledger: Ledger): Promise<void> {
  const { random, machine } = process;
  const id = random.of(machine.options.ids);
  await call(process, schedules, ledger, id, drawName(process));
}

/** A client of a new version of the host, which updates each schedule as it starts. */
export async function deploy(process: SimProcess, schedules: Schedules, ledger: Ledger): Promise<void> {
  for (const id of process.machine.options.ids) await call(process, schedules, ledger, id, 'renew');
}

function drawName({ random, machine }: SimProcess): string {
  return machine.options.isRevised && random.chance(0.3) ? random.of(REVISING) : random.of(DRAWN);
}

async function call(
  process: SimProcess,
  schedules: Schedules,
  ledger: Ledger,
  id: string,
  name: string,
): Promise<void> {
  const { random, machine } = process;
  const { ballast, isRevised } = machine.options;
  const drawing = { random, nowMs: process.clock.now(), ballast, isRevised };
  machine.scheduler.note(process, `calls ${name} ${id}`);
  try {
    const told = await CALLS[name]?.make({ process, schedules, ledger, id, drawing });
    const atMs = machine.wallNow();
    if (told !== undefined) ledger.answers.push({ call: name, by: process.name, atMs, scheduleId: id, ...told });
    machine.scheduler.note(process, `is answered ${name} ${id} ${told?.revision ?? ''}.${told?.version ?? ''}`);
  } catch (error) {
    const code = codeOf(error);
    ledger.refused(name, code);
    machine.scheduler.note(process, `is refused ${name} ${id}: ${code}`);
    if (!EXPECTED.includes(code))
      ledger.violate('CT-1', `${name} of ${process.name} was refused with ${describe(error)}`);
  }
}

/** An error as a person wants to see it. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `; caused by ${describe(error.cause)}`;
  return `${codeOf(error)}: ${error.message}${codeOf(error).startsWith('SCHEDULE_') ? '' : ` ${error.stack}`}${cause}`;
}

function viewed({ revision, version, nextDue }: ScheduleView): {
  revision: number;
  version: number;
  nextDue: string | undefined;
} {
  return { revision, version, nextDue };
}

async function create(call: Call): Promise<Told> {
  const { schedules, drawing } = call;
  return viewed(await schedules.create(await declared(call), { paused: drawing.random.chance(0.1) }));
}

async function ensure(call: Call): Promise<Told> {
  return viewed((await call.schedules.ensure(await declared(call))).schedule);
}

/** A declaration whose calendar exists. */
async function declared({ schedules, id, drawing }: Call): Promise<ReturnType<typeof drawDeclaration>> {
  const declaration = drawDeclaration(id, drawing);
  const isMissing = declaration.exclude?.calendar !== undefined && (await schedules.calendars()).length === 0;
  if (isMissing) await schedules.setCalendar(CALENDAR, drawDates(drawing));
  return declaration;
}

/** The revision that is seen, and now and then a wrong one. */
async function revisionOf({ schedules, id, drawing }: Call): Promise<{ revision: number }> {
  const { schedule } = await schedules.get(id);
  return { revision: schedule.revision + (drawing.random.chance(0.1) ? 1 : 0) };
}

async function update(call: Call): Promise<Told> {
  const { schedules, id, drawing } = call;
  const { random } = drawing;
  const drawn = random.chance(0.5) ? { trigger: drawTrigger(drawing, true) } : { document: drawDocument(drawing) };
  // One that has passed meanwhile would be refused.
  const changes = { ...drawn, expiresAt: null, exclude: null, spreadSeconds: null };
  const pending = random.chance(0.6) ? { pending: 'withdraw' as const } : {};
  return viewed(await schedules.update(id, changes, { ...(await revisionOf(call)), ...pending }));
}

async function reword(call: Call): Promise<Told> {
  const changes = { objective: `Reworded ${call.drawing.random.between(1, 99)}` };
  return viewed(await call.schedules.update(call.id, changes, await revisionOf(call)));
}

async function pause(call: Call): Promise<Told> {
  return viewed(await call.schedules.pause(call.id, await revisionOf(call)));
}

async function resume(call: Call): Promise<Told> {
  const missed = call.drawing.random.of([{}, { missed: 'skip' }, { missed: 'runOnce' }] as const);
  return viewed(await call.schedules.resume(call.id, { ...(await revisionOf(call)), ...missed }));
}

async function cancel(call: Call): Promise<Told> {
  return viewed(await call.schedules.cancel(call.id, await revisionOf(call)));
}

async function remove(call: Call): Promise<Told> {
  const seen = await revisionOf(call);
  call.ledger.deletions.add(call.id);
  const { revision } = await call.schedules.delete(call.id, seen);
  return { revision };
}

async function trigger(call: Call): Promise<Told> {
  const requestId = call.drawing.random.chance(0.7) ? { requestId: call.process.randomId() } : {};
  return ask(call, requestId.requestId, () => call.schedules.trigger(call.id, requestId));
}

/** A request id that others use too. */
async function triggerAgain({ schedules, id, drawing }: Call): Promise<Told> {
  return occurred(await schedules.trigger(id, { requestId: `again${drawing.random.between(1, 5)}` }));
}

/** Asks for an occurrence; a refusal that promises that nothing was committed is kept with its request. */
async function ask(
  { ledger, id }: Call,
  requestId: string | undefined,
  make: () => Promise<TriggerResult>,
): Promise<Told> {
  try {
    return occurred(await make());
  } catch (error) {
    if (requestId !== undefined && NOTHING_COMMITTED.includes(codeOf(error))) {
      ledger.refusedRequests.set(`${id} ${requestId}`, codeOf(error));
    }
    throw error;
  }
}

function occurred({ occurrence, schedule }: TriggerResult): Told {
  return { occurrence, revision: schedule.revision, version: schedule.version };
}

async function stop(call: Call): Promise<Told> {
  const { pending } = await call.schedules.get(call.id);
  if (pending.length === 0) return undefined;
  const { occurrence, schedule } = await call.schedules.stop(call.id, call.drawing.random.of(pending).id);
  return { occurrence: occurrence.id, isEnding: true, version: schedule.version, revision: schedule.revision };
}

async function rerun(call: Call): Promise<Told> {
  const { history } = await call.schedules.get(call.id);
  const ended = history.filter(({ status }) => status === 'failed' || status === 'interrupted');
  if (ended.length === 0) return undefined;
  return occurred(await call.schedules.rerun(call.id, call.drawing.random.of(ended).id));
}

async function resolve({ schedules, id, drawing }: Call): Promise<Told> {
  const { schedule } = await schedules.get(id);
  const [occurrence] = schedule.marks.unresolved;
  if (occurrence === undefined) return undefined;
  const verdict = drawing.random.of(['done', 'notDone', 'unknown'] as const);
  await schedules.resolve(id, occurrence, { verdict, note: 'looked' });
  return { occurrence, isEnding: true, verdict };
}

async function gate({ schedules, drawing }: Call): Promise<Told> {
  await (drawing.random.chance(0.3) ? schedules.gate.pause() : schedules.gate.resume());
  return undefined;
}

async function acceptClock({ schedules, ledger }: Call): Promise<Told> {
  if ((await schedules.status()).clockStop === undefined) return undefined;
  ledger.acceptances += 1;
  await schedules.acceptClock();
  return undefined;
}

/** A new revision that is due at the same instants. */
async function renew(call: Call): Promise<Told> {
  const changes = { document: drawDocument(call.drawing), graceSeconds: call.drawing.random.between(0, 600) };
  return viewed(await call.schedules.update(call.id, changes, { ...(await revisionOf(call)), pending: 'withdraw' }));
}

/** Deletes a schedule and creates it as it was. */
async function recreate(call: Call): Promise<Told> {
  const { schedule, document } = await call.schedules.get(call.id, { document: true });
  if (document === undefined) return undefined;
  await remove(call);
  return viewed(await call.schedules.create({ ...schedule.declaration, document }));
}

/** Sets the clock of the machine back, and has that accepted at once. */
async function setBack({ process, schedules, ledger, drawing }: Call): Promise<Told> {
  process.machine.stepClock(-Math.round(drawing.random.spread(61_000, 300_000)));
  ledger.acceptances += 1;
  await schedules.acceptClock();
  return undefined;
}

async function setCalendar({ schedules, drawing }: Call): Promise<Told> {
  await schedules.setCalendar(CALENDAR, drawDates(drawing));
  return undefined;
}

async function read({ schedules, id, drawing }: Call): Promise<Told> {
  if (drawing.random.chance(0.5)) await schedules.list();
  else {
    const { schedule, history } = await schedules.get(id, {
      history: { limit: drawing.random.of([1, 20, 1000]) },
      document: true,
    });
    const [newest] = history;
    if (newest !== undefined) await schedules.get(schedule.id, { occurrence: newest.id });
  }
  return undefined;
}
