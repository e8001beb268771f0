/**
 * `everdue schema`: the JSON Schema of what authors write, for editors and generators (DE-7).
 */
import { Argument, type Command } from 'commander';
import { type JsonSchemaName, jsonSchema } from '../../../index.js';
import type { Call, Register } from '../call.js';
import { jsonText } from '../output/layout/plain.js';
import { examples } from './help.js';

const NAMES = ['declaration', 'changes', 'trigger'] as const satisfies readonly JsonSchemaName[];

/** Adds `everdue schema`. @internal */
export function addSchemaCommand(program: Command, register: Register): void {
  register(
    examples(program.command('schema'), 'Print the JSON Schema of a declaration, of changes to one, or of a trigger.', [
      'everdue schema declaration > declaration.schema.json',
      'everdue schema trigger --json',
    ]).addArgument(new Argument('<name>', 'what to describe').choices(NAMES)),
    schema,
  );
}

async function schema({ args, printer }: Call<unknown>): Promise<void> {
  const name = NAMES.find((known) => known === args[0]) ?? 'declaration';
  const described = await jsonSchema(name);
  await printer.answer(described, () => `${jsonText(described, true)}\n`);
}
