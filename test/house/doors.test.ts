/** The manifest, the build and the source agree on which doors there are, and a door does nothing but re-export. */
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { COMMANDS, DOORS } from '../../tsup.config.js';
import { filesBelow, lineOf, syntaxOf } from './source-tree.js';

/** What `exports` must say about a door. */
function exportOf(door: string): unknown {
  return {
    import: { types: `./dist/${door}.d.ts`, default: `./dist/${door}.js` },
    require: { types: `./dist/${door}.d.cts`, default: `./dist/${door}.cjs` },
  };
}

function subpathOf(door: string): string {
  return door === 'index' ? '.' : `./${door}`;
}

function isReExport(statement: ts.Statement): boolean {
  if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) return false;
  return statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause);
}

describe('doors', () => {
  it('package.json exports exactly what tsup builds', () => {
    const built = Object.keys(DOORS).map((door) => [subpathOf(door), exportOf(door)]);
    const expected = Object.fromEntries([...built, ['./package.json', './package.json']]);
    expect(manifest.exports, 'add the door to both package.json and tsup.config.ts').toEqual(expected);
  });

  it('package.json offers exactly the commands that tsup builds', () => {
    const built = Object.keys(COMMANDS).map((command) => `dist/${command}.js`);
    expect(Object.values(manifest.bin), 'add the command to both package.json and tsup.config.ts').toEqual(built);
  });

  it('every index.ts of src is a door', () => {
    const found = filesBelow('src', 'index.ts').filter((path) => path.endsWith('/index.ts'));
    expect(found, 'make it a door in package.json and tsup.config.ts, or import the files themselves').toEqual(
      Object.values(DOORS).toSorted(),
    );
  });

  it('a door only re-exports, name by name', () => {
    const wrong = Object.values(DOORS).flatMap((path) =>
      syntaxOf(path)
        .statements.filter((statement) => !isReExport(statement))
        .map((statement) => `${path}:${lineOf(statement)} ${statement.getText().split('\n', 1)[0]}`),
    );
    expect(
      wrong,
      'write `export { name } from` or `export type { Name } from`; move code into the room behind the door',
    ).toEqual([]);
  });
});
