// `node test/crash/run.mjs`: bundles the loop of real processes and its hosts from the sources, and runs it; see `command.ts`.
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const source = (path) => join(here, '../../src', path);
// Below the project, so that packages are found.
const outDir = mkdtempSync(join(here, '../../node_modules/.everdue-crash-'));
try {
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: {
      alias: [
        { find: /^everdue$/, replacement: source('index.ts') },
        { find: /^everdue\/fs$/, replacement: source('adapters/fs/index.ts') },
      ],
    },
    build: {
      ssr: true,
      outDir,
      target: 'node20',
      rollupOptions: {
        input: {
          command: join(here, 'command.ts'),
          'owner-host': join(here, 'hosts/owner-host.mjs'),
          'client-host': join(here, 'hosts/client-host.mjs'),
          'traced-host': join(here, 'hosts/traced-host.mjs'),
        },
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
  const { runCommand } = await import(pathToFileURL(join(outDir, 'command.mjs')).href);
  process.exitCode = await runCommand(process.argv.slice(2), outDir, console.log);
} finally {
  rmSync(outDir, { recursive: true, force: true });
}
