/** What years of history cost a workspace that goes on, counted in files and bytes, never in time (ST-1, ST-6). */
import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { realDisk } from '../../../src/adapters/fs/disk/real-disk.js';
import { ROLL_OVER_BYTES } from '../../../src/adapters/fs/journal/roll-over.js';
import { checkWorkspaceOn } from '../../../src/adapters/fs/repair/disk-source.js';
import { commitOn, sampleSchedule, writes } from '../../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, endMany, namesOf, openAt } from './ground.js';

const SCHEDULES = Array.from({ length: 8 }, (_, index) => `s-${index}`);

/** What was asked of a disk: files that were opened or listed, and bytes that were read and written. */
interface Asked {
  readonly paths: string[];
  read: number;
  written: number;
}

function counting(asked: Asked): Disk {
  return new Proxy(realDisk, {
    get(target, name: keyof Disk) {
      const member = target[name] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        if (name === 'open' || name === 'list') asked.paths.push(String(args[0]));
        if (name === 'write' || name === 'writeNow') asked.written += (args[1] as Uint8Array).length;
        const answer = member.apply(target, args);
        if (name !== 'read' && name !== 'readNow') return answer;
        const count = (got: unknown) => {
          asked.read += Number(got);
          return got;
        };
        return answer instanceof Promise ? answer.then(count) : count(answer);
      };
    },
  });
}

/** A workspace whose schedules have so many past occurrences each. */
async function grown(past: number): Promise<string> {
  const root = emptyRoot();
  const { store, close } = await openAt(root);
  await commitOn(
    store,
    SCHEDULES.map((id) => writes(sampleSchedule(id))),
  );
  for (const id of SCHEDULES) await endMany(store, id, 0, past);
  // Rows that say nothing new, until all that ended is long in history files.
  for (let version = 2; version < 2 + (2 * ROLL_OVER_BYTES) / (SCHEDULES.length * 300); version += 1) {
    await commitOn(
      store,
      SCHEDULES.map((id) => writes(sampleSchedule(id, { version }))),
    );
  }
  await close();
  return root;
}

async function costOf(past: number) {
  const root = await grown(past);
  const asked: Asked = { paths: [], read: 0, written: 0 };
  const { store, close } = await openAt(root, {}, counting(asked));
  const { schedules } = await store.changes(0);
  expect(schedules).toHaveLength(SCHEDULES.length);
  const opened = { paths: [...asked.paths], read: asked.read };
  asked.written = 0;
  await commitOn(store, [writes(sampleSchedule('s-0', { version: 100_000 }))]);
  const { written } = asked;
  await close();
  return { root, opened, written, snapshot: statSync(namesOf(root).snapshot).size };
}

describe('a workspace with a long past', () => {
  it('[ST-1, ST-6] is opened and committed to as one without, and its history is not looked at', async () => {
    const young = await costOf(0);
    const old = await costOf(1500);
    expect(old.opened.paths.filter((path) => path.includes('history'))).toEqual([]);
    expect(old.opened.paths.length).toBe(young.opened.paths.length);
    // The snapshot counts what ended, in a few more digits; behind it stands less journal than makes the next one due.
    expect(old.snapshot).toBeLessThan(young.snapshot + SCHEDULES.length * 40);
    for (const { opened, snapshot } of [young, old]) {
      expect(opened.read).toBeLessThan(snapshot + Math.max(ROLL_OVER_BYTES, snapshot / 2) + 64 * 1024);
    }
    expect(Math.abs(old.written - young.written)).toBeLessThan(8);
  });

  it('[ST-3, ST-6] is checked whole, one file of its history after the other', async () => {
    const root = await grown(300);
    const open = new Set<number>();
    let most = 0;
    const disk: Disk = {
      ...realDisk,
      open: async (path, use) => {
        const file = await realDisk.open(path, use);
        if (path.includes('history')) open.add(file);
        most = Math.max(most, open.size);
        return file;
      },
      close: (file) => {
        open.delete(file);
        return realDisk.close(file);
      },
    };
    expect(await checkWorkspaceOn(disk, root)).toEqual([]);
    expect(most).toBe(1);
  });
});
