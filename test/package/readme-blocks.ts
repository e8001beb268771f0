/** The code blocks of the README, each under the name that a comment before it gives. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A block of TypeScript in the README. */
export interface ReadmeBlock {
  readonly name: string;
  readonly code: string;
}

const BLOCK = /(?:<!-- example: ([a-z-]+) -->\n)?```ts\n([\s\S]*?)```/g;

/** Every TypeScript block of the README in order; one without a name is a fault of the README. */
export function readmeBlocks(root: string): readonly ReadmeBlock[] {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  return [...text.matchAll(BLOCK)].map(([, name, code], index) => ({
    name: name ?? `unnamed-${index + 1}`,
    code: code ?? '',
  }));
}
