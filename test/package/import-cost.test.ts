/** What importing the core costs: nothing but its own code, in Node and in a browser. */
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'vite';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Bytes of `everdue/core`, minified and compressed. */
const CORE_GZIP_LIMIT = 40_000;

interface Bundle {
  /** Packages and built-in modules that the door reaches, at once or later. */
  readonly outside: readonly string[];
  readonly gzipBytes: number;
}

async function bundleForBrowser(file: string): Promise<Bundle> {
  const outside: string[] = [];
  const recorder: Plugin = {
    name: 'record-what-is-outside',
    enforce: 'pre',
    resolveId(source, importer) {
      const isOurs = importer === undefined || source.startsWith('.') || source.startsWith('/');
      if (isOurs && !isBuiltin(source)) return null;
      outside.push(source);
      return { id: source, external: true };
    },
  };
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'silent',
    plugins: [recorder],
    build: { write: false, minify: true, lib: { entry: join(ROOT, file), formats: ['es'], fileName: 'bundle' } },
  });
  const outputs = [result].flat().flatMap((part) => ('output' in part ? part.output : []));
  const code = outputs.map((part) => (part.type === 'chunk' ? part.code : '')).join('');
  return { outside, gzipBytes: gzipSync(code).length };
}

describe('import cost', () => {
  it('the core loads no package and no module of Node, and stays small in a browser', async ({ annotate }) => {
    const { outside, gzipBytes } = await bundleForBrowser('dist/core.js');
    await annotate(`everdue/core: ${gzipBytes} bytes minified and gzipped`);
    expect(outside, 'load it in runtime/ or codec/, or ask the runtime for it in time/zones.ts').toEqual([]);
    expect(gzipBytes, 'find what grew, or raise the limit with a line in CHANGELOG.md').toBeLessThan(CORE_GZIP_LIMIT);
  });
});
