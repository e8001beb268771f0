/** Files and standard input that the command reads: bounded, and never waited for without end. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readJson, readText } from '../../src/surfaces/cli/input.js';
import type { Surroundings } from '../../src/surfaces/cli/output/print.js';

const cwd = mkdtempSync(join(tmpdir(), 'everdue-input-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const MOST_BYTES = 16 * 1_048_576;

async function* chunksOf(chunk: string, count: number): AsyncGenerator<string> {
  for (let index = 0; index < count; index++) yield chunk;
}

function surroundings(stdin: AsyncIterable<string> = chunksOf('', 0)): Surroundings {
  const stream = { write: () => true };
  return { stdin, stdout: stream, stderr: stream, env: {}, cwd, onInterrupt: () => () => undefined };
}

describe('what the command reads', () => {
  it('[SF-1] a file, also through a link, and standard input', async () => {
    writeFileSync(join(cwd, 'a.json'), '{"a":1}');
    symlinkSync('a.json', join(cwd, 'link.json'));
    for (const name of ['a.json', 'link.json', join(cwd, 'a.json')]) {
      expect(await readJson(name, surroundings())).toEqual({ a: 1 });
    }
    expect(await readJson('-', surroundings(chunksOf('{"a":1}', 1)))).toEqual({ a: 1 });
  });

  it('[SF-1] an input of more than 16 MiB is refused, whether a file or standard input', async () => {
    writeFileSync(join(cwd, 'large'), '');
    truncateSync(join(cwd, 'large'), MOST_BYTES);
    expect(await readText('large', surroundings())).toHaveLength(MOST_BYTES);
    truncateSync(join(cwd, 'large'), MOST_BYTES + 1);
    const endless = surroundings(chunksOf('x'.repeat(65_536), Number.POSITIVE_INFINITY));
    for (const [source, around] of [
      ['large', surroundings()],
      ['-', endless],
    ] as const) {
      await expect(readText(source, around)).rejects.toMatchObject({
        code: 'SCHEDULE_USAGE',
        message: expect.stringContaining(`more than ${MOST_BYTES} bytes`),
      });
    }
  });

  it('[SF-1] a device, a pipe or a folder is refused at once, with the way through standard input', async () => {
    mkdirSync(join(cwd, 'folder'));
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    for (const source of ['/dev/zero', 'pipe', 'folder']) {
      await expect(readText(source, surroundings()), source).rejects.toMatchObject({
        code: 'SCHEDULE_USAGE',
        message: `${source} is no regular file`,
        hint: expect.stringContaining('`-`'),
      });
    }
    await expect(readText('missing', surroundings())).rejects.toMatchObject({ message: 'cannot read missing' });
  });
});
