/**
 * Occurrences for people: what became of each, and why, spelled out.
 */

import { type OccurrenceEvidence, type OccurrenceView, REASONS } from '../../../index.js';
import { durationText } from './layout/moment.js';
import { plain } from './layout/plain.js';
import { type Field, fieldsText } from './layout/table.js';

/** One occurrence of a list: a line, and a line below for each thing that explains it; `waiting` is why it waits. @internal */
export function occurrenceLines(occurrence: OccurrenceView, waiting?: string): string {
  const { id, status, dueAt, endedAt } = occurrence;
  const ended = endedAt === undefined ? '' : `  ended ${endedAt}`;
  const lines = [
    `  ${plain(id)}  ${status}  due ${dueAt}${ended}`,
    ...[...(waiting === undefined ? [] : [waiting]), ...why(occurrence)].map((line) => `    ${plain(line)}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Everything that explains the status of an occurrence, one sentence each. @internal */
export function why(occurrence: OccurrenceView): readonly string[] {
  const { reason, behind, window, replaces, endRequest, verdict, isClosing } = occurrence;
  return [
    ...(reason === undefined ? [] : [uncalledText(occurrence) ?? reasonText(reason, behind)]),
    ...(window === undefined ? [] : [windowText(window)]),
    ...(isClosing === true ? ['it closes its revision and spends no budget'] : []),
    ...lateness(occurrence),
    ...faults(occurrence),
    ...nativeWork(occurrence),
    ...(replaces === undefined ? [] : [`it runs again what ${replaces} did not finish`]),
    ...(occurrence.retryAt === undefined ? [] : [`next attempt at ${occurrence.retryAt}`]),
    ...(endRequest === undefined ? [] : [`${endRequest.by} asked at ${endRequest.at} to end it`]),
    ...(verdict === undefined ? [] : [`verdict ${verdict.verdict} by ${verdict.by}: ${verdict.note}`]),
  ];
}

/** The owner died, but before the handler was called: then the sentence of the reason says too little. */
function uncalledText({ nativeState, reason, explanation }: OccurrenceView): string | undefined {
  return nativeState === 'not-dispatched' && explanation !== undefined ? `${reason}: ${explanation}` : undefined;
}

/** A reason code with its sentence, and what was in the way. @internal */
export function reasonText(reason: keyof typeof REASONS, behind?: string): string {
  return `${reason}: ${REASONS[reason] ?? 'unknown to this version'}${behind === undefined ? '' : ` (behind ${behind})`}`;
}

function windowText({ count, isFloor, firstAt, lastAt, causes }: NonNullable<OccurrenceView['window']>): string {
  const many = `${isFloor ? 'at least ' : ''}${count} due instant${count === 1 ? '' : 's'}`;
  const because = causes.length === 0 ? '' : ` (${causes.join(', ')})`;
  return `it stands for ${many}, ${firstAt} to ${lastAt}${because}`;
}

function lateness({ origin, dueAt, firstClaimedAt }: OccurrenceView): readonly string[] {
  if (firstClaimedAt === undefined || origin === 'manual') return [];
  const late = Date.parse(firstClaimedAt) - Date.parse(dueAt);
  return late < 1000 ? [] : [`it started ${durationText(late)} after it was due`];
}

function faults({ attempts }: OccurrenceView): readonly string[] {
  return attempts.flatMap(({ attempt, fault }) => {
    if (fault === undefined) return [];
    const where = [fault.provider, fault.stage].filter((part) => part !== undefined).join(', stage ');
    return [`attempt ${attempt}: ${fault.code}${where === '' ? '' : ` in ${where}`}: ${fault.message}`];
  });
}

/** What is known of the work of an interrupted occurrence, and what to do as long as nobody has said. */
function nativeWork({ status, attempts, nativeState, verdict }: OccurrenceView): readonly string[] {
  if (status !== 'interrupted') return [];
  const last = attempts.at(-1);
  if (nativeState === 'not-dispatched' || last?.fault?.code === 'notDispatched') {
    const advice = verdict === undefined ? ': safe to rerun' : '';
    if (attempts.length < 2) return [`it was claimed but the handler was never called${advice}`];
    return [`its attempt ${last?.attempt} was claimed but the handler was not called for it${advice}`];
  }
  if (nativeState !== 'unknown' || verdict !== undefined) return [];
  return ['whether its work was done is unknown: find out, then resolve or rerun it'];
}

/** One occurrence with all of its parts; `waiting` is why it waits. @internal */
export function occurrenceText(occurrence: OccurrenceView, evidence?: OccurrenceEvidence, waiting?: string): string {
  const { plan, verification, result } = occurrence;
  const fields: readonly Field[] = [
    ['status', occurrence.status],
    ['why', waiting],
    ...why(occurrence).map((line): Field => ['why', line]),
    ['schedule', `${occurrence.scheduleId}, revision ${occurrence.revision}`],
    ['origin', occurrence.origin],
    ['due', occurrence.dueAt],
    ['admitted', occurrence.admittedAt],
    ['first claim', occurrence.firstClaimedAt],
    ['ended', occurrence.endedAt],
    ['key', occurrence.concurrencyKey],
    [
      'plan',
      plan === undefined ? undefined : `${plan.id} ${plan.digest}${occurrence.isPlanChanged ? ' (changed)' : ''}`,
    ],
    ['verified', verification === undefined ? undefined : verificationText(verification)],
    ['result', result === undefined ? undefined : JSON.stringify(result)],
  ];
  const attempts = occurrence.attempts.map(attemptText).join('');
  return `${plain(occurrence.id)}\n${fieldsText(fields, '  ')}${attempts}${evidence === undefined ? '' : evidenceText(evidence)}`;
}

function verificationText({ isVerified, digest, receipts }: NonNullable<OccurrenceView['verification']>): string {
  const published = receipts.map(({ name, bytes }) => `${name} (${bytes} bytes)`).join(', ');
  return [
    isVerified ? 'yes' : 'no',
    ...(digest === undefined ? [] : [digest]),
    ...(published === '' ? [] : [published]),
  ].join(', ');
}

function attemptText(attempt: OccurrenceView['attempts'][number]): string {
  const stages = attempt.stages.map(
    ({ name, outcome, durationMs }) => `${name} ${outcome} ${durationText(durationMs)}`,
  );
  const fields: readonly Field[] = [
    ['claimed', `${attempt.claimedAt}, epoch ${attempt.epoch}, fencing token ${attempt.fencingToken}`],
    ['ended', attempt.endedAt],
    ['task', attempt.taskId],
    ['job', attempt.jobId],
    ['stages', stages.length === 0 ? undefined : stages.join(', ')],
    ['fault', attempt.fault === undefined ? undefined : `${attempt.fault.code}: ${attempt.fault.message}`],
  ];
  return `  attempt ${attempt.attempt}: ${attempt.outcome}\n${fieldsText(fields, '    ')}`;
}

/** What is kept of an occurrence: its directories and files. @internal */
export function evidenceText({ directory, attempts }: OccurrenceEvidence): string {
  const lines = attempts.flatMap(({ attempt, directory: place, files }) => [
    `  attempt ${attempt}: ${plain(place)}`,
    ...files.map(({ path, bytes }) => `    ${plain(path)}  ${bytes} bytes`),
  ]);
  return `${[`evidence: ${plain(directory)}`, ...lines].join('\n')}\n`;
}
