/**
 * Aligned columns and lists of fields, in plain text.
 *
 * A table fits the terminal where there is one: the columns that may be cut are, from the widest on. In a pipe nothing is
 * cut, so that ids can be copied out of it.
 */
import { plain } from './plain.js';

/** One column of a table. @internal */
export interface Column<Row> {
  /** Its heading. */
  readonly title: string;
  /** What it shows of a row; undefined shows as `-`. */
  readonly of: (row: Row) => string | number | undefined;
  /** Numbers stand at the right. */
  readonly isNumber?: true;
  /** May be cut to fit a terminal; ids never are. */
  readonly isCuttable?: true;
}

const GAP = '  ';
const LEAST_WIDTH = 12;

/** Rows under headings, ending with a line break; `width` is that of the terminal, absent in a pipe. @internal */
export function tableText<Row>(rows: readonly Row[], columns: readonly Column<Row>[], width?: number): string {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map((column) => cellText(column.of(row)))),
  ];
  const widths = fitted(columns, widthsOf(cells), width);
  return cells.map((line) => `${lineText(line, columns, widths)}\n`).join('');
}

/** A field to show: its name and its text; undefined is left out. @internal */
export type Field = readonly [name: string, value: string | number | undefined];

/** Fields under each other, names aligned, ending with a line break; texts must be safe already or plain. @internal */
export function fieldsText(fields: readonly Field[], indent = ''): string {
  const shown = fields.filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => displayWidth(name)));
  return shown.map(([name, value]) => `${indent}${padEnd(name, width)}${GAP}${plain(String(value))}\n`).join('');
}

function cellText(value: string | number | undefined): string {
  const text = value === undefined ? '' : plain(String(value));
  return text === '' ? '-' : text;
}

function widthsOf(cells: readonly (readonly string[])[]): number[] {
  return (cells[0] ?? []).map((_, column) => Math.max(...cells.map((line) => displayWidth(line[column] ?? ''))));
}

/** Takes from the widest column that may be cut until the line fits, or nothing more may be taken. */
function fitted<Row>(columns: readonly Column<Row>[], widths: number[], width: number | undefined): readonly number[] {
  if (width === undefined) return widths;
  const total = () => widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));
  while (total() > width) {
    const candidates = widths.map((each, index) => (columns[index]?.isCuttable === true ? each : 0));
    const widest = Math.max(...candidates);
    if (widest <= LEAST_WIDTH) break;
    widths[candidates.indexOf(widest)] = Math.max(LEAST_WIDTH, widest - (total() - width));
  }
  return widths;
}

function lineText<Row>(line: readonly string[], columns: readonly Column<Row>[], widths: readonly number[]): string {
  const padded = line.map((text, index) => {
    const width = widths[index] ?? 0;
    const shown = cut(text, width);
    return columns[index]?.isNumber === true ? padStart(shown, width) : padEnd(shown, width);
  });
  return padded.join(GAP).trimEnd();
}

function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (displayWidth(`${kept}${character}`) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Columns that a text takes: wide characters two, combining marks none. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += /\p{M}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}
