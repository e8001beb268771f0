/** Installs the peers of the benchmarks beside them, once, and tells which of the optional ones are there. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Brings `node_modules` up to `package.json`; does nothing where it is. Throws where npm fails. */
export function installPeers() {
  if (Object.entries(manifest.dependencies).every(([name, wanted]) => versionOf(name) === exactVersion(wanted))) return;
  console.log('bench: installing the peers (the first time takes a while: one of them may be compiled)');
  const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) throw new Error(`npm install in ${folder} ended with ${npm.status}`);
}

/** The optional peer, or undefined where it could not be installed on this machine. */
export async function optionalPeer(name) {
  return versionOf(name) === undefined ? undefined : await import(name);
}

/** Versions of the peers that are there, for the head of the report. */
export function peerVersions() {
  const names = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.optionalDependencies)];
  return names.map((name) => `${name} ${versionOf(name) ?? '(not installed)'}`);
}

/** Of a version as the manifest has it, `npm:cron-parser@4.9.0` for a package that is installed under another name. */
function exactVersion(wanted) {
  return wanted.slice(wanted.lastIndexOf('@') + 1);
}

/** The installed version, or undefined. */
export function versionOf(name) {
  const require = createRequire(new URL('../package.json', import.meta.url));
  const path = require.resolve.paths(name)?.[0];
  try {
    return JSON.parse(readFileSync(`${path}/${name}/package.json`, 'utf8')).version;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
