/**
 * Says which evidence the catalogue can do without: what is settled, and what can never be due or asked for again (ST-9).
 *
 * It is asked under the state lock. What it lets go of is known to the catalogue in another way: an instant of the trigger
 * by `collectedThrough` and, once noted, by what was pruned, under whatever revision it ran; a manual occurrence by its kept
 * request id, or by the number of an older revision. A catalogue that came from an old backup knows less, and lets go of less.
 */
import type { CatalogueState, PrunedThrough } from '../../replay/catalogue-state.js';
import type { OccurrenceName } from './evidence-place.js';
import type { OldEvidence } from './evidence-prune.js';

/** A request id that the client made: nobody else knows it, so nobody can ask for it again. */
const MADE_BY_CLIENT = /^[0-9a-f]{12}$/;

/** Those of a list that may be removed now. @internal */
export function spareEvidence(state: CatalogueState, all: readonly OldEvidence[]): readonly OldEvidence[] {
  const busy = new Map<string, ReadonlySet<string>>();
  return all.filter(({ occurrence, name }) => {
    if (!isPast(state, name)) return false;
    const ids = busy.get(name.scheduleId) ?? busyIds(state, name.scheduleId);
    busy.set(name.scheduleId, ids);
    return !ids.has(occurrence);
  });
}

/** What must be noted as pruned before these are removed: the last due instant of a schedule that is not noted yet. @internal */
export function prunedBy(state: CatalogueState, all: readonly OldEvidence[]): readonly PrunedThrough[] {
  const through = new Map<string, PrunedThrough>();
  for (const { name } of all) {
    const { scheduleId: id, of } = name;
    const stored = state.schedule(id);
    if (!('dueAt' in of) || stored === undefined) continue;
    const noted = stored.pruned?.through ?? Number.NEGATIVE_INFINITY;
    const known = Math.max(noted, through.get(id)?.through ?? Number.NEGATIVE_INFINITY);
    const { id: spelled, revision } = stored.entry.schedule;
    if (of.dueAt > known) through.set(id, { id: spelled, revision, through: of.dueAt });
  }
  return [...through.values()];
}

/** Whether nothing can make this occurrence any more. */
function isPast(state: CatalogueState, { scheduleId, revision, of }: OccurrenceName): boolean {
  const life = state.schedule(scheduleId)?.entry.schedule ?? state.mark(scheduleId)?.mark;
  if (life === undefined || revision > life.revision) return false;
  if ('dueAt' in of) return of.dueAt <= life.collectedThrough;
  if (revision < life.revision || 'deletedAt' in life) return true;
  return state.hasRequest(scheduleId, revision, of.request) || MADE_BY_CLIENT.test(of.request);
}

/** Occurrences that are pending, that nobody resolved yet, or whose handler may still run. */
function busyIds(state: CatalogueState, scheduleId: string): ReadonlySet<string> {
  const entry = state.schedule(scheduleId)?.entry;
  if (entry === undefined) return new Set();
  const { unresolved, quarantine } = entry.schedule;
  const ids = [...entry.pending.map(({ id }) => id), ...unresolved];
  return new Set(quarantine?.occurrence === undefined ? ids : [...ids, quarantine.occurrence]);
}
