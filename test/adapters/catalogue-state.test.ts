/** The state that stores share: what replay refuses, what counts as a conflict, and what `changes` tells. */
import { describe, expect, it } from 'vitest';
import { CatalogueState } from '../../src/adapters/replay/catalogue-state.js';
import { planCommit, type StateChange, stateChangeOf } from '../../src/adapters/replay/commit-draft.js';
import type { Occurrence } from '../../src/core/model/occurrence.js';
import type { CommitBatch, RowChange } from '../../src/ports/schedule-store.js';
import {
  reads,
  records,
  sampleAt,
  sampleBatch,
  sampleMark,
  sampleOccurrence,
  sampleSchedule,
  writes,
} from '../../src/testing/contracts/sample-catalogue.js';

const HEAD = { at: sampleAt(0), raisesEpoch: false };

function plan(state: CatalogueState, changes: readonly RowChange[], head = HEAD) {
  return planCommit(state, head, changes.map(stateChangeOf));
}

/** Commits changes, which must be allowed. */
function commit(state: CatalogueState, ...changes: readonly RowChange[]): number {
  const planned = plan(state, changes);
  if (!planned.ok) throw new Error(planned.message);
  state.apply(planned.draft);
  return state.seq;
}

function withA(...changes: readonly RowChange[]): CatalogueState {
  const state = new CatalogueState();
  commit(state, writes(sampleSchedule('a')));
  if (changes.length > 0) commit(state, ...changes);
  return state;
}

function ended(request: string): RowChange {
  return records(sampleOccurrence('a', request, 'skipped'));
}

function keptOne(request: string): RowChange {
  return records(sampleOccurrence('a', request, 'skipped', { isRequestKept: true }));
}

function verdictOn(occurrence: string): RowChange {
  return {
    kind: 'verdict',
    scheduleId: 'a',
    occurrence,
    verdict: { verdict: 'done', note: '', by: 'me', at: sampleAt(9) },
  };
}

function running(request: string, fields: Partial<Occurrence> = {}): RowChange {
  const claim = { attempt: 1, epoch: 1, claimedAt: sampleAt(2), hasWorkspace: true };
  return records(sampleOccurrence('a', request, 'running', { claim, ...fields }));
}

describe('what replay refuses', () => {
  const cases: readonly [rule: string, what: string, state: CatalogueState, changes: readonly RowChange[]][] = [
    ['definition', 'a new schedule without a definition', new CatalogueState(), [writes(sampleSchedule('a'), false)]],
    ['id', 'an id that is spelled otherwise', withA(), [writes(sampleSchedule('A'))]],
    ['revision', 'a version that goes back', withA(), [writes(sampleSchedule('a', { version: 0 }))]],
    [
      'definition',
      'a new revision without a definition',
      withA(),
      [writes(sampleSchedule('a', { revision: 2 }), false)],
    ],
    ['definition', 'the definition of another', withA(), [writes({ ...sampleSchedule('b'), id: 'a' })]],
    ['schedule', 'an occurrence of nobody', withA(), [records(sampleOccurrence('b', 'x'))]],
    [
      'revision',
      'an occurrence of a coming revision',
      withA(),
      [records(sampleOccurrence('a', 'x', 'queued', { revision: 2 }))],
    ],
    ['transition', 'a first state that is none', withA(), [records(sampleOccurrence('a', 'x', 'succeeded'))]],
    ['transition', 'back to the queue', withA(running('x')), [records(sampleOccurrence('a', 'x'))]],
    ['terminal', 'an ended one that goes on', withA(ended('x')), [records(sampleOccurrence('a', 'x'))]],
    ['terminal', 'an ended one twice in one commit', withA(), [ended('x'), ended('x')]],
    ['request', 'a kept request twice, spelled otherwise', withA(keptOne('x')), [keptOne('X')]],
    ['request', 'a kept request twice in one commit', withA(), [keptOne('x'), keptOne('X')]],
    ['terminal', 'a verdict on pending work', withA(running('x')), [verdictOn('a~1~m~x')]],
    ['schedule', 'a verdict for nobody', new CatalogueState(), [verdictOn('a~1~m~x')]],
    ['remove', 'a removal with work pending', withA(running('x')), [{ kind: 'remove', mark: sampleMark('a') }]],
    ['revision', 'a removal of another revision', withA(), [{ kind: 'remove', mark: sampleMark('a', 2) }]],
    ['id', 'a removal that is spelled otherwise', withA(), [{ kind: 'remove', mark: sampleMark('A') }]],
    ['schedule', 'a removal of nobody', new CatalogueState(), [{ kind: 'remove', mark: sampleMark('a') }]],
    [
      'remove',
      'a removal and a new one in one commit',
      withA(),
      [{ kind: 'remove', mark: sampleMark('a') }, writes(sampleSchedule('a', { revision: 2 }))],
    ],
    [
      'id',
      'an id used again and spelled otherwise',
      withA({ kind: 'remove', mark: sampleMark('a') }),
      [writes(sampleSchedule('A', { revision: 2 }))],
    ],
    [
      'revision',
      'an id used again at its old revision',
      withA({ kind: 'remove', mark: sampleMark('a') }),
      [writes(sampleSchedule('a'))],
    ],
  ];
  for (const [rule, what, state, changes] of cases) {
    it(`[ST-3] ${what}`, () => {
      const before = state.content();
      expect(plan(state, changes)).toMatchObject({ ok: false, rule });
      expect(state.content()).toEqual(before);
    });
  }

  it('[OC-5] a failed attempt and the next claim are one step; a record that is claimed when it appears is allowed', () => {
    const state = withA(running('x'));
    commit(state, running('x', { claim: { attempt: 2, epoch: 1, claimedAt: sampleAt(3), hasWorkspace: true } }));
    expect(state.schedule('A')?.entry.pending[0]?.claim?.attempt).toBe(2);
  });
});

