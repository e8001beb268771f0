/**
 * A file system of its own (ext4 in a file, through a loop device) whose power can be cut: the kernel is told to shut it down
 * without writing anything more, so what is left is what was flushed and what happened to be written before.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `EXT4_IOC_SHUTDOWN` with `EXT4_GOING_FLAGS_NOLOGFLUSH`, since Node makes no such call. */
const SHUT_DOWN = [
  'my $flags = pack("L", 2);',
  'open(my $medium, "<", $ARGV[0]) or die "open: $!";',
  'ioctl($medium, 0x8004587D, $flags) or die "ioctl: $!";',
].join(' ');

/** See the head of this file. */
export class CutMedium {
  /** Where it is mounted. */
  readonly at: string;
  readonly #folder: string;

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'everdue-power-'));
    this.at = join(this.#folder, 'medium');
    try {
      mkdirSync(this.at);
      run('truncate', '-s', '64M', this.#image);
      run('mkfs.ext4', '-q', '-F', this.#image);
      this.#mount();
    } catch (error) {
      rmSync(this.#folder, { recursive: true });
      throw error;
    }
  }

  /** Cuts the power: every call that touches it fails from then on. */
  cut(): void {
    run('perl', '-e', SHUT_DOWN, this.at);
  }

  /** Gives the power back, once no process uses it any more. */
  restore(): void {
    run('umount', this.at);
    this.#mount();
  }

  /** Takes it all away. */
  remove(): void {
    run('umount', this.at);
    rmSync(this.#folder, { recursive: true });
  }

  get #image(): string {
    return join(this.#folder, 'image');
  }

  #mount(): void {
    run('mount', '-o', 'loop', this.#image, this.at);
  }
}

/** Why no power can be cut here; nothing where it can. */
export function whyNoPowerCuts(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting takes root on Linux';
  const missing = ['mkfs.ext4', 'losetup', 'mount', 'umount', 'perl', 'truncate'].find(
    (program) => spawnSync(program, ['--version']).error !== undefined,
  );
  if (missing !== undefined) return `${missing} is not installed`;
  let medium: CutMedium | undefined;
  try {
    medium = new CutMedium();
    medium.cut();
    return undefined;
  } catch (error) {
    return `a file system cannot be mounted and shut down here: ${String(error)}`;
  } finally {
    medium?.remove();
  }
}

function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
