// The real thing: a schedule that is due every second, an owner in a process of its own that is killed in the middle of a
// run, a while without an owner, a new one, and a history that explains every due instant.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inProcess, openSchedules, REASONS } from 'everdue';
import { fileWorkspace } from 'everdue/fs';
import { freecadProvider } from './freecad-provider.mjs';
import { heading, say, table } from './print.mjs';

const RUN_MS = 1600;
const NOBODY_MS = 3500;

export async function killAnOwner(workspace) {
  const schedules = await openSchedules({
    workspace: await fileWorkspace(workspace),
    execution: inProcess({ providers: { freecad: freecadProvider() } }),
  });
  heading('2. The same document every second, with an owner that is killed');
  say(`Workspace: ${workspace}`);
  await register(schedules);

  const first = startOwner(workspace);
  say(`Owner ${first.pid} runs; each run takes ${RUN_MS / 1000} s, so due instants pile up and are coalesced.`);
  await first.seen('succeeded', 2);
  const { occurrence } = await first.seen('meshing body');
  first.kill('SIGKILL');
  await first.ended;
  say(`Owner ${first.pid} was killed with SIGKILL in the middle of ${occurrence}.`);

  say(`For ${NOBODY_MS / 1000} s nobody owns the catalogue; what falls due is late when the next owner comes.`);
  await delay(NOBODY_MS);
  const second = startOwner(workspace);
  say(`Owner ${second.pid} takes over: it marks the lost claim as interrupted and never runs it again.`);
  await second.seen('interrupted');
  await second.seen('succeeded', 2);
  second.kill('SIGTERM');
  await second.ended;

  await showHistory(schedules);
  await showEvidence(schedules, occurrence);
  await schedules.close();
}

async function register(schedules) {
  const seed = JSON.parse(await readFile(new URL('../../golden/seed-declaration.json', import.meta.url), 'utf8'));
  await schedules.ensure({
    id: 'box-every-second',
    objective: 'Build the box every second',
    document: seed.document,
    allowedProviders: ['freecad'],
    trigger: { kind: 'interval', start: new Date(), everySeconds: 1 },
    overlap: 'coalesce',
    misfire: 'skip',
    graceSeconds: 2,
    maxOccurrences: 'unlimited',
  });
}

/** An owner process with its events to wait for. */
function startOwner(workspace) {
  const script = fileURLToPath(new URL('owner.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, workspace, String(RUN_MS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid,
    kill: (signal) => child.kill(signal),
    ended: once(child, 'exit'),
    /** The `count`th occurrence from now on that reaches a status or tells such a progress. */
    async seen(status, count = 1) {
      for (let left = count; ; ) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`The owner ended before an occurrence was ${status}.`);
        const event = JSON.parse(value);
        if (event.to === status && --left === 0) return event;
      }
    },
  };
}

async function showHistory(schedules) {
  const { history } = await schedules.get('box-every-second', { history: { limit: 100 } });
  say('\nEvery record since the start, in the order in which it was made, and why:');
  table(
    ['due (UTC)', 'status', 'instants', 'why'],
    [...history]
      .reverse()
      .map(({ dueAt, status, reason, window, verification }) => [
        dueAt.slice(11, 23),
        status,
        window?.count ?? 1,
        reason === undefined ? published(verification) : `${reason}: ${REASONS[reason]}`,
      ]),
  );
}

function published(verification) {
  return verification.receipts.map(({ name, bytes }) => `published and read back ${name}, ${bytes} bytes`).join(', ');
}

async function showEvidence(schedules, occurrence) {
  const { directory, attempts } = await schedules.evidence(occurrence);
  say(`Evidence of the interrupted one is kept in ${directory}:`);
  table(
    ['attempt', 'dispatched', 'result', 'files'],
    attempts.map(({ attempt, dispatch, result, files }) => [
      attempt,
      dispatch === undefined ? 'no' : `by epoch ${dispatch.epoch}, commit ${dispatch.seq}`,
      result === undefined ? 'none was recorded' : result.outcome,
      files.map(({ path }) => path).join(', ') || 'none',
    ]),
  );
}
