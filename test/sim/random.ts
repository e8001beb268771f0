/**
 * Chance from a seed: equal seeds and labels give equal numbers, on every machine.
 *
 * Each part of a simulation has a stream of its own (`fork`), so that one that draws more often does not move the others.
 */
import { createHash } from 'node:crypto';

/** A stream of numbers. */
export class Random {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: string) {
    this.#seed = seed;
    const digest = createHash('sha256').update(seed).digest();
    this.#a = digest.readInt32LE(0);
    this.#b = digest.readInt32LE(4);
    this.#c = digest.readInt32LE(8);
  }

  /** A stream of its own. */
  fork(label: string): Random {
    return new Random(`${this.#seed}/${label}`);
  }

  /** A number in 0..1, 1 excluded. */
  next(): number {
    // sfc32 of PractRand, by Chris Doty-Humphrey.
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return (sum >>> 0) / 4_294_967_296;
  }

  /** A whole number, both bounds included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** A number between two bounds whose magnitude is evenly spread: 1..100 is as often below 10 as above. */
  spread(least: number, most: number): number {
    return least * (most / least) ** this.next();
  }

  /** True so often, 0..1. */
  chance(of: number): boolean {
    return this.next() < of;
  }

  /** One of a list. */
  of<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    return list[this.between(0, list.length - 1)] as T;
  }

  /** Hexadecimal digits. */
  hex(digits: number): string {
    let text = '';
    while (text.length < digits)
      text += Math.floor(this.next() * 65536)
        .toString(16)
        .padStart(4, '0');
    return text.slice(0, digits);
  }
}
