/** Titles of tests as they stand in the files, for tables that say where something is tested. */
import { filesBelow, textOf } from '../house/source-tree.js';

const texts = new Map(filesBelow('test', '.test.ts', '-cases.ts').map((path) => [path, textOf(path)]));

/** Whether a test file, or any where none is named, has a title with this text in it. */
export function hasTitle(title: string, file?: string): boolean {
  if (file !== undefined) return texts.get(file)?.includes(title) === true;
  return [...texts.values()].some((text) => text.includes(title));
}
