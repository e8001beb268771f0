/** Tables as Markdown, and numbers as people read them. */

/** Prints a table: the first column to the left, the others to the right. */
export function printTable(title, heads, rows) {
  const all = [heads, ...rows.map((row) => row.map(String))];
  const widths = heads.map((_, column) => Math.max(3, ...all.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((text, column) => pad(text, widths[column], column)).join(' | ')} |`;
  console.log(`\n${title}\n`);
  console.log(line(heads));
  console.log(
    `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`,
  );
  for (const row of all.slice(1)) console.log(line(row));
}

function pad(text, width, column) {
  return column === 0 ? text.padEnd(width) : text.padStart(width);
}

/** A time given in nanoseconds. */
export function time(ns) {
  if (ns < 0) return `-${time(-ns)}`;
  if (ns < 1e3) return `${digits(ns)} ns`;
  if (ns < 1e6) return `${digits(ns / 1e3)} us`;
  if (ns < 1e9) return `${digits(ns / 1e6)} ms`;
  return `${digits(ns / 1e9)} s`;
}

/** A time given in milliseconds. */
export function ms(value) {
  return time(value * 1e6);
}

/** So many a second. */
export function rate(value) {
  return `${Math.round(value).toLocaleString('en')}/s`;
}

/** A size given in bytes. */
export function bytes(value) {
  if (Math.abs(value) < 1024) return `${Math.round(value)} B`;
  if (Math.abs(value) < 1024 ** 2) return `${digits(value / 1024)} KiB`;
  return `${digits(value / 1024 ** 2)} MiB`;
}

/** A factor or another plain number with three digits that count. */
export function digits(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}
