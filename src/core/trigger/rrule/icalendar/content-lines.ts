/**
 * Content lines of iCalendar (RFC 5545, section 3.1): `NAME;PARAMETER=value:value`, folded over several lines of text.
 *
 * One pass, linear in the length of the text. Lines may end with CRLF, as the RFC asks, or with LF alone.
 */

import { foundText, type Issue } from '../../../model/issue.js';

/**
 * A content line that was read.
 *
 * @internal
 */
export interface ContentLine {
  /** Line of the text on which it begins, counted from 1. */
  readonly line: number;
  /** In upper case. */
  readonly name: string;
  /** By name in upper case; values without their quotes. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
}

/** Most octets of a line of text, as the RFC asks. */
const LINE_OCTETS = 75;

/**
 * The content lines of a text; those that are none become issues.
 *
 * @internal
 */
export function contentLines(text: string, issues: Issue[]): readonly ContentLine[] {
  const lines: ContentLine[] = [];
  for (const { line, text: whole } of unfold(text)) {
    const read = readLine(line, whole);
    if (read === undefined) {
      issues.push(lineIssue(line, '', 'is no content line: `NAME:value` or `NAME;PARAMETER=value:value`', whole));
    } else {
      lines.push(read);
    }
  }
  return lines;
}

/** Lines of text that begin with a blank go on with the line before; empty ones are left out. */
function unfold(text: string): readonly { readonly line: number; readonly text: string }[] {
  const whole: { readonly line: number; readonly pieces: string[] }[] = [];
  text.split(/\r?\n/).forEach((piece, index) => {
    const last = whole.at(-1);
    if (last !== undefined && (piece.startsWith(' ') || piece.startsWith('\t'))) last.pieces.push(piece.slice(1));
    else whole.push({ line: index + 1, pieces: [piece] });
  });
  return whole.map(({ line, pieces }) => ({ line, text: pieces.join('') })).filter((one) => one.text !== '');
}

function readLine(line: number, text: string): ContentLine | undefined {
  const name = /^[A-Za-z0-9-]+/.exec(text)?.[0];
  if (name === undefined) return undefined;
  const parameters = new Map<string, string>();
  const parameter = /;([A-Za-z0-9-]+)=("[^"]*"|[^";:,]*)/y;
  let at = name.length;
  while (text[at] === ';') {
    parameter.lastIndex = at;
    const match = parameter.exec(text);
    if (match === null) return undefined;
    const [whole, key, value] = match as unknown as [string, string, string];
    parameters.set(key.toUpperCase(), value.replaceAll('"', ''));
    at += whole.length;
  }
  return text[at] === ':' ? { line, name: name.toUpperCase(), parameters, value: text.slice(at + 1) } : undefined;
}

/**
 * A fault on a line of text.
 *
 * @internal
 */
export function lineIssue(line: number, path: string, message: string, found?: string): Issue {
  const issue: Issue = { path, rule: 'TR-14', message: `line ${line}: ${message}`, line };
  return found === undefined ? issue : { ...issue, found: foundText(found) };
}

/**
 * A content line as text, ASCII alone: folded, and ended with CRLF.
 *
 * @internal
 */
export function foldLine(text: string): string {
  const pieces = [text.slice(0, LINE_OCTETS)];
  // The blank that begins a further line counts as well.
  for (let at = LINE_OCTETS; at < text.length; at += LINE_OCTETS - 1) pieces.push(text.slice(at, at + LINE_OCTETS - 1));
  return `${pieces.join('\r\n ')}\r\n`;
}
