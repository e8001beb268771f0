/**
 * The only place that knows tsup: one entry per door of `package.json`, and the command.
 *
 * Both formats are split into chunks, so that two doors of one format share one copy of every module. What
 * stands under `dependencies` stays outside the bundle. `test/house/doors.test.ts` compares the entries with
 * the `exports` and the `bin` of `package.json`.
 */
import { defineConfig, type Options } from 'tsup';

/** Door name in `dist` to the file in `src` that re-exports it. */
export const DOORS = {
  index: 'src/index.ts',
  core: 'src/core/index.ts',
  fs: 'src/adapters/fs/index.ts',
  testing: 'src/testing/index.ts',
} as const;

/** Commands: ESM only, no declarations, nobody imports them. */
export const COMMANDS = {
  cli: 'src/surfaces/cli/main.ts',
} as const;

const shared = {
  outDir: 'dist',
  target: 'node20',
  platform: 'node',
  // `node:sqlite` has no name without the prefix.
  removeNodeProtocol: false,
  splitting: true,
  sourcemap: true,
  // The two formats are built side by side; the build script empties the folder before either starts.
  clean: false,
} satisfies Options;

export default defineConfig([
  { ...shared, entry: { ...DOORS, ...COMMANDS }, format: 'esm', dts: { entry: DOORS } },
  { ...shared, entry: DOORS, format: 'cjs', dts: { entry: DOORS } },
]);
