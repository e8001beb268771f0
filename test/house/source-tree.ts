/**
 * Reads the tree for the house tests: which files there are, their syntax, and what they import.
 *
 * Nothing here knows a rule. Paths are relative to the root of the repository, with forward slashes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Root of the repository, absolute. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** One import, re-export or `import()` of a source file. */
export interface Import {
  readonly from: string;
  readonly line: number;
  /** Package or built-in name as written, or the path of the source file that a relative text leads to. */
  readonly target: string;
  readonly isRelative: boolean;
  readonly isTypeOnly: boolean;
  readonly isDynamic: boolean;
}

/** Every file below a folder whose name ends in one of the endings, sorted; nothing from installed packages. */
export function filesBelow(folder: string, ...endings: readonly string[]): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length).replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/'))
    .sort();
}

/** Text of a file of the repository. */
export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

const parsed = new Map<string, ts.SourceFile>();

/** Syntax tree of a file, with parents; parsed once. */
export function syntaxOf(path: string): ts.SourceFile {
  let tree = parsed.get(path);
  if (tree === undefined) {
    tree = ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest, true);
    parsed.set(path, tree);
  }
  return tree;
}

/** Line of a node, counted from 1. */
export function lineOf(node: ts.Node): number {
  const tree = node.getSourceFile();
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

/** Calls `visit` for a node and everything below it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Everything that a file imports, in the order of the text. */
export function importsOf(path: string): readonly Import[] {
  const found: Import[] = [];
  walk(syntaxOf(path), (node) => {
    const specifier = specifierOf(node);
    if (specifier === undefined) return;
    const isRelative = specifier.startsWith('.');
    found.push({
      from: path,
      line: lineOf(node),
      target: isRelative ? posix.join(dirname(path), specifier).replace(/\.js$/, '.ts') : specifier,
      isRelative,
      isTypeOnly: isTypeOnly(node),
      isDynamic: ts.isCallExpression(node),
    });
  });
  return found;
}

/** Names that a door re-exports. */
export function namesExportedBy(path: string): readonly string[] {
  return syntaxOf(path).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) return [];
    const { exportClause } = statement;
    const isList = exportClause !== undefined && ts.isNamedExports(exportClause);
    return isList ? exportClause.elements.map((element) => element.name.text) : [];
  });
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOfLiteral(node.moduleSpecifier);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOfLiteral(node.argument.literal);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return textOfLiteral(node.arguments[0]) ?? '(computed)';
  }
  return undefined;
}

function textOfLiteral(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly || allTypes(node.exportClause);
  if (!ts.isImportDeclaration(node) || node.importClause === undefined) return false;
  const { importClause } = node;
  if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  return importClause.name === undefined && allTypes(importClause.namedBindings);
}

function allTypes(clause: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  if (clause === undefined || ts.isNamespaceImport(clause) || ts.isNamespaceExport(clause)) return false;
  return clause.elements.length > 0 && clause.elements.every((element) => element.isTypeOnly);
}
