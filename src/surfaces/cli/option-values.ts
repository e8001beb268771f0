/**
 * Values of options: read and checked where they stand, so that a mistake is a mistake of usage with the option's name.
 */
import { InvalidArgumentError, Option } from 'commander';
import { instantFault, parseInstant } from '../../core/index.js';

/** Reads a whole number within bounds. @internal */
export function whole(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `${min}..${max}`;
    throw new InvalidArgumentError(`It must be a whole number, ${range}.`);
  };
}

/** Reads an instant: ISO 8601 with an offset, or `now`. @internal */
export function instant(text: string): string {
  if (text === 'now') return new Date().toISOString();
  if (parseInstant(text) !== undefined) return text;
  const fault = instantFault(text);
  const forms = fault.includes('ISO 8601') ? '' : ', as in 2026-11-30T08:00:00Z';
  throw new InvalidArgumentError(`It ${fault}${forms}; or it is \`now\`.`);
}

/** The revision that the caller saw, required. @internal */
export function revisionOption(): Option {
  return new Option('--revision <n>', 'the revision that you saw; another one is refused')
    .argParser(whole(1))
    .makeOptionMandatory();
}

/** The version that the caller saw, for a stricter check. @internal */
export function versionOption(): Option {
  return new Option('--expect-version <n>', 'also the version that you saw').argParser(whole(1));
}

/** The revision that the caller saw, where it wants it to be checked. @internal */
export function optionalRevisionOption(): Option {
  return new Option('--revision <n>', 'refuse unless the schedule is at this revision').argParser(whole(1));
}

/** One of a few words. @internal */
export function choice(flags: string, description: string, words: readonly string[]): Option {
  return new Option(flags, description).choices(words);
}
