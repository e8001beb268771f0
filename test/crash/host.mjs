// A host in a process of its own that can be killed at a chosen point. Tells its parent what happens, one JSON object a line.
//
//   node host.mjs <workspace> <effect log> <mode> [locks-off]
//
// Each handler first appends its occurrence and attempt to the effect log, which lies outside of the workspace. Mode `hang`: the
// handler then never ends; `finish`: it ends at once; `hear`: it ends when the process hears SIGUSR2. `claimed`: the process stops
// dead when the first claim is announced. With `locks-off` no lock keeps this process out.
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inProcess, openSchedules } from 'everdue';
import { fileWorkspace } from 'everdue/fs';

const [workspace = '', effects = '', mode = 'finish', locks = 'locks-on'] = process.argv.slice(2);

if (locks === 'locks-off') {
  const native = createRequire(import.meta.url)('fs-native-extensions');
  native.tryLock = () => true;
  native.unlock = () => {};
}

// Before anybody can send it: without a listener it ends the process.
const heard = once(process, 'SIGUSR2');

const kinds = {
  'effect/1': {
    run: async (_document, ctx) => {
      appendFileSync(effects, `${ctx.occurrence} ${ctx.attempt}\n`);
      tell({ effect: ctx.occurrence });
      if (mode === 'hang') await new Promise(() => {});
      if (mode === 'hear') await heard;
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
