/**
 * The check of a workspace, over any source of files: files in, verdict out (ST-3). It changes nothing and shares no code
 * with the store that it judges; both follow `FORMAT.md`.
 *
 * It may run beside a store that goes on. What is found then may be a matter of the moment, so it counts only if a second
 * look finds it again, unless nothing was written in between.
 */
import { adviceOn } from './advice.js';
import { checkDocuments } from './around/documents.js';
import { type Acknowledged, judgeAcknowledged, type LoggedEffect, readEffects } from './around/logs.js';
import { checkPlaces } from './around/places.js';
import { checkSchedules } from './around/schedules.js';
import { FILES, segmentOf } from './bytes/names.js';
import type { FileSource } from './file-source.js';
import { Findings, type WorkspaceFinding } from './finding.js';
import { readCatalogue } from './journal/catalogue.js';
import type { World } from './journal/world.js';

/** What is known beside the files; all of it may be left out. @internal */
export interface CheckOptions {
  /** What handlers left outside, in the order in which they did (I11). */
  readonly effects?: Iterable<LoggedEffect>;
  /** Commits that callers were told of (I12). */
  readonly acknowledged?: Iterable<Acknowledged>;
  /** True where no evidence was ever removed, by retention or by hand (I17, I20). */
  readonly isEvidenceKept?: boolean;
  /** True where an owner has started and settled what others left behind: no claim of an older epoch may be left (I19). */
  readonly isRecovered?: boolean;
}

/** Looks that are taken at a workspace that does not hold still. */
const LOOKS = 4;

/**
 * Every finding of a workspace; files are named by their path below its root. None means that all that is stored is whole.
 *
 * @internal
 */
export async function checkFiles(source: FileSource, options: CheckOptions = {}): Promise<readonly WorkspaceFinding[]> {
  let found: readonly WorkspaceFinding[] | undefined;
  for (let look = 1; ; look++) {
    const before = await traceOf(source);
    const now = await lookOnce(source, options);
    found = found === undefined ? now : now.filter((one) => found?.some((other) => isSameFinding(one, other)));
    if (found.length === 0 || look === LOOKS || (await traceOf(source)) === before) return found;
  }
}

async function lookOnce(source: FileSource, options: CheckOptions): Promise<readonly WorkspaceFinding[]> {
  const findings = new Findings(adviceOn);
  if ((await source.look('catalogue')) === undefined) {
    findings.error(['I1', 'missing'], { file: FILES.store, offset: 0 }, 'the file does not exist');
    return findings.all();
  }
  const part = (path: string, work: () => Promise<void>) => guarded(path, findings, work);
  let world: World | undefined;
  await part('catalogue', () => checkPlaces(source, findings));
  await part('catalogue/journal', async () => {
    world = await readCatalogue(source, findings);
  });
  await part('catalogue/documents', () => checkDocuments(source, world, findings));
  const known = world;
  if (known === undefined) return findings.all();
  const effects = readEffects(options.effects ?? [], findings);
  const isEvidenceKept = options.isEvidenceKept ?? false;
  await part('catalogue/history', () => checkSchedules({ source, world: known, findings, effects, isEvidenceKept }));
  judgeAcknowledged(options.acknowledged ?? [], known, findings);
  if (options.isRecovered === true) judgeRecovered(known, findings);
  return findings.all();
}

function judgeRecovered({ running, epoch }: World, findings: Findings): void {
  for (const [id, claim] of running) {
    if (claim.epoch >= epoch) continue;
    const found = `${id} is claimed by epoch ${claim.epoch}, and the owner of epoch ${epoch} has settled what others left`;
    findings.error(['I19', 'recovery'], { file: FILES.snapshot, offset: 0 }, found);
  }
}

/** What cannot be read is a finding, and the other parts are looked at all the same. */
async function guarded(path: string, findings: Findings, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code, path: at } = error as { readonly code?: unknown; readonly path?: unknown };
    if (typeof code !== 'string') throw error;
    const file = typeof at === 'string' ? at : path;
    if (code === 'ENOENT' || findings.has(file)) return;
    findings.error(['I15', 'unreadable'], { file, offset: 0 }, `it cannot be read: ${code}`);
  }
}

/** What changes when a store writes: the journal, the head, the snapshot. */
async function traceOf(source: FileSource): Promise<string> {
  const names = ((await source.list('catalogue/journal')) ?? []).filter((name) => segmentOf(name) !== undefined).sort();
  const paths = [FILES.snapshot, FILES.former, ...names.map((name) => `catalogue/journal/${name}`)];
  const looks = await Promise.all(paths.map(async (path) => source.look(path)));
  return looks.map((look, index) => `${paths[index]} ${look?.identity ?? ''} ${look?.bytes ?? ''}`).join('\n');
}

function isSameFinding(a: WorkspaceFinding, b: WorkspaceFinding): boolean {
  return a.file === b.file && a.offset === b.offset && a.invariant === b.invariant && a.rule === b.rule;
}
