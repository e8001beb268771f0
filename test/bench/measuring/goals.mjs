/** What is required of a topic beside what was measured: gathered on the way, printed at the end, so that none is overlooked. */
import { digits, printTable } from './report.mjs';

const goals = [];

/**
 * Notes a goal: `{what, measured, atLeast, aim}` or `{what, measured, atMost, aim}`; `show` turns the numbers into text.
 * A benchmark judges nothing: one that is missed is said to be, and no more.
 */
export function goal({ show = digits, ...rest }) {
  goals.push({ show, ...rest });
}

/** Prints every goal that was noted. */
export function printGoals() {
  const rows = goals.map(({ what, measured, atLeast, atMost, aim, show }) => {
    const sign = atLeast === undefined ? '<=' : '>=';
    const reaches = (bound) => (atLeast === undefined ? measured <= bound : measured >= bound);
    const word = reaches(aim) ? 'met, and the aim' : reaches(atLeast ?? atMost) ? 'met' : 'NOT met';
    return [what, `${sign} ${show(atLeast ?? atMost)}`, `${sign} ${show(aim)}`, show(measured), word];
  });
  printTable('Goals', ['what', 'required', 'aimed at', 'measured', ''], rows);
}
