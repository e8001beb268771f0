/** Declarations as authors write them: defaults, bounds, every refusal with its path, and all of them at once. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type DecodeOptions, decodeDeclaration } from '../../src/codec/declaration-codec.js';
import { digestOf } from '../../src/codec/digest.js';
import { parseStrictJson } from '../../src/codec/strict-json.js';
import type { JsonObject } from '../../src/core/model/declaration.js';
import { LIMITS, type NumberLimit } from '../../src/core/model/limits.js';
import { epochMs, parseInstant } from '../../src/core/time/instant.js';

const NOW = parseInstant('2026-10-12T05:00:00Z') ?? epochMs(0);
const OPTIONS: DecodeOptions = { now: NOW, randomId: () => 'k3v9x2' };
const GOOD = {
  id: 'nightly',
  objective: 'Nightly report',
  document: { version: 'report/1' },
  trigger: { kind: 'manual' },
};

async function accepted(more: object, options = OPTIONS) {
  const result = await decodeDeclaration({ ...GOOD, ...more }, options);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

async function refused(more: object, options = OPTIONS): Promise<readonly string[]> {
  const result = await decodeDeclaration({ ...GOOD, ...more }, options);
  return result.ok ? [] : result.issues.map(({ rule, path }) => `${rule} ${path}`);
}

/** Every field of a declaration and its document. */
async function filledIn(): Promise<object> {
  const optional = {
    expiresAt: 1,
    spreadSeconds: 1,
    exclude: 1,
    retryBackoff: 1,
    maxLatenessSeconds: 1,
    maxAttempts: 1,
  };
  return { ...(await accepted({})).declaration, ...optional, concurrencyKey: 1, pauseAfterFailures: 1, document: 1 };
}

describe('defaults and normal form', () => {
  it('[DE-9] the example of the first seed is accepted as it stands', async () => {
    const text = readFileSync(new URL('../golden/seed-declaration.json', import.meta.url), 'utf8');
    const parsed = parseStrictJson(text);
    if (!parsed.ok) throw new Error('not JSON');
    const result = await decodeDeclaration(parsed.value, OPTIONS);
    if (!result.ok) throw new Error(JSON.stringify(result.issues));
    expect(result.value.declaration).toMatchObject({
      id: 'publish-the-captured-engineering-workflow-each-we-k3v9x2',
      expiresAt: '2027-01-01T06:00:00.000Z',
      trigger: { kind: 'calendar', start: '2026-10-12T05:00:00.000Z', hour: 9, weekdays: [0, 1, 2, 3, 4] },
      budget: { maxAttempts: 3, maxRepeatedFailures: 2, maxElapsedSeconds: 3600, timeoutPerStageSeconds: 600 },
    });
    expect(result.value.documentKind).toBe('schemaxis.freecad/1');
    expect(result.value.documentDigest).toBe(digestOf((JSON.parse(text) as { document: JsonObject }).document));
  });

  it('[DE-7] fills in the defaults of LIMITS', async () => {
    const { declaration } = await accepted({});
    expect(declaration).toEqual({
      id: 'nightly',
      objective: 'Nightly report',
      allowedProviders: [],
      trigger: { kind: 'manual' },
      overlap: 'coalesce',
      misfire: 'runOnce',
      graceSeconds: LIMITS.graceSeconds.default,
      maxCatchUp: LIMITS.maxCatchUp.default,
      maxOccurrences: LIMITS.maxOccurrences.default,
      maxRetries: LIMITS.maxRetries.default,
      budget: {
        maxAttempts: LIMITS.maxAttempts.default,
        maxRepeatedFailures: LIMITS.maxRepeatedFailures.default,
        maxElapsedSeconds: LIMITS.maxElapsedSeconds.default,
        timeoutPerStageSeconds: LIMITS.timeoutPerStageSeconds.default,
      },
      labels: {},
    });
  });

  it('[DE-2] takes dates and instants of Temporal in place of texts, and stores UTC text', async () => {
    const instant = { epochMilliseconds: NOW + 1000 };
    const { declaration } = await accepted({
      expiresAt: new Date(NOW + 2000),
      trigger: { kind: 'interval', start: instant, everySeconds: 1, end: '2026-10-12T07:00:00.5+01:00' },
    });
    expect(declaration.expiresAt).toBe('2026-10-12T05:00:02.000Z');
    expect(declaration.trigger).toEqual({
      kind: 'interval',
      start: '2026-10-12T05:00:01.000Z',
      everySeconds: 1,
      end: '2026-10-12T06:00:00.500Z',
    });
  });

  it('[DE-3] the document is a copy, and its digest does not depend on the order of keys', async () => {
    const document = { version: 'a/1', list: [{ b: 1, a: -0 }] };
    const value = await accepted({ document });
    document.list[0] = { b: 9, a: 9 };
    expect(value.document).toEqual({ version: 'a/1', list: [{ b: 1, a: 0 }] });
    const other = await accepted({ document: { list: [{ a: 0, b: 1 }], version: 'a/1' } });
    expect(other.documentDigest).toBe(value.documentDigest);
  });

  it('[DE-9] the budget may stand at the top level, or in both places with equal values', async () => {
    const lifted = await accepted({ maxAttempts: 7, budget: { maxAttempts: 7, maxElapsedSeconds: 5 }, maxRetries: 6 });
    expect(lifted.declaration.budget).toMatchObject({ maxAttempts: 7, maxElapsedSeconds: 5, maxRepeatedFailures: 2 });
    expect(await refused({ maxAttempts: 7, budget: { maxAttempts: 8 } })).toEqual(['DE-9 maxAttempts']);
    expect(await refused({ maxAttempts: 21 })).toEqual(['DE-1 maxAttempts']);
  });

  it('[DE-1] a field that is undefined counts as absent', async () => {
    expect((await accepted({ expiresAt: undefined, labels: undefined })).declaration.labels).toEqual({});
  });

  it('[DE-1] an id is made from the objective and a random end where none is given', async () => {
    const made = async (objective: string) => (await accepted({ id: undefined, objective })).declaration.id;
    expect(await made('Müll & Über: täglich!')).toBe('mull-uber-taglich-k3v9x2');
    expect(await made('日報')).toBe('schedule-k3v9x2');
    expect(await made('con')).toBe('con-k3v9x2');
    expect(await refused({ id: undefined }, { ...OPTIONS, requireId: true })).toEqual(['DE-1 id']);
  });
});

