/**
 * File systems that machines share: refused before anything is made, unless the caller takes the risk by name.
 *
 * Linux tells the kind of a file system by a number. Windows names a share in the path itself, so that its text tells; a drive
 * letter that stands for a share does not, and is not recognised.
 */
import { dirname } from 'node:path';
import type { Disk } from './disk/disk.js';
import { unusable } from './disk/trouble.js';

/** File systems that share their files between machines, by the numbers of Linux. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x65735546, 'FUSE'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x564c, 'NCP'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x7461636f, 'OCFS2'],
  [0x01161970, 'GFS2'],
  [0x786f4256, 'vboxsf'],
  [0xbacbacbc, 'vmhgfs'],
  [0x6b414653, 'AFS'],
  [0x19830326, 'BeeGFS'],
  [0x20030528, 'OrangeFS'],
  [0xaad7aaea, 'PanFS'],
  [0xbeefdead, 'StorNext'],
  [0x61636673, 'ACFS'],
  [0x013111a8, 'IBRIX'],
  [0x7c7c6673, 'Parallels'],
]);

/**
 * The share that an absolute Windows path names, `\\server\share`, plain or in the long form `\\?\UNC\server\share`; nothing for
 * a path of this machine, as `\\?\C:` and `\\.\C:` are.
 *
 * @internal
 */
export function shareOf(path: string): string | undefined {
  const parts = path.replaceAll('/', '\\').split('\\');
  const isLong = parts[2] === '?' && parts[3]?.toUpperCase() === 'UNC';
  const root = parts.slice(0, isLong ? 6 : 4);
  const [server, share] = root.slice(isLong ? 4 : 2);
  const isDevice = !isLong && (server === '?' || server === '.');
  const isShare = parts[0] === '' && parts[1] === '' && Boolean(server) && Boolean(share);
  return isShare && !isDevice ? root.join('\\') : undefined;
}

/** Throws `SCHEDULE_WORKSPACE_UNUSABLE` where the nearest folder that exists is on a file system that machines share. @internal */
export async function refuseNetwork(disk: Disk, root: string): Promise<void> {
  const name = shareOf(root) ?? (await networkType(disk, root));
  if (name === undefined) return;
  throw unusable(
    root,
    `it is on a file system that machines share (${name}), whose locks and flushes cannot be relied on`,
    'Use a local disk, or a store for several machines; `allowNetworkFileSystem: true` takes the risk.',
  );
}

async function networkType(disk: Disk, root: string): Promise<string | undefined> {
  let existing = root;
  while (disk.lookNow(existing) === undefined && dirname(existing) !== existing) existing = dirname(existing);
  return NETWORK_TYPES.get((await disk.fileSystemType(existing)) >>> 0);
}
