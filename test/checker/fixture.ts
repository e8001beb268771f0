/**
 * Busy workspaces in memory: made once for a test file, on a real disk, and copied and damaged without one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkWorkspace } from '../../src/checker/check-workspace.js';
import type { WorkspaceFinding } from '../../src/checker/finding.js';
import { makeBusyWorkspace, type Phase } from './busy-workspace.js';
import { MemoryFiles } from './memory-files.js';

/** A workspace as it was after each of its phases. */
export interface Fixture {
  /** A copy of its files as of the end of a phase. */
  files(phase: Phase): MemoryFiles;
  /** Attempts that handlers were called for, in all. */
  readonly effects: readonly { readonly occurrence: string; readonly attempt: number }[];
  /** What a check of the folder found after each phase, while the host had it open. */
  readonly whileOpen: ReadonlyMap<Phase, readonly WorkspaceFinding[]>;
}

/** Lives through a busy workspace. */
export async function makeFixture(): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'everdue-checker-'));
  const root = join(folder, 'work');
  const kept = new Map<Phase, MemoryFiles>();
  const whileOpen = new Map<Phase, readonly WorkspaceFinding[]>();
  try {
    const effects = await makeBusyWorkspace(root, async (phase) => {
      kept.set(phase, MemoryFiles.read(root));
      whileOpen.set(phase, await checkWorkspace(root));
    });
    return { effects, whileOpen, files: (phase) => kept.get(phase)?.copy() ?? new MemoryFiles() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