describe('bounds', () => {
  const NUMBERS: readonly (readonly [string, NumberLimit])[] = [
    ['graceSeconds', LIMITS.graceSeconds],
    ['maxCatchUp', LIMITS.maxCatchUp],
    ['maxOccurrences', LIMITS.maxOccurrences],
    ['maxAttempts', LIMITS.maxAttempts],
    ['maxRepeatedFailures', LIMITS.maxRepeatedFailures],
    ['maxElapsedSeconds', LIMITS.maxElapsedSeconds],
    ['timeoutPerStageSeconds', LIMITS.timeoutPerStageSeconds],
    ['maxLatenessSeconds', LIMITS.maxLatenessSeconds],
    ['pauseAfterFailures', LIMITS.pauseAfterFailures],
  ];

  it.each(NUMBERS)('[DE-7] %s is taken at its limits and refused one beyond', async (name, { min, max }) => {
    await accepted({ [name]: min });
    await accepted({ [name]: max });
    for (const bad of [min - 1, max + 1, min + 0.5, Number.NaN, '1', null, true, [1]]) {
      expect(await refused({ [name]: bad }), String(bad)).toEqual([expect.stringContaining(` ${name}`)]);
    }
  });

  it('[DE-7] retries stay below attempts, and the longest wait is no shorter than the first', async () => {
    await accepted({ maxRetries: 19, budget: { maxAttempts: 20 } });
    expect(await refused({ maxRetries: 3 })).toEqual(['DE-1 maxRetries']);
    const backoff = { initialSeconds: 5, factor: 1.5, maxSeconds: 5 };
    expect((await accepted({ retryBackoff: backoff })).declaration.retryBackoff).toEqual(backoff);
    expect(await refused({ retryBackoff: { ...backoff, maxSeconds: 4 } })).toEqual(['DE-1 retryBackoff.maxSeconds']);
    expect(await refused({ retryBackoff: { initialSeconds: 5 } })).toEqual([
      'DE-1 retryBackoff.factor',
      'DE-1 retryBackoff.maxSeconds',
    ]);
  });

  it('[DE-11] lists, labels and texts are taken at their limits and refused one beyond', async () => {
    const labels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
    const providers = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`);
    await accepted({ labels: labels(32), allowedProviders: providers(64), objective: 'x'.repeat(2000) });
    await accepted({ labels: { ['k'.repeat(64)]: 'v'.repeat(256) }, concurrencyKey: 'x'.repeat(128) });
    expect(await refused({ labels: labels(33) })).toEqual(['DE-11 labels']);
    expect(await refused({ labels: { ['k'.repeat(65)]: 'v' } })).toHaveLength(1);
    expect(await refused({ labels: { k: 'v'.repeat(257) } })).toEqual(['DE-11 labels.k']);
    expect(await refused({ allowedProviders: providers(65) })).toEqual(['DE-1 allowedProviders']);
    expect(await refused({ allowedProviders: ['x'.repeat(65), ''] })).toHaveLength(2);
    expect(await refused({ objective: 'x'.repeat(2001) })).toEqual(['DE-1 objective']);
    expect(await refused({ objective: 'a\u0000b' })).toEqual(['DE-1 objective']);
    expect(await refused({ objective: 'a\ud800' })).toContain('DE-1 objective');
  });

  it('[DE-11] everything but the document takes at most 64 KiB', async () => {
    expect(await refused({ labels: { k: 'v'.repeat(70_000) } })).toEqual(['DE-11 labels']);
    expect(await refused({ objective: 'x'.repeat(40_000), concurrencyKey: 'x'.repeat(40_000) })).toEqual(['DE-11 ']);
  });

  it('[DE-3] the document takes at most 1 MiB and 64 levels', async () => {
    const overhead = '{"text":"","version":"a"}'.length;
    const document = (bytes: number) => ({ version: 'a', text: 'x'.repeat(bytes - overhead) });
    await accepted({ document: document(1_048_576) });
    expect(await refused({ document: document(1_048_577) })).toEqual(['DE-3 document']);
    const deep = (levels: number) => ({
      version: 'a',
      deep: JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as [],
    });
    await accepted({ document: deep(63) });
    expect(await refused({ document: deep(64) })).toHaveLength(1);
  });
});

describe('refusals', () => {
  it.each([
    '',
    '.',
    '..',
    'a..b',
    'a.',
    '-a',
    '_a',
    '.a',
    'a/b',
    'a\\b',
    'a b',
    'ä',
    'a\u0000',
    'a~b',
    'a:b',
    'con',
    'CON',
    'nul.txt',
    'com1',
    'Lpt9.x.y',
    'aux',
    'prn',
    'x'.repeat(129),
  ])('[DE-1] refuses the id %j', async (id) => {
    expect(await refused({ id })).toEqual(['DE-1 id']);
  });

  it.each(['a', '0', 'A.b_c-d', 'console', 'com10', 'x'.repeat(128), 'a.con'])('[DE-1] takes the id %j', async (id) => {
    expect((await accepted({ id })).declaration.id).toBe(id);
  });

  it.each([
    ['2026-13-01T00:00:00Z', 'DE-2 expiresAt'],
    ['2027-01-01T00:00:00', 'DE-2 expiresAt'],
    ['tomorrow', 'DE-2 expiresAt'],
    ['2026-10-12T05:00:00Z', 'EX-1 expiresAt'],
    [1_800_000_000_000, 'DE-2 expiresAt'],
  ])('[DE-2] refuses %j as the expiry', async (expiresAt, issue) => {
    expect(await refused({ expiresAt })).toEqual([issue]);
  });

  it('[CT-13] without a clock, an expiry in the past is no fault', async () => {
    expect((await accepted({ expiresAt: '2020-01-01T00:00Z' }, {})).declaration.expiresAt).toBe(
      '2020-01-01T00:00:00.000Z',
    );
  });

  it('[DE-1] names the nearest known field', async () => {
    const result = await decodeDeclaration({ ...GOOD, maxRetry: 1, budget: { maxAtempts: 1 } }, OPTIONS);
    const messages = result.ok ? [] : result.issues.map(({ path, message }) => `${path}: ${message}`);
    expect(messages).toEqual([
      'budget.maxAtempts: unknown field "maxAtempts"; did you mean "maxAttempts"?',
      'maxRetry: unknown field "maxRetry"; did you mean "maxRetries"?',
    ]);
  });

  it.each<[object, string]>([
    [{ misfire: 'runonce' }, 'misfire: must be one of skip, runOnce, catchUp; did you mean "runOnce"?'],
    [{ overlap: 'SKIP' }, 'overlap: must be one of queue, skip, coalesce; did you mean "skip"?'],
    [{ overlap: 'never' }, 'overlap: must be one of queue, skip, coalesce'],
    [{ spread: 600 }, 'spread: unknown field "spread"; did you mean "spreadSeconds"?'],
    [
      { expiresAt: '2027-01-01T00:00:00' },
      'expiresAt: must say its offset from UTC: add `Z`, or an offset such as `+02:00`',
    ],
    [{ expiresAt: '2027-02-30T00:00:00Z' }, 'expiresAt: must name a date that exists'],
  ])('[DE-1, DE-2] %j: %s', async (more, told) => {
    const result = await decodeDeclaration({ ...GOOD, ...more }, OPTIONS);
    expect(result.ok ? [] : result.issues.map(({ path, message }) => `${path}: ${message}`)).toEqual([told]);
  });

  it('[DE-2] an invalid Date is refused as an instant, wherever one stands', async () => {
    const at = new Date(Number.NaN);
    const result = await decodeDeclaration({ ...GOOD, expiresAt: at, trigger: { kind: 'once', at } }, OPTIONS);
    const told = result.ok ? [] : result.issues.map(({ path, message, found }) => [path, message.slice(0, 18), found]);
    expect(told).toEqual([
      ['expiresAt', 'must be an instant', '"Invalid Date"'],
      ['trigger.at', 'must be an instant', '"Invalid Date"'],
    ]);
  });

  it('[DE-1] each field has one fault, in the words of this library', async () => {
    const wrong = [undefined, null, true, 0.5, 'x', '', [], [1], {}, { x: 1 }, () => 1, new Date(Number.NaN)];
    const names = Object.keys(await filledIn());
    for (const value of wrong) {
      const whole = { ...Object.fromEntries(names.map((name) => [name, value])), extra: value };
      for (const input of [{}, { id: 'x' }, whole, ...names.map((name) => ({ ...GOOD, [name]: value }))]) {
        const result = await decodeDeclaration(input, OPTIONS);
        const issues = result.ok ? [] : result.issues;
        expect(new Set(issues.map(({ path }) => path)).size, JSON.stringify(issues)).toBe(issues.length);
        for (const { path, message } of issues) {
          expect(message, path).toMatch(/^(is required|must|unknown field|`hour` or `times`)/);
        }
      }
    }
  });

  it('[DE-1, TR-9] reports all faults at once, those of the trigger under its path', async () => {
    const issues = await refused({
      objective: 1,
      misfire: 'never',
      trigger: { kind: 'cron', expression: '0 2 * * *', timezone: 'Europe/Berln', step: 1 },
      document: { x: Number.NaN },
      extra: 1,
    });
    expect(issues).toEqual(
      expect.arrayContaining([
        'DE-1 objective',
        'DE-1 misfire',
        'TR-9 trigger.timezone',
        'DE-1 trigger.step',
        'DE-3 document.x',
        'DE-1 extra',
      ]),
    );
  });

  it.each([null, undefined, 'x', 1, [], new Date(0), () => 1])('[DE-1] refuses %s as a declaration', async (input) => {
    const result = await decodeDeclaration(input, OPTIONS);
    expect(result.ok ? [] : result.issues.map(({ path }) => path)).toEqual(['']);
  });

  it('[DE-1] says what is missing', async () => {
    const result = await decodeDeclaration({}, OPTIONS);
    const paths = result.ok ? [] : result.issues.map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set(['document', 'objective', 'trigger']));
  });

  it.each([{}, { version: '' }, { version: 1 }, { version: 'x'.repeat(129) }])(
    '[DE-1] refuses the document %j, which does not name its kind',
    async (document) => {
      expect(await refused({ document })).toEqual(['DE-1 document.version']);
    },
  );

  it('[DE-8] keys that name prototypes are refused outside of the document', async () => {
    const input: unknown = JSON.parse(
      `{"id":"a","objective":"o","trigger":{"kind":"manual","prototype":1},"document":{"version":"a","__proto__":{"x":1}},
        "__proto__":{"y":1},"labels":{"constructor":"z"},"budget":{"__proto__":{"maxAttempts":20}}}`,
    );
    const result = await decodeDeclaration(input, OPTIONS);
    expect(result.ok ? [] : result.issues.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'DE-8 trigger.prototype',
      'DE-8 __proto__',
      'DE-8 labels.constructor',
      'DE-8 budget.__proto__',
    ]);
    expect('y' in {} || 'maxAttempts' in {}).toBe(false);
  });

  it('[DE-5] has no field that could name code: functions and getters are refused wherever they stand', async () => {
    let runs = 0;
    const trap = {
      get objective() {
        runs++;
        return 'o';
      },
    };
    const result = await decodeDeclaration(
      Object.defineProperties({ ...GOOD }, Object.getOwnPropertyDescriptors(trap)),
      OPTIONS,
    );
    expect(result.ok).toBe(false);
    expect(runs).toBe(0);
    expect(await refused({ trigger: () => 1 })).toContain('DE-1 trigger');
    expect(await refused({ command: 'rm -rf /' })).toEqual(['DE-1 command']);
  });
});
