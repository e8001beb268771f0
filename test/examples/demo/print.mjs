// Plain text for people.

/** A line. */
export function say(text = '') {
  process.stdout.write(`${text}\n`);
}

/** A heading. */
export function heading(text) {
  say(`\n${text}\n${'-'.repeat(text.length)}`);
}

/** Aligned columns. */
export function table(head, rows) {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => String(row[column]).length)));
  for (const row of [head, ...rows]) {
    say(
      `  ${row
        .map((cell, column) => String(cell).padEnd(widths[column]))
        .join('  ')
        .trimEnd()}`,
    );
  }
  say();
}
