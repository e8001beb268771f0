/**
 * The enumeration: every transaction, disturbed at every step in every way, and every power cut of a bounded set after it; then
 * what is left is judged. A sample draws a few points of each transaction and kind from a seed.
 */
import { createHash } from 'node:crypto';
import { decodeDeclaration } from '../../../src/codec/declaration-codec.js';
import { LEAVES_ZEROS, LOSES_ALL, LOSES_BYTES, LOSES_NAMES, LOSES_NOTHING, randomCut } from '../disk/power-cut.js';
import type { Step } from '../disk/sim-disk.js';
import type { PowerCut } from '../disk/sim-medium.js';
import { Random } from '../random.js';
import type { Bench } from './bench.js';
import { acting, crashesOf, type Disturbance, disturb, disturbancesOf, type Kind } from './disturb.js';
import { judge, readsAll, successor } from './judge.js';
import { OWNER_TRANSACTIONS } from './owner-transactions.js';
import { STORE_TRANSACTIONS } from './store-transactions.js';
import { CLIENT_TRANSACTIONS, MINUTE, type Transaction } from './transactions.js';

/** Every transaction. */
export const TRANSACTIONS: readonly Transaction[] = [
  ...CLIENT_TRANSACTIONS,
  ...OWNER_TRANSACTIONS,
  ...STORE_TRANSACTIONS,
];

/** Kinds of points; `again` is a crash, and another one in the recovery from it. */
export const KINDS = ['crash', 'trouble', 'takeover', 'again'] as const;

/** Something that must not be, and how to see it again. */
export interface FoundAtPoint {
  /** Transaction, kind, place and power cut: `--only` takes it, or its beginning. */
  readonly point: string;
  readonly rule: string;
  readonly found: string;
}

/** What came of an enumeration. */
export interface PointsReport {
  readonly transactions: number;
  /** Disturbances that were made, by kind. */
  readonly points: Readonly<Record<(typeof KINDS)[number], number>>;
  /** Worlds that were judged; equal ones once. */
  readonly states: number;
  /** Takeovers that were left out, since nobody promises to survive them. */
  readonly unpromised: number;
  readonly found: readonly FoundAtPoint[];
}

/** What is enumerated. */
export interface PointsChoice {
  /** Draws points, and the power cuts that are drawn. */
  readonly seed: string;
  /** Points of each transaction and kind at most, fewer of large worlds; all where absent. */
  readonly sample?: number;
  readonly kinds?: readonly (typeof KINDS)[number][];
  /** The beginning of a point; everything where absent. */
  readonly only?: string;
  readonly transactions?: readonly Transaction[];
  /** Only disturbances at this call. */
  readonly call?: Step['call'];
  /** True: it ends with the first thing that is found. */
  readonly isFirstEnough?: boolean;
  /** Hears when a transaction is through. */
  readonly onProgress?: (name: string, report: PointsReport) => void;
}

/** Ways in which the power goes after a crash; without one the cache is what the next process sees. */
const CUTS: Readonly<Record<string, PowerCut | undefined>> = {
  'no cut': undefined,
  'loses all': LOSES_ALL,
  'loses nothing': LOSES_NOTHING,
  'loses names': LOSES_NAMES,
  'loses bytes': LOSES_BYTES,
  'leaves zeros': LEAVES_ZEROS,
};

/** See the head of this file. */
export async function enumerate(choice: PointsChoice): Promise<PointsReport> {
  // What is loaded when it is needed first takes real time.
  await decodeDeclaration({ trigger: { kind: 'manual' } }, {});
  const run = new Enumeration(choice);
  for (const transaction of choice.transactions ?? TRANSACTIONS) {
    if (!run.mayMeet(transaction.name)) continue;
    await run.through(transaction);
    choice.onProgress?.(transaction.name, run.report);
  }
  return run.report;
}

class Enumeration {
  readonly #choice: PointsChoice;
  readonly #points = { crash: 0, trouble: 0, takeover: 0, again: 0 };
  readonly #found: FoundAtPoint[] = [];
  #judged = new Set<string>();
  #transactions = 0;
  #states = 0;
  #unpromised = 0;

  constructor(choice: PointsChoice) {
    this.#choice = choice;
  }

