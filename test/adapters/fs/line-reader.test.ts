/** Lines of a file in slices: the same lines wherever a slice ends, and other work between any two slices. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { linesOf, readLineRuns, readLines, SLICE_BYTES } from '../../../src/adapters/fs/disk/line-reader.js';

/** A disk with one file, which counts what lets other work in. */
function diskOf(content: Buffer): { readonly disk: Disk; turns: number } {
  const counted = { disk: {} as Disk, turns: 0 };
  counted.disk = {
    async read(_: number, into: Uint8Array, position: number) {
      counted.turns += 1;
      const part = content.subarray(position, position + into.length);
      into.set(part);
      return part.length;
    },
    async pause() {
      counted.turns += 1;
    },
  } as Partial<Disk> as Disk;
  return counted;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const line = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.integer({ min: SLICE_BYTES - 3, max: SLICE_BYTES + 3 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 2 * SLICE_BYTES, max: 5 * SLICE_BYTES }).map((length) => 'y'.repeat(length)),
);

describe('lines', () => {
  test.prop([fc.array(line, { maxLength: 12 }), fc.boolean(), fc.nat({ max: 200_000 })], { numRuns: 60 })(
    '[ST-1] are those of the file, with their offsets, from anywhere on',
    async (lines, isEnded, start) => {
      const content = Buffer.from(
        lines.map((one) => `${one.replaceAll('\n', ' ')}\n`).join('') + (isEnded ? '' : 'rest'),
      );
      const from = Math.min(start, content.length);
      const found = await all(readLines(diskOf(content).disk, 1, from));
      expect(found.map(({ bytes, isComplete }) => `${bytes.toString()}${isComplete ? '\n' : ''}`).join('')).toBe(
        content.subarray(from).toString(),
      );
      for (const { offset, bytes, isComplete } of found) {
        expect(content.subarray(offset, offset + bytes.length).equals(bytes)).toBe(true);
        expect(bytes.includes('\n')).toBe(false);
        expect(isComplete).toBe(content[offset + bytes.length] === 0x0a);
      }
    },
  );

  it('[ST-1] end where they are told to, in the middle of a line too', async () => {
    const content = Buffer.from('one\ntwo\nthree\n');
    const found = await all(readLines(diskOf(content).disk, 1, 4, 10));
    expect(found.map(({ bytes, isComplete }) => [bytes.toString(), isComplete])).toEqual([
      ['two', true],
      ['th', false],
    ]);
  });

  it('[ST-1] come a slice at a time, with other work before each', async () => {
    const content = Buffer.from(`${'z'.repeat(99)}\n`.repeat(20_000));
    const counted = diskOf(content);
    let count = 0;
    let runs = 0;
    for await (const run of readLineRuns(counted.disk, 1)) {
      runs += 1;
      expect(run.bytes.length).toBeLessThanOrEqual(SLICE_BYTES + 100);
      expect(counted.turns, 'a turn for each run').toBeGreaterThanOrEqual(runs);
      count += [...linesOf(run)].length;
    }
    expect(count).toBe(20_000);
  });
});
