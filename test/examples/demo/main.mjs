// `npm run demo`: the main job of everdue, first simulated, then for real. Needs no network and no database.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAnOwner } from './killed-owner.mjs';
import { say } from './print.mjs';
import { simulateFortnight } from './simulated-fortnight.mjs';

await simulateFortnight();
const workspace = await mkdtemp(join(tmpdir(), 'everdue-demo-'));
await killAnOwner(workspace);
say(`Everything is still there. Look around with:`);
say(`  node dist/cli.js schedule --workspace ${workspace} show box-every-second`);
say(`  node dist/cli.js check --workspace ${workspace}`);
