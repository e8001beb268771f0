/** The command inside the process of the test: with a terminal where a test wants one, and without a build. */
import { runCli } from '../../src/surfaces/cli/program.js';
import type { Ended } from './cli-process.js';

/** Where and how a command runs. */
export interface Inside {
  readonly cwd: string;
  readonly stdin?: string | object;
  /** True: standard output is a terminal of 120 columns. */
  readonly isTerminal?: boolean;
}

/** Runs a command to its end, for the caller `tester`. */
export async function inside(args: readonly string[], { cwd, stdin = '', isTerminal = false }: Inside): Promise<Ended> {
  const [stdout, stderr] = [collector(isTerminal), collector(false)];
  const text = typeof stdin === 'string' ? stdin : JSON.stringify(stdin);
  const surroundings = {
    stdin: chunks(text),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: { USER: 'tester' },
    cwd,
    onInterrupt: () => () => {},
  };
  const code = await runCli(args, surroundings, '0.0.0');
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

async function* chunks(text: string): AsyncGenerator<string> {
  yield text;
}

function collector(isTTY: boolean) {
  const written: string[] = [];
  const write = (text: string, done: (error?: Error | null) => void) => {
    written.push(text);
    done();
    return true;
  };
  return { stream: { write, isTTY, columns: 120 }, text: () => written.join('') };
}
