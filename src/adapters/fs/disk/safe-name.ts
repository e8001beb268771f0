/**
 * Ids as names of files, and back (ST-8): one id, one name, and no name that means anything to a file system.
 *
 * Letters, digits and `. _ - ~` stand for themselves; every other byte is `%` and two hexadecimal digits. Names that
 * systems treat in a way of their own (`.`, `..`, devices of Windows, a dot at the end) get one such byte as well. Ids
 * that differ in case alone are kept apart by their owners: ids of schedules are unique ignoring case.
 */
import { ScheduleError } from '../../../errors.js';

const PLAIN = /^[A-Za-z0-9._~-]$/;
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;
const LONGEST = 250;

/**
 * The name of an id; never empty, never more than 250 bytes, never leads anywhere else.
 *
 * @remarks Throws `SCHEDULE_NOT_FOUND` for an id whose name would be longer: nothing of that id can exist.
 * @internal
 */
export function safeName(id: string): string {
  let name = '';
  for (const character of id) name += PLAIN.test(character) ? character : percent(character);
  if (name === '') name = '%';
  if (DEVICE.test(id) || name.startsWith('.')) name = percent(id[0] as string) + name.slice(1);
  if (name.endsWith('.')) name = `${name.slice(0, -1)}%2E`;
  if (name.length <= LONGEST) return name;
  throw new ScheduleError('SCHEDULE_NOT_FOUND', `an id of ${id.length} characters: too long for a name of a file`, {
    details: { id: `${id.slice(0, 60)}…` },
    hint: 'Ids of schedules have at most 128 characters, request ids 64.',
  });
}

/** The id of a name made by {@link safeName}; nothing for other names. @internal */
export function idOfName(name: string): string | undefined {
  try {
    const id = name === '%' ? '' : decodeURIComponent(name);
    return safeName(id) === name ? id : undefined;
  } catch {
    // Not a name that `safeName` makes: a stray `%`, or too long.
    return undefined;
  }
}

function percent(character: string): string {
  let text = '';
  for (const byte of Buffer.from(character, 'utf8')) text += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return text;
}
