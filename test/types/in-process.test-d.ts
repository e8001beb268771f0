/** The type of a handler's document is what its schema gives out. */
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { HandlerContext } from '../../src/adapters/in-process/handler-context.js';
import { inProcess } from '../../src/adapters/in-process/in-process.js';
import { handler, type Provider, provider } from '../../src/adapters/in-process/provider.js';
import type { Json, JsonObject } from '../../src/core/model/declaration.js';
import type { ExecutionService } from '../../src/ports/execution-service.js';

const schema = z.object({ version: z.literal('report/1'), copies: z.number().default(1) });
interface Report {
  version: 'report/1';
  copies: number;
}

describe('types of handlers', () => {
  it('[DE-10] handler takes the type from its schema', () => {
    const it = handler({
      schema,
      needs: (document) => {
        expectTypeOf(document).toEqualTypeOf<Report>();
        return [];
      },
      run: (document, context) => {
        expectTypeOf(document).toEqualTypeOf<Report>();
        expectTypeOf(context).toEqualTypeOf<HandlerContext>();
        return document.copies;
      },
    });
    expectTypeOf(provider({ 'report/1': it })).toEqualTypeOf<Provider>();
  });

  it('[DE-10] without a schema a document is a JSON object', () => {
    handler({ run: (document) => void expectTypeOf(document).toEqualTypeOf<JsonObject>() });
  });

  it('[DE-10] a provider types each of its handlers', () => {
    const it = provider({
      'report/1': { schema, run: (document) => void expectTypeOf(document).toEqualTypeOf<Report>() },
      'mail/1': { run: (document) => void expectTypeOf(document).toEqualTypeOf<JsonObject>() },
    });
    expectTypeOf(inProcess({ providers: { it } })).toEqualTypeOf<ExecutionService>();
  });

  it('[OC-12] a stage gives what its work gives', () => {
    handler({
      run: async (_, { stage, publish }) => {
        expectTypeOf(await stage('count', () => 7)).toEqualTypeOf<number>();
        expectTypeOf(await stage('count', async () => 'x')).toEqualTypeOf<string>();
        expectTypeOf((await publish('a', 'b')).digest).toEqualTypeOf<string>();
      },
    });
  });

  it('[OC-12] a result that JSON does not have is refused', () => {
    // @ts-expect-error a big integer is no JSON value
    handler({ run: () => 1n });
    // @ts-expect-error the schema gives out a number
    provider({ 'report/1': { schema, run: (document) => document.copies.toUpperCase() } });
  });
});

describe('types of handlers written in place', () => {
  it('[DE-10] a plain one gets a JSON object, a typed one what its schema gives out', () => {
    inProcess({
      providers: {
        hello: {
          kinds: {
            'greeting/1': { run: ({ to }) => void expectTypeOf(to).toEqualTypeOf<Json | undefined>() },
            'report/1': handler({ schema, run: (document) => void expectTypeOf(document).toEqualTypeOf<Report>() }),
          },
        },
      },
    });
  });
});
