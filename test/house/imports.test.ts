/** Which way imports point: the room table, held against every file of `src/`. */
import { isBuiltin } from 'node:module';
import { describe, expect, it } from 'vitest';
import { cyclesAmong } from './cycles.js';
import { CORE_LAYERS, PACKAGES, ROOMS, type Room } from './room-table.js';
import { filesBelow, type Import, importsOf } from './source-tree.js';

const files = filesBelow('src', '.ts');
const imports = files.flatMap(importsOf);

function roomOf(path: string): Room | undefined {
  const below = path.slice('src/'.length);
  return ROOMS.filter(({ at }) => (at.endsWith('/') ? below.startsWith(at) : below === at)).sort(
    (a, b) => b.at.length - a.at.length,
  )[0];
}

function complaint(found: Import, instead: string): string {
  return `${found.from}:${found.line} imports ${found.target}: ${instead}`;
}

function judgeRelative(found: Import): string | undefined {
  const from = roomOf(found.from);
  const to = roomOf(found.target);
  if (from === undefined || to === undefined || from === to) return undefined;
  const reach = from.mayImport[to.name];
  if (reach === 'values' || (reach === 'types' && found.isTypeOnly)) return undefined;
  const why =
    reach === 'types' ? `${from.name} may import only types of ${to.name}` : `${from.name} may not import ${to.name}`;
  return complaint(found, `${why}; ${from.instead}`);
}

function judgeOutside(found: Import): string | undefined {
  const from = roomOf(found.from);
  if (from === undefined) return undefined;
  if (isBuiltin(found.target)) {
    if (!found.target.startsWith('node:')) return complaint(found, 'write built-in modules with `node:`');
    const isAllowed = from.builtins === 'all' || (from.builtins !== 'none' && from.builtins.includes(found.target));
    return isAllowed ? undefined : complaint(found, from.instead);
  }
  const rule = PACKAGES[packageOf(found.target)];
  if (rule === undefined)
    return complaint(found, 'the package is in no row of room-table.ts; do without it, or decide its one place there');
  if (!rule.only.some((place) => found.from.startsWith(`src/${place}`))) {
    return complaint(found, `only ${rule.only.join(', ')} may; call what stands there instead`);
  }
  return rule.dynamic === true && !found.isDynamic && !found.isTypeOnly
    ? complaint(
        found,
        'write `await import()` inside the async function that needs it, so that nobody else pays for it',
      )
    : undefined;
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** Height of the layer that a file of the core stands in, from 0; -1 for files beside the layers. */
function heightOf(path: string): number {
  const folder = /^src\/core\/([^/]+)\//.exec(path)?.[1];
  return CORE_LAYERS.findIndex((layer) => folder !== undefined && layer.includes(folder));
}

function judgeLayers(found: Import): string | undefined {
  const from = heightOf(found.from);
  if (from === -1 || heightOf(found.target) <= from) return undefined;
  return complaint(found, 'it stands in a higher layer of the core; pass its result in as an argument');
}

function complaints(judge: (found: Import) => string | undefined, judged: readonly Import[]): readonly string[] {
  return judged.map(judge).filter((text) => text !== undefined);
}

describe('imports', () => {
  it('every file of src stands in a room', () => {
    const homeless = files.filter((path) => roomOf(path) === undefined);
    expect(homeless, 'move it into a room, or add the room to room-table.ts and to src/ARCHITECTURE.md').toEqual([]);
  });

  it('rooms import only what the room table allows', () => {
    expect(
      complaints(
        judgeRelative,
        imports.filter((found) => found.isRelative),
      ),
    ).toEqual([]);
  });

  it('packages and built-in modules are imported only in their place', () => {
    expect(
      complaints(
        judgeOutside,
        imports.filter((found) => !found.isRelative),
      ),
    ).toEqual([]);
  });

  it('layers of the core import downwards', () => {
    expect(
      complaints(
        judgeLayers,
        imports.filter((found) => found.isRelative),
      ),
    ).toEqual([]);
  });

  it('no file imports itself through others', () => {
    const cycles = cyclesAmong(files, imports).map((cycle) => cycle.join(' -> '));
    expect(cycles, 'move what both sides need into a file below them').toEqual([]);
  });
});
