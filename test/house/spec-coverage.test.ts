/**
 * Every rule of `src/SPEC.md` is quoted by a test, and no test quotes a rule that is gone.
 *
 * A rule is written `- **XX-n** text`. A test quotes it at the start of its title, or of the title of its row in a
 * table: `[XX-n] sentence`, or `[XX-n, YY-m] sentence`.
 */
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { filesBelow, lineOf, syntaxOf, textOf, walk } from './source-tree.js';

const RULE = /^- \*\*([A-Z]{2}-\d+)\*\* \S/;
const ALMOST_RULE = /^\s*[-*]\s+\**[A-Z]{2}-\d+/;
const QUOTE = /^\[([A-Z]{2}-\d+(?:, [A-Z]{2}-\d+)*)\] /;

const lines = textOf('src/SPEC.md').split('\n');
const rules = lines.flatMap((line) => RULE.exec(line)?.[1] ?? []);
const quotes = filesBelow('test', '.ts').flatMap(quotesIn);

interface Quote {
  readonly rule: string;
  readonly where: string;
}

function quotesIn(path: string): readonly Quote[] {
  const found: Quote[] = [];
  walk(syntaxOf(path), (node) => {
    if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node)) return;
    const list = QUOTE.exec(node.text)?.[1] ?? '';
    for (const rule of list.split(', ')) if (rule !== '') found.push({ rule, where: `${path}:${lineOf(node)}` });
  });
  return found;
}

describe('spec coverage', () => {
  it('rules are written in one form', () => {
    const odd = lines.filter((line) => ALMOST_RULE.test(line) && !RULE.test(line));
    expect(odd, 'write `- **XX-n** text`').toEqual([]);
  });

  it('no rule number is given twice', () => {
    const twice = rules.filter((rule, index) => rules.indexOf(rule) !== index);
    expect(twice, 'take the next free number; numbers of rules that are gone stay unused').toEqual([]);
  });

  it('every rule is quoted by a test', () => {
    const quoted = new Set(quotes.map(({ rule }) => rule));
    expect(
      rules.filter((rule) => !quoted.has(rule)),
      'write a test whose title starts with `[XX-n] `',
    ).toEqual([]);
  });

  it('no test quotes a rule that is gone', () => {
    const unknown = quotes
      .filter(({ rule }) => !rules.includes(rule))
      .map(({ rule, where }) => `${where} quotes ${rule}`);
    expect(unknown, 'correct the number, or write the rule into src/SPEC.md').toEqual([]);
  });
});
