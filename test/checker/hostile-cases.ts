/** What nobody would write: the check says that it is wrong, within bounded time and memory, and is never thrown off. */
import { describe, expect, it } from 'vitest';
import { checkFiles } from '../../src/checker/check-files.js';
import type { FileSource } from '../../src/checker/file-source.js';
import type { Fixture } from './fixture.js';
import { Forger, sha256 } from './forger.js';
import type { MemoryFiles } from './memory-files.js';

const MEGABYTE = 1_048_576;

/** One file of each kind. */
function kindsOf(files: MemoryFiles): readonly string[] {
  const first = (part: string) => files.files().find((path) => path.includes(part)) ?? '';
  return [
    'catalogue/store.json',
    'catalogue/catalogue.json',
    'catalogue/catalogue.prev.json',
    'catalogue/head',
    ...['/journal/', '/documents/', '/history/hangs/', '/history/hangs/verdicts', '/dispatch.json', '/result.json'].map(
      first,
    ),
  ];
}

/** A file of so many bytes that nobody holds in memory. */
function withHugeFile(files: MemoryFiles, path: string, slice: Buffer, slices: number): FileSource {
  return {
    list: (at) => files.list(at),
    look: (at) =>
      at === path ? { kind: 'file', bytes: slice.length * slices, links: 1, mode: 0o600 } : files.look(at),
    *read(at) {
      if (at !== path) yield* files.read(at);
      else for (let count = 0; count < slices; count++) yield slice;
    },
  };
}

function sealedText(text: string): string {
  return `${sha256(text)} ${text}\n`;
}

/** A forger takes the spare snapshot for the first one. */
function withFormer(files: MemoryFiles): MemoryFiles {
  files.put('catalogue/catalogue.prev.json', files.bytes('catalogue/catalogue.json'));
  return files;
}

/** Registers the cases; the fixture is there once they run. */
export function hostileCases(fixture: () => Fixture): void {
  describe('hostile bytes', () => {
    it('[ST-3] random ones in the place of every kind of file', async () => {
      let state = 7;
      const random = () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state >>> 8;
      };
      const whole = fixture().files('rolledOver');
      for (const path of kindsOf(whole)) {
        for (const length of [1, 100, 3000]) {
          const files = whole.copy();
          files.put(path, Buffer.from(Array.from({ length }, () => random() & (length === 100 ? 0x7f : 0xff))));
          const findings = await checkFiles(files);
          expect(findings.length, `${path}, ${length} bytes`).toBeGreaterThan(0);
        }
      }
    }, 60_000);

    it('[ST-3] zeros, and bytes that move a cursor, do no harm to whoever reads a finding', async () => {
      const files = fixture().files('interrupted');
      new Forger(files).write();
      const forger = new Forger(withFormer(files));
      for (const { row } of forger.occurrences()) row['status'] = '\u001b[2J\u0000\u009b queued';
      forger.write();
      const findings = await checkFiles(files);
      expect(findings.length).toBeGreaterThan(10);
      expect(findings.length).toBeLessThan(300);
      for (const { message } of findings) expect(message).toMatch(/^[^\p{Cc}]*$/u);
      files.put('catalogue/journal/00000001.jsonl', Buffer.alloc(5000));
      expect((await checkFiles(files)).length).toBeGreaterThan(0);
    });

    it('[ST-3] JSON that is nested deep, and numbers that no double holds, under a right digest', async () => {
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      const head = '{"seq":1,"prev":"0","at":"2026-01-01T00:00:00.000Z","kind":"commit","actor":"x"';
      const texts = [
        `${head},"ops":${deep}}`,
        `${head.replace('"seq":1', '"seq":1e999')},"ops":[]}`,
        `${head.replace('"seq":1', '"seq":9007199254740993')},"ops":[]}`,
        `${head.replace('"seq":1', '"seq":-0.5')},"ops":[]}`,
        `${head},"ops":[null,1,"x",[],{"t":"__proto__"},{"t":"constructor"}]}`,
        '{"__proto__":{"seq":1}}',
        'null',
      ];
      for (const text of texts) {
        const files = fixture().files('rolledOver');
        const history = files.files().find((path) => path.includes('/history/late/')) ?? '';
        const journal = files.files().find((path) => path.includes('/journal/')) ?? '';
        files.put(journal, files.text(journal) + sealedText(text));
        files.put(history, files.text(history) + sealedText(text));
        files.put('catalogue/head', sealedText(text));
        const findings = await checkFiles(files);
        expect(findings.length, text.slice(0, 80)).toBeGreaterThan(0);
      }
    });

    it('[ST-3] a line of a hundred megabytes, and as much of nothing but lines', async () => {
      const whole = fixture().files('interrupted');
      for (const path of kindsOf(whole)) {
        const before = process.memoryUsage().rss;
        const findings = await checkFiles(withHugeFile(whole, path, Buffer.alloc(MEGABYTE, 'a'), 100));
        expect(findings.length, path).toBeGreaterThan(0);
        expect(process.memoryUsage().rss - before, path).toBeLessThan(400 * MEGABYTE);
      }
      const lines = Buffer.from('~\n'.repeat(MEGABYTE / 2));
      expect(
        (await checkFiles(withHugeFile(whole, 'catalogue/journal/00000001.jsonl', lines, 10))).length,
      ).toBeGreaterThan(0);
    }, 60_000);

    it('[ST-3] more findings than anybody reads are counted, not listed', async () => {
      const files = fixture().files('interrupted');
      const forger = new Forger(files);
      for (const { row } of forger.occurrences()) row['attempts'] = 'none';
      for (let count = 0; count < 3000; count++) files.put(`catalogue/unknown-${count}`, '');
      forger.write();
      const findings = await checkFiles(files);
      expect(findings.length).toBeLessThanOrEqual(1001);
      expect(findings.at(-1)?.message).toMatch(/^\d+ more findings/);
    });
  });
}
