/**
 * The schema of a declaration as an author writes it: types, bounds and defaults of every field but the trigger's.
 *
 * All numbers come from {@link LIMITS}. Each message completes a sentence that begins with the path of the field. The
 * trigger is judged by the core, and what holds between fields in `relations.ts`.
 */
import { z } from 'zod';
import { DEFAULT_POLICIES, LIMITS, type NumberLimit } from '../../core/model/limits.js';
import { instantFault, toEpochMs } from '../../core/time/instant.js';
import { nearestNames, suggestion } from '../../core/time/nearest-names.js';
import { BUDGET_NAMES } from './relations.js';
import { NAME_PATTERN, nameFault } from './schedule-name.js';

function whole({ min, max }: NumberLimit) {
  const message = `must be a whole number, ${min}..${max}`;
  return z.int(message).min(min, message).max(max, message);
}

function wholeOr<const Limit extends NumberLimit & { readonly default: number }>(limit: Limit) {
  return whole(limit).default(limit.default);
}

/** Everything but tabs and line ends below a space, and the other controls: what moves a terminal, or ends a string in C. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

function plainText({ min, max }: NumberLimit) {
  const message = `must be plain text, ${min}..${max} characters, without control characters`;
  return z
    .string(message)
    .min(min, message)
    .max(max, message)
    .refine((text) => !CONTROL.test(text), message);
}

function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  const near = (input: unknown) => (typeof input === 'string' ? suggestion(nearestNames(input, words, 1)) : '');
  return z.enum(words, { error: ({ input }) => `must be one of ${words.join(', ')}${near(input)}` });
}

/** An id, with the rules of DE. @internal */
export const idSchema = z
  .string('must be text')
  .min(LIMITS.idLength.min, nameFault(''))
  .max(LIMITS.idLength.max, nameFault(''))
  .regex(NAME_PATTERN, nameFault('?'))
  .superRefine((id, context) => {
    const fault = nameFault(id);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  });

/** ISO 8601 text with an offset. @internal */
export const instantSchema = z
  .string({ error: ({ input }) => instantFault(input) })
  .refine((text) => toEpochMs(text) !== undefined, { error: ({ input }) => instantFault(input) })
  .meta({ format: 'date-time' });

const BUDGET = {
  maxAttempts: whole(LIMITS.maxAttempts),
  maxRepeatedFailures: whole(LIMITS.maxRepeatedFailures),
  maxElapsedSeconds: whole(LIMITS.maxElapsedSeconds),
  timeoutPerStageSeconds: whole(LIMITS.timeoutPerStageSeconds),
};

/** The attempt budget; what is absent has its default. @internal */
export const budgetSchema = z.strictObject(
  {
    maxAttempts: BUDGET.maxAttempts.default(LIMITS.maxAttempts.default),
    maxRepeatedFailures: BUDGET.maxRepeatedFailures.default(LIMITS.maxRepeatedFailures.default),
    maxElapsedSeconds: BUDGET.maxElapsedSeconds.default(LIMITS.maxElapsedSeconds.default),
    timeoutPerStageSeconds: BUDGET.timeoutPerStageSeconds.default(LIMITS.timeoutPerStageSeconds.default),
  },
  'must be an object',
);

const factorMessage = `must be a number, ${LIMITS.backoffFactor.min}..${LIMITS.backoffFactor.max}`;

/** Waiting between attempts. @internal */
export const retryBackoffSchema = z.strictObject(
  {
    initialSeconds: whole(LIMITS.backoffInitialSeconds),
    factor: z
      .number(factorMessage)
      .min(LIMITS.backoffFactor.min, factorMessage)
      .max(LIMITS.backoffFactor.max, factorMessage),
    maxSeconds: whole(LIMITS.backoffMaxSeconds),
  },
  'must be an object',
);

const manyLabels = `must have at most ${LIMITS.labels.max} entries`;

/** Labels. @internal */
export const labelsSchema = z
  .record(plainText(LIMITS.labelKeyLength), plainText(LIMITS.labelValueLength), 'must be an object of texts')
  .refine((labels) => Object.keys(labels).length <= LIMITS.labels.max, manyLabels);

const providersMessage = `must be a list of at most ${LIMITS.providers.max} names`;

/** The fields of a declaration but document and trigger, as written by an author. @internal */
export const DECLARATION_FIELDS = {
  id: idSchema.optional(),
  objective: plainText(LIMITS.objectiveLength),
  allowedProviders: z
    .array(plainText(LIMITS.providerLength), providersMessage)
    .max(LIMITS.providers.max, providersMessage)
    .default([]),
  overlap: choice(['queue', 'skip', 'coalesce']).default(DEFAULT_POLICIES.overlap),
  misfire: choice(['skip', 'runOnce', 'catchUp']).default(DEFAULT_POLICIES.misfire),
  graceSeconds: wholeOr(LIMITS.graceSeconds),
  maxCatchUp: wholeOr(LIMITS.maxCatchUp),
  maxOccurrences: z
    .union(
      [whole(LIMITS.maxOccurrences), z.literal('unlimited')],
      `must be a whole number, ${LIMITS.maxOccurrences.min}..${LIMITS.maxOccurrences.max}, or "unlimited"`,
    )
    .default(LIMITS.maxOccurrences.default),
  maxRetries: wholeOr(LIMITS.maxRetries),
  retryBackoff: retryBackoffSchema.optional(),
  budget: budgetSchema.prefault({}),
  spreadSeconds: whole(LIMITS.spreadSeconds).optional(),
  maxLatenessSeconds: whole(LIMITS.maxLatenessSeconds).optional(),
  expiresAt: instantSchema.optional(),
  concurrencyKey: plainText(LIMITS.concurrencyKeyLength).optional(),
  pauseAfterFailures: whole(LIMITS.pauseAfterFailures).optional(),
  labels: labelsSchema.default({}),
};

/** The four budget fields at the top level (DE-9). @internal */
export const LIFTED_BUDGET_FIELDS = {
  maxAttempts: BUDGET.maxAttempts.optional(),
  maxRepeatedFailures: BUDGET.maxRepeatedFailures.optional(),
  maxElapsedSeconds: BUDGET.maxElapsedSeconds.optional(),
  timeoutPerStageSeconds: BUDGET.timeoutPerStageSeconds.optional(),
};

/** A declaration without its document, and with trigger and exclusion unread: the core judges them. @internal */
export const authoredSchema = z.strictObject({
  ...DECLARATION_FIELDS,
  ...LIFTED_BUDGET_FIELDS,
  trigger: z.unknown().optional(),
  exclude: z.unknown().optional(),
});

/** What {@link authoredSchema} gives out. @internal */
export type Authored = z.output<typeof authoredSchema>;

/** Known names of the objects of a declaration, by path, for the nearest name to a misspelt one (DE-1). @internal */
export const KNOWN_NAMES: Readonly<Record<string, readonly string[]>> = {
  '': [...Object.keys(DECLARATION_FIELDS), ...BUDGET_NAMES, 'trigger', 'exclude', 'document'],
  budget: BUDGET_NAMES,
  retryBackoff: ['initialSeconds', 'factor', 'maxSeconds'],
};
