/** A project as a user has it: the packed tarball in `node_modules`, and its dependencies, linked instead of installed. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

/** What a user installs beside the package to compile against it. */
const BESIDE = ['@types/node'];

/**
 * Makes the project in `folder` out of `test/package/consumer` and answers with its path.
 *
 * Only what stands under `dependencies` is linked, so that an import of anything else fails as it would for a user.
 */
export function installConsumer(root: string, tarball: string, folder: string): string {
  cpSync(join(root, 'test/package/consumer'), folder, { recursive: true });
  const modules = join(folder, 'node_modules');
  const installed = join(modules, manifest.name);
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  for (const name of [...Object.keys(manifest.dependencies), ...BESIDE]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
  }
  return folder;
}
