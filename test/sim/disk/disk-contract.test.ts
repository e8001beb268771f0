/** What the file store relies on in a disk: the real one and the simulated one pass the same cases. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { realDisk } from '../../../src/adapters/fs/disk/real-disk.js';
import { kernelLocks, type OpenLock } from '../../../src/adapters/fs/locks/native-lock.js';
import { plainDisk } from './plain-disk.js';
import { SimMedium } from './sim-medium.js';

interface Stand {
  readonly disk: Disk;
  readonly root: string;
  readonly locks: OpenLock;
  end(): void;
}

const STANDS: readonly (readonly [string, () => Promise<Stand>])[] = [
  [
    'real',
    async () => {
      const root = mkdtempSync(join(tmpdir(), 'everdue-disk-'));
      const end = () => rmSync(root, { recursive: true, force: true });
      return { disk: realDisk, root, locks: await kernelLocks(realDisk), end };
    },
  ],
  [
    'simulated',
    async () => {
      const disk = plainDisk(new SimMedium(() => Date.now()));
      await disk.makeDirectory('/root');
      return { disk, root: '/root', locks: await disk.locks(), end: () => disk.end() };
    },
  ],
];

for (const [name, open] of STANDS) {
  describe(`the ${name} disk`, () => {
    let stand: Stand;
    let disk: Disk;
    const at = (path: string) => join(stand.root, path);

    beforeEach(async () => {
      stand = await open();
      ({ disk } = stand);
    });

    afterEach(() => stand.end());

    async function put(path: string, text: string): Promise<void> {
      const file = await disk.open(at(path), 'create');
      await disk.write(file, Buffer.from(text), 0);
      await disk.flush(file);
      await disk.close(file);
    }

    async function textOf(path: string): Promise<string> {
      const file = await disk.open(at(path), 'read');
      const bytes = Buffer.alloc(disk.factsNow(file).bytes);
      await disk.read(file, bytes, 0);
      await disk.close(file);
      return bytes.toString();
    }

    it('[ST-1] a file is created once, read from any position, and written at one or at its end', async () => {
      await put('a', 'hello');
      await expect(disk.open(at('a'), 'create')).rejects.toMatchObject({ code: 'EEXIST' });
      for (const use of ['read', 'append', 'update'] as const) {
        await expect(disk.open(at('b'), use)).rejects.toMatchObject({ code: 'ENOENT' });
      }
      const end = await disk.open(at('a'), 'append');
      await disk.write(end, Buffer.from(' world'), 'append');
      const update = await disk.open(at('a'), 'update');
      await disk.write(update, Buffer.from('J'), 0);
      disk.writeNow(update, Buffer.from('!!'), 12);
      const bytes = Buffer.alloc(20);
      expect(await disk.read(update, bytes, 6)).toBe(8);
      expect(disk.readNow(end, bytes, 13)).toBe(1);
      expect(await disk.read(update, bytes, 14)).toBe(0);
      await disk.close(update);
      await disk.close(end);
      expect(await textOf('a')).toBe('Jello world\0!!');
    });

    it('[ST-8] names tell what they stand for, and what is made is for its owner alone', async () => {
      expect(await disk.makeDirectory(at('d'))).toBe('made');
      expect(await disk.makeDirectory(at('d'))).toBe('exists');
      await put('d/f', 'x');
      expect(await disk.look(at('d'))).toMatchObject({ kind: 'directory', mode: 0o700 });
      expect(disk.lookNow(at('d/f'))).toMatchObject({ kind: 'file', mode: 0o600, bytes: 1, links: 1 });
      expect(await disk.look(at('e'))).toBeUndefined();
      expect(await disk.list(at('d'))).toEqual(['f']);
      expect(await disk.list(at('e'))).toBeUndefined();
      await expect(disk.removeDirectory(at('d'))).rejects.toMatchObject({ code: 'ENOTEMPTY' });
      await expect(disk.makeDirectory(at('e/f'))).rejects.toMatchObject({ code: 'ENOENT' });
      await disk.unlink(at('d/f'));
      await disk.unlink(at('d/f'));
      await disk.removeDirectory(at('d'));
      await disk.removeDirectory(at('d'));
      expect(disk.lookNow(at('d'))).toBeUndefined();
    });

    it('[ST-2] a rename takes the place of a file; whoever has that open keeps it', async () => {
      await put('old', 'old');
      await put('new', 'new');
      const file = await disk.open(at('old'), 'read');
      const { identity } = disk.factsNow(file);
      await disk.rename(at('new'), at('old'));
      await disk.flushDirectory(stand.root);
      expect(await textOf('old')).toBe('new');
      expect(disk.lookNow(at('old'))?.identity).not.toBe(identity);
      expect(disk.factsNow(file)).toMatchObject({ identity, links: 0 });
      const bytes = Buffer.alloc(3);
      await disk.read(file, bytes, 0);
      expect(bytes.toString()).toBe('old');
      await disk.close(file);
      await expect(disk.rename(at('new'), at('old'))).rejects.toMatchObject({ code: 'ENOENT' });
    });

    it('[ST-2] a second name is the same file; renaming one to the other does nothing', async () => {
      await put('one', 'x');
      await disk.link(at('one'), at('two'));
      await expect(disk.link(at('one'), at('two'))).rejects.toMatchObject({ code: 'EEXIST' });
      expect(disk.lookNow(at('two'))).toMatchObject({ identity: disk.lookNow(at('one'))?.identity, links: 2 });
      await disk.rename(at('one'), at('two'));
      expect([...((await disk.list(stand.root)) ?? [])].sort()).toEqual(['one', 'two']);
      await disk.unlink(at('one'));
      expect(disk.lookNow(at('two'))?.links).toBe(1);
    });

    it('[OW-1] a lock is held against every other open file, and is free once its file is closed', async () => {
      const [one, two] = [await stand.locks(at('l.lock')), await stand.locks(at('l.lock'))];
      expect(one.tryLock()).toBe(true);
      expect(two.tryLock()).toBe(false);
      one.unlock();
      expect(two.tryLock()).toBe(true);
      await two.close();
      expect(one.tryLock()).toBe(true);
      expect(one.isIntact()).toBe(true);
      await disk.unlink(at('l.lock'));
      expect(one.isIntact()).toBe(false);
      await one.close();
    });
  });
}
