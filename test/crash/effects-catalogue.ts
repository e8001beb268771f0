/** The catalogue of the tests with one real owner: a schedule that is run by hand and leaves a line outside. */
import { join } from 'node:path';
import { fileWorkspace } from '../../src/adapters/fs/index.js';
import { inProcess, openSchedules, type Schedules } from '../../src/index.js';

/** The schedule. */
export const ID = 'effects';

/** A client of the catalogue below a folder, in which the schedule is made. */
export async function openEffects(folder: string): Promise<Schedules> {
  const schedules = await openSchedules({
    workspace: await fileWorkspace(join(folder, 'work')),
    execution: inProcess({ providers: { effect: { kinds: { 'effect/1': { run: () => null } } } } }),
  });
  await schedules.create({
    id: ID,
    objective: 'Leave a line outside',
    document: { version: 'effect/1' },
    allowedProviders: ['effect'],
    trigger: { kind: 'manual' },
  });
  return schedules;
}
