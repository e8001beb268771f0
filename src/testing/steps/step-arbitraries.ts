/**
 * Random sequences of client calls, made with the caller's own fast-check: three schedules whose triggers are soon due, so
 * that much happens in few steps, and now and then a declaration of any kind.
 */
import type { DeclarationInput, TriggerInput } from '../../codec/declaration-input.js';
import type { Arbitrary, Maker } from '../fast-check.js';
import type { ClientStep, SeenRevision } from './client-step.js';
import { STEPS_START } from './play-steps.js';

const IDS = ['a', 'Nightly-Report'] as const;
const MOST_STEPS = 40;
/** Most sequences begin with schedules that are there. */
const MOST_CREATED = 3;

/** Sequences of steps; `declaration` makes any valid declaration. @internal */
export function stepsOf(fc: Maker, declaration: Arbitrary<DeclarationInput>): Arbitrary<readonly ClientStep[]> {
  const id = fc.constantFrom<string>(...IDS);
  const revision = fc.constantFrom<SeenRevision>('newest', 'newest', 'newest', 'former');
  const requestId = fc.integer({ min: 1, max: 6 }).map((n) => `r${n}`);
  const place = fc.integer({ min: 0, max: 5 });
  const soon = soonDue(fc);
  const any = fc.oneof<DeclarationInput>(soon, soon, soon, soon, declaration);
  const declared = fc.record({ id, made: any }).map(({ id: own, made }) => ({ ...made, id: own }));
  const create = fc
    .record({ declaration: declared, paused: fc.constantFrom(false, false, false, true) })
    .map((fields): ClientStep => ({ call: 'create', ...fields }));
  const trigger = fc.record({ id, requestId }).map((fields): ClientStep => ({ call: 'trigger', ...fields }));
  const tick = fc.constant<ClientStep>({ call: 'tick' });
  const step = fc.oneof<ClientStep>(
    create,
    fc.record({ declaration: declared }).map((fields): ClientStep => ({ call: 'ensure', ...fields })),
    updateOf(fc, { id, revision, soon }),
    fc
      .record({
        call: fc.constantFrom('pause' as const, 'pause' as const, 'cancel' as const, 'delete' as const),
        id,
        revision,
      })
      .map((fields): ClientStep => fields),
    fc
      .record({ id, revision, missed: fc.constantFrom('skip' as const, 'runOnce' as const, 'catchUp' as const) })
      .map((fields): ClientStep => ({ call: 'resume', ...fields })),
    trigger,
    trigger,
    fc.record({ id, place, requestId }).map((fields): ClientStep => ({ call: 'rerun', ...fields })),
    fc
      .record({ call: fc.constantFrom('stop' as const, 'resolve' as const), id, place })
      .map((fields): ClientStep => fields),
    fc.constantFrom(false, false, true).map((isPaused): ClientStep => ({ call: 'gate', isPaused })),
    tick,
    tick,
    tick,
    fc.integer({ min: 1, max: 1800 }).map((seconds): ClientStep => ({ call: 'wait', seconds })),
    fc.integer({ min: 1, max: 90 }).map((seconds): ClientStep => ({ call: 'wait', seconds })),
    fc.constant<ClientStep>({ call: 'restart' }),
  );
  const first = fc.array(create, { minLength: 0, maxLength: MOST_CREATED });
  const then = fc.array(step, { minLength: 1, maxLength: MOST_STEPS - MOST_CREATED, size: 'max' });
  return fc.record({ first, then }).map((parts) => [...parts.first, ...parts.then]);
}

function updateOf(
  fc: Maker,
  {
    id,
    revision,
    soon,
  }: { id: Arbitrary<string>; revision: Arbitrary<SeenRevision>; soon: Arbitrary<DeclarationInput> },
): Arbitrary<ClientStep> {
  const changes = fc.oneof<Partial<DeclarationInput>>(
    soon.map(({ trigger }) => ({ trigger })),
    soon.map(({ overlap, misfire }) => ({ ...(overlap && { overlap }), ...(misfire && { misfire }) })),
    fc.constant({ objective: 'Another objective' }),
  );
  return fc.record({ id, revision, changes, isWithdrawn: fc.constantFrom(true, false) }).map(
    ({ isWithdrawn, ...fields }): ClientStep => ({
      call: 'update',
      ...fields,
      ...(isWithdrawn ? { pending: 'withdraw' } : {}),
    }),
  );
}

function soonDue(fc: Maker): Arbitrary<DeclarationInput> {
  const trigger = fc.oneof<TriggerInput>(
    fc.constant({ kind: 'manual' }),
    fc
      .integer({ min: 10, max: 900 })
      .map((everySeconds): TriggerInput => ({ kind: 'interval', start: STEPS_START, everySeconds })),
    fc
      .constantFrom('*/5 * * * *', '30 8,9 * * *')
      .map((expression): TriggerInput => ({ kind: 'cron', expression, timezone: 'Europe/Berlin' })),
  );
  return fc
    .record({
      trigger,
      part: fc.integer({ min: 0, max: 9 }),
      overlap: fc.constantFrom('queue' as const, 'skip' as const, 'coalesce' as const),
      misfire: fc.constantFrom('skip' as const, 'runOnce' as const, 'catchUp' as const),
      maxOccurrences: fc.integer({ min: 1, max: 20 }),
      maxRetries: fc.integer({ min: 0, max: 2 }),
    })
    .map(({ part, ...fields }) => ({
      objective: 'A sample that is due soon',
      document: { version: 'sample/1', part },
      allowedProviders: ['sample'],
      ...fields,
    }));
}
