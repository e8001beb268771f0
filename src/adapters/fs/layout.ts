/**
 * The names of a workspace: where everything stands below its root (`src/SPEC.md`, ST-1).
 */
import { join } from 'node:path';
import { safeName } from './disk/safe-name.js';

/** Paths of one workspace. @internal */
export interface Layout {
  readonly root: string;
  readonly catalogue: string;
  /** Sealed; format, version and id of the workspace; the last file of a new workspace. */
  readonly store: string;
  /** The snapshot, and the one before it. */
  readonly snapshot: string;
  readonly formerSnapshot: string;
  /** Lower bound of the newest commit, in two slots. */
  readonly head: string;
  readonly journal: string;
  readonly documents: string;
  readonly history: string;
  readonly locks: string;
  readonly ownerLock: string;
  readonly stateLock: string;
  /** Held by whoever rolls over, which goes on beside commits. */
  readonly rollOverLock: string;
  /** The only place of temporary names. */
  readonly tmp: string;
  /** Where what was moved aside is kept. */
  readonly quarantine: string;
  /** Present: a flush failed and could not be undone. */
  readonly failed: string;
  /** What the owner says of itself; advice only. */
  readonly owner: string;
  readonly occurrences: string;
  /** Evidence on its way out; beside what it comes from, so that a rename is enough. No schedule has such a name. */
  readonly removedEvidence: string;
}

/** The layout below a root. @internal */
export function layoutOf(root: string): Layout {
  const catalogue = join(root, 'catalogue');
  const locks = join(catalogue, 'locks');
  return {
    root,
    catalogue,
    store: join(catalogue, 'store.json'),
    snapshot: join(catalogue, 'catalogue.json'),
    formerSnapshot: join(catalogue, 'catalogue.prev.json'),
    head: join(catalogue, 'head'),
    journal: join(catalogue, 'journal'),
    documents: join(catalogue, 'documents'),
    history: join(catalogue, 'history'),
    locks,
    ownerLock: join(locks, 'owner.lock'),
    stateLock: join(locks, 'state.lock'),
    rollOverLock: join(locks, 'roll-over.lock'),
    tmp: join(catalogue, 'tmp'),
    quarantine: join(catalogue, 'quarantine'),
    failed: join(catalogue, 'store.failed'),
    owner: join(catalogue, 'owner.json'),
    occurrences: join(root, 'occurrences'),
    removedEvidence: join(root, 'occurrences', '.removed'),
  };
}

/** Directories of a workspace, a parent before what is in it. @internal */
export function directoriesOf(layout: Layout): readonly string[] {
  const { root, catalogue, journal, documents, history, locks, tmp, quarantine, occurrences } = layout;
  return [root, catalogue, journal, documents, history, locks, tmp, quarantine, occurrences];
}

/** The segment of this number. @internal */
export function segmentPath(layout: Layout, segment: number): string {
  return join(layout.journal, `${String(segment).padStart(8, '0')}.jsonl`);
}

/** The number of a segment by its name; nothing for other names. @internal */
export function segmentOf(name: string): number | undefined {
  const digits = /^(\d{8,})\.jsonl$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The document of this digest (`sha256:<hex>`). @internal */
export function documentPath(layout: Layout, digest: string): string {
  return join(layout.documents, `${digest.replace(/^sha256:/, '')}.json`);
}

/** The history of this schedule. @internal */
export function historyPath(layout: Layout, scheduleId: string): string {
  return join(layout.history, safeName(scheduleId));
}
