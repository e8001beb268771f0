/**
 * Workspaces in temporary directories, and disks that count, fail or change what is asked of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { realDisk } from '../../../src/adapters/fs/disk/real-disk.js';
import { type FileWorkspaceOptions, openWorkspace } from '../../../src/adapters/fs/file-workspace.js';
import { layoutOf } from '../../../src/adapters/fs/layout.js';
import { kernelLocks } from '../../../src/adapters/fs/locks/native-lock.js';
import type { Occurrence } from '../../../src/core/model/occurrence.js';
import type { ScheduleStore } from '../../../src/ports/schedule-store.js';
import { commitOn, records, sampleOccurrence } from '../../../src/testing/contracts/sample-catalogue.js';

/** A workspace of the file store as tests see it. */
export type OpenedWorkspace = Awaited<ReturnType<typeof openWorkspace>>;

const roots: string[] = [];
const opened: { close(): Promise<void> }[] = [];
const warnings: string[] = [];

/** A new, empty directory, removed after the test. */
export function emptyRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'everdue-fs-'));
  roots.push(root);
  return root;
}

/** Opens a workspace, closed after the test; what it warns of is kept for {@link takeWarnings}. */
export async function openAt(
  root: string,
  options: FileWorkspaceOptions = {},
  disk: Disk = realDisk,
): Promise<OpenedWorkspace> {
  const workspace = await openWorkspace(root, options, {
    disk,
    openLock: await kernelLocks(disk),
    warn: (error) => warnings.push(String(error)),
  });
  opened.push(workspace);
  return workspace;
}

/** What workspaces warned of since the last time; a test that leaves some behind fails. */
export function takeWarnings(): readonly string[] {
  return warnings.splice(0);
}

/** Names of a workspace. */
export const namesOf = layoutOf;

/** A disk whose calls pass through `around` first; what it throws, the call throws. */
export function watchedDisk(around: (call: keyof Disk, args: readonly unknown[]) => void): Disk {
  return new Proxy(realDisk, {
    get(target, name: keyof Disk) {
      const member = target[name] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        around(name, args);
        return member.apply(target, args);
      };
    },
  });
}

/** An error of the system. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code });
}

/** Ends `count` occurrences of a schedule in commits of 100, and returns the ids, oldest first. */
export async function endMany(
  store: ScheduleStore,
  scheduleId: string,
  from: number,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let start = from; start < from + count; start += 100) {
    const changes = Array.from({ length: Math.min(100, from + count - start) }, (_, index) => {
      const occurrence = sampleOccurrence(scheduleId, `r${start + index}`, 'skipped');
      ids.push(occurrence.id);
      return records(occurrence);
    });
    await commitOn(store, changes);
  }
  return ids;
}

/** Every record of a history, newest first, read in pages. */
export async function wholeHistory(store: ScheduleStore, scheduleId: string, limit = 97): Promise<Occurrence[]> {
  const found: Occurrence[] = [];
  for (let before: string | undefined; ; ) {
    const page = await store.history({ scheduleId, limit, ...(before === undefined ? {} : { before }) });
    found.push(...page.records);
    if (page.next === undefined) return found;
    before = page.next;
  }
}

afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close();
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
  expect(takeWarnings(), 'warnings that no test looked at').toEqual([]);
});
