/** Schemas that leave the house: JSON Schema of the wire types, and Standard Schema of providers. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchema } from '../../src/codec/declaration/json-schema.js';
import { WIRE_SCHEMAS } from '../../src/codec/declaration/wire-schemas.js';
import { decodeDeclaration } from '../../src/codec/declaration-codec.js';
import { type StandardSchemaV1, validateStandard } from '../../src/codec/standard-schema.js';
import type { Json, JsonObject } from '../../src/core/model/declaration.js';
import { LIMITS } from '../../src/core/model/limits.js';
import { compileTrigger } from '../../src/core/trigger/compile.js';
import { compileDue } from '../../src/core/trigger/due/compile-due.js';

const ZONE = { timezone: 'Europe/Berlin' };

describe('jsonSchema', () => {
  it.each(['declaration', 'changes', 'trigger', 'budget'] as const)(
    '[DE-7] %s is plain JSON, strict, and fresh',
    async (name) => {
      const schema = await jsonSchema(name);
      expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
      expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
      expect(await jsonSchema(name)).not.toBe(schema);
      expect(JSON.stringify(schema)).toContain('"additionalProperties":false');
    },
  );

  it('[DE-7] bounds and defaults are those of LIMITS', async () => {
    const { properties, required } = (await jsonSchema('declaration')) as {
      properties: Record<string, JsonObject>;
      required: Json;
    };
    expect(required).toEqual(['objective', 'trigger', 'document']);
    for (const name of ['graceSeconds', 'maxCatchUp', 'maxRetries'] as const) {
      const { min, max, default: value } = LIMITS[name];
      expect(properties[name]).toMatchObject({ type: 'integer', minimum: min, maximum: max, default: value });
    }
    expect(properties['id']).toMatchObject({ minLength: 1, maxLength: 128 });
  });

  it.each([
    { kind: 'manual' },
    { kind: 'once', at: '2026-10-12T00:00:00-05:00' },
    { kind: 'once', at: '2026-10-12T00:00:00' },
    { kind: 'once' },
    { kind: 'interval', start: '2026-10-12T00:00Z', everySeconds: 0.001 },
    { kind: 'interval', start: '2026-10-12T00:00Z', everySeconds: 0 },
    { kind: 'calendar', ...ZONE, hour: [9, 17], minute: 30, weekdays: [0, 6] },
    { kind: 'calendar', ...ZONE, times: ['09:00', '17:30:15'], monthDays: [-1], months: [12] },
    { kind: 'calendar', ...ZONE, times: ['24:00'] },
    { kind: 'calendar', ...ZONE, hour: 9, weekdays: [7] },
    { kind: 'calendar', ...ZONE, hour: 9, nthWeekdays: [{ weekday: 0, nth: -1 }], years: [2030], gap: 'shift' },
    { kind: 'calendar', ...ZONE, hour: 9, every: { unit: 'week', n: 2 }, anchor: '2026-10-12' },
    { kind: 'calendar', ...ZONE, hour: 9, every: { unit: 'hour', n: 2 }, anchor: '2026-10-12' },
    { kind: 'cron', ...ZONE, expression: '0 2 * * *', repeat: 'both', dialect: { fields: 5, weekdays: 'quartz' } },
    { kind: 'cron', ...ZONE, expression: '0 2 * * *', dialect: { weekdays: 'unix' } },
    { kind: 'cron', ...ZONE, expression: '0 2 * * *', extra: 1 },
    { kind: 'rrule', ...ZONE, rule: 'FREQ=DAILY', dtstart: '2026-10-12T09:00:00', exdates: ['2026-10-13T09:00:00'] },
    { kind: 'rrule', ...ZONE, rule: 'FREQ=DAILY', dtstart: '2026-10-12T09:00:00Z' },
    { kind: 'rrule', ...ZONE, rule: 'FREQ=DAILY', dtstart: '2026-10-12T09:00:00', rdates: [] },
    { kind: 'anyOf', of: [{ kind: 'once', at: '2026-10-12T00:00:00Z' }] },
    { kind: 'anyOf', of: [{ kind: 'anyOf', of: [{ kind: 'once', at: '2026-10-12T00:00:00Z' }] }] },
    { kind: 'anyOf', of: [{ kind: 'anyOf', of: [{ kind: 'anyOf', of: [] }] }] },
    { kind: 'anyOf', of: [{ kind: 'manual' }] },
    { kind: 'anyOf', of: [] },
    { kind: 'anyOf' },
    { kind: 'never' },
    {},
  ])('[DE-7] the schema of a trigger and the core agree on %j', (trigger) => {
    expect(WIRE_SCHEMAS.trigger.safeParse(trigger).success).toBe(compileTrigger(trigger).ok);
  });

  it.each(['trigger', 'declaration', 'changes'] as const)(
    '[DE-7, TR-3, TR-4] the schema of %s says what holds between the fields of a calendar',
    async (name) => {
      const found: JsonObject[] = [];
      JSON.stringify(await jsonSchema(name), (_, value) => {
        if (value?.properties?.kind?.const === 'calendar') found.push(value);
        return value;
      });
      expect(found.length).toBeGreaterThan(0);
      for (const calendar of found) {
        expect(calendar).toMatchObject({
          oneOf: [{ required: ['hour'] }, { required: ['times'], properties: { minute: false, second: false } }],
          dependentRequired: { every: ['anchor'], anchor: ['every'] },
        });
      }
    },
  );

  it.each([
    { dates: ['2026-12-24', '2026-12-24/2026-12-26'], weekdays: [0, 6] },
    { dates: ['24.12.2026'] },
    { dates: [] },
    { weekdays: [7] },
    { weekdays: 6 },
    { days: ['2026-12-24'] },
  ])('[DE-7, DE-12] the schema of an exclusion and the core agree on %j', (exclude) => {
    const trigger = { kind: 'cron', ...ZONE, expression: '0 2 * * *' };
    const authored = { objective: 'o', document: { version: 'a/1' }, trigger, exclude };
    expect(WIRE_SCHEMAS.declaration.safeParse(authored).success).toBe(compileDue({ trigger, exclude }).ok);
    expect(WIRE_SCHEMAS.changes.safeParse({ exclude, spreadSeconds: null }).success).toBe(
      compileDue({ trigger, exclude }).ok,
    );
  });

  it('[DE-7] the schemas take what the codec takes', async () => {
    const authored = { objective: 'o', document: { version: 'a/1' }, trigger: { kind: 'manual' }, maxAttempts: 4 };
    expect(WIRE_SCHEMAS.declaration.safeParse(authored).success).toBe(true);
    expect((await decodeDeclaration(authored, { randomId: () => 'x' })).ok).toBe(true);
    const changes = { labels: { a: null }, budget: { maxAttempts: null }, expiresAt: null, maxAttempts: null };
    expect(WIRE_SCHEMAS.changes.safeParse(changes).success).toBe(true);
    expect(WIRE_SCHEMAS.changes.safeParse({ objective: null }).success).toBe(false);
    expect(WIRE_SCHEMAS.changes.safeParse({}).data).toEqual({});
  });
});

describe('validateStandard', () => {
  const report = z.object({ version: z.literal('report/1'), rows: z.array(z.object({ n: z.coerce.number() })) });

  it('[DE-10] gives out what the schema makes of a document', async () => {
    const result = await validateStandard(report, { version: 'report/1', rows: [{ n: '5' }] });
    expect(result).toEqual({ ok: true, value: { version: 'report/1', rows: [{ n: 5 }] } });
  });

  it('[DE-10] reports every issue with its path and what was found', async () => {
    const result = await validateStandard(report, { version: 'x', rows: [{ n: 1 }, { n: 'y' }] });
    expect(result.ok ? [] : result.issues.map(({ rule, path, found }) => [rule, path, found])).toEqual([
      ['DE-10', 'version', '"x"'],
      ['DE-10', 'rows[1].n', '"y"'],
    ]);
  });

  it('[DE-10] asks schemas of any vendor, also slow ones and ones that wrap their paths', async () => {
    const schema: StandardSchemaV1<unknown, number> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) =>
          Promise.resolve(
            value === 1
              ? { value: 2 }
              : { issues: [{ message: 'no', path: [{ key: 'a' }, 0] }, { message: 'nor this' }] },
          ),
      },
    };
    expect(await validateStandard(schema, 1)).toEqual({ ok: true, value: 2 });
    const result = await validateStandard(schema, { a: ['x'] });
    expect(result.ok ? [] : result.issues.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'a[0]: no',
      ': nor this',
    ]);
  });

  it('[DE-10] a schema that throws has refused', async () => {
    const schema: StandardSchemaV1 = {
      '~standard': { version: 1, vendor: 'test', validate: () => Promise.reject(new Error('boom')) },
    };
    const result = await validateStandard(schema, {});
    expect(result.ok ? '' : result.issues[0]?.message).toContain('boom');
  });
});
