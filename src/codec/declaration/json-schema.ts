/**
 * JSON Schema of the wire types, for editors, agents and other languages (DE-7).
 *
 * Made from the schemas that declarations are read with, so that bounds and defaults cannot drift. What JSON Schema
 * cannot say (time zones, cron texts, relations between fields) is judged when a declaration is read.
 */
import type { JsonObject } from '../../core/model/declaration.js';

/** The wire types that have a JSON Schema. @public */
export type JsonSchemaName = 'declaration' | 'changes' | 'trigger' | 'budget';

/**
 * The JSON Schema (draft 2020-12) of a wire type, as an author may write it; a new object with each call.
 *
 * @public
 */
export async function jsonSchema(name: JsonSchemaName): Promise<JsonObject> {
  const { z } = await import('zod');
  const { WIRE_SCHEMAS } = await import('./wire-schemas.js');
  return z.toJSONSchema(WIRE_SCHEMAS[name], { io: 'input' }) as unknown as JsonObject;
}
