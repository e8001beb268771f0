/**
 * How the tests run: one command, three projects.
 *
 * `source` reads the source files and needs no build. `built` reads `dist`, which its global setup rebuilds
 * when a source file is newer. `types` asks the compiler about the `*.test-d.ts` files. Nothing here installs
 * anything. Benchmarks have a package of their own under `test/bench`.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders of tests that load the built package, or start a process of it. */
const BUILT = [
  'test/package/**/*.test.ts',
  'test/crash/**/*.test.ts',
  'test/operating/processes/**/*.test.ts',
  'test/surfaces/**/*.test.ts',
  'test/examples/**/*.test.ts',
];
const NEVER = ['**/node_modules/**', 'test/bench/**'];

export default defineConfig({
  root,
  test: {
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reportsDirectory: 'coverage',
    },
    projects: [
      {
        root,
        test: {
          name: 'source',
          include: ['test/**/*.test.ts'],
          exclude: [...BUILT, ...NEVER],
          pool: 'forks',
          testTimeout: 20_000,
        },
      },
      {
        root,
        test: {
          name: 'built',
          include: BUILT,
          exclude: NEVER,
          pool: 'forks',
          testTimeout: 120_000,
          hookTimeout: 240_000,
          globalSetup: ['test/package/fresh-build.ts'],
        },
      },
      {
        root,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ['test/types/**/*.test-d.ts'],
            tsconfig: 'tsconfig.json',
            ignoreSourceErrors: true,
          },
        },
      },
    ],
  },
});
