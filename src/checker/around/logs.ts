/**
 * Logs that were kept outside of the workspace, against what stands in it: effects of handlers (I11), and commits that
 * callers were told of (I12). Only tests and simulations have such logs.
 */
import { folded, occurrenceName } from '../bytes/names.js';
import type { Findings } from '../finding.js';
import { claimKey, type Entry, type World } from '../journal/world.js';
import type { KnownRecord } from './known-record.js';

/** A handler was at work: it left a trace outside. @internal */
export interface LoggedEffect {
  readonly occurrence: string;
  readonly attempt: number;
}

/** A caller was told that its commit is durable. @internal */
export interface Acknowledged {
  readonly seq: number;
  readonly hash: string;
}

/** Effects by folded id of their schedule, each with its place in the log. @internal */
export type Effects = Map<string, { readonly effect: LoggedEffect; readonly line: number }[]>;

/** Where findings about a log are said to be; offsets are lines, from 0. */
const EFFECTS_LOG = '(effects)';
const ACKNOWLEDGED_LOG = '(acknowledged)';

/** Sorts a log of effects by schedule, and finds those that stand in it twice (I11). @internal */
export function readEffects(log: Iterable<LoggedEffect>, findings: Findings): Effects {
  const effects: Effects = new Map();
  const met = new Set<string>();
  let line = 0;
  for (const effect of log) {
    const place = { file: EFFECTS_LOG, offset: line };
    const key = claimKey(effect.occurrence, effect.attempt);
    const name = occurrenceName(effect.occurrence);
    if (met.has(key))
      findings.error(['I11', 'effect'], place, `attempt ${effect.attempt} of ${effect.occurrence} ran twice`);
    else if (name === undefined) findings.error(['I11', 'effect'], place, `${effect.occurrence} is no occurrence`);
    else effects.set(folded(name.schedule), [...(effects.get(folded(name.schedule)) ?? []), { effect, line }]);
    met.add(key);
    line += 1;
  }
  return effects;
}

/** Finds effects of a schedule without a claim (I11); of a deleted one nothing is known any more. @internal */
export function judgeEffects(
  effects: Effects,
  {
    world,
    entry,
    known,
  }: { readonly world: World; readonly entry: Entry; readonly known: ReadonlyMap<string, KnownRecord> },
  findings: Findings,
): void {
  for (const { effect, line } of effects.get(folded(entry.id)) ?? []) {
    const { occurrence, attempt } = effect;
    const record = known.get(occurrence);
    const isClaimed =
      world.claims.has(claimKey(occurrence, attempt)) ||
      (record !== undefined && (record.attempts.length >= attempt || record.running === attempt));
    const revision = occurrenceName(occurrence)?.revision ?? 0;
    // What was pruned, or belongs to a former schedule of this id, has no record.
    const isForgotten = record === undefined && (entry.prunedRecords > 0 || revision < Number(entry.row['revision']));
    if (isClaimed || isForgotten) continue;
    const found = `attempt ${attempt} of ${occurrence} ran, and was never claimed`;
    findings.error(['I11', 'effect'], { file: EFFECTS_LOG, offset: line }, found);
  }
}

/** Finds acknowledged commits that the journal does not have (I12). @internal */
export function judgeAcknowledged(log: Iterable<Acknowledged>, world: World, findings: Findings): void {
  let line = 0;
  for (const { seq, hash } of log) {
    const place = { file: ACKNOWLEDGED_LOG, offset: line };
    const known = world.commits.get(seq);
    if (seq > world.seq) {
      findings.error(
        ['I12', 'acknowledged'],
        place,
        `commit ${seq} was acknowledged, and the journal ends at ${world.seq}`,
      );
    } else if (known !== undefined && known !== hash) {
      findings.error(['I12', 'acknowledged'], place, `commit ${seq} was acknowledged with another hash`);
    }
    line += 1;
  }
}
