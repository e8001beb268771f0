/**
 * Names of schedules, and of requests: what may be written as an id (DE), and how one is made where none is given.
 *
 * An id appears in file names, addresses and logs of every operating system, so it is narrower than a text: letters,
 * digits and `._-`, and none of the names that Windows keeps for devices.
 */
import { LIMITS } from '../../core/model/limits.js';

/** Characters of an id. @internal */
export const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Names that Windows keeps for devices, also with an extension. */
const DEVICE_NAME = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

/**
 * What is wrong with a text as an id of up to `most` characters, as the end of a sentence; nothing where it is good.
 *
 * @internal
 */
export function nameFault(name: string, most: number = LIMITS.idLength.max): string | undefined {
  if (name.length < 1 || name.length > most) return `must have 1..${most} characters`;
  if (!NAME_PATTERN.test(name))
    return 'must be letters A-Z and a-z, digits and ". _ -", and begin with a letter or digit';
  if (name.includes('..')) return 'must not hold two dots in a row';
  if (name.endsWith('.')) return 'must not end with a dot';
  return DEVICE_NAME.test(name) ? 'must not be a device name of Windows, such as con, nul or com1' : undefined;
}

const SLUG_LENGTH = 48;

/**
 * An id made from an objective and a random text, such as `nightly-report-k3v9x2`.
 *
 * @internal
 */
export function nameFromObjective(objective: string, random: string): string {
  const slug = objective
    .slice(0, SLUG_LENGTH * 4)
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH + 1)
    .replace(/^-/, '')
    .replace(/-$/, '');
  return `${slug === '' ? 'schedule' : slug}-${random}`;
}
