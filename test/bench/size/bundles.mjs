/**
 * Bytes of a browser bundle: the core, parts of it, and its peers, all bundled and minified in the same way.
 *
 * The bundler is the one that builds the package, taken from the root.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bytes, printTable } from '../measuring/report.mjs';

const fromRoot = createRequire(new URL('../../../package.json', import.meta.url));
const { build } = createRequire(fromRoot.resolve('tsup/package.json'))('esbuild');
const CORE = fileURLToPath(new URL('../../../dist/core.js', import.meta.url));
const WHOLE = fileURLToPath(new URL('../../../dist/index.js', import.meta.url));
const POLYFILL = fromRoot.resolve('@js-temporal/polyfill');

/** Name to the module that is bundled. */
const BUNDLES = {
  'everdue/core': `export * from ${JSON.stringify(CORE)}`,
  'everdue/core, `compileTrigger` alone': `export { compileTrigger } from ${JSON.stringify(CORE)}`,
  'everdue/core, `nextDue` alone': `export { nextDue } from ${JSON.stringify(CORE)}`,
  'everdue/core, `decide` alone': `export { decide } from ${JSON.stringify(CORE)}`,
  'everdue/core and @js-temporal/polyfill, which it does not need': `export * from ${JSON.stringify(CORE)}; export * from ${JSON.stringify(POLYFILL)}`,
  'everdue, its own code alone': { code: `export * from ${JSON.stringify(WHOLE)}`, packages: 'external' },
  croner: `export * from 'croner'`,
  'cron-parser': `export * from 'cron-parser'`,
  'cron-schedule': `export * from 'cron-schedule'`,
  cronosjs: `export * from 'cronosjs'`,
  rrule: `export * from 'rrule'`,
  'rrule-temporal': `export * from 'rrule-temporal'`,
  'temporal-polyfill': `export * from 'temporal-polyfill'`,
};

async function bundle(code, minify, packages = 'bundle') {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
    bundle: true,
    minify,
    packages,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external: ['node:*', 'fs'],
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const text = outputFiles.map((file) => file.text).join('');
  const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return { plain: text.length, gzip: gzipSync(text, { level: 9 }).length, outside: [...new Set(outside)] };
}

/** Prints sizes of bundles for a browser. */
export async function sizes() {
  const rows = [];
  for (const [name, given] of Object.entries(BUNDLES)) {
    const { code, packages } = typeof given === 'string' ? { code: given } : given;
    const [whole, small] = [await bundle(code, false, packages), await bundle(code, true, packages)];
    rows.push([
      name,
      ...[whole.plain, whole.gzip, small.plain, small.gzip].map(bytes),
      small.outside.length === 0 ? 'nothing' : small.outside.join(' '),
    ]);
  }
  const heads = ['bundle', 'plain', 'gzip', 'minified', 'minified, gzip', 'left outside'];
  printTable('Bundles for a browser', heads, rows);
}
