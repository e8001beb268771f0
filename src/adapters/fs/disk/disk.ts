/**
 * The disk: every call with which the file store touches files, so that a test can stand in for all of them.
 *
 * Its errors are those of Node, with their codes; what they mean to a caller is told in `trouble.ts`. Data is written
 * and flushed asynchronously. The calls with `Now` in their names take microseconds and are synchronous, since eight
 * small asynchronous ones would cost more than a flush. No call follows a symbolic link in the last part of a path.
 */

/** What a file is opened for: `create` fails where the name is taken, the others fail where it is not. @internal */
export type OpenUse = 'read' | 'append' | 'update' | 'create';

/** What a name stands for. @internal */
export interface FileFacts {
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  /** Device and inode: equal for two names, or a name and an open file, exactly when they are the same file. */
  readonly identity: string;
  readonly bytes: number;
  readonly links: number;
  /** Last change of its content, by the clock of the file system. */
  readonly changedAtMs: number;
  /** Permission bits. */
  readonly mode: number;
  /** Number of the user whom it belongs to; absent where the system has none. */
  readonly owner?: number;
}

/** See the head of this file. @internal */
export interface Disk {
  /** Opens a file; a new one gets mode 0600 whatever the umask. */
  open(path: string, use: OpenUse): Promise<number>;
  close(file: number): Promise<void>;
  /** Reads up to the length of the buffer; fewer bytes only at the end of the file. */
  read(file: number, into: Uint8Array, position: number): Promise<number>;
  /** Writes every byte, or rejects: at `position`, or where it is `append` at the end, in one piece or not to the end. */
  write(file: number, bytes: Uint8Array, position: number | 'append'): Promise<void>;
  /** Flushes data and size of a file to the medium. */
  flush(file: number): Promise<void>;
  /** Flushes the names in a directory to the medium; does nothing where the system cannot. */
  flushDirectory(path: string): Promise<void>;
  /** Makes a directory of mode 0700 whatever the umask. */
  makeDirectory(path: string): Promise<'made' | 'exists'>;
  /** Names in a directory; nothing where it does not exist. */
  list(path: string): Promise<readonly string[] | undefined>;
  /** What a name stands for; nothing where it is not taken. */
  look(path: string): Promise<FileFacts | undefined>;
  rename(from: string, to: string): Promise<void>;
  /** A second name of the same file. */
  link(from: string, to: string): Promise<void>;
  /** Removes a file; fine where it does not exist. */
  unlink(path: string): Promise<void>;
  /** Removes an empty directory; fine where it does not exist. */
  removeDirectory(path: string): Promise<void>;
  /** Type number of the file system that holds a path (Linux); 0 where the system does not tell. */
  fileSystemType(path: string): Promise<number>;
  /** As `look`. */
  lookNow(path: string): FileFacts | undefined;
  /** What an open file is. */
  factsNow(file: number): FileFacts;
  /** As `read`. */
  readNow(file: number, into: Uint8Array, position: number): number;
  /** Writes every byte at a position. */
  writeNow(file: number, bytes: Uint8Array, position: number): void;
  /** Calls back when something in a directory may have changed, and once with an error when it stops doing so. */
  watch(path: string, onChange: () => void, onError: (error: unknown) => void): () => void;
  /** Milliseconds on a clock that only goes forward, from any beginning. */
  elapsedNow(): number;
  /** Waits; does not keep the process alive where `isIdle`. */
  pause(ms: number, isIdle?: boolean): Promise<void>;
  /** Random hexadecimal digits, for names and jitter. */
  randomHex(digits: number): string;
}
