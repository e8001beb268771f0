/** Small files, whole files: nobody should need to scroll far, or to open five files for one thought. */
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, textOf } from './source-tree.js';

const SOURCE_LINES = 400;
const TEST_LINES = 500;
const FOLDER_FILES = { atLeast: 3, atMost: 9 } as const;

/** What a folder may hold instead, and why. */
interface OtherSize {
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly why: string;
}

/** Folders of `src` of another size, by path. */
const OTHER_FOLDERS: Readonly<Record<string, OtherSize>> = {
  'src/core/model': {
    atMost: 10,
    why: 'one file for each noun of the vocabulary, and none of them is part of another',
  },
};

function tooLong(paths: readonly string[], limit: number): readonly string[] {
  return paths
    .map((path) => ({ path, lines: textOf(path).trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > limit)
    .map(({ path, lines }) => `${path} has ${lines} lines, ${limit} are allowed`);
}

/** Files that stand in a folder itself, and folders that do. */
function contentsOf(folder: string): { readonly files: number; readonly folders: number } {
  const below = filesBelow(folder, '.ts').map((path) => path.slice(folder.length + 1).split('/'));
  return {
    files: below.filter((parts) => parts.length === 1).length,
    folders: new Set(below.filter((parts) => parts.length > 1).map(([first]) => first)).size,
  };
}

/** A folder of folders may hold few files: it is a corridor. */
function fits(folder: string, { atLeast, atMost }: { readonly atLeast: number; readonly atMost: number }): boolean {
  const { files, folders } = contentsOf(folder);
  return files + folders >= atLeast && files <= atMost;
}

const folders = [...new Set(filesBelow('src', '.ts').map((path) => dirname(path)))];

describe('sizes', () => {
  it('source files stay short', () => {
    expect(
      tooLong(filesBelow('src', '.ts'), SOURCE_LINES),
      'split it by reason to change: one family of rules per file',
    ).toEqual([]);
  });

  it('test files stay short', () => {
    expect(tooLong(filesBelow('test', '.ts', '.mjs', '.cjs'), TEST_LINES), 'a table or a builder is missing').toEqual(
      [],
    );
  });

  it('folders hold three to nine files', () => {
    const wrong = folders.filter((folder) => !fits(folder, { ...FOLDER_FILES, ...OTHER_FOLDERS[folder] }));
    const told = wrong.map((folder) => `${folder}: ${contentsOf(folder).files} files`);
    expect(told, 'regroup by reason to change, or add the folder with its reason to OTHER_FOLDERS').toEqual([]);
  });

  it('no exception outlives its reason', () => {
    const idle = Object.keys(OTHER_FOLDERS).filter((folder) => !folders.includes(folder) || fits(folder, FOLDER_FILES));
    expect(idle, 'delete the row').toEqual([]);
  });
});
