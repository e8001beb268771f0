// A host in a process of its own that can be killed at a chosen point. Tells its parent what happens, one JSON object a line.
//
//   node host.mjs <workspace> <effect log> <mode>
//
// Each handler first appends its occurrence and attempt to the effect log, which lies outside of the workspace. Mode `hang`: the
// handler then never ends; `finish`: it ends at once. `claimed`: the process stops dead when the first claim is announced.
import { appendFileSync } from 'node:fs';
import { inProcess, openSchedules } from 'everdue';
import { fileWorkspace } from 'everdue/fs';

const [workspace = '', effects = '', mode = 'finish'] = process.argv.slice(2);

const kinds = {
  'effect/1': {
    run: async (_document, ctx) => {
      appendFileSync(effects, `${ctx.occurrence} ${ctx.attempt}\n`);
      tell({ effect: ctx.occurrence });
      if (mode === 'hang') await new Promise(() => {});
    },
  },
};

const schedules = await openSchedules({
  workspace: await fileWorkspace(workspace),
  execution: inProcess({ providers: { effect: { kinds } } }),
  observer: (event) => {
    if (event.type === 'owner') tell({ owner: event.change });
    if (event.type !== 'occurrence') return;
    tell({ occurrence: event.occurrence.id, to: event.to });
    if (mode === 'claimed' && event.to === 'running') process.kill(process.pid, 'SIGKILL');
  },
});
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await schedules.owner().run({ signal: stop.signal }).catch(tellError);
await schedules.close();

function tell(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function tellError(error) {
  tell({ error: error.code, details: error.details });
  process.exitCode = 1;
}