describe('conflicts', () => {
  /** Whether a decision that looked at these things before `state` went on is refused. */
  function isStale(state: CatalogueState, since: number, looked: Pick<CommitBatch, 'reads'>): boolean {
    return state.refusal(sampleBatch(since, [], looked))?.kind === 'conflict';
  }

  it('[ST-5] by schedule, absent and deleted ones too, and by the row', () => {
    const state = withA();
    commit(state, writes(sampleSchedule('b')));
    expect([isStale(state, 1, reads(['a'])), isStale(state, 1, reads(['b'])), isStale(state, 1, reads(['c']))]).toEqual(
      [false, true, false],
    );
    commit(state, { kind: 'remove', mark: sampleMark('b') });
    expect([isStale(state, 2, reads(['b'])), isStale(state, 3, reads(['b']))]).toEqual([true, false]);
    expect(isStale(state, 3, reads([], [], true))).toBe(false);
    commit(state, { kind: 'row', row: { gate: { isPaused: true } } });
    expect([isStale(state, 3, reads([], [], true)), isStale(state, 4, reads([], [], true))]).toEqual([true, false]);
    expect(isStale(state, 5, reads([])), 'a commit that never was').toBe(true);
  });

  it('[OV-1, ST-5] by key: its pending work, and what holds that work or lets it go', () => {
    const state = withA(records(sampleOccurrence('a', 'x', 'queued', { concurrencyKey: 'k' })));
    expect([isStale(state, 1, reads([], ['k'])), isStale(state, 2, reads([], ['k']))]).toEqual([true, false]);
    commit(state, writes(sampleSchedule('a', { version: 2, spent: 1 }), false));
    expect(isStale(state, 2, reads([], ['k'])), 'nothing about the key').toBe(false);
    commit(state, writes(sampleSchedule('a', { version: 3, status: 'paused' }), false));
    expect(isStale(state, 3, reads([], ['k']))).toBe(true);
    const quarantine = {
      reason: 'unresponsive',
      since: sampleAt(1),
      epoch: 1,
      detail: '',
      concurrencyKey: 'q',
    } as const;
    commit(state, writes(sampleSchedule('a', { version: 4, status: 'paused', quarantine }), false));
    expect([isStale(state, 4, reads([], ['q'])), isStale(state, 5, reads([], ['q']))]).toEqual([true, false]);
  });

  it('[ST-5] a key that was forgotten counts as touched, never as untouched', () => {
    const state = withA();
    for (let index = 0; index < 5000; index += 500) {
      const changes = Array.from({ length: 500 }, (_, more) =>
        records(sampleOccurrence('a', `r${index + more}`, 'queued', { concurrencyKey: `k${index + more}` })),
      );
      commit(state, ...changes);
    }
    expect(isStale(state, 1, reads([], ['k0']))).toBe(true);
    expect(isStale(state, 10, reads([], ['k4999']))).toBe(true);
    expect(isStale(state, state.seq, reads([], ['k0', 'never']))).toBe(false);
  });

  it('[OW-5] by epoch, before anything else', () => {
    const state = withA();
    expect(state.refusal(sampleBatch(0, [], { epoch: 1, ...reads(['a']) }))).toEqual({ kind: 'fenced', epoch: 0 });
    expect(state.refusal(sampleBatch(1, [], { raisesEpoch: true, actor: 'owner' }))).toEqual({
      kind: 'fenced',
      epoch: 0,
    });
    const planned = plan(state, [], { ...HEAD, raisesEpoch: true });
    if (planned.ok) state.apply(planned.draft);
    expect(state.epoch).toBe(1);
    expect(state.refusal(sampleBatch(2, [], { epoch: 0 }))).toEqual({ kind: 'fenced', epoch: 1 });
    expect(state.refusal(sampleBatch(2, [], { epoch: 1 }))).toBeUndefined();
  });
});

