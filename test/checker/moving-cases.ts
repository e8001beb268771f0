/** A store may go on while it is checked: whatever moment each file is read at, nothing is found that is not there. */
import { describe, expect, it } from 'vitest';
import { checkFiles } from '../../src/checker/check-files.js';
import type { FileSource } from '../../src/checker/file-source.js';
import type { Phase } from './busy-workspace.js';
import type { Fixture } from './fixture.js';
import type { MemoryFiles } from './memory-files.js';

/** Files that are those of one moment for so many questions, and those of the next from then on. */
function moving(moments: readonly MemoryFiles[], questions: number): FileSource & { readonly asked: () => number } {
  let asked = 0;
  const now = () => moments[Math.min(moments.length - 1, Math.floor(asked++ / questions))] as MemoryFiles;
  return {
    list: (path) => now().list(path),
    look: (path) => now().look(path),
    read: (path) => now().read(path),
    asked: () => asked,
  };
}

/** Registers the cases; the fixture is there once they run. */
export function movingCases(fixture: () => Fixture): void {
  describe('a check of a workspace in use', () => {
    const steps: readonly (readonly Phase[])[] = [
      ['collected', 'controlled'],
      ['controlled', 'interrupted'],
      ['interrupted', 'rolledOver'],
      ['collected', 'interrupted', 'rolledOver'],
    ];
    it.each(steps.map((phases) => [phases.join(' -> '), phases] as const))(
      '[ST-3] %s',
      async (_, phases) => {
        const moments = phases.map((phase) => fixture().files(phase));
        const all = moving(moments.slice(0, 1), 1);
        expect(await checkFiles(all)).toEqual([]);
        const asked = all.asked();
        const points = [1, 2, 5, ...Array.from({ length: 16 }, (_, index) => Math.ceil(((index + 1) * asked) / 16))];
        for (const questions of points) {
          expect(await checkFiles(moving(moments, questions)), `after ${questions} of ${asked} questions`).toEqual([]);
        }
      },
      60_000,
    );

    it('[ST-3] what is damaged is found all the same', async () => {
      const moments = (['controlled', 'interrupted'] as const).map((phase) => fixture().files(phase));
      for (const files of moments) files.remove('catalogue/store.json');
      const findings = await checkFiles(moving(moments, 40));
      expect(findings).toMatchObject([{ invariant: 'I1', rule: 'missing' }]);
    });
  });
}
