/**
 * Lint of a declaration as its author wrote it (TR-12): decodes it, then asks the core.
 *
 * A catalogue adds what it knows: its calendars, and how long runs of the schedule took lately.
 */
import { decodeDeclaration } from '../../../codec/declaration-codec.js';
import type { DeclarationInput } from '../../../codec/declaration-input.js';
import { type LintOptions, lint as lintDecoded } from '../../../core/lint/lint.js';
import type { AuthoredParts } from '../../../core/lint/outlook.js';
import type { Warning } from '../../../core/lint/warning.js';
import type { Occurrence } from '../../../core/model/occurrence.js';
import type { EpochMs } from '../../../core/time/instant.js';
import type { ZoneData } from '../../../core/time/zone-data.js';
import { compileDue } from '../../../core/trigger/due/compile-due.js';
import type { CallOptions } from '../../../ports/schedule-store.js';
import { type ClientParts, callOf } from '../parts.js';
import { invalidDeclaration } from '../refusal-error.js';

const ATTEMPT = { control: 'lint', scheduleId: 'the declaration' };

/** Ended occurrences by whose attempts it is judged how long a run took lately. */
const RECENT = 10;

/** What a catalogue knows of a declaration. */
type Known = Pick<LintOptions, 'calendars' | 'recentRunSeconds'>;

/** See `Schedules.lint`. @internal */
export function lint(
  parts: ClientParts,
  declaration: DeclarationInput<object>,
  options: CallOptions,
): Promise<readonly Warning[]> {
  const { catalogue, clock, workspace, zoneData } = parts;
  return lintAt(declaration, { now: clock.now(), zoneData }, async (id) => {
    await catalogue.refresh(callOf(options));
    const { calendars = {} } = catalogue.row;
    const scheduleId = catalogue.entry(id)?.schedule.id;
    if (scheduleId === undefined) return { calendars };
    const { records } = await workspace.store.history({ scheduleId, limit: RECENT }, callOf(options));
    return { calendars, ...longestRun(records) };
  });
}

/** What is allowed and yet probably not meant, as of `now`; without `lookUp` no calendar and no run is known. @internal */
export async function lintAt(
  declaration: DeclarationInput<object>,
  { now, zoneData }: { readonly now: EpochMs; readonly zoneData?: ZoneData | undefined },
  lookUp: (id: string) => Promise<Known> = async () => ({}),
): Promise<readonly Warning[]> {
  const decoded = await decodeDeclaration(declaration, { randomId: () => 'lint', zoneData });
  if (!decoded.ok) throw invalidDeclaration(ATTEMPT, decoded.issues);
  const { declaration: given, authored } = decoded.value;
  const known = await lookUp(given.id);
  // A calendar that the catalogue lacks is refused, as everywhere that calendars are known.
  const due = compileDue(given, { calendars: known.calendars, zoneData });
  if (!due.ok) throw invalidDeclaration(ATTEMPT, due.issues);
  return lintDecoded(given, { now, zoneData, ...known, authored: authored as unknown as AuthoredParts });
}

/** The longest attempt among some occurrences, but for interrupted ones, whose end nobody saw. */
function longestRun(records: readonly Occurrence[]): Pick<LintOptions, 'recentRunSeconds'> {
  const attempts = records.flatMap((record) => record.attempts).filter(({ outcome }) => outcome !== 'interrupted');
  if (attempts.length === 0) return {};
  return { recentRunSeconds: Math.max(...attempts.map((one) => one.endedAt - one.claimedAt)) / 1000 };
}
