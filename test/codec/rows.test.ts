/** Rows: what a catalogue stores, read back strictly. The round trip of any row is in the property tests. */
import { describe, expect, it } from 'vitest';
import { writtenText } from '../../src/codec/json/json-bytes.js';
import {
  type Decoded,
  decodeCatalogueRow,
  decodeDefinition,
  decodeMark,
  decodeOccurrenceRow,
  decodeScheduleRow,
  decodeVerdict,
  encodeDefinition,
  encodeOccurrenceRow,
  encodeScheduleRow,
  fromWire,
  toWire,
  UnstorableRow,
  writeOccurrenceRow,
  writeVerdict,
} from '../../src/codec/rows.js';
import type { Occurrence } from '../../src/core/model/occurrence.js';
import type { Definition, Schedule } from '../../src/core/model/schedule.js';
import { type EpochMs, epochMs, formatInstant } from '../../src/core/time/instant.js';

const AT = epochMs(Date.UTC(2026, 10, 30, 8));
const TEXT = '2026-11-30T08:00:00.000Z';
const DIGEST = `sha256:${'0'.repeat(64)}`;

const DEFINITION: Definition = {
  declaration: {
    id: 'a',
    objective: 'o',
    allowedProviders: [],
    trigger: { kind: 'once', at: TEXT },
    overlap: 'coalesce',
    misfire: 'runOnce',
    graceSeconds: 60,
    maxCatchUp: 10,
    maxOccurrences: 100,
    maxRetries: 0,
    budget: { maxAttempts: 3, maxRepeatedFailures: 2, maxElapsedSeconds: 3600, timeoutPerStageSeconds: 600 },
    labels: { at: 'noon', since: '2026' },
  },
  documentDigest: DIGEST,
  documentKind: 'a/1',
  caller: 'me',
  registeredAt: AT,
};

const SCHEDULE: Schedule = {
  id: 'a',
  revision: 1,
  version: 1,
  definition: DEFINITION,
  createdAt: AT,
  status: 'active',
  nextDue: AT,
  collectedThrough: epochMs(AT - 1),
  spent: 0,
  held: [{ cause: 'paused', from: AT, until: AT }],
  lastClaim: 0,
  failuresInRow: 0,
  skipsInRow: 0,
  unresolved: [],
};

const OCCURRENCE: Occurrence = {
  id: 'a~1~20261130T080000000Z',
  scheduleId: 'a',
  revision: 1,
  origin: 'trigger',
  dueAt: AT,
  admittedAt: AT,
  concurrencyKey: 'a',
  status: 'succeeded',
  window: { firstAt: AT, lastAt: AT, count: 3, isFloor: false, causes: ['ownerDown'] },
  attempts: [],
  result: { at: 5, since: 'always', endedAt: null },
  endedAt: AT,
};

function faults(decoded: Decoded<unknown>): readonly string[] {
  return decoded.ok ? [] : decoded.issues.map(({ rule, path, message }) => `${rule} ${path}: ${message}`);
}

describe('wire form', () => {
  it('[DE-2] instants are UTC text with milliseconds, and undefined members are dropped', () => {
    expect(toWire({ at: AT, list: [{ dueAt: AT }], nextDue: AT, count: AT, gone: undefined })).toEqual({
      at: TEXT,
      list: [{ dueAt: TEXT }],
      nextDue: TEXT,
      count: AT,
    });
  });

  it('[DE-2] what authors and handlers wrote is copied as it is', () => {
    expect(encodeOccurrenceRow(OCCURRENCE).result).toEqual(OCCURRENCE.result);
    expect(encodeDefinition(DEFINITION).declaration).toEqual(DEFINITION.declaration);
    expect(encodeDefinition(DEFINITION).declaration).not.toBe(DEFINITION.declaration);
    expect(fromWire(encodeOccurrenceRow(OCCURRENCE))).toEqual(OCCURRENCE);
  });

  it('[DE-2] a member that names a status in one type and an instant in another is read as what it is', () => {
    expect(fromWire({ from: 'active', to: TEXT })).toEqual({ from: 'active', to: AT });
  });

  it('[ST-3] a bad instant is refused with its path', () => {
    expect(() => fromWire({ list: [{ dueAt: 'noon' }] })).toThrow(
      expect.objectContaining({
        code: 'SCHEDULE_CATALOGUE_CORRUPT',
        details: { issues: [expect.objectContaining({ path: 'list[0].dueAt', rule: 'ST-3' })] },
      }) as Error,
    );
  });
});

