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
import { compileTrigger } from '../../../core/trigger/compile.js';
import { previewTrigger } from '../../../core/trigger/preview.js';
import { ArgumentCheck } from '../arguments.js';
import type { PreviewOptions, SchedulePreview } from '../options.js';
import type { ClientParts } from '../parts.js';
import { invalidDeclaration } from '../refusal-error.js';

const ATTEMPT = { control: 'preview', scheduleId: 'the declaration' };

/** How many occurrences of a declaration are left; all of its `maxOccurrences` where nothing is known of it. */
type Left = (declaration: Declaration) => number | 'unlimited' | undefined;

/** See `Schedules.preview`: what an existing schedule of this id and declaration has spent already is taken into account. @internal */
export function preview(
  parts: ClientParts,
  declaration: DeclarationInput<object>,
  options: PreviewOptions,
): Promise<SchedulePreview> {
  return previewAt(declaration, options, parts.clock.now(), async (decoded) => {
    await parts.catalogue.refresh();
    const present = parts.catalogue.entry(decoded.id)?.schedule;
    if (present === undefined || !sameDeclaration(present.definition.declaration, decoded)) return undefined;
    const { maxOccurrences } = decoded;
    return maxOccurrences === 'unlimited' ? maxOccurrences : Math.max(0, maxOccurrences - present.spent);
  });
}

/** A preview without any workspace. @internal */
export async function previewAt(
  declaration: DeclarationInput<object>,
  options: PreviewOptions,
  now: EpochMs,
  leftOf: (...given: Parameters<Left>) => Promise<ReturnType<Left>> = async () => undefined,
): Promise<SchedulePreview> {
  const check = new ArgumentCheck(ATTEMPT);
  const count = check.whole('count', LIMITS.previewCount, options.count);
  const from = check.instant('from', options.from) ?? now;
  check.done();
  const decoded = await decodeDeclaration(declaration, { randomId: () => 'preview' });
  if (!decoded.ok) throw invalidDeclaration(ATTEMPT, decoded.issues);
  const given = decoded.value.declaration;
  const left = (await leftOf(given)) ?? given.maxOccurrences;
  return bounded(given, from, count, left === 'unlimited' ? Number.POSITIVE_INFINITY : left);
}

function bounded(declaration: Declaration, from: EpochMs, count: number, left: number): SchedulePreview {
  const { trigger, expiresAt } = declaration;
  const compiled = compileTrigger(trigger);
  if (!compiled.ok) throw invalidDeclaration(ATTEMPT, compiled.issues);
  const expiry = expiresAt === undefined ? undefined : parseInstant(expiresAt);
  const range = { from, count: Math.min(count, left) };
  const until = expiry === undefined ? {} : { until: epochMs(expiry - 1) };
  const found = previewTrigger(compiled.value, { ...range, ...until });
  if (found.instants.length === count) return found;
  if (found.instants.length === left) return { ...found, endsWith: 'maxOccurrences' };
  const last = found.instants.at(-1)?.at;
  const after = last === undefined ? from - 1 : (parseInstant(last) ?? from);
  return { ...found, endsWith: compiled.value.next(after) === undefined ? 'trigger' : 'expiresAt' };
}
