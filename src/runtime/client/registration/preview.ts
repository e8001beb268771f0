/**
 * Previews of a declaration: when it would be due, as the owner would compute it (TR-11).
 *
 * It asks the same compiled trigger, honours `expiresAt` and `maxOccurrences`, and changes nothing.
 */
import { decodeDeclaration } from '../../../codec/declaration-codec.js';
import type { DeclarationInput } from '../../../codec/declaration-input.js';
import { sameDeclaration } from '../../../codec/update-codec.js';
import type { Declaration } from '../../../core/model/declaration.js';
import { LIMITS } from '../../../core/model/limits.js';
import { type EpochMs, epochMs, parseInstant } from '../../../core/time/instant.js';
import type { ZoneData } from '../../../core/time/zone-data.js';
import type { CompiledTrigger } from '../../../core/trigger/compile.js';
import { type CompileDueOptions, compileDue, type DueParts } from '../../../core/trigger/due/compile-due.js';
import { previewTrigger } from '../../../core/trigger/preview/preview.js';
import { ArgumentCheck } from '../arguments.js';
import type { PreviewOptions, SchedulePreview } from '../options.js';
import type { ClientParts } from '../parts.js';
import { invalidDeclaration } from '../refusal-error.js';

const ATTEMPT = { control: 'preview', scheduleId: 'the declaration' };

/** What a preview of a declaration depends on beside it. */
interface Surroundings {
  readonly now: EpochMs;
  readonly zoneData?: ZoneData | undefined;
}

/** What a catalogue knows of a declaration: its calendars, and how many occurrences are left where it is known already. */
interface Known extends Pick<CompileDueOptions, 'calendars'> {
  readonly left?: number | 'unlimited';
}

/** See `Schedules.preview`: what an existing schedule of this id and declaration has spent already is taken into account. @internal */
export function preview(
  parts: ClientParts,
  declaration: DeclarationInput<object>,
  options: PreviewOptions,
): Promise<SchedulePreview> {
  const { catalogue, zoneData } = parts;
  return previewAt(declaration, options, { now: parts.clock.now(), zoneData }, async (decoded) => {
    await catalogue.refresh();
    const { calendars = {} } = catalogue.row;
    const present = catalogue.entry(decoded.id)?.schedule;
    if (present === undefined || !sameDeclaration(present.definition.declaration, decoded)) return { calendars };
    const { maxOccurrences } = decoded;
    const left = maxOccurrences === 'unlimited' ? maxOccurrences : Math.max(0, maxOccurrences - present.spent);
    return { calendars, left };
  });
}

/** A preview without any workspace: no calendar is known. @internal */
export async function previewAt(
  declaration: DeclarationInput<object>,
  options: PreviewOptions,
  { now, zoneData }: Surroundings,
  lookUp: (declaration: Declaration) => Promise<Known> = async () => ({ calendars: {} }),
): Promise<SchedulePreview> {
  const check = new ArgumentCheck(ATTEMPT);
  const count = check.whole('count', LIMITS.previewCount, options.count);
  const from = check.instant('from', options.from) ?? now;
  check.done();
  const decoded = await decodeDeclaration(declaration, { randomId: () => 'preview', zoneData });
  if (!decoded.ok) throw invalidDeclaration(ATTEMPT, decoded.issues);
  const { declaration: given, authored } = decoded.value;
  const { calendars, left = given.maxOccurrences } = await lookUp(given);
  // Members of a union are told in the order in which their author wrote them.
  const parts = { ...given, trigger: authored['trigger'] };
  const due = compileDue(declaration.id === undefined ? withoutSpread(parts) : parts, { calendars, zoneData });
  if (!due.ok) throw invalidDeclaration(ATTEMPT, due.issues);
  const most = left === 'unlimited' ? Number.POSITIVE_INFINITY : left;
  return bounded(due.value, given, { from, count, left: most });
}

/** The spread follows from an id: without one, instants are shown as they are before it. */
function withoutSpread({ spreadSeconds: _, ...others }: DueParts): DueParts {
  return others;
}

/** From when and how many instants are shown, and how many occurrences are left. */
interface Asked {
  readonly from: EpochMs;
  readonly count: number;
  readonly left: number;
}

function bounded(due: CompiledTrigger, { expiresAt }: Declaration, { from, count, left }: Asked): SchedulePreview {
  const expiry = expiresAt === undefined ? undefined : parseInstant(expiresAt);
  const range = { from, count: Math.min(count, left) };
  const until = expiry === undefined ? {} : { until: epochMs(expiry - 1) };
  const found = previewTrigger(due, { ...range, ...until });
  if (found.instants.length === count) return found;
  if (found.instants.length === left) return { ...found, endsWith: 'maxOccurrences' };
  const last = found.instants.at(-1)?.at;
  const after = last === undefined ? from - 1 : (parseInstant(last) ?? from);
  return { ...found, endsWith: due.next(after) === undefined ? 'trigger' : 'expiresAt' };
}