describe('decoders', () => {
  it('[ST-3] a schedule is two rows, and each comes back as it was', () => {
    const { definition, ...row } = SCHEDULE;
    expect(encodeScheduleRow(SCHEDULE)).not.toHaveProperty('definition');
    expect(decodeScheduleRow(encodeScheduleRow(SCHEDULE))).toEqual({ ok: true, value: row });
    expect(decodeDefinition(encodeDefinition(definition))).toEqual({ ok: true, value: definition });
  });

  it.each([
    ['a missing member', { dueAt: undefined }, 'ST-3 dueAt: is required'],
    ['an unknown member', { extra: 1 }, 'ST-3 extra: must not have this member'],
    ['a number for an instant', { dueAt: AT }, 'ST-3 dueAt: must be UTC text such as 2026-11-30T08:00:00.000Z'],
    ['an instant with an offset', { dueAt: '2026-11-30T08:00:00.0+00:00' }, 'ST-3 dueAt: must be UTC'],
    ['a date that is not', { dueAt: '2026-02-30T08:00:00.000Z' }, 'ST-3 dueAt: must be UTC'],
    ['an unknown status', { status: 'done' }, 'ST-3 status: must be one of queued'],
    ['an unknown reason', { reason: 'toString' }, 'ST-3 reason: must be one of misfire'],
    ['a negative count', { revision: -1 }, 'ST-3 revision: must be a whole number'],
    ['an id of another schedule', { id: 'b~1~20261130T080000000Z' }, 'ST-3 id: must begin with'],
    ['a running one without a claim', { status: 'running' }, 'ST-3 claim: is required'],
    ['a waiting one without a time', { status: 'retrying' }, 'ST-3 retryAt: is required'],
    ['an ended one without a time', { endedAt: undefined }, 'ST-3 endedAt: is required'],
    [
      'a fault deep inside',
      { window: { firstAt: 1, lastAt: TEXT, count: 1, isFloor: 0, causes: ['x'] } },
      'ST-3 window.firstAt',
    ],
    ['an attempt that is none', { attempts: [null] }, 'ST-3 attempts[0]: must be an object'],
    ['a list for an object', { claim: [] }, 'ST-3 claim: must be an object'],
  ])('[ST-3] refuses an occurrence with %s', (_what, more, message) => {
    const row: unknown = JSON.parse(JSON.stringify({ ...encodeOccurrenceRow(OCCURRENCE), ...more }));
    expect(faults(decodeOccurrenceRow(row))[0]).toContain(message);
  });

  it.each([
    ['revision 0', { revision: 0 }],
    ['held that is no list', { held: {} }],
    ['a bad cause', { held: [{ cause: 'x', from: TEXT }] }],
    ['a definition', { definition: {} }],
    ['false for what is there only if true', { isBudgetNoticed: false }],
  ])('[ST-3] refuses a schedule row with %s', (_what, more) => {
    expect(faults(decodeScheduleRow({ ...encodeScheduleRow(SCHEDULE), ...more }))).toHaveLength(1);
  });

  it.each([
    ['a digest that is none', { documentDigest: 'sha256:0' }],
    ['no declaration', { declaration: null }],
    ['a trigger without a kind', { declaration: { ...DEFINITION.declaration, trigger: {} } }],
    ['a label that is no text', { declaration: { ...DEFINITION.declaration, labels: { a: 1 } } }],
  ])('[ST-3] refuses a definition with %s', (_what, more) => {
    expect(faults(decodeDefinition({ ...encodeDefinition(DEFINITION), ...more }))).toHaveLength(1);
  });

  it.each([
    ['an instant that is none', { dueAt: 0.5 }, 'dueAt'],
    ['a count that is none', { revision: -1 }, 'revision'],
    ['a member that no row has', { extra: 1 }, 'extra: must not have this member'],
    ['a member that is missing', { status: undefined }, 'status: is required'],
    ['a status that no occurrence has', { status: 'done' }, 'status: must be one of'],
    ['a status that does not agree with the rest', { status: 'running' }, 'claim: is required'],
    ['an attempt that is none', { attempts: [null] }, 'attempts[0]: must be an object'],
  ])('[ST-1, ST-3] does not write an occurrence with %s, and says why', (_what, more, message) => {
    const write = () =>
      writtenText((out) => writeOccurrenceRow({ ...OCCURRENCE, ...more } as unknown as Occurrence, out));
    expect(write).toThrow(UnstorableRow);
    expect(write).toThrow(message);
  });

  it('[ST-1] texts that JSON escapes are escaped, and instants that share a place are told apart', () => {
    const note = 'a "quote", a \\ and \n a line, \ud800, \u2028, ü, 😀';
    const at = [AT, AT + 256, AT + 512, AT] as EpochMs[];
    const texts = at.map((one) => writtenText((out) => writeVerdict({ verdict: 'done', note, by: '', at: one }, out)));
    expect(texts.map((text) => JSON.parse(text))).toEqual(
      at.map((one) => ({ verdict: 'done', note, by: '', at: formatInstant(one) })),
    );
  });

  it('[ST-3] refuses marks, verdicts and catalogue rows that are none', () => {
    for (const decode of [decodeMark, decodeVerdict, decodeCatalogueRow, decodeScheduleRow, decodeOccurrenceRow]) {
      for (const value of [null, [], 1, 'x', {}, undefined]) expect(decode(value).ok).toBe(false);
    }
    expect(decodeCatalogueRow({ gate: { isPaused: false } })).toEqual({
      ok: true,
      value: { gate: { isPaused: false } },
    });
    expect(faults(decodeCatalogueRow({ gate: { isPaused: 0 } }))).toEqual([
      'ST-3 gate.isPaused: must be true or false',
    ]);
  });
});
