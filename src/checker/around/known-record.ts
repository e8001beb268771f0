/**
 * What a check remembers of a record while it looks at the evidence of its schedule: a few numbers, not the record.
 */
import { countOf, fingerprint, listOf, type Row, rowOrEmpty, textOf } from '../bytes/json-value.js';

/** An attempt that was claimed. @internal */
export interface KnownAttempt {
  /** Number of the commit of the claim; 0 where that is not known. */
  readonly token: number;
  readonly epoch: number;
}

/** See the head of this file. @internal */
export interface KnownRecord {
  readonly status: string;
  readonly reason: string;
  readonly attempts: readonly KnownAttempt[];
  /** The attempt that runs, where one does. */
  readonly running: number;
  /** Print of what was verified, of one that succeeded. */
  readonly verified: string;
}

const NO_ATTEMPTS: readonly KnownAttempt[] = [];

/** What is remembered of a record. @internal */
export function knownOf(occurrence: Row): KnownRecord {
  const attempts = listOf(occurrence['attempts']);
  return {
    status: textOf(occurrence['status']),
    reason: textOf(occurrence['reason']),
    attempts: attempts.length === 0 ? NO_ATTEMPTS : attempts.map(attemptOf),
    running: countOf(rowOrEmpty(occurrence['claim'])['attempt']),
    verified: occurrence['status'] === 'succeeded' ? verificationPrint(rowOrEmpty(occurrence['verification'])) : '',
  };
}

function attemptOf(value: unknown): KnownAttempt {
  const row = rowOrEmpty(value);
  return { token: countOf(row['fencingToken']), epoch: countOf(row['epoch']) };
}

/** A print of a verification, with its receipts. @internal */
export function verificationPrint(verification: Row, receipts: unknown = verification['receipts']): string {
  return fingerprint([verification['isVerified'], verification['digest'] ?? null, listOf(receipts)]);
}
