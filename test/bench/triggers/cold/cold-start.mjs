/** What a cold process pays: the imports, the first answer, and many triggers, in time and in memory. */
import { coldRun } from '../../measuring/cold.mjs';
import { goal } from '../../measuring/goals.mjs';
import { isQuick, rounds } from '../../measuring/quick.mjs';
import { bytes, ms, printTable } from '../../measuring/report.mjs';
import { interleaved, median } from '../../measuring/rounds.mjs';
import { COLD_ENGINES } from './cold-engines.mjs';

const FIRST_FILE = new URL('./first.mjs', import.meta.url);
const COMPILE_FILE = new URL('./compile.mjs', import.meta.url);
const IMPORT_FILE = new URL('./import.mjs', import.meta.url);
const FIRST_ZONE = 'Europe/London';

/** What is compiled together: how many, in how many zones, by whom, and how often. */
const COMPILED = [
  { count: 10_000, zones: 3, times: 5, engines: ['everdue', 'cron-schedule', 'cronosjs', 'cron-parser', 'croner'] },
  { count: 10_000, zones: 40, times: 3, engines: ['everdue'] },
  { count: 100_000, zones: 3, times: 3, engines: ['everdue', 'cron-schedule'] },
  { count: 100_000, zones: 40, times: 3, engines: ['everdue'] },
];
/** Peers that are stopped by the clock need not be asked so often. */
const PEER_TIMES = 2;

/** Prints the time of imports over a Node that imports nothing: of the processor, which a busy machine disturbs less. */
export async function importCold() {
  const dist = (door) => new URL(`../../../../dist/${door}.js`, import.meta.url).href;
  const cases = {
    'bare Node': [],
    'everdue/core': [dist('core')],
    'everdue and everdue/fs': [dist('index'), dist('fs')],
    croner: ['croner'],
    'cron-parser': ['cron-parser'],
    rrule: ['rrule'],
    'rrule-temporal': ['rrule-temporal'],
  };
  const walls = new Map(Object.keys(cases).map((name) => [name, []]));
  const contenders = Object.entries(cases).map(([name, imports]) => ({
    name,
    sample: async () => {
      const { cpuMs, wallMs } = await coldRun(IMPORT_FILE, imports);
      walls.get(name).push(wallMs);
      return cpuMs;
    },
  }));
  const samples = await interleaved(contenders, 7);
  const bare = samples.get('bare Node');
  const over = (name) => median(samples.get(name).map((value, round) => value - bare[round]));
  const rows = Object.keys(cases).map((name) => [
    name,
    ms(median(walls.get(name))),
    name === 'bare Node' ? '' : ms(over(name)),
  ]);
  printTable('Import', ['cold process', 'whole process', 'processor time over bare Node'], rows);
  goal({ what: 'import of `./core`', measured: over('everdue/core'), atMost: 15, aim: 8, show: ms });
  goal({ what: 'import of `.` and `./fs`', measured: over('everdue and everdue/fs'), atMost: 60, aim: 30, show: ms });
}

/** Prints what one due instant costs a process that has nothing yet: import, compile, first offset of a zone. */
export async function firstCold() {
  const runs = new Map(Object.keys(COLD_ENGINES).map((name) => [name, []]));
  const contenders = Object.keys(COLD_ENGINES).map((name) => ({
    name,
    sample: async () => {
      const run = await coldRun(FIRST_FILE, [name, FIRST_ZONE]);
      runs.get(name).push(run);
      return run.mainMs;
    },
  }));
  await interleaved(contenders, 7);
  const middle = (name, field) => median(runs.get(name).map((run) => run[field]));
  const rows = Object.keys(COLD_ENGINES).map((name) => [
    name,
    ...['importMs', 'ms', 'mainMs'].map((field) => ms(middle(name, field))),
  ]);
  printTable(`First due instant in ${FIRST_ZONE}`, ['cold process', 'import', 'until the answer', 'main thread'], rows);
}

/** Prints compile time and weight of many triggers beside those of the peers. */
export async function compileCold() {
  const rows = [];
  for (const { count, zones, times, engines } of COMPILED) {
    if (isQuick && count > 10_000) continue;
    const runs = new Map(engines.map((engine) => [engine, []]));
    for (let round = 0; round < rounds(times); round += 1) {
      for (const engine of engines) {
        if (engine !== 'everdue' && round >= PEER_TIMES) continue;
        runs.get(engine).push(await coldRun(COMPILE_FILE, [engine, count, zones]));
      }
    }
    const middle = (engine, field) => median(runs.get(engine).map((run) => run[field]));
    for (const engine of engines) rows.push(compileRow(engine, { count, zones }, (field) => middle(engine, field)));
    if (count !== 10_000 || zones !== 3) continue;
    const what = 'compile and first next of 10,000 in three zones, main thread';
    goal({ what, measured: middle('everdue', 'mainMs'), atMost: 150, aim: 60, show: ms });
    goal({ what: 'heap of a trigger', measured: middle('everdue', 'bytesEach'), atMost: 600, aim: 250, show: bytes });
  }
  const heads = ['cold process', 'zones', 'made', 'wall', 'main thread', 'each', 'heap each', 'resident, all'];
  printTable('Compile and first next due instant of many', heads, rows);
}

function compileRow(engine, { count, zones }, middle) {
  const made = middle('made');
  const number = made.toLocaleString('en');
  return [
    engine,
    engine === 'cron-schedule' ? "the host's" : zones,
    made < count ? `${number}, then stopped` : number,
    ms(middle('ms')),
    ms(middle('mainMs')),
    ms(middle('mainMs') / made),
    bytes(middle('bytesEach')),
    bytes(middle('residentBytes')),
  ];
}
