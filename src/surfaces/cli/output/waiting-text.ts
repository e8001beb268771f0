/**
 * Why pending work waits, in a sentence for a person, with the command that ends the wait where there is one.
 */
import type { OccurrenceView } from '../../../index.js';
import { scheduleCommand } from '../hint.js';
import { distanceText } from './layout/moment.js';

/** Where and when it is asked. @internal */
export interface Asked {
  /** The workspace, as it was named. */
  readonly workspace: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What a pending occurrence waits for; undefined for one that runs under a living owner, or has ended. @internal */
export function waitingText({ waitingFor }: OccurrenceView, { workspace, now }: Asked): string | undefined {
  switch (waitingFor?.kind) {
    case undefined:
      return undefined;
    case 'ownerGone':
      return 'claimed by an owner that is gone; the next one marks it interrupted';
    case 'quarantine':
      return 'waits: its schedule is quarantined';
    case 'expiry':
      return 'waits: its schedule is past its expiry, so that an owner will skip it';
    case 'gate':
      return `waits: the gate is paused; open it: ${scheduleCommand(workspace)} gate resume`;
    case 'schedulePaused':
      return 'waits: its schedule is paused';
    case 'noOwner':
      return `waits: no owner is running; start one: ${scheduleCommand(workspace)} serve`;
    case 'retryAt':
      return `waits: for its next attempt, ${distanceText(waitingFor.at, now)}`;
    case 'key':
      return `waits: its concurrency key ${waitingFor.key} is held by ${waitingFor.occurrence}`;
    case 'slot':
      return 'waits: the owner takes it up in its turn';
  }
}
