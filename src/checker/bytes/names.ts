/**
 * Names of a workspace: files, ids as names of files and back, ids of occurrences (`FORMAT.md`, Layout and Names).
 */

/** Directories of a workspace, a parent before what is in it. @internal */
export const DIRECTORIES = [
  '',
  'catalogue',
  'catalogue/journal',
  'catalogue/documents',
  'catalogue/history',
  'catalogue/locks',
  'catalogue/tmp',
  'catalogue/quarantine',
  'occurrences',
] as const;

/** Files that stand alone. @internal */
export const FILES = {
  store: 'catalogue/store.json',
  snapshot: 'catalogue/catalogue.json',
  former: 'catalogue/catalogue.prev.json',
  head: 'catalogue/head',
  failed: 'catalogue/store.failed',
  owner: 'catalogue/owner.json',
} as const;

/** Path of a segment of the journal. @internal */
export function segmentPath(segment: number): string {
  return `catalogue/journal/${String(segment).padStart(8, '0')}.jsonl`;
}

/** Number of a segment by its name; nothing for other names. @internal */
export function segmentOf(name: string): number | undefined {
  const digits = /^(\d{8,15})\.jsonl$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Path of a document by its digest, `sha256:<hex>`. @internal */
export function documentPath(digest: string): string {
  return `catalogue/documents/${digest.slice('sha256:'.length)}.json`;
}

const PLAIN = /^[A-Za-z0-9._~-]$/;
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;

/** The name of an id as a file or directory. @internal */
export function nameOfId(id: string): string {
  let name = '';
  for (const character of id) name += PLAIN.test(character) ? character : escaped(character);
  if (name === '') return '%';
  if (DEVICE.test(id) || name.startsWith('.')) name = escaped([...id][0] ?? '') + name.slice(1);
  return name.endsWith('.') ? `${name.slice(0, -1)}%2E` : name;
}

/** The id whose name this is; nothing where it is that of no id. @internal */
export function idOfName(name: string): string | undefined {
  if (name === '%') return '';
  try {
    const id = decodeURIComponent(name);
    return nameOfId(id) === name ? id : undefined;
  } catch {
    // A stray `%`: no id has such a name.
    return undefined;
  }
}

function escaped(character: string): string {
  return [...Buffer.from(character, 'utf8')]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}

/** What the id of an occurrence says. @internal */
export interface OccurrenceName {
  readonly schedule: string;
  readonly revision: number;
  /** The due instant as text; absent for a manual one. */
  readonly due?: string;
  /** The request id of a manual one. */
  readonly request?: string;
  /** Directory below that of the schedule in which its evidence stands. */
  readonly group: string;
}

const OCCURRENCE =
  /^([^~/\\\0]{1,128})~(\d{1,15})~(?:(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z|m~([^~/\\\0]{1,64}))$/;

/** Reads the id of an occurrence; nothing where it is none. @internal */
export function occurrenceName(id: string): OccurrenceName | undefined {
  const [, schedule, revision, year, month, day, hour, minute, second, ms, request] = OCCURRENCE.exec(id) ?? [];
  if (schedule === undefined) return undefined;
  const name = { schedule, revision: Number(revision) };
  if (request !== undefined) return { ...name, request, group: 'manual' };
  const due = `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`;
  return isInstant(due) ? { ...name, due, group: `${year}-${month}` } : undefined;
}

/** Directory of the evidence of an occurrence. @internal */
export function evidencePath(id: string, name: OccurrenceName): string {
  return `occurrences/${nameOfId(name.schedule)}/${name.group}/${nameOfId(id)}`;
}

/** The due instant in the id of an occurrence of the trigger, as it is written there. @internal */
export function compactInstant(instant: string): string {
  const part = (from: number, end: number) => instant.slice(from, end);
  return `${part(0, 4)}${part(5, 7)}${part(8, 13)}${part(14, 16)}${part(17, 19)}${part(20, LENGTH_OF_INSTANT)}`;
}

const LENGTH_OF_INSTANT = 24;
const DAYS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const FEBRUARY = 2;

/** Whether a value is the text of an instant; such texts are ordered as the instants are. @internal */
export function isInstant(value: unknown): value is string {
  if (typeof value !== 'string' || value.length !== LENGTH_OF_INSTANT) return false;
  const isParted =
    value[4] === '-' &&
    value[7] === '-' &&
    value[10] === 'T' &&
    value[13] === ':' &&
    value[16] === ':' &&
    value[19] === '.' &&
    value[23] === 'Z';
  if (!isParted) return false;
  const year = numberIn(value, 0, 4);
  const month = numberIn(value, 5, 7);
  const day = numberIn(value, 8, 10);
  const isDay = year >= 1800 && month >= 1 && day >= 1 && day <= daysOf(year, month);
  // No comparison holds for what is no number.
  return (
    isDay &&
    numberIn(value, 11, 13) < 24 &&
    numberIn(value, 14, 16) < 60 &&
    numberIn(value, 17, 19) < 60 &&
    numberIn(value, 20, 23) >= 0
  );
}

function numberIn(text: string, from: number, end: number): number {
  let number = 0;
  for (let at = from; at < end; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = 10 * number + digit;
  }
  return number;
}

/** Days of a month, 0 where there is no such month. */
function daysOf(year: number, month: number): number {
  const isLeap = month === FEBRUARY && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return (DAYS[month - 1] ?? 0) + (isLeap ? 1 : 0);
}

/** An id as it is compared: ignoring case. @internal */
export function folded(id: string): string {
  return id.toLowerCase();
}
