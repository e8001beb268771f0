/** Updates: what is replaced, merged and cleared, and how a merged declaration compares with the one before. */
import { describe, expect, it } from 'vitest';
import { decodeDeclaration } from '../../src/codec/declaration-codec.js';
import {
  mergeChanges,
  type PresentDeclaration,
  sameBesideTexts,
  sameDeclaration,
} from '../../src/codec/update-codec.js';
import { LIMITS } from '../../src/core/model/limits.js';
import { epochMs, parseInstant } from '../../src/core/time/instant.js';

const NOW = parseInstant('2026-10-12T05:00:00Z') ?? epochMs(0);

async function present(more: object = {}): Promise<PresentDeclaration> {
  const result = await decodeDeclaration(
    {
      id: 'nightly',
      objective: 'Nightly report',
      document: { version: 'report/1', rows: [1, 2] },
      allowedProviders: ['report', 'mail'],
      trigger: { kind: 'cron', expression: '0 2 * * *', timezone: 'Europe/Berlin' },
      budget: { maxAttempts: 5, maxElapsedSeconds: 60 },
      labels: { team: 'a', tier: '1' },
      retryBackoff: { initialSeconds: 1, factor: 2, maxSeconds: 9 },
      expiresAt: '2027-01-01T00:00:00Z',
      ...more,
    },
    {},
  );
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

async function merged(changes: unknown, more: object = {}) {
  const result = await mergeChanges(await present(more), changes, { now: NOW });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

async function refused(changes: unknown, more: object = {}): Promise<readonly string[]> {
  const result = await mergeChanges(await present(more), changes, { now: NOW });
  return result.ok ? [] : result.issues.map(({ rule, path }) => `${rule} ${path}`);
}

describe('mergeChanges', () => {
  it('[CT-3] top-level fields are replaced whole', async () => {
    const { declaration, document } = await merged({
      trigger: { kind: 'manual' },
      allowedProviders: ['mail'],
      document: { version: 'report/2' },
    });
    expect(declaration).toMatchObject({ trigger: { kind: 'manual' }, allowedProviders: ['mail'], maxRetries: 0 });
    expect(document).toEqual({ version: 'report/2' });
  });

  it('[CT-3] budget, retryBackoff and labels are merged by key', async () => {
    const { declaration } = await merged({
      budget: { maxAttempts: 7 },
      retryBackoff: { maxSeconds: 20 },
      labels: { tier: '2', zone: 'x' },
    });
    expect(declaration.budget).toMatchObject({ maxAttempts: 7, maxElapsedSeconds: 60 });
    expect(declaration.retryBackoff).toEqual({ initialSeconds: 1, factor: 2, maxSeconds: 20 });
    expect(declaration.labels).toEqual({ team: 'a', tier: '2', zone: 'x' });
  });

  it('[CT-3] null clears an optional field, or one key of a merged one', async () => {
    const { declaration } = await merged({
      expiresAt: null,
      retryBackoff: null,
      allowedProviders: null,
      graceSeconds: null,
      budget: { maxAttempts: null },
      labels: { team: null, absent: null },
    });
    expect(declaration).not.toHaveProperty('expiresAt');
    expect(declaration).not.toHaveProperty('retryBackoff');
    expect(declaration).toMatchObject({ allowedProviders: [], graceSeconds: LIMITS.graceSeconds.default });
    expect(declaration.budget).toMatchObject({ maxAttempts: LIMITS.maxAttempts.default, maxElapsedSeconds: 60 });
    expect(declaration.labels).toEqual({ tier: '1' });
  });

  it('[CT-3, DE-9] budget fields of the top level are merged as if they stood under budget', async () => {
    expect((await merged({ maxAttempts: 7 })).declaration.budget).toMatchObject({
      maxAttempts: 7,
      maxElapsedSeconds: 60,
    });
    expect((await merged({ maxAttempts: null })).declaration.budget.maxAttempts).toBe(LIMITS.maxAttempts.default);
    expect(await refused({ maxAttempts: 7, budget: { maxAttempts: 8 } })).toEqual(['DE-9 maxAttempts']);
  });

  it.each([
    ['another id', { id: 'other' }, 'CT-3 id'],
    ['null for what is required', { objective: null }, 'DE-1 objective'],
    ['null for the trigger', { trigger: null }, 'DE-1 trigger'],
    ['null for the document', { document: null }, 'DE-3 document'],
    ['an unknown field', { objetive: 'x' }, 'DE-1 objetive'],
    ['an unknown field, cleared', { objetive: null }, 'DE-1 objetive'],
    ['an unknown key, cleared', { budget: { attempts: null } }, 'DE-1 budget.attempts'],
    ['half a back-off', { retryBackoff: { factor: null } }, 'DE-1 retryBackoff.factor'],
    ['retries beyond the attempts that were there', { maxRetries: 5 }, 'DE-1 maxRetries'],
    [
      'fewer attempts than the retries that were there',
      { budget: { maxAttempts: 1 }, maxRetries: 1 },
      'DE-1 maxRetries',
    ],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'EX-1 expiresAt'],
    ['a bad document', { document: { version: 'a', x: undefined } }, 'DE-3 document.x'],
  ])('[CT-3] refuses %s', async (_what, changes, issue) => {
    expect(await refused(changes)).toEqual([issue]);
  });

  it('[DE-8] no change reaches a prototype', async () => {
    const changes: unknown = JSON.parse(
      '{"labels":{"__proto__":"x"},"budget":{"constructor":1},"__proto__":{"id":"x"}}',
    );
    expect(await refused(changes)).toEqual(['DE-8 labels.__proto__', 'DE-8 budget.constructor', 'DE-8 __proto__']);
  });

  it('[CT-3] an old expiry is held against the clock of the update, but not for texts alone', async () => {
    const old = { expiresAt: '2026-01-01T00:00:00Z' };
    expect(await refused({ graceSeconds: 1 }, old)).toEqual(['EX-1 expiresAt']);
    expect(await merged({ objective: 'Report', labels: { team: null } }, old)).toMatchObject({ isCosmetic: true });
  });

  it.each([
    ['nothing', {}, true, false],
    ['the id as it is', { id: 'nightly' }, true, false],
    [
      'the same trigger in other words',
      { trigger: { kind: 'cron', expression: '0 2 * * *', timezone: 'europe/berlin', gap: 'skip' } },
      true,
      false,
    ],
    ['the same document in another order', { document: { rows: [1, 2], version: 'report/1' } }, true, false],
    ['the same providers in another order', { allowedProviders: ['mail', 'report'] }, true, false],
    ['a default written out', { overlap: 'coalesce', concurrencyKey: 'nightly' }, true, false],
    ['another objective', { objective: 'x' }, false, true],
    ['other labels', { labels: { team: 'b' } }, false, true],
    ['another objective and grace', { objective: 'x', graceSeconds: 1 }, false, false],
    ['another document', { document: { version: 'report/1', rows: [2, 1] } }, false, false],
    ['a cleared expiry', { expiresAt: null }, false, false],
  ])('[CT-2, CT-13] %s: same %s, texts only %s', async (_what, changes, isSame, isCosmetic) => {
    expect(await merged(changes)).toMatchObject({ isSame, isCosmetic });
  });

  it('[CT-13] declarations are compared by what they mean', async () => {
    const { declaration } = await present();
    expect(sameDeclaration(declaration, { ...declaration, labels: { tier: '1', team: 'a' } })).toBe(true);
    expect(sameDeclaration(declaration, { ...declaration, maxOccurrences: 'unlimited' })).toBe(false);
    expect(sameBesideTexts(declaration, { ...declaration, labels: {}, objective: 'x' })).toBe(true);
  });
});
