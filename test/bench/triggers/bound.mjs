/**
 * The bound: the barest search for the next due instant that this runtime allows, for five-field cron texts alone.
 *
 * Integer civil dates, bit sets, and a table of the zone's offsets that is filled beforehand. No errors, no options, no
 * `previous`. It keeps the same rules for gaps and repeats as the package, so that their answers can be compared.
 */

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const FROM = Date.UTC(2019, 0, 1);
const UNTIL = Date.UTC(2060, 0, 1);
const SAMPLE_MS = 6 * 86_400_000;
const BUCKET_MS = 100 * 86_400_000;

const zones = new Map();

/** Offsets of a zone: for each stretch its first instant and wall minutes from and until. */
function zoneTable(timezone) {
  const known = zones.get(timezone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
  const offsetAt = (at) => {
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format.format(at));
    return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
  const spans = [{ start: FROM, offset: offsetAt(FROM) }];
  for (let at = FROM; at < UNTIL; at += SAMPLE_MS) {
    const { offset } = spans.at(-1);
    if (offsetAt(at + SAMPLE_MS) === offset) continue;
    let [low, high] = [at, at + SAMPLE_MS];
    while (high - low > MINUTE_MS) {
      const middle = Math.floor((low + high) / 2 / MINUTE_MS) * MINUTE_MS;
      if (offsetAt(middle) === offset) low = middle;
      else high = middle;
    }
    spans.push({ start: high, offset: offsetAt(high) });
  }
  const end = (index) => spans[index + 1]?.start ?? UNTIL;
  const table = {
    starts: spans.map(({ start }) => start),
    offsets: spans.map(({ offset }) => offset),
    wallFrom: spans.map(({ start, offset }) => start / MINUTE_MS + offset),
    wallUntil: spans.map(({ offset }, index) => end(index) / MINUTE_MS + offset),
    buckets: [],
  };
  for (let at = FROM; at < UNTIL; at += BUCKET_MS) table.buckets.push(spans.findLastIndex(({ start }) => start <= at));
  zones.set(timezone, table);
  return table;
}

const NAMES = { MON: 1, TUE: 2, WED: 3, THU: 4, FRI: 5, SAT: 6, SUN: 0 };

/** Bit k is set where a field of a five-field cron text wants k. */
export function fieldBits(text, low, high) {
  let bits = 0n;
  for (const part of text.split(',')) {
    const [range, step = '1'] = part.split('/');
    const [from, to = from] = range === '*' ? [low, high] : range.split('-').map((name) => NAMES[name] ?? Number(name));
    for (let value = from; value <= to; value += Number(step)) bits |= 1n << BigInt(value);
  }
  return bits;
}

/** For each value the next one that is set, itself included; 255 where none is. */
function following(bits, size) {
  const next = new Uint8Array(size + 1).fill(255);
  for (let value = size - 1; value >= 0; value -= 1)
    next[value] = (bits >> BigInt(value)) & 1n ? value : next[value + 1];
  return next;
}

/** Compiles a five-field cron text; what it gives has `next(ms)` alone. */
export function bound(expression, timezone) {
  const [minute, hour, date, month, weekday] = expression.split(' ');
  return new Bound(zoneTable(timezone), {
    minutes: following(fieldBits(minute, 0, 59), 60),
    hours: following(fieldBits(hour, 0, 23), 24),
    dates: date === '*' || date === 'L' ? -1 : Number(fieldBits(date, 1, 31) >> 1n) | 0,
    isLast: date === 'L',
    isAnyDate: date === '*' && month === '*',
    months: Number(fieldBits(month, 1, 12) >> 1n),
    weekdays: Number(fieldBits(weekday, 0, 6)),
    isEveryPass: minute.startsWith('*') || hour.startsWith('*'),
  });
}

class Bound {
  constructor(zone, fields) {
    Object.assign(this, fields);
    this.zone = zone;
    this.first = this.hours[0] * 60 + this.minutes[0];
  }

  next(after) {
    const { starts, offsets, wallFrom, wallUntil, buckets } = this.zone;
    let span = buckets[Math.floor((after - FROM) / BUCKET_MS)];
    while (after >= starts[span + 1]) span += 1;
    let wall = Math.floor(after / MINUTE_MS) + 1 + offsets[span];
    if (!this.isEveryPass && span > 0 && wall < wallUntil[span - 1]) wall = wallUntil[span - 1];
    search: for (;;) {
      wall = this.wanted(wall);
      while (wall >= wallUntil[span]) {
        span += 1;
        if (span === starts.length) return undefined;
        const isMissed = wall < wallFrom[span];
        if (isMissed || (this.isEveryPass && wallFrom[span] < wallUntil[span - 1])) {
          wall = wallFrom[span];
          continue search;
        }
      }
      return (wall - offsets[span]) * MINUTE_MS;
    }
  }

  /** The first wanted wall minute from this one on. */
  wanted(wall) {
    const today = Math.floor(wall / DAY_MINUTES);
    const day = this.day(today);
    if (day > today) return day * DAY_MINUTES + this.first;
    const rest = wall - today * DAY_MINUTES;
    const hour = (rest / 60) | 0;
    if (this.hours[hour] === hour) {
      const minute = this.minutes[rest - hour * 60];
      if (minute < 60) return today * DAY_MINUTES + hour * 60 + minute;
    }
    const later = this.hours[hour + 1];
    if (later < 24) return today * DAY_MINUTES + later * 60 + this.minutes[0];
    return this.day(today + 1) * DAY_MINUTES + this.first;
  }

  day(from) {
    const weekday = (from + 4) % 7;
    if (this.isAnyDate) {
      if (this.weekdays === 127) return from;
      return from + lowestBit((this.weekdays >> weekday) | (this.weekdays << (7 - weekday)));
    }
    return this.monthly(from, weekday);
  }

  monthly(from, weekday) {
    // Days to civil date, with years that begin in March.
    const shifted = from + 719_468;
    const era = Math.floor(shifted / 146_097);
    const ofEra = shifted - era * 146_097;
    const yearOfEra = ((ofEra - ((ofEra / 1460) | 0) + ((ofEra / 36_524) | 0) - ((ofEra / 146_096) | 0)) / 365) | 0;
    const ofYear = ofEra - (365 * yearOfEra + (yearOfEra >> 2) - ((yearOfEra / 100) | 0));
    const marched = ((5 * ofYear + 2) / 153) | 0;
    const date = ofYear - (((153 * marched + 2) / 5) | 0);
    let month = marched < 10 ? marched + 2 : marched - 10;
    let year = yearOfEra + era * 400 + (month < 2 ? 1 : 0);
    let first = from - date;
    let firstWeekday = (weekday + 35 - date) % 7;
    let left = -1 << date;
    for (let tried = 0; tried < 12 * 41; tried += 1) {
      const length = month === 1 ? (isLeap(year) ? 29 : 28) : 30 + ((0xad5 >> month) & 1);
      if ((this.months >> month) & 1) {
        const found = this.daysOf(length, firstWeekday) & left;
        if (found !== 0) return first + lowestBit(found);
      }
      first += length;
      firstWeekday = (firstWeekday + length) % 7;
      month += 1;
      left = -1;
      if (month === 12) {
        month = 0;
        year += 1;
      }
    }
    return UNTIL;
  }

  daysOf(length, firstWeekday) {
    const real = -1 >>> (32 - length);
    const dates = this.isLast ? 1 << (length - 1) : this.dates & real;
    if (this.weekdays === 127) return dates;
    const week = (this.weekdays >> firstWeekday) | (this.weekdays << (7 - firstWeekday));
    return dates & (week | (week << 7) | (week << 14) | (week << 21) | (week << 28));
  }
}

function isLeap(year) {
  return (year & 3) === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function lowestBit(bits) {
  return 31 - Math.clz32(bits & -bits);
}
