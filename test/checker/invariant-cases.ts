/** Every invariant is judged: one damage for each, at least, is found under its number, and what is whole is not. */
import { describe, expect, it } from 'vitest';
import { checkFiles } from '../../src/checker/check-files.js';
import { INVARIANTS } from '../../src/checker/finding.js';
import { DAMAGES } from './damage-table.js';
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