describe('changes', () => {
  it('[OW-8] tell what is newer once each, however often it changed, and everything where that is asked for', () => {
    const state = withA();
    commit(state, writes(sampleSchedule('b')));
    for (let version = 2; version < 3000; version++) commit(state, writes(sampleSchedule('a', { version }), false));
    expect(state.changes(2).schedules.map(({ entry }) => entry.schedule.id)).toEqual(['a']);
    expect(state.changes(1).schedules.map(({ entry }) => entry.schedule.id)).toEqual(['b', 'a']);
    expect(state.changes(0)).toMatchObject({ isFull: true, seq: 3000 });
    expect(state.changes(3000)).toMatchObject({ isFull: false, schedules: [], marks: [] });
    expect(state.changes(3001)).toMatchObject({ isFull: true });
    commit(state, { kind: 'remove', mark: sampleMark('b') });
    expect(state.changes(3000)).toMatchObject({ schedules: [], marks: [{ id: 'b' }] });
    commit(state, writes(sampleSchedule('b', { revision: 2, version: 2 })));
    expect(state.changes(3000)).toMatchObject({ schedules: [{ changeSeq: 3002 }], marks: [] });
  });

  it('[S-6, ST-1] in slices they are those of the call, whatever is committed while they are put together', async () => {
    const state = withA(keptOne('k'));
    const many = Array.from({ length: 4500 }, (_, index) => writes(sampleSchedule(`s${index}`)));
    commit(state, ...many);
    const expected = state.changes(0);
    let turns = 0;
    const found = await state.changesInSlices(0)(async () => {
      turns += 1;
      commit(state, { kind: 'remove', mark: sampleMark(`s${turns}`) }, keptOne(`later-${turns}`));
    });
    expect(turns).toBe(2);
    expect(found).toEqual(expected);
    expect(found.schedules[0]).toMatchObject({ requests: ['k'] });
    const newer = state.changesInSlices(expected.seq);
    expect(await newer(async () => undefined)).toEqual(state.changes(expected.seq));
  });

  it('[ST-1] a state made from the content of another one is the same', () => {
    const state = withA(ended('x'), records(sampleOccurrence('a', 'y')), writes(sampleSchedule('b')), keptOne('k'));
    commit(state, verdictOn('a~1~m~x'), { kind: 'row', row: { gate: { isPaused: true } } });
    commit(state, { kind: 'remove', mark: sampleMark('b') });
    const copy = new CatalogueState(state.content());
    expect(copy.content()).toEqual(state.content());
    expect(copy.changes(0)).toEqual(state.changes(0));
    expect(copy.changes(1)).toMatchObject({ isFull: true });
    expect(copy.changes(copy.seq)).toMatchObject({ isFull: false, schedules: [], marks: [] });
    expect(copy.ended('a')).toMatchObject([{ n: 1, seq: 2, occurrence: { verdict: { verdict: 'done' } } }, { n: 2 }]);
  });

  it('[ST-6] ended records are numbered without gaps; what is kept elsewhere leaves memory and is counted', () => {
    const state = withA(ended('x'), ended('y'));
    commit(state, ended('z'));
    state.markExported(2);
    commit(state, ended('w'), verdictOn('a~1~m~x'));
    expect(state.ended('a').map(({ n }) => n)).toEqual([3, 4]);
    expect(state.schedule('a')).toMatchObject({ ended: 4, exported: 2 });
    expect(state.lateVerdicts('a')).toMatchObject([{ seq: 4, occurrence: 'a~1~m~x' }]);
    state.markExported(4);
    expect(state.ended('a')).toEqual([]);
    expect(state.lateVerdicts('a')).toEqual([]);
    commit(state, { kind: 'remove', mark: sampleMark('a') });
    commit(
      state,
      writes(sampleSchedule('a', { revision: 2 })),
      records(sampleOccurrence('a', 'n', 'skipped', { revision: 2 })),
    );
    expect(state.schedule('a')).toMatchObject({ createdSeq: 6, ended: 1, exported: 0 });
  });

  it('[CT-1] a schedule without its definition keeps the one that it has', () => {
    const state = withA();
    const change = stateChangeOf(
      writes(sampleSchedule('a', { version: 2, definition: sampleSchedule('other').definition }), false),
    );
    expect(change satisfies StateChange).not.toHaveProperty('definition');
    commit(state, writes(sampleSchedule('a', { version: 2 }), false));
    expect(state.schedule('a')?.entry.schedule.definition).toEqual(sampleSchedule('a').definition);
  });
});
