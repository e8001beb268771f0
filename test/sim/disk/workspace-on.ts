/** Workspaces on simulated media, for tests of one thing at a time. */
import { openWorkspace } from '../../../src/adapters/fs/file-workspace.js';
import { checkWorkspaceOn } from '../../../src/adapters/fs/repair/disk-source.js';
import { plainDisk } from './plain-disk.js';
import type { Hook, SimDisk } from './sim-disk.js';
import { SimMedium } from './sim-medium.js';

/** Where these workspaces are. */
export const AT = '/work';

/** A medium with a directory that is durable. */
export function newMedium(): SimMedium {
  return new SimMedium(() => Date.UTC(2026, 10, 30));
}

/** Opens the workspace of a medium in a process of its own. */
export async function openOn(medium: SimMedium, hook?: Hook): Promise<OpenedOn> {
  const disk = plainDisk(medium, hook);
  const warnings: unknown[] = [];
  const ground = { disk, openLock: await disk.locks(), warn: (error: unknown) => warnings.push(error) };
  return { ...(await openWorkspace(AT, {}, ground)), disk, warnings };
}

/** A workspace and the process that has it open. */
export type OpenedOn = Awaited<ReturnType<typeof openWorkspace>> & {
  readonly disk: SimDisk;
  readonly warnings: readonly unknown[];
};

/** What the independent checker finds wrong, as texts. */
export async function faultsOn(medium: SimMedium): Promise<readonly string[]> {
  const found = await checkWorkspaceOn(plainDisk(medium), AT);
  return found
    .filter(({ severity }) => severity === 'error')
    .map(({ file, rule, message }) => `${file} ${rule}: ${message}`);
}
