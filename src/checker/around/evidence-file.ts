/**
 * The two records in the directory of an attempt: what was dispatched, and how it ended (`FORMAT.md`, Evidence).
 */
import { jsonIn, type Row, rowOf } from '../bytes/json-value.js';
import type { FileSource } from '../file-source.js';

/** What a record of an attempt is: its content, absent, or not readable as one. @internal */
export type EvidenceRecord = Row | 'absent' | 'unreadable';

/** Largest record that is read (bytes); larger ones are read by nobody. */
const RECORD_LIMIT = 16 * 1_048_576;

/** Reads a record of an attempt. @internal */
export async function readEvidence(source: FileSource, path: string): Promise<EvidenceRecord> {
  const look = await source.look(path);
  if (look === undefined) return 'absent';
  if (look.kind !== 'file' || look.bytes > RECORD_LIMIT) return 'unreadable';
  const parts: Buffer[] = [];
  let length = 0;
  for await (const slice of source.read(path)) {
    length += slice.length;
    if (length > RECORD_LIMIT) return 'unreadable';
    parts.push(Buffer.from(slice));
  }
  return rowOf(jsonIn(Buffer.concat(parts))?.value) ?? 'unreadable';
}
