/**
 * Compares the catalogue that a replay made with a snapshot of the same point (I14), without keeping both in memory.
 */
import { fingerprint } from '../bytes/json-value.js';
import type { Findings } from '../finding.js';
import type { Snapshot, SnapshotHead } from './snapshot.js';
import { entryPrints, type World } from './world.js';

/** Prints of a part of a snapshot, and the line that holds it. */
interface Printed {
  readonly offset: number;
  readonly parts: ReadonlyMap<string, string>;
}

/** What a snapshot says, in prints. @internal */
export interface SnapshotPrints {
  readonly file: string;
  readonly head: SnapshotHead;
  readonly entries: ReadonlyMap<string, Printed>;
  readonly marks: ReadonlyMap<string, Printed>;
}

/** The prints of a snapshot, which is used up: whoever still holds it holds no schedule any more. @internal */
export function printsOf(file: string, { head, entries, marks }: Snapshot): SnapshotPrints {
  const printed = new Map<string, Printed>();
  for (const [id, { entry, offset }] of entries) {
    printed.set(id, { offset, parts: entryPrints(entry) });
    entries.delete(id);
  }
  const markPrints = new Map<string, Printed>();
  for (const [id, { mark, changeSeq, offset }] of marks) {
    markPrints.set(id, { offset, parts: new Map([['mark', fingerprint([mark, changeSeq])]]) });
  }
  return { file, head, entries: printed, marks: markPrints };
}

/** Finds every difference between a catalogue and a snapshot of it. @internal */
export function compareWith({ file, head, entries, marks }: SnapshotPrints, world: World, findings: Findings): void {
  const differ = (offset: number, what: string) =>
    findings.error(['I14', 'snapshot'], { file, offset }, `${what} is not what the journal makes of it`);
  for (const name of ['seq', 'epoch', 'lastSeenAt', 'rowSeq'] as const) {
    if (head[name] !== world[name]) differ(0, name);
  }
  if (fingerprint(head.row) !== fingerprint(world.row)) differ(0, 'the row of the catalogue');
  const made = new Map([...world.entries].map(([id, entry]) => [id, () => entryPrints(entry)] as const));
  compare(entries, made, 'schedule', differ);
  const kept = new Map(
    [...world.marks].map(
      ([id, { mark, changeSeq }]) => [id, () => new Map([['mark', fingerprint([mark, changeSeq])]])] as const,
    ),
  );
  compare(marks, kept, 'the mark of', differ);
}

function compare(
  expected: ReadonlyMap<string, Printed>,
  made: ReadonlyMap<string, () => ReadonlyMap<string, string>>,
  what: string,
  differ: (offset: number, what: string) => void,
): void {
  for (const [id, { offset, parts }] of expected) {
    const found = made.get(id)?.();
    if (found === undefined) differ(offset, `${what} ${id}, which should not be there,`);
    else for (const [name, print] of parts) if (found.get(name) !== print) differ(offset, `${what} ${id} (${name})`);
  }
  for (const id of made.keys()) if (!expected.has(id)) differ(0, `${what} ${id}, which is missing,`);
}
