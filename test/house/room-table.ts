/**
 * Which room of `src/` may import what, as data. `imports.test.ts` checks it; `src/ARCHITECTURE.md` explains it.
 *
 * A change here is a decision about the architecture: write its reason into `src/ARCHITECTURE.md` as well.
 */

/** What a room may take from another one: anything, or only types. */
export type Reach = 'values' | 'types';

/** One room of `src/`. A room may always import itself. */
export interface Room {
  readonly name: string;
  /** Path below `src/`, of a file or of a folder (with a slash at its end). The longest that fits decides. */
  readonly at: string;
  readonly mayImport: Readonly<Record<string, Reach>>;
  /** Built-in modules of Node: none, all, or those named. */
  readonly builtins: 'none' | 'all' | readonly string[];
  /** What to do instead, when the rule is broken. */
  readonly instead: string;
}

const DOORS_OF_A_HOST = { 'door .': 'values', 'door core': 'values', 'door fs': 'values' } as const;

/** The rooms. Adapters with a folder of their own are rooms, so that none can import another. */
export const ROOMS: readonly Room[] = [
  {
    name: 'errors',
    at: 'errors.ts',
    mayImport: {},
    builtins: 'none',
    instead: 'errors.ts stands below everything; pass what it needs to it as data',
  },
  {
    name: 'core',
    at: 'core/',
    mayImport: { errors: 'values' },
    builtins: 'none',
    instead: 'the core decides on data alone; let runtime/ fetch what is missing and pass it in as an argument',
  },
  {
    name: 'ports',
    at: 'ports/',
    mayImport: { core: 'types', errors: 'types' },
    builtins: 'none',
    instead: 'ports are types; write `import type`, and move code to the room that uses it',
  },
  {
    name: 'codec',
    at: 'codec/',
    mayImport: { core: 'values', errors: 'values' },
    builtins: ['node:crypto'],
    instead: 'the codec knows bytes and the model; move the file access or the policy to adapters/ or core/',
  },
  {
    name: 'runtime',
    at: 'runtime/',
    mayImport: { core: 'values', ports: 'types', codec: 'values', errors: 'values' },
    builtins: 'none',
    instead:
      'the runtime sees the world through ports; add what it lacks to a port, or inject it from open-schedules.ts',
  },
  {
    name: 'checker',
    at: 'checker/',
    mayImport: { errors: 'values' },
    builtins: ['node:crypto', 'node:fs', 'node:fs/promises', 'node:path'],
    instead: 'the checker judges the others: it reads and reckons with code of its own, by what FORMAT.md says',
  },
  adapter('adapters', 'adapters/'),
  adapter('fs adapter', 'adapters/fs/', { adapters: 'values', checker: 'values' }),
  adapter('sqlite adapter', 'adapters/sqlite/'),
  adapter('postgres adapter', 'adapters/postgres/'),
  host('workflows', 'workflows/', {}),
  host('remote', 'remote/', {}),
  host('surfaces', 'surfaces/', { 'door workflows': 'values', 'door remote': 'values' }),
  {
    name: 'testing',
    at: 'testing/',
    mayImport: { ports: 'types', core: 'values', codec: 'values', errors: 'values' },
    builtins: ['node:assert', 'node:assert/strict'],
    instead: 'the kit judges any adapter under any test runner; take the adapter or the runner as an argument',
  },
  {
    name: 'open-schedules',
    at: 'open-schedules.ts',
    mayImport: {
      core: 'values',
      ports: 'types',
      codec: 'values',
      errors: 'values',
      runtime: 'values',
      adapters: 'values',
    },
    builtins: 'none',
    instead:
      'the composition root joins the runtime and the adapters that need no library; the rest is injected by the host',
  },
  door('door .', 'index.ts', ['open-schedules', 'errors', 'core', 'ports', 'codec', 'runtime', 'adapters']),
  door('door core', 'core/index.ts', ['core', 'errors']),
  door('door fs', 'adapters/fs/index.ts', ['fs adapter', 'checker']),
  door('door testing', 'testing/index.ts', ['testing']),
  door('door workflows', 'workflows/index.ts', ['workflows']),
  door('door remote', 'remote/index.ts', ['remote']),
];

/** Layers inside `core/`, lowest first: a layer imports itself and the ones below it. Files beside them are free. */
export const CORE_LAYERS: readonly (readonly string[])[] = [
  ['model', 'time'],
  ['trigger'],
  ['policy'],
  ['transition'],
  ['simulate', 'explain', 'lint'],
];

/** Packages that `src/` may import, and the one place of each. Whatever is not here is imported nowhere. */
export const PACKAGES: Readonly<Record<string, { readonly only: readonly string[]; readonly dynamic?: true }>> = {
  zod: { only: ['codec/'] },
  'fs-extra': { only: ['adapters/fs/'] },
  'fs-native-extensions': { only: ['adapters/fs/'] },
  commander: { only: ['surfaces/cli/'] },
  // The host's own configuration, and the native lock where it is installed.
  '(computed)': { only: ['surfaces/cli/config.ts', 'adapters/fs/locks/'] },
};

function adapter(name: string, at: string, more: Readonly<Record<string, Reach>> = {}): Room {
  return {
    name,
    at,
    mayImport: { ports: 'types', core: 'values', codec: 'values', errors: 'values', ...more },
    builtins: 'all',
    instead: 'an adapter knows its port, the codec and its own library; share code between adapters through codec/',
  };
}

function host(name: string, at: string, more: Readonly<Record<string, Reach>>): Room {
  return {
    name,
    at,
    mayImport: { ...DOORS_OF_A_HOST, ...more },
    builtins: 'all',
    instead:
      'this room is built as any host would build it: import the door (`../index.js`), and export there what is missing',
  };
}

function door(name: string, at: string, fronted: readonly string[]): Room {
  return {
    name,
    at,
    mayImport: Object.fromEntries(fronted.map((room) => [room, 'values'])),
    builtins: 'none',
    instead: 'a door re-exports the room that it fronts; offer the rest through another door',
  };
}
