/**
 * A simulated disk for tests of one thing at a time: nobody schedules, pauses take no time, and hooks do what a test wants.
 */
import { Random } from '../random.js';
import { type Hook, SimDisk } from './sim-disk.js';
import type { SimMedium } from './sim-medium.js';

let disks = 0;

/** A disk on a medium, with its own elapsed time. */
export function plainDisk(medium: SimMedium, hook?: Hook): SimDisk {
  let elapsedMs = 0;
  const random = new Random(`plain disk ${++disks}`);
  const pause = async (ms: number) => {
    elapsedMs += ms;
  };
  const randomHex = (digits: number) => random.hex(digits);
  return new SimDisk(medium, { elapsedNow: () => elapsedMs, pause, randomHex }, hook);
}
