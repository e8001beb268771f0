/** A named pipe in the place of any file of a workspace: calls answer with an error, and none waits for a writer. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fileWorkspace } from '../../src/adapters/fs/file-workspace.js';
import { repairWorkspace } from '../../src/adapters/fs/repair/repair-workspace.js';
import { checkWorkspace } from '../../src/checker/check-workspace.js';
import { isScheduleError } from '../../src/errors.js';
import { openSchedules } from '../../src/open-schedules.js';
import { scriptedExecution, succeeds } from '../../src/testing/scripted-execution.js';

const root = mkdtempSync(join(tmpdir(), 'everdue-pipes-'));
const whole = join(root, 'whole');
const OCCURRENCE = 'a~1~m~r1';

afterAll(() => rmSync(root, { recursive: true }));

function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(directory, name)).isFile(),
  );
}

async function opened(path: string) {
  const execution = scriptedExecution([], { otherwise: succeeds(), needsWorkspace: true });
  return await openSchedules({ workspace: await fileWorkspace(path), execution });
}

async function makeWhole(): Promise<void> {
  const schedules = await opened(whole);
  await schedules.create({
    id: 'a',
    objective: 'x',
    document: { version: 'test/1' },
    allowedProviders: [...scriptedExecution().providers()],
    trigger: { kind: 'manual' },
  });
  await schedules.trigger('a', { requestId: 'r1' });
  await schedules.owner().tick();
  await schedules.close();
}

/** The code of what a call rejects with; every error is one of the package. */
async function codeOf(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return 'ok';
  } catch (error) {
    if (isScheduleError(error)) return error.code;
    throw error;
  }
}

const hasPipes = process.platform !== 'win32';

describe.skipIf(!hasPipes)('a named pipe in the place of a file (skipped where there are none)', () => {
  it('[ST-3, ST-8] is refused or passed over by every call, by check and by repair', async () => {
    await makeWhole();
    const files = filesBelow(whole);
    expect(files.length).toBeGreaterThan(8);
    for (const [index, file] of files.entries()) {
      const path = join(root, `w${index}`);
      cpSync(whole, path, { recursive: true });
      rmSync(join(path, file));
      execFileSync('mkfifo', ['-m', '600', join(path, file)]);
      const said = await codeOf(async () => {
        const schedules = await opened(path);
        try {
          await schedules.get('a', { occurrence: OCCURRENCE, document: true });
          await schedules.evidence(OCCURRENCE);
          await schedules.trigger('a', { requestId: 'r2' });
          await schedules.owner().tick();
        } finally {
          await schedules.close();
        }
      });
      expect([relative(path, file), said]).not.toContain('SCHEDULE_ADAPTER_BROKEN');
      await codeOf(() => checkWorkspace(path));
      await codeOf(() => repairWorkspace(path));
      expect(existsSync(path)).toBe(true);
    }
  }, 60_000);
});
