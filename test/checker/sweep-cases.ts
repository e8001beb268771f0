/**
 * Damage of every kind to every file: the check finds it, or nothing in use depends on what was damaged, and the reason is
 * told here. It is never thrown off by what it reads.
 */
import { describe, expect, it } from 'vitest';
import { checkFiles } from '../../src/checker/check-files.js';
import type { Fixture } from './fixture.js';
import type { MemoryFiles } from './memory-files.js';

/** Repeatable numbers from 0 on and below 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Kind = 'flip' | 'cut' | 'drop' | 'double' | 'swap' | 'lose' | 'older';

/** Why nothing depends on what was damaged, where that is so. */
function whyUnused(file: string, kind: Kind): string | undefined {
  if (file.endsWith('/owner.json')) return 'what an owner says of itself is advice';
  if (file.includes('/locks/')) return 'lock files are empty, and made anew where they are missing';
  if (file === 'catalogue/head' && (kind === 'flip' || kind === 'cut'))
    return 'what follows a mark in its slot is padding';
  if (file === 'catalogue/head' && kind === 'older') return 'a mark may lag';
  if (file === 'catalogue/catalogue.json' && kind === 'older') return 'an older snapshot stands for the same catalogue';
  if (file === 'catalogue/catalogue.prev.json' && (kind === 'lose' || kind === 'older')) return 'it is a spare';
  if (file.includes('/published/')) return 'files of a handler are its own';
  if (file.endsWith('/dispatch.json')) return 'what the rules do not need of it is shown to people alone';
  if (file.endsWith('/result.json')) return 'what a record does not repeat is shown to people alone';
  if (kind === 'double') return 'a record that stands there twice counts once';
  if (file.includes('/history/') && kind === 'swap') return 'records of a history are found by their numbers';
  return undefined;
}

async function expectFound(files: MemoryFiles, file: string, kind: Kind, what: string): Promise<void> {
  const findings = await checkFiles(files);
  if (findings.length === 0) expect(whyUnused(file, kind), `${kind} of ${file} ${what}`).toBeDefined();
}

/** Files of a phase; of evidence a few are enough. */
function filesOf(files: MemoryFiles, random: () => number): readonly string[] {
  const all = files.files();
  const inCatalogue = all.filter((path) => path.startsWith('catalogue/'));
  const evidence = all.filter((path) => path.startsWith('occurrences/'));
  return [...inCatalogue, ...evidence.filter(() => random() < 12 / evidence.length)];
}

/** Registers the cases; the fixture is there once they run. */
export function sweepCases(fixture: () => Fixture): void {
  describe('a sweep of damages', () => {
    it('[ST-3] flipped bits, wherever they are', async () => {
      const random = randomFrom(11);
      const whole = fixture().files('interrupted');
      for (const file of filesOf(whole, random)) {
        const { length } = whole.bytes(file);
        for (let count = 0; count < (length === 0 ? 0 : 3); count++) {
          const at = Math.floor(random() * length);
          const bit = 1 << Math.floor(random() * 8);
          const bytes = Buffer.from(whole.bytes(file));
          bytes[at] = (bytes[at] ?? 0) ^ bit;
          const files = whole.copy();
          files.put(file, bytes);
          await expectFound(files, file, 'flip', `at ${at}, bit ${bit}`);
        }
      }
    }, 60_000);

    it('[ST-3] files that are cut or lost', async () => {
      const random = randomFrom(12);
      const whole = fixture().files('rolledOver');
      for (const file of filesOf(whole, random)) {
        const bytes = whole.bytes(file);
        const files = whole.copy();
        files.remove(file);
        await expectFound(files, file, 'lose', '');
        if (bytes.length === 0) continue;
        const lastLine = bytes.lastIndexOf('\n', bytes.length - 2) + 1;
        for (const length of new Set([0, lastLine, Math.floor(random() * bytes.length), bytes.length - 1])) {
          files.put(file, bytes.subarray(0, length));
          await expectFound(files, file, 'cut', `to ${length} of ${bytes.length}`);
        }
      }
    }, 60_000);

    it('[ST-3] lines that are dropped, doubled or swapped', async () => {
      const random = randomFrom(13);
      for (const phase of ['collected', 'interrupted'] as const) {
        const whole = fixture().files(phase);
        for (const file of whole
          .files()
          .filter((path) => path.startsWith('catalogue/') && whole.lines(path).length > 2)) {
          const lines = whole.lines(file).filter((line) => line !== '');
          for (let count = 0; count < 2; count++) {
            const at = Math.floor(random() * (lines.length - 1));
            const [one = '', other = ''] = lines.slice(at, at + 2);
            const damages: readonly (readonly [Kind, readonly string[]])[] = [
              ['drop', lines.toSpliced(at, 1)],
              ['double', lines.toSpliced(at, 0, one)],
              ['swap', lines.toSpliced(at, 2, other, one)],
            ];
            for (const [kind, damaged] of damages) {
              const files = whole.copy();
              files.put(file, damaged.join(''));
              if (one !== other) await expectFound(files, file, kind, `line ${at}`);
            }
          }
        }
      }
    }, 60_000);

    it('[ST-3] files as they were earlier', async () => {
      const [older, whole] = [fixture().files('controlled'), fixture().files('interrupted')];
      const oldest = fixture().files('collected');
      for (const file of whole.files().filter((path) => path.startsWith('catalogue/'))) {
        for (const former of [older, oldest]) {
          if (former.look(file) === undefined || former.bytes(file).equals(whole.bytes(file))) continue;
          const files = whole.copy();
          files.put(file, former.bytes(file));
          await expectFound(files, file, 'older', '');
        }
      }
    }, 60_000);
  });
}
