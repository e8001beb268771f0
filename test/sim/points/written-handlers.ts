/**
 * Handlers that do what their document says, at once. That they were called is noted outside of the disk.
 */
import { digestOf } from '../../../src/codec/digest.js';
import type { ExecutionOutcome, ExecutionRequest, ExecutionService } from '../../../src/ports/execution-service.js';
import type { BenchProcess } from './bench.js';

/** Name of the one provider. */
export const PROVIDER = 'written';

/** What a document may ask for. */
export type Does = 'succeed' | 'fail' | 'fail once' | 'wait for the signal' | 'end the process';

/** A document that asks for something; `text` makes it another one, or a long one. */
export function documentThat(does: Does, text = ''): { readonly version: string; readonly does: Does; text: string } {
  return { version: 'written/1', does, text };
}

/** See the head of this file. */
export function writtenHandlers(process: BenchProcess, needsWorkspace: boolean): ExecutionService {
  return {
    capabilities: { needsWorkspace },
    providers: () => [PROVIDER],
    async plan({ documentDigest }) {
      const digest = digestOf({ documentDigest });
      return { kind: 'planned', plan: { id: digest.slice(7, 15), digest, providers: [PROVIDER] } };
    },
    async execute(request) {
      if (process.isEnded) return new Promise(() => {});
      const { occurrence, attempt, fencingToken } = request;
      const { ledger, time } = process.bench;
      ledger.effected({ occurrence, attempt, fencingToken, by: process.name, atMs: time.elapsed });
      return run(process, request);
    },
  };
}

async function run(process: BenchProcess, { document, attempt, signal }: ExecutionRequest): Promise<ExecutionOutcome> {
  const does = document['does'] as Does;
  if (does === 'end the process') {
    process.disk.end();
    return new Promise(() => {});
  }
  if (does === 'wait for the signal') {
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
  if (does === 'succeed' || (does === 'fail once' && attempt > 1)) return success(String(document['text'] ?? ''));
  return { outcome: 'failed', stages: [], fault: { code: 'written', message: `it is to ${does}`, isRetryable: true } };
}

function success(text: string): ExecutionOutcome {
  const result = { text };
  const digest = digestOf(result);
  const receipts = [{ name: 'result', digest, bytes: text.length }];
  return { outcome: 'succeeded', stages: [], verification: { isVerified: true, digest, receipts }, result };
}
