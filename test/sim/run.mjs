// `npm run sim`: bundles the simulation from its sources, and runs it.
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
// Below the project, so that packages are found.
const outDir = mkdtempSync(join(here, '../../node_modules/.everdue-sim-'));
try {
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(here, 'command.ts'),
      outDir,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'command.mjs' } },
    },
  });
  const { runCommand } = await import(pathToFileURL(join(outDir, 'command.mjs')).href);
  process.exitCode = await runCommand(process.argv.slice(2), console.log);
} finally {
  rmSync(outDir, { recursive: true, force: true });
}
