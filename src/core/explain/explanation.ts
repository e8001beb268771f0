/**
 * Why an occurrence has its status, in a sentence for a person (OC-9).
 *
 * A failed one leads with what went wrong, and says then why no other attempt follows. Where the handler was never
 * called it says so, since nothing can have been done then.
 */
import type { AttemptRecord, Fault, Occurrence } from '../model/occurrence.js';
import { REASONS, type ReasonCode } from '../model/reason.js';

/** The explanation of an occurrence; undefined where there is nothing to explain. @internal */
export function explanationOf(occurrence: Occurrence): string | undefined {
  const { status, reason, attempts } = occurrence;
  if (reason === undefined) return undefined;
  const fault = lastFault(occurrence);
  if (status === 'failed' && fault !== undefined) {
    return [faultText(fault), uncalled(attempts), `${notRetried(attempts)}: ${whyNotRetried(reason, attempts)}`]
      .filter((part) => part !== undefined)
      .join('; ');
  }
  const untouched = uncalled(attempts);
  if (status === 'interrupted' && (untouched !== undefined || occurrence.nativeState === 'not-dispatched')) {
    const ended = reason === 'ownerStopped' ? 'was stopped' : 'ended';
    const which = attempts.length > 1 ? ' for its last attempt' : '';
    return `the owner ${ended} before it called the handler${which}; it is never run again`;
  }
  return untouched === undefined ? REASONS[reason] : `${REASONS[reason]}; ${untouched}`;
}

/** The fault of the last attempt that ended. @internal */
export function lastFault({ attempts }: Occurrence): Fault | undefined {
  return attempts.at(-1)?.fault;
}

function faultText({ code, message }: Fault): string {
  return message === '' ? code : `${message} (${code})`;
}

function uncalled(attempts: readonly AttemptRecord[]): string | undefined {
  if (attempts.at(-1)?.fault?.code !== 'notDispatched') return undefined;
  return attempts.length > 1 ? 'the handler was not called for the last attempt' : 'the handler was never called';
}

function notRetried({ length }: readonly AttemptRecord[]): string {
  return length > 1 ? 'not retried again' : 'not retried';
}

/** `retriesSpent` comes with one attempt more than there are retries (OC-5). */
function whyNotRetried(reason: ReasonCode, { length }: readonly AttemptRecord[]): string {
  if (reason !== 'retriesSpent') return REASONS[reason];
  return length > 1 ? `maxRetries (${length - 1}) is used up` : 'maxRetries is 0';
}
