/**
 * Keeps standard output for the answer: what a host's code prints with `console` goes to standard error.
 *
 * With `--json` a program reads standard output, and one line of a handler or of a configuration would break its JSON.
 */
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import type { OutputStream } from './output/print.js';

/** Methods of the console that print to standard output. */
const PRINTING = [
  'log',
  'info',
  'debug',
  'dir',
  'dirxml',
  'table',
  'group',
  'groupCollapsed',
  'groupEnd',
  'count',
  'timeEnd',
  'timeLog',
  'time',
] as const;

/** Sends the console of this process to `stream` until the returned function is called. @internal */
export function consoleAside(stream: OutputStream): () => void {
  const sink = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      stream.write(text, done);
    },
  });
  // Nobody reading it is no reason to end.
  sink.on('error', () => {});
  const aside = new Console({ stdout: sink, stderr: sink });
  const before = PRINTING.map((name) => [name, console[name]] as const);
  Object.assign(console, Object.fromEntries(PRINTING.map((name) => [name, aside[name]])));
  return () => {
    Object.assign(console, Object.fromEntries(before));
  };
}
