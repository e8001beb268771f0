/**
 * What clients, an owner and time do to schedules, as plain data: a sequence can be drawn, shrunk, kept in a file, and played
 * on any adapter.
 */
import type { DeclarationChanges, DeclarationInput } from '../../codec/declaration-input.js';

/** The revision that a caller acts on: the one that it would read now, or the one before that. @public */
export type SeenRevision = 'newest' | 'former';

/**
 * One step. Occurrences are named by their place among those that `get` shows of the schedule, pending ones first, counted
 * from 0; where there are fewer, by an id that does not exist.
 *
 * @public
 */
export type ClientStep =
  | {
      readonly call: 'create';
      readonly declaration: DeclarationInput & { readonly id: string };
      readonly paused: boolean;
    }
  | { readonly call: 'ensure'; readonly declaration: DeclarationInput & { readonly id: string } }
  | {
      readonly call: 'update';
      readonly id: string;
      readonly revision: SeenRevision;
      readonly changes: DeclarationChanges;
      /** What becomes of pending work; a refusal where absent. */
      readonly pending?: 'withdraw';
    }
  | { readonly call: 'pause' | 'cancel' | 'delete'; readonly id: string; readonly revision: SeenRevision }
  | {
      readonly call: 'resume';
      readonly id: string;
      readonly revision: SeenRevision;
      /** What becomes of what was missed; what the declaration says where absent. */
      readonly missed?: 'skip' | 'runOnce' | 'catchUp';
    }
  | { readonly call: 'trigger'; readonly id: string; readonly requestId: string }
  | { readonly call: 'rerun'; readonly id: string; readonly place: number; readonly requestId: string }
  | { readonly call: 'stop' | 'resolve'; readonly id: string; readonly place: number }
  /** The gate of the catalogue. */
  | { readonly call: 'gate'; readonly isPaused: boolean }
  /** An owner collects and runs what is due. */
  | { readonly call: 'tick' }
  /** Time passes. */
  | { readonly call: 'wait'; readonly seconds: number }
  /** Everything is closed and opened anew. */
  | { readonly call: 'restart' };
