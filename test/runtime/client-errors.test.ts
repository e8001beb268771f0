/** Refusals as errors: each says what was attempted on what, what was found, and what to do. */
import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../src/core/model/input.js';
import type { ScheduleErrorCode } from '../../src/errors.js';
import { refusalError } from '../../src/runtime/client/refusal-error.js';
import { instant } from './sample-definition.js';

const ATTEMPT = { control: 'update', scheduleId: 'nightly' };
const AT = instant('2026-11-30T08:00:00.000Z');

interface Row {
  readonly title: string;
  readonly refusal: Refusal;
  readonly code: ScheduleErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
}

const ROWS: readonly Row[] = [
  {
    title: '[CT-1] a schedule that is not there',
    refusal: { code: 'notFound', what: 'schedule' },
    code: 'SCHEDULE_NOT_FOUND',
    details: { what: 'schedule' },
  },
  {
    title: '[DE-1] an id that exists',
    refusal: { code: 'exists', id: 'Nightly' },
    code: 'SCHEDULE_EXISTS',
    details: { existing: 'Nightly' },
  },
  {
    title: '[CT-7] an id that was spelled otherwise',
    refusal: { code: 'spelling', id: 'Nightly' },
    code: 'SCHEDULE_EXISTS',
    details: { existing: 'Nightly' },
  },
  {
    title: '[CT-2] another revision',
    refusal: { code: 'revision', given: { revision: 1 }, revision: 2, version: 5 },
    code: 'SCHEDULE_REVISION_CONFLICT',
    details: { given: { revision: 1 }, revision: 2, version: 5 },
  },
  {
    title: '[CT-3] pending work',
    refusal: { code: 'workPending', pending: ['nightly~1~m~x'] },
    code: 'SCHEDULE_WORK_PENDING',
    details: { pending: ['nightly~1~m~x'] },
  },
  {
    title: '[CT-15] a status that does not allow it',
    refusal: { code: 'notApplicable', control: 'pause', status: 'completed' },
    code: 'SCHEDULE_NOT_APPLICABLE',
    details: { status: 'completed', allowed: ['update', 'trigger', 'rerun', 'delete'] },
  },
  {
    title: '[CT-15] a quarantine',
    refusal: { code: 'notApplicable', control: 'trigger', status: 'quarantined' },
    code: 'SCHEDULE_NOT_APPLICABLE',
    details: { status: 'quarantined' },
  },
  {
    title: '[EX-1] an expiry',
    refusal: { code: 'notApplicable', control: 'trigger', status: 'pastExpiry' },
    code: 'SCHEDULE_NOT_APPLICABLE',
    details: { status: 'pastExpiry' },
  },
  {
    title: '[TR-8] a trigger that is over',
    refusal: { code: 'neverDue', last: AT },
    code: 'SCHEDULE_NEVER_DUE',
    details: { last: '2026-11-30T08:00:00.000Z' },
  },
  {
    title: '[CO-4] a trigger that cannot be evaluated',
    refusal: { code: 'triggerBroken', issues: [{ path: 'trigger.timezone', rule: 'TR-9', message: 'is unknown' }] },
    code: 'SCHEDULE_DECLARATION_INVALID',
    details: { issues: [{ path: 'trigger.timezone', rule: 'TR-9', message: 'is unknown' }] },
  },
  {
    title: '[CT-3] an expiry that has passed already',
    refusal: { code: 'expiresInPast', expiresAt: AT },
    code: 'SCHEDULE_DECLARATION_INVALID',
    details: { issues: [expect.objectContaining({ path: 'expiresAt', rule: 'EX-1' })] },
  },
];

describe('refusals as errors', () => {
  it.each(ROWS)('$title', ({ refusal, code, details }) => {
    const error = refusalError(ATTEMPT, refusal);
    expect(error).toMatchObject({ code, details: { id: 'nightly', ...details } });
    expect(error.message).toMatch(/^cannot update "nightly": ./);
    expect(error.hint).toMatch(/\.$/);
  });
});
