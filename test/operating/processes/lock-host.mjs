// An owner in a process of its own, on whatever Node and with whatever lock library it finds. Tells its parent what happens, one
// JSON object a line; ends when it is told to by SIGTERM.
//
//   node lock-host.mjs <workspace>
import { inProcess, openSchedules } from 'everdue';
import { fileWorkspace } from 'everdue/fs';

const [workspace = ''] = process.argv.slice(2);
const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const schedules = await openSchedules({
    workspace: await fileWorkspace(workspace),
    execution: inProcess({ providers: { none: { kinds: { 'none/1': { run: () => null } } } } }),
    observer: (event) => {
      if (event.type === 'owner') tell({ owner: event.change });
    },
  });
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  try {
    await schedules.owner().run({ signal: stop.signal });
  } finally {
    await schedules.close();
  }
} catch (error) {
  tell({ error: error.code, hint: error.hint, details: error.details });
  process.exitCode = 1;
}
