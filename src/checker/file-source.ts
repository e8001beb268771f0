/**
 * Where a check reads from: three questions about files, asked in the order in which a running store may be asked them.
 *
 * Paths are below the root of the workspace and written with `/`; the root itself is the empty text. A source follows no
 * symbolic link in the last part of a path, changes nothing, and may answer at once or later: a folder, an archive, the
 * bytes of a simulated disk.
 */

/** What a name stands for. @internal */
export interface FileLook {
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  /** Size in bytes. */
  readonly bytes: number;
  /** Names of the same file. */
  readonly links: number;
  /** Permission bits; absent where the source has none. */
  readonly mode?: number;
  /** Equal for two names, or two looks, exactly when they are the same file; absent where the source cannot tell. */
  readonly identity?: string;
}

/** See the head of this file. @internal */
export interface FileSource {
  /** Names in a directory, in any order; nothing where there is no directory of this path, a link to one included. */
  list(path: string): Promise<readonly string[] | undefined> | readonly string[] | undefined;
  /** The bytes of a file, in slices from its beginning to its end as of now. Throws where it cannot be read. */
  read(path: string): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** What a name stands for; nothing where it is not taken. */
  look(path: string): Promise<FileLook | undefined> | FileLook | undefined;
}
