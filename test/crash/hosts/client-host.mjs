// A client: makes drawn calls with request ids, one after the other, until it is asked to stop.
//
//   node client-host.mjs {"name", "workspace", "log", "seed", "isLocked"}
import { chanceOf, given, NOTHING_COMMITTED, note, open, pause, tell } from './outside.mjs';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Refusals that any client must be ready for. */
const EXPECTED = [
  'SCHEDULE_REVISION_CONFLICT',
  'SCHEDULE_WORK_PENDING',
  'SCHEDULE_NOT_APPLICABLE',
  'SCHEDULE_NOT_FOUND',
  'SCHEDULE_EXISTS',
  'SCHEDULE_NEVER_DUE',
  // Processes that hold the state lock are stopped for a while.
  'SCHEDULE_CONTENTION',
];

const chance = chanceOf(`${given.name} ${process.pid}`);
const of = (list) => list[Math.floor(chance() * list.length)];

const CALLS = [
  [3, 'create', create],
  [3, 'ensure', ensure],
  [4, 'update', update],
  [2, 'pause', async (id) => viewed(await schedules.pause(id, await seen(id)))],
  [6, 'resume', resume],
  [1, 'cancel', async (id) => viewed(await schedules.cancel(id, await seen(id)))],
  [1, 'delete', remove],
  [14, 'trigger', trigger],
  [2, 'stop', stop],
  [2, 'rerun', rerun],
  [3, 'resolve', resolve],
  [3, 'read', read],
];
const DRAWN = CALLS.flatMap(([weight, call, make]) => Array.from({ length: weight }, () => ({ call, make })));

let isAsked = false;
process.once('SIGTERM', () => {
  isAsked = true;
});
const schedules = await open();
tell({ client: 'open' });
while (!isAsked) {
  const id = of(IDS);
  const { call, make } = of(DRAWN);
  try {
    tell({ asks: call });
    const told = await make(id);
    if (told !== undefined) note({ is: 'answer', call, scheduleId: id, ...told });
    tell({ answered: call });
  } catch (error) {
    note({
      is: 'refused',
      call,
      code: error.code,
      isExpected: EXPECTED.includes(error.code),
      found: String(error.stack),
    });
  }
  await pause(chance() * 40);
}
await schedules.close();

/**
 * A declaration that is due often, with every policy. What is due several times a second drops what it cannot do, so that an
 * owner without faults gets to the end of its work.
 */
function declare(id) {
  const isBrisk = chance() < 0.5;
  const retries = of([0, 0, 1, 2]);
  return {
    id,
    objective: `Drawn ${Math.floor(chance() * 1000)}`,
    document: { version: 'outside/1', failing: of([0, 0.2]), workMs: of([50, 400]) },
    allowedProviders: ['outside'],
    trigger: drawTrigger(isBrisk),
    overlap: of(isBrisk ? ['skip', 'coalesce'] : ['queue', 'skip', 'coalesce']),
    misfire: of(isBrisk ? ['skip', 'runOnce'] : ['skip', 'runOnce', 'catchUp']),
    graceSeconds: of([0, 1, 60]),
    maxCatchUp: of([3, 10]),
    maxOccurrences: of(['unlimited', 'unlimited', 20]),
    maxRetries: retries,
    budget: { maxAttempts: retries + 1 },
    ...(retries > 0 && chance() < 0.5 ? { retryBackoff: { initialSeconds: 1, factor: 1, maxSeconds: 1 } } : {}),
    ...(chance() < 0.3 ? { concurrencyKey: 'shared' } : {}),
    ...(chance() < 0.2 ? { pauseAfterFailures: 2 } : {}),
    ...(chance() < 0.2 ? { maxLatenessSeconds: 1 } : {}),
    ...(chance() < 0.2 ? { expiresAt: later(2000 + chance() * 8000) } : {}),
  };
}

