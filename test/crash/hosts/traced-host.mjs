// A host that does one thing of each kind: makes the workspace, registers, triggers, owns and runs until what was asked for has
// ended. It waits for SIGUSR2 before, with everything loaded, so that a tracer meets the calls of the store alone.
//
//   node traced-host.mjs {"name", "workspace", "log", "warmUp", "isTraced"}
//
// Exit codes: 0 all is done; 3 the store gave up, as it may where calls fail.
import { once } from 'node:events';
import { given, note, open, pause, rehearsal, tell } from './outside.mjs';

const ID = 'traced';
const TRIES = 5;

/** What calls may be refused with while system calls fail. */
const EXPECTED = ['SCHEDULE_STORE_UNAVAILABLE', 'SCHEDULE_STORE_FAILED'];

if (given.warmUp !== undefined) {
  rehearsal.isOn = true;
  const warm = await open(() => {}, given.warmUp);
  await work(warm);
  await warm.close();
  rehearsal.isOn = false;
}
if (given.isTraced) {
  const heard = once(process, 'SIGUSR2');
  // A listener for signals keeps no process alive.
  const alive = setInterval(() => {}, 1000);
  tell({ ready: true });
  await heard;
  clearInterval(alive);
}
const schedules = await trying('open', () => open());
await work(schedules);
await schedules.close().catch((error) => refuse('close', error));

async function work(on) {
  const declaration = {
    id: ID,
    objective: 'Traced',
    document: { version: 'outside/1', workMs: 0 },
    allowedProviders: ['outside'],
    trigger: { kind: 'manual' },
  };
  const { schedule } = await trying('ensure', () => on.ensure(declaration));
  note({ is: 'answer', call: 'ensure', scheduleId: ID, revision: schedule.revision, version: schedule.version });
  const { occurrence } = await trying('trigger', () => on.trigger(ID, { requestId: 'one' }));
  note({ is: 'answer', call: 'trigger', scheduleId: ID, occurrence, revision: 1 });
  const owner = on.owner({ drainSeconds: 1 });
  await trying('own', () => owner.start());
  await trying('waitFor', () => on.waitFor(occurrence, { signal: AbortSignal.timeout(10_000) }));
  await owner.stop().catch((error) => refuse('own', error));
}

/** Tries again what was not done; whoever is told that the store has failed gives up. */
async function trying(call, make) {
  for (let tries = 1; ; tries++) {
    try {
      return await make();
    } catch (error) {
      refuse(call, error);
      if (tries === TRIES || error.code === 'SCHEDULE_STORE_FAILED') process.exit(3);
      await pause(20);
    }
  }
}

function refuse(call, error) {
  const isExpected = given.isTraced === true && EXPECTED.includes(error.code);
  note({ is: 'refused', call, code: String(error.code), isExpected, found: String(error.stack) });
}
