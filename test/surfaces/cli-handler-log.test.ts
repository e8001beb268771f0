/** What handlers print and log: standard output stays the answer's, and standard error says who said what. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ServeLog } from '../../src/surfaces/cli/commands/serve-log.js';
import { consoleAside } from '../../src/surfaces/cli/console-aside.js';
import { lineLogger } from '../../src/surfaces/cli/handler-log.js';
import { Printer } from '../../src/surfaces/cli/output/print.js';
import { cliHost, declaration } from './cli-host.js';
import { everdue } from './cli-process.js';

const TALKS = `
console.log('loaded');
async function run(document, { logger }) {
  console.log('from console.log');
  console.info({ from: 'console.info' });
  console.table([{ a: 1 }]);
  logger.info('begun\\u001b[2K', { sheets: 3, by: 'the printer', failed: new Error('jam') });
  logger.debug('quiet');
}
export default { providers: { report: { kinds: { 'report/1': { run } } } }, MORE };
`;

async function talkingHost(more = '') {
  const host = cliHost(TALKS.replace(', MORE', more === '' ? '' : `, ${more}`));
  await host.schedule(['create', '-'], declaration('byhand'));
  await host.schedule(['trigger', 'byhand', '--request-id', 'x']);
  return host;
}

function collecting() {
  const written: string[] = [];
  const write = (text: string, done: () => void) => {
    written.push(text);
    done();
    return true;
  };
  return { written, stream: { write, isTTY: true } };
}

function jsonLines(text: string): readonly Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{"'))
    .map((line) => JSON.parse(line));
}

describe('with --json', () => {
  it('[SF-1] standard output of tick is one JSON value, whatever a handler prints', async () => {
    const host = await talkingHost();
    const { code, stdout, stderr } = await host.schedule(['tick', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ claimed: 1, succeeded: 1 });
    expect(stderr).toContain('loaded\nfrom console.log\n');
    expect(stderr).toContain("{ from: 'console.info' }");
    expect(stderr).toContain('│ 0');
    expect(jsonLines(stderr)).toEqual([
      expect.objectContaining({
        type: 'log',
        level: 'info',
        occurrence: 'byhand~1~m~x',
        message: 'begun\u001b[2K',
        sheets: 3,
        failed: 'Error: jam',
      }),
      expect.objectContaining({ level: 'debug', message: 'quiet' }),
    ]);
  });

  it('[SF-1, OW-7] standard output of serve is JSON lines', async () => {
    const host = await talkingHost();
    const owner = await host.serve('--json');
    await owner.printed('"succeeded"');
    owner.signal('SIGTERM');
    const { stdout } = await owner.ended;
    for (const line of stdout.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });

  it('[SF-1] the console is as before when the command has ended', () => {
    const { log, table } = console;
    const { written, stream } = collecting();
    const restore = consoleAside(stream);
    console.log('%s of %d', 'one', 2);
    console.dir({ a: 1 });
    restore();
    expect(written).toEqual(['one of 2\n', '{ a: 1 }\n']);
    expect([console.log, console.table]).toEqual([log, table]);
  });
});

describe('the logger of handlers', () => {
  it('[SF-2, OC-12] prints level, occurrence, message and fields on standard error, and forges nothing', async () => {
    const host = await talkingHost();
    const { stdout, stderr } = await host.schedule(['tick']);
    expect(stdout).toContain('from console.log');
    expect(stderr).toMatch(
      /^\S+Z info byhand~1~m~x: begun\\u001b\[2K sheets=3 by="the printer" failed="Error: jam"\n\S+Z debug byhand~1~m~x: quiet\n$/,
    );
  });

  it('[SF-2] a configuration brings its own logger and observer', async () => {
    const logger = `{ debug() {}, info: (message) => process.stderr.write('mine: ' + message + '\\n'), warn() {}, error() {} }`;
    const observer = `(event) => { if (event.type === 'occurrence') process.stderr.write('saw ' + event.to + '\\n'); }`;
    const host = await talkingHost(`logger: ${logger}, observer: ${observer}`);
    const { stderr } = await host.schedule(['tick']);
    expect(stderr).toContain('mine: begun');
    expect(stderr).toContain('saw running\n');
    expect(stderr).toContain('saw succeeded\n');
    expect(stderr).not.toContain('info byhand');
  });

  it('[SF-2, OC-12] says what JSON cannot, in both forms', () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const fields = { occurrence: 'a~1~m~b', attempt: 2, cycle, many: 5n, none: undefined };
    const lines: string[] = [];
    lineLogger((line) => lines.push(line), false).warn('odd', fields);
    lineLogger((line) => lines.push(line), true).error('odd', fields);
    expect(lines[0]).toMatch(
      /Z warn a~1~m~b attempt 2: odd cycle=<ref \*1> \{ self: \[Circular \*1\] \} many=5n none=undefined$/,
    );
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ level: 'error', attempt: 2, many: '5n', none: 'undefined' });
  });

  it('[SF-2] every field of the configuration is documented', async () => {
    const { stdout } = await everdue(['help', 'config']);
    for (const field of ['providers', 'execution', 'logger', 'observer', 'caller', 'concurrency', 'drainSeconds']) {
      expect(stdout).toMatch(new RegExp(`^  ${field} `, 'm'));
    }
  });
});

describe('the log of serve on a terminal', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('[SF-1] clears its line before a handler logs', async () => {
    vi.useFakeTimers({ now: 0 });
    const { written, stream } = collecting();
    const log = new ServeLog(new Printer(stream, false), stream);
    const status = async () => ({ counts: { pending: 0, running: 0 } });
    const opened = [{ workspace: '/w', schedules: { status } }, {}] as unknown as Parameters<ServeLog['open']>;
    log.open(...opened);
    await vi.advanceTimersByTimeAsync(1000);
    log.beside('a line');
    await log.close();
    expect(written).toEqual(['\r\u001b[K0 running, 0 queued, nothing due', '\r\u001b[K', 'a line\n']);
  });
});
