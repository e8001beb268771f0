/**
 * Lint of a declaration as its author wrote it (TR-12): decodes it, then asks the core.
 */
import { decodeDeclaration } from '../../../codec/declaration-codec.js';
import type { DeclarationInput } from '../../../codec/declaration-input.js';
import { lint } from '../../../core/lint/lint.js';
import type { Warning } from '../../../core/lint/warning.js';
import type { EpochMs } from '../../../core/time/instant.js';
import { invalidDeclaration } from '../refusal-error.js';

const ATTEMPT = { control: 'lint', scheduleId: 'the declaration' };

/** What is allowed and yet probably not meant, as of `now`. @internal */
export async function lintAt(declaration: DeclarationInput<object>, now: EpochMs): Promise<readonly Warning[]> {
  const decoded = await decodeDeclaration(declaration, { randomId: () => 'lint' });
  if (!decoded.ok) throw invalidDeclaration(ATTEMPT, decoded.issues);
  return lint(decoded.value.declaration, { now });
}
