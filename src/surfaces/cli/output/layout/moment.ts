/**
 * Times for people: how long, and how far away.
 */

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** A duration in its two greatest units, such as `2 h 5 min`; below a second, milliseconds. @internal */
export function durationText(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole < 1000) return `${whole} ms`;
  const greatest = UNITS.findIndex(([, size]) => whole >= size);
  const parts: string[] = [];
  let rest = whole;
  for (const [name, size] of UNITS.slice(greatest, greatest + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.join(' ');
}

/** How far an instant is from `now`: `in 5 min`, `2 d 3 h ago`, `now`. @internal */
export function distanceText(instant: string, now: number): string {
  const ms = Date.parse(instant) - now;
  if (Math.abs(ms) < 1000) return 'now';
  return ms > 0 ? `in ${durationText(ms)}` : `${durationText(-ms)} ago`;
}

/** An instant with its distance from `now`; undefined stays undefined. @internal */
export function momentText(instant: string | undefined, now: number): string | undefined {
  return instant === undefined ? undefined : `${instant} (${distanceText(instant, now)})`;
}