function drawTrigger(isBrisk) {
  const start = later(of([-3000, 300]));
  if (isBrisk) {
    const everySeconds = of([0.25, 0.7, 1]);
    return of([
      { kind: 'interval', start, everySeconds },
      { kind: 'cron', expression: '* * * * * *', timezone: 'Europe/Berlin' },
    ]);
  }
  return of([
    { kind: 'manual' },
    { kind: 'interval', start, everySeconds: of([2, 3]) },
    { kind: 'interval', start, everySeconds: 2.5, end: later(6000) },
    { kind: 'once', at: later(chance() * 5000) },
  ]);
}

function later(ms) {
  return new Date(Date.now() + ms).toISOString();
}

async function seen(id) {
  const { schedule } = await schedules.get(id);
  return { revision: schedule.revision + (chance() < 0.1 ? 1 : 0) };
}

function viewed({ revision, version, nextDue }) {
  return { revision, version, nextDue };
}

function occurred({ occurrence, schedule }) {
  return { occurrence, revision: schedule.revision, version: schedule.version };
}

async function create(id) {
  return viewed(await schedules.create(declare(id), { paused: chance() < 0.1 }));
}

async function ensure(id) {
  return viewed((await schedules.ensure(declare(id))).schedule);
}

async function update(id) {
  const changes = chance() < 0.5 ? { trigger: drawTrigger(false), expiresAt: null } : { objective: 'Reworded' };
  const pending = chance() < 0.7 ? { pending: 'withdraw' } : {};
  return viewed(await schedules.update(id, changes, { ...(await seen(id)), ...pending }));
}

async function resume(id) {
  const missed = of([{}, { missed: 'skip' }, { missed: 'runOnce' }]);
  return viewed(await schedules.resume(id, { ...(await seen(id)), ...missed }));
}

async function remove(id) {
  const revision = await seen(id);
  note({ is: 'deletes', scheduleId: id });
  const deleted = await schedules.delete(id, revision);
  return { revision: deleted.revision };
}

/** Asks for an occurrence with a request id, and once more now and then: the answer must be the same one. */
async function trigger(id) {
  const requestId = `${given.name}-${process.pid}-${Math.floor(chance() * 1e9)}`;
  try {
    const first = occurred(await schedules.trigger(id, { requestId }));
    if (chance() < 0.7) return first;
    note({ is: 'answer', call: 'trigger', scheduleId: id, ...first });
    const again = occurred(await schedules.trigger(id, { requestId }));
    const isOther = again.revision === first.revision && again.occurrence !== first.occurrence;
    if (isOther)
      note({ is: 'violation', rule: 'OC-1', found: `${requestId} gave ${first.occurrence}, then ${again.occurrence}` });
    return again;
  } catch (error) {
    if (NOTHING_COMMITTED.includes(error.code))
      note({ is: 'notAdmitted', scheduleId: id, requestId, code: error.code });
    throw error;
  }
}

async function stop(id) {
  const { pending } = await schedules.get(id);
  if (pending.length === 0) return undefined;
  const { occurrence, schedule } = await schedules.stop(id, of(pending).id);
  return { occurrence: occurrence.id, isEnding: true, revision: schedule.revision, version: schedule.version };
}

async function rerun(id) {
  const { history } = await schedules.get(id);
  const ended = history.filter(({ status }) => status === 'failed' || status === 'interrupted');
  return ended.length === 0 ? undefined : occurred(await schedules.rerun(id, of(ended).id));
}

async function resolve(id) {
  const { schedule } = await schedules.get(id);
  const [occurrence] = schedule.marks.unresolved;
  if (occurrence === undefined) return undefined;
  await schedules.resolve(id, occurrence, { verdict: 'unknown', note: 'looked' });
  return { occurrence, isEnding: true, verdict: 'unknown' };
}

async function read(id) {
  await (chance() < 0.5
    ? schedules.list()
    : schedules.get(id, { history: { limit: of([1, 20, 1000]) }, document: true }));
  return undefined;
}
