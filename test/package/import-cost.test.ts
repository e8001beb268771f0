/** What importing the core costs: nothing but its own code, in Node and in a browser. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'vite';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Bytes of all of `everdue/core`, minified and compressed. */
const CORE_GZIP_LIMIT = 71_000;
/** The same of what a page takes that asks for due instants alone. */
const NEXT_DUE_GZIP_LIMIT = 36_000;

interface Bundle {
  /** Packages and built-in modules that the door reaches, at once or later. */
  readonly outside: readonly string[];
  readonly gzipBytes: number;
}

/** A bundle of these names of `everdue/core`, or of all. */
async function bundleForBrowser(names: '*' | `{ ${string} }`): Promise<Bundle> {
  const outside: string[] = [];
  const entry = join(mkdtempSync(join(tmpdir(), 'everdue-bundle-')), 'entry.js');
  writeFileSync(entry, `export ${names} from ${JSON.stringify(join(ROOT, 'dist/core.js'))};`);
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
    build: { write: false, minify: true, lib: { entry, formats: ['es'], fileName: 'bundle' } },
  });
  const outputs = [result].flat().flatMap((part) => ('output' in part ? part.output : []));
  const code = outputs.map((part) => (part.type === 'chunk' ? part.code : '')).join('');
  return { outside, gzipBytes: gzipSync(code).length };
}

describe('import cost', () => {
  it('the core loads no package and no module of Node, and stays small in a browser', async ({ annotate }) => {
    const core = await bundleForBrowser('*');
    const nextDue = await bundleForBrowser('{ nextDue }');
    await annotate(`everdue/core: ${core.gzipBytes} bytes minified and gzipped, nextDue alone ${nextDue.gzipBytes}`);
    expect(core.outside, 'load it in runtime/ or codec/, or ask the runtime for it in time/zones.ts').toEqual([]);
    const advice = 'find what grew, or raise the limit with a line in CHANGELOG.md';
    expect(core.gzipBytes, advice).toBeLessThan(CORE_GZIP_LIMIT);
    expect(nextDue.gzipBytes, advice).toBeLessThan(NEXT_DUE_GZIP_LIMIT);
  });
});
