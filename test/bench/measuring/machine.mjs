/** The head of a report: everything that a figure depends on and that is not in this repository. */
import { availableParallelism, cpus, loadavg, release, tmpdir, type } from 'node:os';
import { peerVersions } from './peers.mjs';

/** Prints what the figures below were measured on. */
export function printMachine() {
  const { node, tz, v8 } = process.versions;
  console.log(`Node ${node} (V8 ${v8}), zone data ${tz ?? 'unknown'}, ${type()} ${release()}`);
  console.log(`${availableParallelism()} CPUs (${cpus()[0]?.model ?? 'unknown'}), load ${loadavg()[0].toFixed(1)}`);
  console.log(`workspaces in ${tmpdir()}`);
  console.log(`peers: ${peerVersions().join(', ')}`);
}
