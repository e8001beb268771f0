/**
 * The schemas of what travels on the wire to a schedule, whole, for their JSON Schema (DE-7).
 */
import { z } from 'zod';
import { LIMITS } from '../../core/model/limits.js';
import { budgetSchema, DECLARATION_FIELDS, LIFTED_BUDGET_FIELDS, retryBackoffSchema } from './declaration-schema.js';
import { exclusionSchema, triggerSchema } from './trigger-schema.js';

const documentSchema = z
  .looseObject({ version: z.string().min(LIMITS.documentKindLength.min).max(LIMITS.documentKindLength.max) })
  .describe('Plain JSON; `version` names its kind');

const declaration = z.strictObject({
  ...DECLARATION_FIELDS,
  ...LIFTED_BUDGET_FIELDS,
  trigger: triggerSchema,
  exclude: exclusionSchema.optional(),
  document: documentSchema,
});

const { id, objective, budget: _budget, retryBackoff: _backoff, labels: _labels, ...others } = DECLARATION_FIELDS;

/** Without its default, optional, and null to clear it. */
function clearable(field: z.ZodType): z.ZodType {
  const bare = field instanceof z.ZodDefault || field instanceof z.ZodOptional ? field.unwrap() : field;
  return (bare as z.ZodType).nullable().optional();
}

function clearables(fields: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, clearable(field)]));
}

const changes = z.strictObject({
  id,
  objective: objective.optional(),
  ...clearables(others),
  ...clearables(LIFTED_BUDGET_FIELDS),
  budget: z.strictObject(clearables(budgetSchema.shape)).nullable().optional(),
  retryBackoff: retryBackoffSchema.partial().nullable().optional(),
  labels: z
    .record(
      z.string().min(LIMITS.labelKeyLength.min).max(LIMITS.labelKeyLength.max),
      z.string().max(LIMITS.labelValueLength.max).nullable(),
    )
    .nullable()
    .optional(),
  trigger: triggerSchema.optional(),
  exclude: exclusionSchema.nullable().optional(),
  document: documentSchema.optional(),
});

/** Each wire type by name. @internal */
export const WIRE_SCHEMAS = { declaration, changes, trigger: triggerSchema, budget: budgetSchema } as const;
