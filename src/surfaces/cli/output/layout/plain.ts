/**
 * Text that may be shown: nothing that others wrote can move the cursor, forge a line or turn the direction of a text.
 *
 * Objectives, notes, labels and faults come from people and from handlers. Whatever the command prints of them for people
 * goes through here; JSON output escapes by its own rules, and what those leave is escaped here as well.
 */

/** Controls (C0, DEL, C1), line and paragraph separators, and marks that turn the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A text on one line, with every character that could act on a terminal written as `\uXXXX` (or `\n`, `\t`, `\r`). @internal */
export function plain(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** As {@link plain}, but a line break stays one and is followed by `indent`. @internal */
export function plainLines(text: string, indent: string): string {
  return text.split(/\r?\n/).map(plain).join(`\n${indent}`);
}

/** JSON text of a value: indented for a terminal, on one line for programs; safe to print. @internal */
export function jsonText(value: unknown, isIndented: boolean): string {
  const text = JSON.stringify(value, null, isIndented ? 2 : undefined) ?? 'null';
  // Between its tokens JSON has no character above the space but line breaks, so the rest stands inside of strings.
  return text.replace(UNSAFE, (character) => (character === '\n' ? character : unicodeEscape(character)));
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string): string {
  return SHORT[character] ?? unicodeEscape(character);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
