/**
 * In a cold process: compiles many triggers with one engine and asks each for its next due instant. It stops where that takes
 * too long or too much memory, and tells how far it came.
 */
import { liveBytes, mainThreadMs, tell } from '../../measuring/cold.mjs';
import { COLD_ENGINES } from './cold-engines.mjs';

const [engine, count, zoneCount] = process.argv.slice(2).map((word, index) => (index === 0 ? word : Number(word)));
const AT = Date.UTC(2026, 0, 5);
const LONGEST_MS = 4000;
const MOST_RESIDENT_BYTES = 700 * 1024 ** 2;
/** So many are made between two looks at the clock. */
const BATCH = 250;

const FEW = ['Europe/London', 'America/Winnipeg', 'Australia/Lord_Howe'];
const MANY = Intl.supportedValuesOf('timeZone').filter((_, index) => index % 10 === 0);
const zones = [...FEW, ...MANY].slice(0, zoneCount);

/** Four shapes of text, with minutes and hours of their own. */
function expressionOf(index) {
  const [minute, hour] = [index % 60, Math.floor(index / 60) % 24];
  const texts = [
    `${minute} ${hour} * * *`,
    `${minute} ${hour} * * 1-5`,
    `*/${(minute % 29) + 1} ${hour} * * MON-FRI`,
    `${minute} ${hour} ${(index % 28) + 1} * *`,
  ];
  return texts[index % texts.length];
}

const make = await COLD_ENGINES[engine]();
const kept = new Array(count);
const before = liveBytes();
const residentBefore = process.memoryUsage.rss();
const [started, startedMain] = [performance.now(), mainThreadMs()];
let sum = 0;
let made = 0;
while (made < count) {
  for (const until = Math.min(made + BATCH, count); made < until; made += 1) {
    const { it, next } = make(expressionOf(made), zones[made % zones.length]);
    kept[made] = it;
    sum += next(AT);
  }
  if (performance.now() - started > LONGEST_MS || process.memoryUsage.rss() > MOST_RESIDENT_BYTES) break;
}
const [ms, mainMs] = [performance.now() - started, mainThreadMs() - startedMain];
const residentBytes = process.memoryUsage.rss() - residentBefore;
tell({ ms, mainMs, made, bytesEach: (liveBytes() - before) / made, residentBytes, isKept: kept.length > 0 && sum > 0 });
