/** Names say what a thing is; every exported one says what it guarantees. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { DOORS } from '../../tsup.config.js';
import { filesBelow, lineOf, syntaxOf } from './source-tree.js';

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const ENDINGS = /\.(test|test-d|bench|config|d)?\.?(ts|mjs|cjs)$/;

/** Words that say nothing about a file. `service` is the name of one port and of what stands for it. */
const BANNED = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'manager', 'types', 'interfaces', 'constants'];
const SERVICE = 'execution-service';

const sources = filesBelow('src', '.ts');
const everything = [...sources, ...filesBelow('test', '.ts', '.mjs', '.cjs')];

function stemOf(path: string): string {
  return basename(path).replace(ENDINGS, '');
}

function isBanned(path: string): boolean {
  const stem = stemOf(path);
  const words = stem.split('-');
  if (words.includes('service') && !stem.startsWith(SERVICE)) return true;
  if (stem === 'index' && !Object.values<string>(DOORS).includes(path)) return true;
  return words.some((word) => BANNED.includes(word));
}

function badFolders(): readonly string[] {
  const folders = new Set(sources.flatMap((path) => dirname(path).split('/')));
  return [...folders].filter((folder) => !KEBAB.test(folder) || BANNED.includes(folder));
}

function isExported(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false)
  );
}

function isDefault(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true;
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? false)
  );
}

function hasComment(node: ts.Node): boolean {
  const doc = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc);
  return (ts.getTextOfJSDocComment(doc?.comment) ?? '').trim() !== '';
}

function statementsWhere(wrong: (statement: ts.Statement, all: readonly ts.Statement[]) => boolean): readonly string[] {
  return sources.flatMap((path) => {
    const all = syntaxOf(path).statements;
    return all
      .filter((statement) => wrong(statement, all))
      .map((statement) => `${path}:${lineOf(statement)} ${statement.getText().split('\n', 1)[0]}`);
  });
}

/** An overload is covered by the comment of the first one of its name. */
function isLaterOverload(statement: ts.Statement, all: readonly ts.Statement[]): boolean {
  if (!ts.isFunctionDeclaration(statement)) return false;
  const first = all.find((other) => ts.isFunctionDeclaration(other) && other.name?.text === statement.name?.text);
  return first !== statement;
}

describe('names', () => {
  it('files are named in kebab-case', () => {
    expect(
      everything.filter((path) => !KEBAB.test(stemOf(path))),
      'write it in lower case with dashes',
    ).toEqual([]);
  });

  it('file names say what is inside', () => {
    expect(everything.filter(isBanned), 'name the file after the noun or the verb of its main export').toEqual([]);
  });

  it('folder names of src say what is inside', () => {
    expect(badFolders(), 'use the word of the vocabulary, in lower case with dashes').toEqual([]);
  });

  it('nothing is exported by default', () => {
    expect(statementsWhere(isDefault), 'export it by its name').toEqual([]);
  });

  it('no enums and no namespaces', () => {
    const found = statementsWhere((statement) => ts.isEnumDeclaration(statement) || ts.isModuleDeclaration(statement));
    expect(found, 'write a union of string literals, or plain exports').toEqual([]);
  });

  it('every exported symbol has a TSDoc comment', () => {
    const bare = statementsWhere(
      (statement, all) => isExported(statement) && !hasComment(statement) && !isLaterOverload(statement, all),
    );
    expect(bare, 'say in one sentence what it returns or guarantees, then units, bounds and error codes').toEqual([]);
  });

  it('the tour of the house names files that exist', () => {
    const tour = readFileSync('src/ARCHITECTURE.md', 'utf8');
    const named = [...tour.matchAll(/`([\w/.-]+\.(?:ts|md))`/g)].map(([, path]) => path ?? '');
    expect(named.length).toBeGreaterThan(10);
    const gone = named.filter((path) => !existsSync(join('src', path)) && !existsSync(path));
    expect(gone, 'mend the path in src/ARCHITECTURE.md').toEqual([]);
  });
});
