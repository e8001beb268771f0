/**
 * The contract of evidence: cases for clauses E-1 to E-6 of the evidence port.
 */
import assert from 'node:assert/strict';
import { manualOccurrenceId, occurrenceId } from '../../core/model/occurrence.js';
import type { Evidence } from '../../ports/evidence.js';
import { assertSame, type ContractCase, type ContractSubject, casesOf } from './contract-case.js';
import { sampleAt } from './sample-catalogue.js';

/** Evidence without anything in it, opened for one case. @public */
export interface OpenEvidence extends ContractSubject {
  /** A handle of it. */
  readonly evidence: Evidence;
  /** Ends every handle as a kill would, and opens it anew; absent where nothing survives the process. */
  reopen?(): Promise<Evidence>;
  /** Ends every handle, lets the medium lose all that was not flushed to it, and opens it anew. */
  cutPower?(): Promise<Evidence>;
}

const FIRST = occurrenceId('a', 1, sampleAt(60));
const DISPATCH = { document: { version: 'sample/1' }, attempt: 1 };
const RESULT = { outcome: 'succeeded', receipts: [] };

/** What `isDurable` promises. */
const DURABLE = { capability: 'isDurable', isMade: ({ evidence }: OpenEvidence) => evidence.capabilities.isDurable };

