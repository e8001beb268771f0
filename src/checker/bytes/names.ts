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
  return instant.replace(/[-:.]/g, '');
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Whether a value is the text of an instant; such texts are ordered as the instants are. @internal */
export function isInstant(value: unknown): value is string {
  if (typeof value !== 'string' || !INSTANT.test(value) || value < '1800' || value > '9999-12-31T23:59:59.999Z')
    return false;
  const ms = Date.parse(value);
  // Dates that do not exist are none, or another one.
  return !Number.isNaN(ms) && new Date(ms).toISOString() === value;
}

/** An id as it is compared: ignoring case. @internal */
export function folded(id: string): string {
  return id.toLowerCase();
}
