/**
 * `npm run bench [-- topic... --quick]`: measures the built package, each topic in a process of its own.
 *
 * Figures differ from machine to machine and from minute to minute; what stands beside each other in a table was measured
 * in turns in one process, and its ratio is what counts. The exit code tells of errors, never of slowness.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { printMachine } from './measuring/machine.mjs';
import { installPeers } from './measuring/peers.mjs';

const TOPICS = ['triggers', 'size', 'store', 'dispatch', 'startup', 'growth'];
const QUICK = '--quick';

const asked = process.argv.slice(2).filter((word) => word !== QUICK);
const isQuick = process.argv.includes(QUICK);
const unknown = asked.filter((topic) => !TOPICS.includes(topic));
if (unknown.length > 0) fail(`unknown topic ${unknown.join(', ')}; there are ${TOPICS.join(', ')}`);
if (!existsSync(new URL('../../dist/index.js', import.meta.url))) fail('nothing is built; run `npm run build` first');

installPeers();
printMachine();
if (isQuick) console.log('a quick run: fewer rounds, rougher ratios');
const broken = (asked.length > 0 ? asked : TOPICS).filter((topic) => !runs(topic));
if (broken.length > 0) fail(`broken: ${broken.join(', ')}`);

/** Local time is UTC, which is the cheapest for peers that know no other zone. */
function runs(topic) {
  const started = performance.now();
  const file = fileURLToPath(new URL(`./${topic}.mjs`, import.meta.url));
  const { status } = spawnSync(process.execPath, ['--expose-gc', file], {
    stdio: 'inherit',
    env: { ...process.env, TZ: 'UTC', EVERDUE_BENCH_QUICK: isQuick ? '1' : '0' },
  });
  console.log(`\n(${topic}: ${((performance.now() - started) / 1000).toFixed(0)} s)`);
  return status === 0;
}

function fail(message) {
  console.error(`bench: ${message}`);
  process.exit(1);
}
