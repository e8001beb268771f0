/** What the real disk gives its files; the contracts of the file adapters are judged in test/conformance. */
import { describe, expect, it } from 'vitest';
import { realDisk } from '../../../src/adapters/fs/disk/real-disk.js';
import { emptyRoot } from './ground.js';

describe('the disk of this machine', () => {
  it('[ST-8] new files have mode 0600 and directories 0700, whatever the umask', async () => {
    const root = emptyRoot();
    const before = process.umask(0o177);
    try {
      for (const umask of [0o000, 0o177]) {
        process.umask(umask);
        const file = await realDisk.open(`${root}/file-${umask}`, 'create');
        expect(realDisk.factsNow(file).mode).toBe(0o600);
        await realDisk.close(file);
        await realDisk.makeDirectory(`${root}/directory-${umask}`);
        expect(realDisk.lookNow(`${root}/directory-${umask}`)?.mode).toBe(0o700);
      }
    } finally {
      process.umask(before);
    }
  });
});
