/**
 * Regular expressions: none whose work could grow faster than the text.
 *
 * Judged by their form, not by a clock. A pattern without a group that is repeated without bound cannot be exponential; one with
 * a single repetition that is anchored, or stands at its end, is linear. Every other one is named here, with what bounds it.
 */
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { filesBelow, lineOf, syntaxOf } from '../house/source-tree.js';

interface Pattern {
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

/** Patterns with more repetitions than one, or one in the middle that may begin anywhere, and why they are linear. */
const JUDGED: Readonly<Record<string, string>> = {
  '^([^~/\\\\\\0]+)~(\\d+)~(?:(\\d{8}T\\d{9}Z)|m~([^~/\\\\\\0]+))$': 'no repetition takes the `~` that ends it',
  ';([A-Za-z0-9-]+)=("[^"]*"|[^";:,]*)': 'sticky; no repetition takes the character that ends it',
  '`everdue schedule ([a-z-]+)`': 'begins with a text that the repetition cannot take; texts of our own',
  '^\\{"format":"([a-z/-]+)","version":(\\d+),"sha256":"([0-9a-f]{64})","body":$':
    'no repetition takes the `"` or `,` behind it',
  'Did you mean (.*)\\?\\)': 'a message about one argument, of whoever typed it',
  '\\[.*\\]$': 'asked of texts of at most 64 characters',
  'T[\\d:.]+[+-](\\d{4}|\\d\\d)$': 'asked of texts of at most 64 characters',
  '^(etc\\/)?(?:utc|gmt|z)?\\s*([+-])\\s*(\\d{1,2})(?::?([0-5]\\d))?$': 'a sign stands between the two repetitions',
  '(standard|daylight|summer) time$|^russia time zone \\d+$|^\\((utc|gmt)': 'its repetition is anchored',
  '^(\\w+)(?:\\[(\\d+)\\])?': 'a bracket is no part of a word',
};

function patternsOf(path: string): readonly Pattern[] {
  const found: Pattern[] = [];
  const file = syntaxOf(path);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({
        at: `${path}:${lineOf(node)}`,
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const UNBOUNDED = /^(?:[*+]|\{\d+,\})/;

/** What of a pattern its shape is: classes are `C`, escapes `E`, and lazy marks are gone. */
function shapeOf(source: string): string {
  return source
    .replace(/\\[pPu]\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\./g, 'E')
    .replace(/\[[^\]]*\]/g, 'C')
    .replace(/([*+?}])\?/g, '$1')
    .replace(/\(\?(?:[:=!]|<[=!])/g, '(');
}

/** Positions at which something is repeated without bound. */
function repetitions(shape: string): readonly number[] {
  return [...shape].flatMap((_, at) => (UNBOUNDED.test(shape.slice(at)) ? [at] : []));
}

function hasRepeatedGroup(shape: string): boolean {
  return repetitions(shape).some((at) => shape[at - 1] === ')');
}

/** Whether a form alone says that it is linear. */
function isPlain({ source, flags }: Pattern): boolean {
  const shape = shapeOf(source);
  const found = repetitions(shape);
  if (found.length === 0) return true;
  const [only = 0] = found;
  const isAnchored = shape.startsWith('^') || flags.includes('y');
  const isAtEnd = /^(?:[*+]|\{\d+,\})$/.test(shape.slice(only));
  return found.length === 1 && (isAnchored || isAtEnd);
}

const patterns = filesBelow('src', '.ts').flatMap(patternsOf);

describe('regular expressions', () => {
  it('[TR-7, DE-1] are found, and none is made of a text at run time', () => {
    expect(patterns.length).toBeGreaterThan(50);
    const made = filesBelow('src', '.ts').filter((path) => /\bRegExp\s*\(/.test(syntaxOf(path).text));
    expect(made).toEqual([]);
  });

  it('[TR-7, DE-1] repeat no group without bound', () => {
    expect(patterns.filter(({ source }) => hasRepeatedGroup(shapeOf(source)))).toEqual([]);
  });

  it('[TR-7, DE-1] are linear by their form, or judged', () => {
    const open = patterns.filter((pattern) => !isPlain(pattern) && JUDGED[pattern.source] === undefined);
    expect(open, 'rewrite it, or say in JUDGED what bounds its work').toEqual([]);
    const idle = Object.keys(JUDGED).filter(
      (source) => !patterns.some((one) => one.source === source && !isPlain(one)),
    );
    expect(idle, 'delete the row').toEqual([]);
  });

  it('[TR-7] of the kinds that are known to explode would be noticed', () => {
    for (const source of ['(a+)+$', '(a*)*', '(a|aa)+$', '(?:\\d+-?)*x', '([a-z]+,){3,}']) {
      expect(hasRepeatedGroup(shapeOf(source)), source).toBe(true);
    }
    for (const source of ['\\s+$', '^a*a*$', 'x\\d+y', '.*,.*'])
      expect(isPlain({ at: '', source, flags: '' }), source).toBe(false);
    for (const source of ['^a+$', '[(+*)]', '\\(\\+', '^(ab)?c{1,9}$', '#.*']) {
      expect(isPlain({ at: '', source, flags: '' }), source).toBe(true);
    }
  });
});
