/** Whose a document is: a handler's own, whatever it, its schema or other attempts do to theirs. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inProcess } from '../../src/adapters/in-process/in-process.js';
import { handler, provider } from '../../src/adapters/in-process/provider.js';
import { digestOf } from '../../src/codec/digest.js';
import type { Json, JsonObject } from '../../src/core/model/declaration.js';
import { epochMs } from '../../src/core/time/instant.js';
import type { ExecutionService } from '../../src/ports/execution-service.js';

async function execute(service: ExecutionService, document: JsonObject, attempt: number): Promise<void> {
  const documentDigest = digestOf(document);
  const planned = await service.plan({ document, documentDigest, allowedProviders: ['report'] });
  if (planned.kind !== 'planned') throw new Error(planned.message);
  const at = epochMs(Date.UTC(2026, 2, 1, 8));
  const outcome = await service.execute({
    document,
    documentDigest,
    plan: planned.plan,
    scheduleId: 'nightly',
    revision: 1,
    occurrence: 'nightly~1~m~r1',
    idempotencyKey: 'nightly~1~m~r1',
    dueAt: at,
    latenessMs: 0,
    attempt,
    fencingToken: 17,
    budget: { maxAttempts: 3, maxRepeatedFailures: 2, maxElapsedSeconds: 3600, timeoutPerStageSeconds: 600 },
    elapsedDeadlineAt: epochMs(at + 3_600_000),
    signal: new AbortController().signal,
    progress: () => {},
  });
  expect(outcome.outcome).toBe('succeeded');
}

describe('documents of handlers', () => {
  it("[DE-10, OC-4] what a schema gives to everybody, such as a default, is each attempt's own", async () => {
    class Kept {
      seen = 0;
    }
    const shared = { tags: [] as string[] };
    const kept = new Kept();
    const schema = z
      .object({ options: z.any().default(shared) })
      .transform((value) => ({ ...value, kept, self: [value] }));
    const seen: unknown[] = [];
    const work = handler({
      schema,
      run: (document) => {
        seen.push([structuredClone(document.options), document.kept]);
        document.options.tags.push('x');
      },
    });
    const service = inProcess({ providers: { report: provider({ 'report/1': work }) } });
    for (const attempt of [1, 2]) await execute(service, { version: 'report/1' }, attempt);
    expect(seen).toEqual([1, 2].map(() => [{ tags: [] }, kept]));
    expect(shared).toEqual({ tags: [] });
  });

  it('[DE-3, OC-4] a handler, its schema and `needs` have a document of their own, whatever they do to it', async () => {
    const seen: unknown[] = [];
    const spoil = (document: JsonObject) => {
      (document['to'] as Json[]).push('x');
      return [];
    };
    const schemas = [undefined, z.looseObject({}), z.any()];
    for (const schema of schemas) {
      const work = {
        ...(schema === undefined ? { needs: () => [] } : { schema: schema as never, needs: spoil }),
        run: (document: JsonObject) => {
          seen.push(structuredClone(document['to']));
          spoil(document);
        },
      };
      const service = inProcess({ providers: { report: { kinds: { 'report/1': work } } } });
      const document = { version: 'report/1', to: ['anna'] };
      for (const attempt of [1, 2]) await execute(service, document, attempt);
      expect(document).toEqual({ version: 'report/1', to: ['anna'] });
    }
    expect(seen).toEqual(schemas.flatMap(() => [['anna'], ['anna']]));
  });
});