/** The cases of the contract of evidence, each on evidence of its own. @public */
export function evidenceContract(open: () => Promise<OpenEvidence>): readonly ContractCase[] {
  const make = casesOf(open);
  return [
    make('E-1', 'an attempt is begun once', async ({ evidence }) => {
      const begun = await evidence.begin(FIRST, 1, DISPATCH);
      assert.notEqual(begun, 'exists');
      assert.equal(await evidence.begin(FIRST, 1, DISPATCH), 'exists');
      const second = await evidence.begin(FIRST, 2, DISPATCH);
      assert.ok(begun !== 'exists' && second !== 'exists' && begun.directory !== second.directory);
    }),
    make('E-1', 'of many who begin the same attempt, one does', async ({ evidence }) => {
      const results = await Promise.all(Array.from({ length: 5 }, () => evidence.begin(FIRST, 1, DISPATCH)));
      assert.equal(results.filter((result) => result !== 'exists').length, 1);
    }),
    make(
      'E-1',
      'an attempt stays begun after the death of the process',
      async ({ evidence, reopen }) => {
        await evidence.begin(FIRST, 1, DISPATCH);
        const again = await reopen();
        assert.equal(await again.begin(FIRST, 1, DISPATCH), 'exists');
        assertSame(await again.attempts(FIRST), [1]);
      },
      { offer: 'reopen', promise: DURABLE },
    ),
    make(
      'E-1',
      'an attempt and its dispatch record survive a power cut',
      async ({ evidence, cutPower }) => {
        await evidence.begin(FIRST, 1, DISPATCH);
        await evidence.begin(FIRST, 2, DISPATCH);
        const again = await cutPower();
        assertSame(await again.attempts(FIRST), [1, 2]);
        assert.equal(await again.begin(FIRST, 2, DISPATCH), 'exists');
        assertSame((await again.read(FIRST))?.attempts[1]?.dispatch, DISPATCH);
      },
      { offer: 'cutPower', promise: DURABLE },
    ),
    make(
      'E-2',
      'a result survives the death of the process',
      async ({ evidence, reopen }) => {
        await evidence.begin(FIRST, 1, DISPATCH);
        await evidence.finish(FIRST, 1, RESULT);
        assertSame((await (await reopen()).read(FIRST))?.attempts[0]?.result, RESULT);
      },
      { offer: 'reopen', promise: DURABLE },
    ),
    make(
      'E-2',
      'a result survives a power cut',
      async ({ evidence, cutPower }) => {
        await evidence.begin(FIRST, 1, DISPATCH);
        await evidence.finish(FIRST, 1, RESULT);
        assertSame((await (await cutPower()).read(FIRST))?.attempts[0]?.result, RESULT);
      },
      { offer: 'cutPower', promise: DURABLE },
    ),
    make('E-2', 'a result stands beside the dispatch of its attempt', async ({ evidence }) => {
      await evidence.begin(FIRST, 1, DISPATCH);
      await evidence.begin(FIRST, 2, { ...DISPATCH, attempt: 2 });
      await evidence.finish(FIRST, 1, RESULT);
      const kept = await evidence.read(FIRST);
      assert.equal(kept?.occurrence, FIRST);
      assertSame(
        kept.attempts.map(({ attempt, dispatch, result }) => [attempt, dispatch, result]),
        [
          [1, DISPATCH, RESULT],
          [2, { ...DISPATCH, attempt: 2 }, undefined],
        ],
      );
    }),
    make('E-3', 'an occurrence without evidence reads as undefined', async ({ evidence }) => {
      await evidence.begin(FIRST, 1, DISPATCH);
      assert.equal(await evidence.read(occurrenceId('b', 1, sampleAt(60))), undefined);
    }),
    make('E-4', 'the place follows from the id alone, one for each', async ({ evidence }) => {
      const ids = [
        FIRST,
        occurrenceId('a.b', 1, sampleAt(60)),
        manualOccurrenceId('a', 1, 'x'),
        manualOccurrenceId('a', 1, 'x.y'),
      ];
      const places = new Set<string>();
      for (const id of ids) {
        const begun = await evidence.begin(id, 1, DISPATCH);
        assert.ok(begun !== 'exists', `${id} has a place of its own`);
        places.add(begun.directory);
        const kept = await evidence.read(id);
        assert.ok(kept !== undefined && begun.directory.startsWith(kept.directory));
      }
      assert.equal(places.size, ids.length);
    }),
    make('E-4', 'no id leads outside of the root', async ({ evidence }) => {
      const root = parentOf((await directoryOf(evidence, FIRST)) ?? '');
      for (const id of ['..', '../../x', '/etc/x', 'a/../../../x', 'C:\\x', 'a\0b']) {
        const directory = await directoryOf(evidence, id);
        const isInside = directory === undefined || (parentOf(directory) === root && directory !== root);
        assert.ok(isInside, `${JSON.stringify(id)} was given the place ${directory}`);
      }
    }),
    make('E-5', 'attempts are listed by number, and none where nothing was dispatched', async ({ evidence }) => {
      assertSame(await evidence.attempts(FIRST), []);
      for (const attempt of [2, 10, 1]) await evidence.begin(FIRST, attempt, DISPATCH);
      assertSame(await evidence.attempts(FIRST), [1, 2, 10]);
    }),
    make('E-6', 'a due instant is begun under one revision', async ({ evidence }) => {
      const ids = [1, 2, 3].map((revision) => occurrenceId('a', revision, sampleAt(60)));
      const [older = '', own = '', newer = ''] = ids;
      assert.notEqual(await evidence.begin(own, 1, DISPATCH), 'exists');
      for (const id of [older, newer]) {
        assert.equal(await evidence.begin(id, 1, DISPATCH), 'exists');
        assertSame(await evidence.attempts(id), []);
      }
      assert.notEqual(await evidence.begin(own, 2, DISPATCH), 'exists');
      for (const id of [occurrenceId('a', 3, sampleAt(61)), occurrenceId('ab', 3, sampleAt(60))]) {
        assert.notEqual(await evidence.begin(id, 1, DISPATCH), 'exists', `${id} is another one`);
      }
    }),
    make('E-6', 'a request is not begun under a revision before the one that it ran under', async ({ evidence }) => {
      assert.notEqual(await evidence.begin(manualOccurrenceId('a', 2, 'order'), 1, DISPATCH), 'exists');
      assert.equal(await evidence.begin(manualOccurrenceId('a', 1, 'order'), 1, DISPATCH), 'exists');
      assertSame(await evidence.attempts(manualOccurrenceId('a', 1, 'order')), []);
      for (const id of [manualOccurrenceId('a', 1, 'another'), manualOccurrenceId('a', 3, 'order')]) {
        assert.notEqual(await evidence.begin(id, 1, DISPATCH), 'exists', `${id} is another one`);
      }
    }),
    make(
      'E-6',
      'an instant and a request stay begun for every revision after the death of the process',
      async ({ evidence, reopen }) => {
        await evidence.begin(occurrenceId('a', 2, sampleAt(60)), 1, DISPATCH);
        await evidence.begin(manualOccurrenceId('a', 2, 'order'), 1, DISPATCH);
        const again = await reopen();
        assert.notEqual(await again.begin(occurrenceId('a', 1, sampleAt(59)), 1, DISPATCH), 'exists');
        assert.equal(await again.begin(occurrenceId('a', 1, sampleAt(60)), 1, DISPATCH), 'exists');
        assert.equal(await again.begin(manualOccurrenceId('a', 1, 'order'), 1, DISPATCH), 'exists');
      },
      { offer: 'reopen', promise: DURABLE },
    ),
    make('E-6', 'attempted due instants are those of every revision, from an instant on', async ({ evidence }) => {
      for (const seconds of [60, 120, 180]) await evidence.begin(occurrenceId('a', 1, sampleAt(seconds)), 1, DISPATCH);
      await evidence.begin(occurrenceId('a', 2, sampleAt(240)), 1, DISPATCH);
      await evidence.begin(occurrenceId('ab', 1, sampleAt(300)), 1, DISPATCH);
      await evidence.begin(manualOccurrenceId('a', 1, 'by-hand'), 1, DISPATCH);
      const found = await evidence.attempted('a', sampleAt(120));
      assertSame([...found].sort(), [sampleAt(120), sampleAt(180), sampleAt(240)]);
    }),
  ];
}

/** Where the evidence of an occurrence is put; undefined where its id is refused. */
async function directoryOf(evidence: Evidence, id: string): Promise<string | undefined> {
  try {
    if ((await evidence.begin(id, 1, DISPATCH)) === 'exists') return undefined;
  } catch {
    return undefined;
  }
  return (await evidence.read(id))?.directory;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')));
}
