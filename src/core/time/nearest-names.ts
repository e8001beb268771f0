/**
 * "Did you mean": the known names nearest to a misspelt one.
 *
 * A suggestion that is followed without a second look must not do harm: a name is suggested only where few letters differ,
 * or where the text is how it begins. No suggestion is better than a far one.
 */

/** Letters of the longer name for each edit that may lie between it and the text. */
const LETTERS_PER_EDIT = 3;
/** Most edits between a text and a suggestion, however long they are. */
const MOST_EDITS = 3;
/** Fewest letters that count as the beginning of a name. */
const SHORTEST_BEGINNING = 3;
/** Longer texts are near to nothing. */
const LONGEST_TEXT = 64;

/**
 * At most `count` of `known` names that are near to `text`: first those that it begins, then those at few edits, nearest
 * first. Case of letters, blanks, hyphens and underscores do not count; the text itself is never among them.
 *
 * @internal
 */
export function nearestNames(text: string, known: readonly string[], count: number): string[] {
  if (text.length > LONGEST_TEXT) return [];
  const wanted = folded(text);
  const ranked: { name: string; distance: number }[] = [];
  for (const name of known) {
    const distance = distanceTo(wanted, folded(name));
    if (distance !== undefined && name !== text) ranked.push({ name, distance });
  }
  ranked.sort((a, b) => a.distance - b.distance || a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
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

/** A name by its letters, digits and signs alone. @internal */
export function folded(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** How far a name is from a text: 0 where they are the same, below 1 where the text begins it, else edits; none where far. */
function distanceTo(wanted: string, name: string): number | undefined {
  if (wanted === name) return 0;
  if (wanted.length >= SHORTEST_BEGINNING && name.startsWith(wanted)) return 0.5;
  const most = Math.min(MOST_EDITS, Math.floor(Math.max(wanted.length, name.length) / LETTERS_PER_EDIT));
  if (Math.abs(wanted.length - name.length) > most) return undefined;
  const edits = editDistance(wanted, name);
  return edits <= most ? edits : undefined;
}

/** Insertions, deletions, substitutions and swaps of neighbours that lead from `a` to `b`. @internal */
export function editDistance(a: string, b: string): number {
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
