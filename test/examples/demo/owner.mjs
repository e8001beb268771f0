// An owner in a process of its own, as a host would supervise it. Tells its parent what happens, one JSON object a line.
//
//   node owner.mjs <workspace> <milliseconds that a run takes>
import { setTimeout as delay } from 'node:timers/promises';
import { inProcess, openSchedules } from 'everdue';
import { fileWorkspace } from 'everdue/fs';
import { freecadProvider } from './freecad-provider.mjs';

const [workspace = '', runMs = '0'] = process.argv.slice(2);
const pace = (signal) => delay(Number(runMs), undefined, { signal });

const schedules = await openSchedules({
  workspace: await fileWorkspace(workspace),
  execution: inProcess({ providers: { freecad: freecadProvider({ pace }) } }),
  observer: (event) => {
    if (event.type === 'occurrence') tell({ occurrence: event.occurrence.id, to: event.to });
    if (event.type === 'progress') tell({ occurrence: event.occurrence, to: event.note });
    if (event.type === 'owner') tell({ owner: event.change });
  },
});

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await schedules.owner().run({ signal: stop.signal });
await schedules.close();

function tell(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
