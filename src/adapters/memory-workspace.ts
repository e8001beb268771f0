/**
 * A workspace in memory: store, lock and evidence of one catalogue that ends with the process.
 */
import { type OptionNames, refuseUnknownOptions, unknownOptions } from '../codec/json/option-names.js';
import type { Workspace } from '../ports/workspace.js';
import { contentOf, type MemoryData, type MemoryOptions, memoryData } from './memory-data.js';
import { memoryEvidence } from './memory-evidence.js';
import { memoryLock } from './memory-lock.js';
import { memoryStore } from './memory-store.js';

/** How a workspace in memory is opened: on new data with these options, or on data that other handles use too. @public */
export type MemoryWorkspaceOptions = MemoryOptions | { readonly data: MemoryData };

const SHARED_NAMES: OptionNames<Extract<MemoryWorkspaceOptions, { readonly data: MemoryData }>> = { data: true };

/**
 * A workspace in memory. `close` ends its handles; data that it made itself is disposed of with them, and with it the
 * directories of attempts, unless `directory` said where they are to be.
 *
 * @public
 */
export function memoryWorkspace(options: MemoryWorkspaceOptions = {}): Workspace {
  const isShared = 'data' in options;
  if (isShared) refuseUnknownOptions('cannot open the workspace', unknownOptions(options, SHARED_NAMES));
  const data = isShared ? options.data : memoryData(options);
  const store = memoryStore(data);
  const lock = memoryLock(data);
  return {
    store,
    lock,
    evidence: memoryEvidence(data),
    identity: contentOf(data).identity,
    close: async () => {
      await store.close();
      await lock.close();
      if (!isShared) await data.dispose();
    },
  };
}
