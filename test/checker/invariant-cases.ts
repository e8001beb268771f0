/** Every invariant is judged: one damage for each, at least, is found under its number, and what is whole is not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInstant } from '../../src/checker/bytes/names.js';
import { checkFiles } from '../../src/checker/check-files.js';
import { INVARIANTS } from '../../src/checker/finding.js';
import { DAMAGES, writeAgain } from './damage-table.js';
import type { Fixture } from './fixture.js';
import { Forger } from './forger.js';

const PHASES = ['collected', 'controlled', 'interrupted', 'rolledOver'] as const;

/** Registers the cases; the fixture is there once they run. */
export function invariantCases(fixture: () => Fixture): void {
  describe('what is whole', () => {
    it('[ST-3] is found whole in a folder, while its host has it open', () => {
      expect([...fixture().whileOpen]).toEqual(PHASES.map((phase) => [phase, []]));
    });

    it('[ST-3] is found whole in any source, also with the logs that were kept outside', async () => {
      for (const phase of PHASES) {
        const options = {
          isEvidenceKept: true,
          isRecovered: true,
          effects: phase === 'rolledOver' ? fixture().effects : [],
        };
        expect(await checkFiles(fixture().files(phase), options), phase).toEqual([]);
      }
    });

    it('[ST-3] is found whole when it was sealed anew without a change', async () => {
      const files = fixture().files('interrupted');
      new Forger(files).write();
      expect(await checkFiles(files, { isEvidenceKept: true })).toEqual([]);
    });
  });

  describe('what is written twice', () => {
    it('[ST-3] is whole where it is the same, but for a verdict that came in between', async () => {
      const files = fixture().files('rolledOver');
      writeAgain(files, 'bulk', {});
      writeAgain(files, 'bulk', { verdict: { verdict: 'done', note: '', by: 'host', at: '2026-01-01T00:00:00.000Z' } });
      expect(await checkFiles(files)).toEqual([]);
    });
  });

  describe('instants', () => {
    const texts = fc.oneof(
      fc
        .date({ min: new Date('1700-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
        .map((at) => at.toISOString()),
      fc
        .tuple(...[9999, 14, 33, 25, 61, 61].map((max) => fc.nat({ max })), fc.nat({ max: 999 }))
        .map(([year = 0, ...rest]) => {
          const [month, day, hour, minute, second] = rest.map((number) => String(number).padStart(2, '0'));
          const ms = String(rest[5]).padStart(3, '0');
          return `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`;
        }),
    );
    const damaged = fc.tuple(texts, fc.nat({ max: 23 }), fc.constantFrom('', 'x', '-', ' ', '/', ':'));

    it('[ST-3] are told from other texts as the calendar has them', () => {
      const judge = (text: string) => {
        const at = new Date(text);
        const isRight = !Number.isNaN(at.getTime()) && at.toISOString() === text && text >= '1800';
        expect(isInstant(text), text).toBe(isRight);
      };
      fc.assert(fc.property(texts, judge), { numRuns: 2000 });
      fc.assert(
        fc.property(damaged, ([text, at, put]) => judge(text.slice(0, at) + put + text.slice(at + 1))),
        { numRuns: 500 },
      );
      for (const year of [1799, 1800, 1900, 1996, 2000, 9999]) judge(`${year}-02-29T00:00:00.000Z`);
    });
  });

  describe('an invariant that is broken', () => {
    it('[ST-3] every invariant has its row', () => {
      const rows = new Set(DAMAGES.map(({ invariant }) => invariant));
      expect(Object.keys(INVARIANTS).filter((invariant) => !rows.has(invariant as never))).toEqual([]);
    });

    it.each(DAMAGES.map((row) => [`${row.invariant} ${row.rule}: ${row.what}`, row] as const))(
      '[ST-3] %s',
      async (_, row) => {
        const files = fixture().files(row.phase);
        const options = row.damage(files);
        const findings = await checkFiles(files, options);
        const { invariant, rule, severity = 'error' } = row;
        const mine = findings.filter((finding) => finding.invariant === invariant && finding.rule === rule);
        expect(mine, JSON.stringify(findings, null, 1)).not.toEqual([]);
        expect(mine[0]).toMatchObject({ severity, file: expect.stringContaining(row.file) });
        for (const { advice, message, offset } of findings) {
          expect([advice !== '', message !== '', Number.isSafeInteger(offset)]).toEqual([true, true, true]);
        }
      },
    );
  });
}
