/**
 * The form in which the model leaves the process: the same members, with instants as UTC text.
 *
 * The type alone; the codec makes the values.
 */
import type { EpochMs } from '../time/instant.js';

/**
 * A type of the model as it stands in files and answers: instants are UTC texts with milliseconds, everything else is
 * as it was. What belongs to an author or a handler (`declaration`, `document`, `labels`, `result`) is never looked into.
 *
 * @typeParam T - a type of the model, such as {@link Occurrence}.
 * @public
 */
export type Wire<T> = T extends EpochMs
  ? string
  : T extends object
    ? { readonly [K in keyof T]: K extends 'result' | 'declaration' | 'document' | 'labels' ? T[K] : Wire<T[K]> }
    : T;
