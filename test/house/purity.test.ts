/** The core decides on data alone: no clock, no chance, no waiting, no host, no throwing for foreseeable outcomes. */
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { filesBelow, lineOf, syntaxOf, walk } from './source-tree.js';

/** Names of the language that reach out of the core, with the files that may use them. */
const FORBIDDEN_NAMES: Readonly<Record<string, { readonly instead: string; readonly except?: readonly string[] }>> = {
  Date: { instead: 'take `now` as epoch milliseconds; civil dates are integer arithmetic of time/' },
  Intl: { instead: 'ask time/zones.ts', except: ['src/core/time/zones.ts'] },
  Temporal: { instead: 'ask time/zones.ts', except: ['src/core/time/zones.ts'] },
  globalThis: { instead: 'take what is needed as an argument', except: ['src/core/time/zones.ts'] },
  Promise: { instead: 'return data; the runtime waits' },
  process: { instead: 'take what is needed as an argument' },
  console: { instead: 'return what happened as data' },
  performance: { instead: 'take `now` as an argument' },
  crypto: { instead: 'take the id or the digest as an argument' },
  fetch: { instead: 'return an effect; the runtime acts on it' },
  setTimeout: { instead: 'return when to wake; the runtime sleeps' },
  setInterval: { instead: 'return when to wake; the runtime sleeps' },
  setImmediate: { instead: 'return an effect; the runtime acts on it' },
  queueMicrotask: { instead: 'return an effect; the runtime acts on it' },
};

/** The one file that tells a `Date` from other input: it may name the type and test for it, never make one. */
const TELLS_DATES = 'src/core/time/instant.ts';

/**
 * Files that may throw: they refuse wrong use by a programmer, front the core for callers who want exceptions, or guard what a
 * host injects.
 */
const MAY_THROW: readonly string[] = [
  'src/core/trigger/ask.ts',
  'src/core/trigger/rrule/icalendar/icalendar.ts',
  'src/core/time/instant.ts',
  'src/core/time/zone-data.ts',
];

function judge(path: string, node: ts.Node): string | undefined {
  if (ts.isAwaitExpression(node)) return 'await: return data; the runtime waits';
  if (ts.isForOfStatement(node) && node.awaitModifier !== undefined) return 'for await: return data; the runtime waits';
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return 'async: return data; the runtime waits';
  if (ts.isThrowStatement(node) && !MAY_THROW.includes(path))
    return 'throw: return a refusal, or a list of issues, as data';
  if (ts.isIdentifier(node) && isFreeName(node)) return judgeName(path, node);
  if (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random') {
    return 'Math.random: derive it from the occurrence id, so that it is repeatable';
  }
  return undefined;
}

function judgeName(path: string, node: ts.Identifier): string | undefined {
  if (!Object.hasOwn(FORBIDDEN_NAMES, node.text)) return undefined;
  const rule = FORBIDDEN_NAMES[node.text];
  if (rule === undefined || rule.except?.includes(path) === true) return undefined;
  if (node.text === 'Date' && path === TELLS_DATES && isTypeCheck(node)) return undefined;
  return `${node.text}: ${rule.instead}`;
}

/** Whether a name stands for itself, rather than being the member of something or the key of an object. */
function isFreeName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isQualifiedName(parent)) return parent.left === node;
  const isNamed =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isMethodDeclaration(parent);
  return !(isNamed && parent.name === node);
}

function isTypeCheck(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isTypeReferenceNode(parent)) return true;
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
}

describe('purity of the core', () => {
  it('nothing in src/core reaches for a clock, chance, the host or a promise', () => {
    const complaints: string[] = [];
    for (const path of filesBelow('src/core', '.ts')) {
      walk(syntaxOf(path), (node) => {
        const text = judge(path, node);
        if (text !== undefined) complaints.push(`${path}:${lineOf(node)} ${text}`);
      });
    }
    expect(complaints).toEqual([]);
  });
});
