// A candidate for ownership: owns the catalogue as soon as nobody else does, until it is asked to stop.
//
//   node owner-host.mjs {"name", "workspace", "log", "seed", "isLocked"}
import { chanceOf, given, note, open, pause, tell } from './outside.mjs';

/** How a candidate learns that it is not the owner, or not any more. The second only where locks do not hold. */
const EXPECTED = given.isLocked === false ? ['SCHEDULE_LOCK_HELD', 'SCHEDULE_LOCK_LOST'] : ['SCHEDULE_LOCK_HELD'];

const chance = chanceOf(`${given.name} ${process.pid}`);
const asked = new AbortController();
process.once('SIGTERM', () => asked.abort());

const schedules = await open((event) => {
  if (event.type === 'owner') tell({ owner: event.change, detail: event.detail });
  if (event.type === 'occurrence') tell({ occurrence: event.occurrence.id, to: event.to });
});
while (!asked.signal.aborted) {
  try {
    await schedules.owner({ drainSeconds: 5 }).run({ signal: asked.signal });
  } catch (error) {
    const { code } = error;
    if (code !== 'SCHEDULE_LOCK_HELD')
      note({ is: 'refused', call: 'own', code, isExpected: EXPECTED.includes(code), found: String(error.stack) });
    await pause(15 + chance() * (given.isLocked === false ? 400 : 30));
  }
}
await schedules.close();
