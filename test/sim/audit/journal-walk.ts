/**
 * The journal as its bytes say it, read without any code of the store: which commits stand in the chain, and by whom.
 */
import { createHash } from 'node:crypto';

/** A commit in the chain. */
export interface ChainCommit {
  readonly seq: number;
  readonly hash: string;
  readonly actor: string;
}

/** What stands in the journal. */
export interface JournalWalk {
  readonly commits: readonly ChainCommit[];
  /** The commit before the oldest segment that is kept. */
  readonly base: number;
  /** What is wrong with it. */
  readonly faults: readonly string[];
}

const NAME = /^catalogue\/journal\/(\d{8,})\.jsonl$/;
/** Behind it nothing counts, where the record of that hash is the last one before it. */
const CLOSING_MARK = /^~\d+ ([0-9a-f]{64}) (?:0|[0-9a-f]{64})~$/;
const LINE = /^([0-9a-f]{64}) (\{.*\})$/;

interface Line {
  readonly hash: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/**
 * Walks the chain of the segments among the files of a workspace, from the oldest one that leads to the newest commit: one
 * that an abandoned roll-over left leads nowhere.
 */
export function walkJournal(files: ReadonlyMap<string, Buffer>): JournalWalk {
  const segments = new Map<number, readonly Line[]>();
  for (const [path, bytes] of files) {
    const number = NAME.exec(path)?.[1];
    if (number !== undefined) segments.set(Number(number), linesOf(bytes));
  }
  const walks = [...segments.keys()].sort((a, b) => a - b).map((first) => walkFrom(first, segments));
  const lastOf = ({ commits, base }: JournalWalk): number => commits.at(-1)?.seq ?? base;
  return walks.reduce((best, walk) => (lastOf(walk) > lastOf(best) ? walk : best));
}

function walkFrom(first: number, segments: ReadonlyMap<number, readonly Line[]>): JournalWalk {
  const commits: ChainCommit[] = [];
  const faults: string[] = [];
  const [open] = segments.get(first) ?? [];
  const base = Number(open?.record['seq'] ?? 0);
  let hash = String(open?.record['prev'] ?? '');
  let seq = base;
  for (let number: number | undefined = first; number !== undefined; ) {
    const lines: readonly Line[] | undefined = segments.get(number);
    if (lines === undefined) faults.push(`segment ${number} is missing`);
    number = undefined;
    for (const { hash: own, record } of lines ?? []) {
      if (record['closes'] === hash) break;
      if (record['prev'] !== hash) continue;
      hash = own;
      if (record['kind'] === 'close') number = Number(record['next']);
      if (record['kind'] !== 'commit' && record['kind'] !== 'own') continue;
      if (record['seq'] !== seq + 1) faults.push(`commit ${String(record['seq'])} follows ${seq}`);
      seq = Number(record['seq']);
      commits.push({ seq, hash, actor: String(record['actor']) });
    }
  }
  return { commits, base, faults };
}

function linesOf(bytes: Buffer): readonly Line[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .flatMap((text) => {
      const closes = CLOSING_MARK.exec(text)?.[1];
      if (closes !== undefined) return [{ hash: closes, record: { closes } }];
      const [, hash, json] = LINE.exec(text) ?? [];
      if (hash === undefined || json === undefined) return [];
      if (createHash('sha256').update(json).digest('hex') !== hash) return [];
      return [{ hash, record: JSON.parse(json) as Line['record'] }];
    });
}
