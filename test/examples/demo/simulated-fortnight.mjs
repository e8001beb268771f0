// The declaration of the first example, byte for byte, under a clock that moves when it is told to: its preview over the
// autumn change, and a fortnight of runs in no time.
import { readFile } from 'node:fs/promises';
import { inProcess, memoryWorkspace, openSchedules } from 'everdue';
import { manualClock } from 'everdue/testing';
import { freecadProvider } from './freecad-provider.mjs';
import { heading, say, table } from './print.mjs';

const START = '2026-10-12T05:00:00Z';
const FORTNIGHT_MS = 14 * 24 * 60 * 60 * 1000;

export async function simulateFortnight() {
  const declaration = JSON.parse(
    await readFile(new URL('../../golden/seed-declaration.json', import.meta.url), 'utf8'),
  );
  const clock = manualClock(START);
  const schedules = await openSchedules({
    workspace: memoryWorkspace(),
    execution: inProcess({ providers: { freecad: freecadProvider() }, clock }),
    clock,
  });
  heading(`1. "${declaration.objective}", 09:00 in ${declaration.trigger.timezone}`);
  await showPreview(schedules, declaration);
  await runFortnight(schedules, declaration, clock);
  await schedules.close();
}

async function showPreview(schedules, declaration) {
  const preview = await schedules.preview(declaration, { from: '2026-10-29T00:00:00Z', count: 4 });
  say(`Preview over the autumn change of 2026 (zone data ${process.versions.tz ?? 'unknown'}); it stores nothing:`);
  table(
    ['due (UTC)', 'local time', 'offset', 'notes'],
    preview.instants.map(({ at, local, offset, notes }) => [at, local, offset, notes.join(', ')]),
  );
}

async function runFortnight(schedules, declaration, clock) {
  const { id } = await schedules.create(declaration);
  const owner = schedules.owner();
  await owner.start();
  await clock.advance(FORTNIGHT_MS);
  await owner.stop();
  const { history, schedule } = await schedules.get(id);
  const runs = [...history].reverse();
  say(`A simulated fortnight from ${START}: ${runs.length} runs, ${schedule.left} of 100 occurrences left.`);
  table(
    ['due (UTC)', 'status', 'published', 'volume'],
    runs.map(({ dueAt, status, verification, result }) => [
      dueAt,
      status,
      verification?.receipts.map(({ name, bytes }) => `${name} (${bytes} bytes)`).join(', ') ?? '',
      `${result?.volumeMm3} mm3`,
    ]),
  );
}
