/**
 * Ways in which a power cut may leave a disk: the same for all files, or drawn for each.
 */
import type { Random } from '../random.js';
import type { Survival } from './file-content.js';
import type { PowerCut } from './sim-medium.js';

/** Nothing that was not flushed is left. */
export const LOSES_ALL: PowerCut = { file: () => ({ kind: 'nothing' }), names: () => 0 };

/** Everything is left, flushed or not. */
export const LOSES_NOTHING: PowerCut = { file: () => ({ kind: 'all' }), names: (_, waiting) => waiting };

/** Bytes that are written out of the order of names: the names are lost, the bytes are not. */
export const LOSES_NAMES: PowerCut = { file: () => ({ kind: 'all' }), names: () => 0 };

/** Names that are durable before the bytes are: whole names, empty files. */
export const LOSES_BYTES: PowerCut = { file: () => ({ kind: 'nothing' }), names: (_, waiting) => waiting };

/** Names and sizes that are durable before the bytes are: zeros. */
export const LEAVES_ZEROS: PowerCut = { file: () => ({ kind: 'zeros', bytes: 0 }), names: (_, waiting) => waiting };

/** A cut that draws for each file and directory. */
export function randomCut(random: Random): PowerCut {
  return {
    file: (_, { dirtyBytes }) => randomSurvival(random, dirtyBytes),
    names: (_, waiting) => random.of([0, waiting, random.between(0, waiting)]),
  };
}

function randomSurvival(random: Random, dirtyBytes: number): Survival {
  const bytes = random.between(0, dirtyBytes);
  switch (random.between(0, 4)) {
    case 0:
      return { kind: 'nothing' };
    case 1:
      return { kind: 'all' };
    case 2:
      return { kind: 'prefix', bytes };
    case 3:
      return { kind: 'zeros', bytes };
    default:
      return sectors(random.fork(`sectors ${random.next()}`));
  }
}

function sectors(random: Random): Survival {
  return { kind: 'sectors', isKept: () => random.chance(0.5) };
}
