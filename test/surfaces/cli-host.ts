/** A host for the command: a folder with a private configuration, and declarations to register. */
import { join } from 'node:path';
import { everdue, everdueJson, freshFolder, put, type Running, startEverdue } from './cli-process.js';

/**
 * A configuration with one provider. Its handler does what the document says under `act`: it ends (`done`), throws
 * (`fail`), or prints `hanging` and never ends (`hang`).
 */
const CONFIG = `
async function run(document) {
  if (document.act === 'fail') throw new Error('no paper');
  if (document.act === 'hang') {
    process.stdout.write('hanging\\n');
    await new Promise(() => {});
  }
  return { act: document.act };
}
export default { providers: { report: { kinds: { 'report/1': { run } } } }, caller: { name: 'ops' } };
`;

/** A host's folder, and the command in it. */
export interface CliHost {
  /** Its folder, which is the working directory. */
  readonly folder: string;
  /** Runs `everdue schedule --workspace work ...`. */
  schedule(args: readonly string[], stdin?: string | object): ReturnType<typeof everdue>;
  /** The same with `--json`. */
  scheduleJson(args: readonly string[], stdin?: string | object): ReturnType<typeof everdueJson>;
  /** Starts `serve`, and waits until it owns the workspace. */
  serve(...args: readonly string[]): Promise<Running>;
}

/** Makes a host's folder; `config` is the text of its `everdue.config.mjs`, none for a host without. */
export function cliHost(config: string | undefined = CONFIG): CliHost {
  const folder = freshFolder();
  if (config !== '') put(folder, 'everdue.config.mjs', config);
  const base = ['schedule', '--workspace', 'work'];
  const setting = (stdin: string | object = '') => ({
    cwd: folder,
    stdin: typeof stdin === 'string' ? stdin : JSON.stringify(stdin),
  });
  return {
    folder,
    schedule: (args, stdin) => everdue([...base, ...args], setting(stdin)),
    scheduleJson: (args, stdin) => everdueJson([...base, ...args], setting(stdin)),
    async serve(...args) {
      const running = startEverdue([...base, 'serve', ...args], { cwd: folder });
      await running.printed(join(folder, 'work'));
      return running;
    },
  };
}

/** A declaration of a manual schedule; `changes` go over it. */
export function declaration(id: string, changes: object = {}): object {
  return {
    id,
    objective: `Objective of ${id}`,
    document: { version: 'report/1', act: 'done' },
    allowedProviders: ['report'],
    trigger: { kind: 'manual' },
    ...changes,
  };
}
