/** Finds files that import one another in a ring. */
import type { Import } from './source-tree.js';

/** Each ring once, as the list of its files with the first one repeated at the end. */
export function cyclesAmong(files: readonly string[], imports: readonly Import[]): readonly (readonly string[])[] {
  const targets = new Map<string, Set<string>>();
  for (const found of imports) {
    if (!found.isRelative) continue;
    const known = targets.get(found.from) ?? new Set();
    targets.set(found.from, known.add(found.target));
  }
  const rings: string[][] = [];
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at !== -1) {
      rings.push([...path.slice(at), file]);
      return;
    }
    if (finished.has(file)) return;
    path.push(file);
    for (const target of targets.get(file) ?? []) visit(target);
    path.pop();
    finished.add(file);
  };
  for (const file of files) visit(file);
  return rings;
}
