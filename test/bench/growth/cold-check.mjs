/** In a cold process: `everdue check` on a workspace, and the most memory that it took. */
import { performance } from 'node:perf_hooks';

const [path] = process.argv.slice(2);
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (_, ...rest) => {
  rest.at(-1)?.();
  return true;
};
process.argv = [process.argv[0], 'everdue', 'check', '--workspace', path];
const started = performance.now();
process.once('exit', (code) => {
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  write(`${JSON.stringify({ ms: performance.now() - started, peakBytes, code })}\n`);
});
await import('../../../dist/cli.js');
