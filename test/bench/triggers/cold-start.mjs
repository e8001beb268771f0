/** What a cold process pays: compiling many triggers, what they weigh, and the imports themselves. */
import { coldRun } from '../measuring/cold.mjs';
import { bytes, digits, ms, printTable } from '../measuring/report.mjs';
import { interleaved, median } from '../measuring/rounds.mjs';

/** Engine to how many it compiles; two of them would take too long, or too much memory, for all. */
const ENGINES = { everdue: 10_000, 'cron-schedule': 10_000, 'cron-parser': 2_000, croner: 1_000 };
const ROUNDS = 5;

/** Prints compile time and weight of many triggers beside those of the peers. */
export async function compileCold() {
  const runs = new Map(Object.keys(ENGINES).map((engine) => [engine, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [engine, count] of Object.entries(ENGINES)) {
      runs.get(engine).push(await coldRun(new URL('./cold-compile.mjs', import.meta.url), [engine, count]));
    }
  }
  const each = (engine, field) =>
    median(runs.get(engine).map((run) => run[field])) / (field === 'ms' ? ENGINES[engine] : 1);
  const rows = Object.entries(ENGINES).map(([engine, count]) => {
    const factors = ['ms', 'bytesEach'].map((field) => digits(each(engine, field) / each('everdue', field)));
    return [
      `${engine} (${count})`,
      ms(each(engine, 'ms') * count),
      ms(each(engine, 'ms')),
      factors[0],
      bytes(each(engine, 'bytesEach')),
      factors[1],
    ];
  });
  rows.push(['required of everdue', '<= 150 ms', '', '', '<= 600 B', '']);
  const heads = ['three zones, cold process', 'all', 'each', '/ everdue', 'heap each', '/ everdue'];
  printTable('Compile and first next due instant', heads, rows);
}

/** Prints the time of imports over a Node that imports nothing: of the processor, which a busy machine disturbs less. */
export async function importCold() {
  const file = new URL('./cold-import.mjs', import.meta.url);
  const dist = (door) => new URL(`../../../dist/${door}.js`, import.meta.url).href;
  const cases = {
    'bare Node': [],
    'everdue/core': [dist('core')],
    'everdue and everdue/fs': [dist('index'), dist('fs')],
    croner: ['croner'],
    'cron-parser': ['cron-parser'],
  };
  const walls = new Map(Object.keys(cases).map((name) => [name, []]));
  const contenders = Object.entries(cases).map(([name, imports]) => ({
    name,
    sample: async () => {
      const { cpuMs, wallMs } = await coldRun(file, imports);
      walls.get(name).push(wallMs);
      return cpuMs;
    },
  }));
  const samples = await interleaved(contenders, 7);
  const bare = samples.get('bare Node');
  const goals = { 'everdue/core': '<= 15 ms', 'everdue and everdue/fs': '<= 60 ms' };
  const rows = Object.keys(cases).map((name) => {
    const over = median(samples.get(name).map((value, round) => value - bare[round]));
    return [name, ms(median(walls.get(name))), name === 'bare Node' ? '' : ms(over), goals[name] ?? ''];
  });
  printTable('Import', ['cold process', 'whole process', 'processor time over bare Node', 'required'], rows);
}
