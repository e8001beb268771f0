/**
 * Schedule by schedule, what stands beside the catalogue: history, then evidence. What is remembered of one is forgotten
 * before the next, so memory is bounded by the largest of them.
 */
import { evidencePath, folded, idOfName, nameOfId, occurrenceName } from '../bytes/names.js';
import type { FileSource } from '../file-source.js';
import type { Findings } from '../finding.js';
import type { World } from '../journal/world.js';
import { checkEvidence } from './evidence.js';
import { checkHistory } from './history.js';
import type { KnownRecord } from './known-record.js';
import { type Effects, judgeEffects } from './logs.js';
import { tellUnknown } from './places.js';

const HISTORY = 'catalogue/history';
const EVIDENCE = 'occurrences';
/** Evidence on its way out. */
const REMOVED = '.removed';

/** What is looked at beside the catalogue. @internal */
export interface Around {
  readonly source: FileSource;
  readonly world: World;
  readonly findings: Findings;
  /** Effects that were logged outside. */
  readonly effects: Effects;
  /** True where nothing was ever removed from `occurrences/`: then what is missing there is lost. */
  readonly isEvidenceKept: boolean;
}

/** See the head of this file. @internal */
export async function checkSchedules(around: Around): Promise<void> {
  const { source, world, findings, effects } = around;
  // Names may differ in the case of letters, where the file system ignores that.
  const withEvidence = new Set(((await source.list(EVIDENCE)) ?? []).map(folded));
  for (const entry of world.entries.values()) {
    const known = await checkHistory(source, world, entry, findings);
    if (withEvidence.has(folded(nameOfId(entry.id))))
      await checkEvidence({ source, world, entry, id: entry.id, known, findings });
    judgeEffects(effects, { world, entry, known }, findings);
  }
  await checkStrayHistories(around);
  await checkStrayEvidence(around);
  await checkSuccesses(around);
}

/** A history without a schedule is one that is being removed, or nobody's. */
async function checkStrayHistories({ source, world, findings }: Around): Promise<void> {
  for (const name of (await source.list(HISTORY)) ?? []) {
    const id = idOfName(name);
    const isKnown = id !== undefined && (world.entry(id) ?? world.marks.get(folded(id))) !== undefined;
    if (!isKnown) tellUnknown(`${HISTORY}/${name}`, findings);
  }
}

async function checkStrayEvidence({ source, world, findings }: Around): Promise<void> {
  const known: ReadonlyMap<string, KnownRecord> = new Map();
  for (const name of (await source.list(EVIDENCE)) ?? []) {
    const id = idOfName(name);
    if (name === REMOVED || id === undefined || world.entry(id)?.id === id) continue;
    await checkEvidence({ source, world, entry: undefined, id, known, findings });
  }
}

/** What the kept journal calls succeeded, with a workspace, must have its evidence, as far as none was removed (I17, I20). */
async function checkSuccesses({ source, world, findings, isEvidenceKept }: Around): Promise<void> {
  for (const [id, { schedule, attempt, place }] of world.successes) {
    const name = occurrenceName(id);
    const entry = world.entry(schedule);
    if (name === undefined) continue;
    const isCurrent = entry !== undefined && name.revision === entry.row['revision'] && name.due !== undefined;
    const through = entry?.pruned?.through ?? '';
    const isKept = isEvidenceKept || (isCurrent && (name.due ?? '') > through);
    const file = `${evidencePath(id, name)}/attempt-${attempt}`;
    if (!isKept || (await source.look(file)) !== undefined) continue;
    const isDeleted = entry === undefined && world.deleted.has(folded(schedule));
    const found = `${id} succeeded (${place.file} at byte ${place.offset}), and its evidence is not there`;
    findings.error(isDeleted ? ['I20', 'evidence'] : ['I17', 'evidence'], { file, offset: 0 }, found);
  }
}