  get report(): PointsReport {
    const [transactions, points, states] = [this.#transactions, this.#points, this.#states];
    return { transactions, points, states, unpromised: this.#unpromised, found: this.#found };
  }

  /** Whether a point that begins like this, or some that do, are wanted. */
  mayMeet(point: string): boolean {
    const { only = '', isFirstEnough } = this.#choice;
    if (isFirstEnough === true && this.#found.length > 0) return false;
    return point.startsWith(only) || only.startsWith(point);
  }

  async through(transaction: Transaction): Promise<void> {
    this.#transactions += 1;
    this.#judged = new Set();
    const before = await transaction.before();
    before.ledger.historyKept = transaction.how?.historyKept ?? before.ledger.historyKept;
    const steps = await this.#steps(transaction, before);
    for (const kind of KINDS) {
      if (this.#choice.kinds?.includes(kind) === false) continue;
      const { call } = this.#choice;
      const every = kind === 'again' ? crashesOf(steps) : disturbancesOf(kind as Kind, steps);
      const all = call === undefined ? every : every.filter(({ step }) => step.call === call);
      for (const disturbance of this.#some(transaction, kind, all)) {
        const point = `${transaction.name}: ${kind}: ${disturbance.label}`;
        if (kind === 'takeover' && transaction.isUnpromised?.(disturbance.step) === true) {
          this.#unpromised += 1;
          continue;
        }
        if (!this.mayMeet(point)) continue;
        this.#points[kind] += 1;
        if (kind === 'again') await this.#crashTwice(point, transaction, before, disturbance);
        else await this.#disturb(point, transaction, before, disturbance);
      }
    }
  }

  /** Steps of a transaction that nothing disturbs; its own world must stand before the judge. */
  async #steps(transaction: Transaction, before: Bench): Promise<readonly Step[]> {
    const bench = before.clone();
    const steps: Step[] = [];
    const { process, work } = acting(bench, transaction, () => (step) => {
      steps.push(step);
      return undefined;
    });
    await process.mustDo(work);
    // What goes on behind it is not its own.
    const own = steps.slice();
    await this.#judge(`${transaction.name}: undisturbed`, transaction, bench, 'loses all', LOSES_ALL);
    return own;
  }

  async #disturb(point: string, transaction: Transaction, before: Bench, disturbance: Disturbance): Promise<void> {
    const bench = before.clone();
    await disturb(bench, transaction, disturbance);
    for (const [name, cut] of this.#cuts(point, disturbance.kind)) {
      await this.#judge(point, transaction, bench, name, cut);
    }
    if (disturbance.kind !== 'crash' || transaction.mend !== undefined) return;
    const read = bench.clone();
    await readsAll(read, transaction);
    await this.#judge(`${point}, and somebody reads`, transaction, read, 'loses all', LOSES_ALL);
  }

  #cuts(point: string, kind: Kind): readonly (readonly [string, PowerCut | undefined])[] {
    const random = new Random(`${this.#choice.seed}/${point}`);
    const cuts = [...Object.entries(CUTS), ['a random cut', randomCut(random)] as const];
    const all = kind === 'crash' ? cuts : cuts.filter((_, index) => index < 2 || index === cuts.length - 1);
    const { sample, only } = this.#choice;
    return sample === undefined || only !== undefined ? all : drawn(random, all, kind === 'crash' ? 3 : 1);
  }

  /** A crash; then one at each step of the recovery from what a power cut leaves of it. */
  async #crashTwice(point: string, transaction: Transaction, before: Bench, disturbance: Disturbance): Promise<void> {
    const random = new Random(`${this.#choice.seed}/again/${point}`);
    const first = before.clone();
    await disturb(first, transaction, disturbance);
    const name = random.of(Object.keys(CUTS));
    const cut = CUTS[name];
    first.cutPower(cut);
    if (!this.#isNew(`again ${this.#fingerprint(first)}`)) return;
    first.time.pass(2 * MINUTE);
    const steps: Step[] = [];
    const rehearsal = successor(first.clone(), transaction, 'next', (step) => {
      steps.push(step);
      return undefined;
    });
    if ((await rehearsal.process.does(rehearsal.work)) !== 'done') return;
    const all = crashesOf(steps);
    const { sample } = this.#choice;
    const chosen = sample === undefined ? all : drawn(random, all, Math.min(2, sample));
    for (const { label, step, effect } of chosen) {
      const bench = first.clone();
      const { process, work } = successor(bench, transaction, 'next', ({ number }) =>
        number === step.number ? effect : undefined,
      );
      await process.does(work);
      const again = random.of(Object.keys(CUTS));
      await this.#judge(`${point}, ${name}; ${label}`, transaction, bench, again, CUTS[again], 'second');
    }
  }

  /** Judges what a power cut leaves of a world, unless an equal one was judged. */
  async #judge(
    point: string,
    transaction: Transaction,
    world: Bench,
    cutName: string,
    cut: PowerCut | undefined,
    by = 'next',
  ): Promise<void> {
    const place = `${point}, ${cutName}`;
    if (!this.mayMeet(place)) return;
    const bench = world.clone();
    bench.cutPower(cut);
    if (cut !== undefined && !this.#isNew(`${by} ${this.#fingerprint(bench)}`)) return;
    this.#states += 1;
    await judge(bench, transaction, by);
    for (const { rule, found } of bench.ledger.violations) this.#found.push({ point: place, rule, found });
  }

  #isNew(fingerprint: string): boolean {
    if (this.#judged.has(fingerprint)) return false;
    this.#judged.add(fingerprint);
    return true;
  }

  /** Everything that a judgement depends on. */
  #fingerprint({ medium, ledger, time }: Bench): string {
    const digest = createHash('sha256');
    digest.update(`${time.now()} ${time.elapsed}`);
    for (const { path, node } of medium.walk()) {
      digest.update(`\n${path} `);
      if (node.kind === 'file') digest.update(node.content.bytes());
    }
    digest.update(JSON.stringify([...ledger.commits.values(), ledger.answers, ledger.effects, ledger.violations]));
    digest.update(JSON.stringify([[...ledger.refusedCommits], [...ledger.refusedRequests]]));
    return digest.digest('hex');
  }

  #some<T>({ name, isLarge = false }: Transaction, kind: string, all: readonly T[]): readonly T[] {
    const { sample, only, seed } = this.#choice;
    if (sample === undefined || only !== undefined) return all;
    const most = Math.max(1, Math.round((isLarge ? 0.34 : 1) * sample * (kind === 'again' ? 0.34 : 1)));
    return drawn(new Random(`${seed}/${name}/${kind}`), all, most);
  }
}

/** So many of a list, each as likely as the others, in their order. */
function drawn<T>(random: Random, list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  const chosen = new Set<number>();
  while (chosen.size < most) chosen.add(random.between(0, list.length - 1));
  return [...chosen].sort((a, b) => a - b).map((index) => list[index] as T);
}
