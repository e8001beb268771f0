/**
 * Overlap: what a due instant meets when work is pending already (OV-1 to OV-4).
 */
import type { OverlapPolicy } from '../model/declaration.js';
import type { Occurrence } from '../model/occurrence.js';
import type { ReasonCode } from '../model/reason.js';

/** What becomes of an instant: a place in the queue, or a skip that names what was in its way. @public */
export type Admission =
  | { readonly kind: 'enqueue' }
  | { readonly kind: 'refuse'; readonly reason: Extract<ReasonCode, 'overlap' | 'coalesced'>; readonly behind: string };

/**
 * The admission of one more occurrence, given the pending ones of its schedule and one pending under its key elsewhere.
 *
 * @remarks OV-1 to OV-4.
 * @public
 */
export function admission(
  policy: OverlapPolicy,
  pending: readonly Occurrence[],
  keyPending: string | undefined,
): Admission {
  switch (policy) {
    case 'queue':
      return { kind: 'enqueue' };
    case 'skip': {
      const behind = pending[0]?.id ?? keyPending;
      return behind === undefined ? { kind: 'enqueue' } : { kind: 'refuse', reason: 'overlap', behind };
    }
    case 'coalesce': {
      const queued = pending.find((occurrence) => occurrence.status === 'queued');
      return queued === undefined ? { kind: 'enqueue' } : { kind: 'refuse', reason: 'coalesced', behind: queued.id };
    }
  }
}
