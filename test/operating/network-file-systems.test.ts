/** File systems that machines share: refused before anything is made, unless the caller takes the risk by name. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Disk } from '../../src/adapters/fs/disk/disk.js';
import { realDisk } from '../../src/adapters/fs/disk/real-disk.js';
import { shareOf } from '../../src/adapters/fs/network-file-system.js';
import { emptyRoot, openAt } from '../adapters/fs/ground.js';
import { inside } from '../surfaces/cli-inside.js';

/** Numbers of `statfs(2)` and of the kernel's headers; what shares a folder with a host or with other machines. */
const SHARED: readonly (readonly [name: string, type: number])[] = [
  ['NFS', 0x6969],
  ['SMB', 0x517b],
  ['CIFS', 0xff534d42],
  ['SMB2 and SMB3', 0xfe534d42],
  ['9p, as WSL and virtual machines have it', 0x01021997],
  ['FUSE (sshfs, rclone, s3fs)', 0x65735546],
  ['virtiofs, which has the number of FUSE', 0x65735546],
  ['AFS of OpenAFS', 0x5346414f],
  ['AFS of the kernel', 0x6b414653],
  ['Coda', 0x73757245],
  ['Ceph', 0x00c36400],
  ['NCP', 0x564c],
  ['Lustre', 0x0bd00bd0],
  ['GPFS', 0x47504653],
  ['OCFS2', 0x7461636f],
  ['GFS2', 0x01161970],
  ['BeeGFS', 0x19830326],
  ['OrangeFS', 0x20030528],
  ['PanFS', 0xaad7aaea],
  ['StorNext', 0xbeefdead],
  ['ACFS', 0x61636673],
  ['IBRIX', 0x013111a8],
  ['folders of VirtualBox', 0x786f4256],
  ['folders of VMware', 0xbacbacbc],
  ['folders of Parallels', 0x7c7c6673],
];

const LOCAL: readonly (readonly [name: string, type: number])[] = [
  ['ext4', 0xef53],
  ['XFS', 0x58465342],
  ['btrfs', 0x9123683e],
  ['ZFS', 0x2fc12fc1],
  ['F2FS', 0xf2f52010],
  ['tmpfs', 0x01021994],
  ['overlayfs, as containers have it', 0x794c7630],
  ['a system that does not tell', 0],
];

function diskOfType(type: number, asked: string[] = []): Disk {
  return {
    ...realDisk,
    fileSystemType: async (path) => {
      asked.push(path);
      return type;
    },
  };
}

describe('a workspace on a file system', () => {
  it.each(SHARED)('[ST-8, OW-1] of %s is refused, makes nothing, and says what to do', async (_name, type) => {
    const root = join(emptyRoot(), 'work');
    await expect(openAt(root, {}, diskOfType(type))).rejects.toMatchObject({
      code: 'SCHEDULE_WORKSPACE_UNUSABLE',
      details: { path: root, found: expect.stringMatching(/machines share \(\w+\)/) },
      hint: expect.stringMatching(/local disk, or a store for several machines.*allowNetworkFileSystem: true/),
    });
    expect(existsSync(root)).toBe(false);
    expect(await openAt(root, { allowNetworkFileSystem: true }, diskOfType(type))).toBeDefined();
  });

  it.each(LOCAL)('[ST-8] of %s is not', async (_name, type) => {
    expect(await openAt(join(emptyRoot(), 'work'), {}, diskOfType(type))).toBeDefined();
  });

  it('[ST-8] is judged by the nearest folder that exists, each time it is opened', async () => {
    const base = emptyRoot();
    const root = join(base, 'not', 'yet', 'work');
    const asked: string[] = [];
    await openAt(root, {}, diskOfType(0xef53, asked));
    await openAt(root, {}, diskOfType(0xef53, asked));
    expect(asked).toEqual([base, root]);
    await expect(openAt(root, {}, diskOfType(0x6969))).rejects.toMatchObject({ code: 'SCHEDULE_WORKSPACE_UNUSABLE' });
  });
});

describe('a path of Windows', () => {
  it.each([
    ['\\\\server\\share', '\\\\server\\share'],
    ['\\\\server\\share\\work\\a', '\\\\server\\share'],
    ['//server/share/work', '\\\\server\\share'],
    ['\\\\?\\UNC\\server\\share\\work', '\\\\?\\UNC\\server\\share'],
    ['\\\\wsl.localhost\\Ubuntu\\home', '\\\\wsl.localhost\\Ubuntu'],
    ['C:\\work', undefined],
    ['\\\\?\\C:\\work', undefined],
    ['\\\\.\\C:\\work', undefined],
    ['\\work\\a', undefined],
    ['/srv/work', undefined],
  ])('[ST-8, OW-1] %s is on the share %s', (path, share) => {
    expect(shareOf(path)).toBe(share);
  });
});

describe('the command', () => {
  const calendar = (...more: readonly string[]) => ['schedule', '--workspace', 'work', ...more, 'calendar', 'list'];
  const set = ['set', 'holidays', '--empty'];

  it('[SF-1, ST-8] takes the risk by an option that its help and its refusal name', async () => {
    vi.spyOn(realDisk, 'fileSystemType').mockResolvedValue(0x6969);
    const cwd = emptyRoot();
    const refused = await inside([...calendar().slice(0, -1), ...set], { cwd });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/machines share \(NFS\).*--allow-network-file-system takes the risk/s);
    expect(existsSync(join(cwd, 'work'))).toBe(false);
    const made = await inside([...calendar('--allow-network-file-system').slice(0, -1), ...set], { cwd });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect((await inside(calendar(), { cwd })).stderr).toContain('--allow-network-file-system');
    expect((await inside([...calendar(), '--allow-network-file-system'], { cwd })).code).toBe(0);
    for (const command of ['schedule', 'lint']) {
      expect((await inside([command, '--help'], { cwd })).stdout).toContain('--allow-network-file-system');
    }
    vi.restoreAllMocks();
  });
});
