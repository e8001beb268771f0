/**
 * Named calendars of the catalogue: days that any schedule may leave out by the name of the calendar (DE-12).
 *
 * They stand in the catalogue's own row, so that an edit is one commit. An owner that lives sees it at once and computes
 * anew what stands on the calendar; each schedule does so in any case before it is collected again.
 */
import { digestOf } from '../../../codec/digest.js';
import { PROTOTYPE_KEYS } from '../../../codec/json/plain-prototype.js';
import type { CatalogueRow } from '../../../core/model/catalogue.js';
import type { DateOrRange, NamedCalendar } from '../../../core/model/exclusion.js';
import { foundText, type Issue } from '../../../core/model/issue.js';
import { LIMITS } from '../../../core/model/limits.js';
import { readCalendarDates } from '../../../core/trigger/due/read-exclusion.js';
import type { CallOptions } from '../../../ports/schedule-store.js';
import type { Catalogue } from '../../catalogue/catalogue.js';
import type { CallerOptions } from '../options.js';
import { type ClientParts, callerOf, callOf } from '../parts.js';
import { invalidDeclaration } from '../refusal-error.js';
import type { CalendarView } from '../view.js';

/** See `Schedules.setCalendar`. @internal */
export async function setCalendar(
  parts: ClientParts,
  name: string,
  dates: readonly DateOrRange[],
  options: CallerOptions,
): Promise<CalendarView> {
  const issues: Issue[] = nameIssues(name);
  const normal = readCalendarDates(dates, 'dates', issues);
  if (normal === undefined || issues.length > 0) throw invalidCalendar(name, issues);
  const calendar: NamedCalendar = { dates: normal, digest: digestOf({ dates: normal }) };
  const submit = { actor: callerOf(parts, options).name, ...callOf(options) };
  await parts.committer.submitRow((row) => withCalendar(row, name, calendar), submit);
  return calendarView(parts.catalogue, name, calendar);
}

/** See `Schedules.calendars`. @internal */
export async function calendars(parts: ClientParts, options: CallOptions): Promise<readonly CalendarView[]> {
  const { catalogue } = parts;
  await catalogue.refresh(callOf(options));
  return Object.entries(catalogue.row.calendars ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, calendar]) => calendarView(catalogue, name, calendar));
}

/** The row with a calendar as it is to be; undefined where it is so already. */
function withCalendar(row: CatalogueRow, name: string, calendar: NamedCalendar): CatalogueRow | undefined {
  const { calendars: known = {} } = row;
  const isKnown = Object.hasOwn(known, name);
  if (isKnown && known[name]?.digest === calendar.digest) return undefined;
  const { max } = LIMITS.calendars;
  if (!isKnown && Object.keys(known).length >= max) {
    const message = `must be one of those that exist: a catalogue has at most ${max} calendars, and one is never taken away`;
    throw invalidCalendar(name, [{ path: 'name', rule: 'DE-11', message, found: foundText(name) }]);
  }
  return { ...row, calendars: { ...known, [name]: calendar } };
}

function calendarView(catalogue: Catalogue, name: string, { dates, digest }: NamedCalendar): CalendarView {
  const users = [...catalogue.entries()]
    .filter(({ schedule }) => schedule.definition.declaration.exclude?.calendar === name)
    .map(({ schedule }) => schedule.id);
  return { name, dates: [...dates], digest, usedBy: users.sort() };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

function nameIssues(name: unknown): Issue[] {
  const { min, max } = LIMITS.calendarNameLength;
  const fault = (rule: string, message: string) => [{ path: 'name', rule, message, found: foundText(name) }];
  if (typeof name !== 'string' || name.length < min || name.length > max) {
    return fault('DE-11', `must be text, ${min}..${max} characters`);
  }
  if (CONTROL.test(name)) return fault('DE-11', 'must be without control characters');
  if (name !== name.trim()) return fault('DE-12', 'must not begin or end with a blank');
  return PROTOTYPE_KEYS.includes(name) ? fault('DE-8', 'must not be used as a name here') : [];
}

function invalidCalendar(name: unknown, issues: readonly Issue[]) {
  const scheduleId = typeof name === 'string' ? name.slice(0, LIMITS.calendarNameLength.max) : 'a calendar';
  return invalidDeclaration({ control: 'set the calendar', scheduleId }, issues);
}
