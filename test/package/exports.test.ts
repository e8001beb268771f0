/** The manifest and the declarations of the tarball hold in every way that a door can be imported. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { describe, expect, inject, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ATTW = join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js');

describe('exports', () => {
  it('publint finds nothing to say about the tarball', async () => {
    const bytes = readFileSync(inject('tarball'));
    const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const { messages } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map((message) => `${message.type}: ${formatMessage(message, manifest, { color: false })}`)).toEqual(
      [],
    );
  });

  it('attw finds the types of every door under Node ESM, Node CJS and bundlers', () => {
    // The old `node10` resolution cannot see subpaths; the profile leaves it out.
    const args = [inject('tarball'), '--profile', 'node16', '--no-definitely-typed', '--format', 'ascii', '--no-color'];
    const { status, stdout, stderr } = spawnSync(process.execPath, [ATTW, ...args], { encoding: 'utf8' });
    expect(status, `${stdout}${stderr}`).toBe(0);
  });
});
