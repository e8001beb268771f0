/**
 * The state machine against a naive reference, under random commands.
 *
 * `EVERDUE_SEED=n` repeats a run, `EVERDUE_RUNS=n` makes it longer.
 */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { epochMs } from '../../src/core/time/instant.js';
import { T0, World } from '../support/builders.js';
import { commands, firstCommand } from './commands.js';
import { ReferenceMachine } from './reference-machine.js';

const seed = Number(process.env['EVERDUE_SEED'] ?? Date.now() % 1_000_000);
const numRuns = Number(process.env['EVERDUE_RUNS'] ?? 1000);

describe('schedule machine', () => {
  it(`[CO-1, MF-1, OV-1, TB-1, EX-1, OC-5, OC-11, CT-3, CT-5, CT-6, OW-2] lives as the reference does, seed ${seed}`, {
    timeout: 300_000,
  }, () => {
    console.info(`schedule machine: EVERDUE_SEED=${seed} EVERDUE_RUNS=${numRuns}`);
    const rest = fc.array(fc.oneof(...commands), { minLength: 10, maxLength: 40, size: 'max' });
    fc.assert(
      fc.property(firstCommand, rest, (first, list) => {
        fc.modelRun(() => {
          const model = new ReferenceMachine();
          model.now = T0;
          const real = new World(epochMs(T0));
          first.run(model, real);
          return { model, real };
        }, list);
      }),
      { seed, numRuns },
    );
  });
});
