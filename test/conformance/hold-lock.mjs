/**
 * A process of its own that takes the owner lock of a folder, says `held`, and keeps it until it is killed.
 *
 * It loads the sources through Vite, so that the test needs no build.
 */
import { createServer } from 'vite';

const server = await createServer({
  configFile: false,
  appType: 'custom',
  logLevel: 'error',
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  optimizeDeps: { noDiscovery: true },
});
const { fileWorkspace } = await server.ssrLoadModule('/src/adapters/fs/index.ts');
const workspace = await fileWorkspace(process.argv[2]);
const result = await workspace.lock.acquire();
process.stdout.write(`${result.kind === 'acquired' ? 'held' : 'refused'}\n`);
setInterval(() => {}, 1000);
