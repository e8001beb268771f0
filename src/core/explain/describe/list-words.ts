/**
 * Lists, ranges, ordinals and spans of time in English: the small words of every description.
 */

/** `a`, `a and b`, `a, b and c`; with another last word, `a, b or c`. @internal */
export function listed(words: readonly string[], last = 'and'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** Numbers that ascend: three or more in a row as a range, four or more at equal distances with their step. @internal */
export function numbersText(numbers: readonly number[], last?: string): string {
  const step = stepOf(numbers);
  if (step > 1 && numbers.length > 3) return `${numbers[0]} to ${numbers.at(-1)} (in steps of ${step})`;
  return namesText(numbers, String, last);
}

/** Numbers that ascend, by their names: three or more in a row as a range. @internal */
export function namesText(numbers: readonly number[], nameOf: (number: number) => string, lastWord?: string): string {
  return listed(
    runsOf(numbers).flatMap(([first, last]) => runText(first, last, nameOf)),
    lastWord,
  );
}

function runText(first: number, last: number, nameOf: (number: number) => string): readonly string[] {
  if (last - first > 1) return [`${nameOf(first)} to ${nameOf(last)}`];
  return first === last ? [nameOf(first)] : [nameOf(first), nameOf(last)];
}

/** The distance of all neighbours where it is one and the same; else 0. */
function stepOf(numbers: readonly number[]): number {
  const step = (numbers[1] ?? 0) - (numbers[0] ?? 0);
  return numbers.every((number, i) => i === 0 || number - (numbers[i - 1] as number) === step) ? step : 0;
}

function runsOf(numbers: readonly number[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run !== undefined && number === run[1] + 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

/** `day 3` or `days 3 and 5`. @internal */
export function counted(word: string, numbers: readonly number[]): string {
  return `${word}${numbers.length === 1 ? '' : 's'} ${numbersText(numbers)}`;
}

/** `1st`, `2nd`, `3rd`, `4th`, `11th`. @internal */
export function ordinal(number: number): string {
  const tens = number % 100;
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending}`;
}

/** `2nd`, and counted from the end: `last`, `2nd last`. @internal */
export function placeText(nth: number): string {
  if (nth > 0) return ordinal(nth);
  return nth === -1 ? 'last' : `${ordinal(-nth)} last`;
}

const UNITS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** A span of elapsed time, exactly: `90 minutes` is `1 hour 30 minutes`, half a second is `0.5 seconds`. @internal */
export function spanText(ms: number): string {
  const parts: string[] = [];
  let rest = ms;
  for (const [name, size] of UNITS) {
    const count = name === 'second' ? rest / size : Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' ');
}

/** A span after `every`: `hour`, `15 minutes`. @internal */
export function everySpanText(ms: number): string {
  const text = spanText(ms);
  return /^1 [a-z]+$/.test(text) ? text.slice(2) : text;
}

/** The numbers of the bits that are set; bit 0 is `first`. @internal */
export function numbersOf(bits: number, first: number): readonly number[] {
  const numbers: number[] = [];
  for (let bit = 0; bit < 31; bit += 1) if ((bits & (1 << bit)) !== 0) numbers.push(bit + first);
  return numbers;
}
