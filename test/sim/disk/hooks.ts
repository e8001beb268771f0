/**
 * Hooks for simulated disks: crash at a step, fail once or for ever, run something else in between.
 */
import type { Effect, Hook, Step } from './sim-disk.js';

/** Which steps a hook is about: one number, or whatever a test looks for. */
export type Where = number | ((step: Step) => boolean);

/** Meets its steps with an effect: the first of them alone, or each. */
export function meets(where: Where, effect: Effect, times: 'once' | 'always' = 'once'): Hook {
  let isSpent = false;
  return (step) => {
    if (isSpent || !isAt(where, step)) return undefined;
    isSpent = times === 'once';
    return effect;
  };
}

/** Fails a step with a code of the system; every one from it on where it is for ever. */
export function failsAt(number: number, code: string, times: 'once' | 'forEver' = 'once'): Hook {
  const where = (step: Step) => (times === 'once' ? step.number === number : step.number >= number);
  return meets(where, { kind: 'fail', code }, 'always');
}

/** Writes some bytes, then fails. */
export function failsShort(where: Where, code: string, written: number): Hook {
  return meets(where, { kind: 'fail', code, written });
}

/** Ends the process at a step. */
export function crashesAt(where: Where, kind: 'crashBefore' | 'crashAfter' = 'crashBefore'): Hook {
  return meets(where, { kind });
}

/** Runs something else before a step that can wait, the first that fits; whoever runs next waits for it. */
export function runsAt(where: Where, work: () => Promise<void>): Hook {
  let isSpent = false;
  return (step) => {
    if (isSpent || step.isNow || !isAt(where, step)) return undefined;
    isSpent = true;
    return work().then(() => undefined);
  };
}

/** Notes every step. */
export function notesIn(steps: Step[]): Hook {
  return (step) => {
    steps.push(step);
    return undefined;
  };
}

function isAt(where: Where, step: Step): boolean {
  return typeof where === 'number' ? step.number === where : where(step);
}
