/**
 * "Did you mean": the known names nearest to a misspelt one, by edit distance.
 */

/** A name at more than this share of its length in edits is no suggestion. */
const FARTHEST_SHARE = 0.6;
/** Longer texts are compared by their beginning only. */
const LONGEST_TEXT = 64;

/**
 * At most `count` of `known` names that are near to `text`, nearest first; case of letters does not count, and names
 * that have little in common with `text` are left out.
 *
 * @internal
 */
export function nearestNames(text: string, known: readonly string[], count: number): string[] {
  const wanted = text.slice(0, LONGEST_TEXT).toLowerCase();
  const ranked: { name: string; distance: number }[] = [];
  for (const name of known) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance <= Math.max(wanted.length, name.length) * FARTHEST_SHARE) ranked.push({ name, distance });
  }
  ranked.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return ranked.slice(0, count).map((candidate) => candidate.name);
}

/**
 * The tail of a refusal of an unknown name: `; did you mean "a" or "b"?`, or nothing where no known name is near.
 *
 * @internal
 */
export function suggestion(near: readonly string[]): string {
  if (near.length === 0) return '';
  return `; did you mean ${near.map((name) => JSON.stringify(name)).join(' or ')}?`;
}

/** Insertions, deletions, substitutions and swaps of neighbours that lead from `a` to `b`. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] as number;
}
