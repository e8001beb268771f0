/** The log of `serve` on a terminal and in a pipe that is closed. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ObservedEvent, SchedulesStatus } from '../../src/index.js';
import { ServeLog } from '../../src/surfaces/cli/commands/serve-log.js';
import { Printer } from '../../src/surfaces/cli/output/print.js';

const AT = '2026-01-01T00:00:00.000Z';
const TROUBLE: ObservedEvent = {
  type: 'store',
  at: '2026-01-01T00:00:00.000Z',
  change: 'trouble',
  detail: 'the disk is\nfull',
};
const CLEAR = '\r\u001b[K';

function terminal(fails = false) {
  const written: string[] = [];
  const state = { fails };
  const write = (text: string, done: (error?: Error) => void) => {
    written.push(text);
    done(state.fails ? new Error('gone') : undefined);
    return true;
  };
  return { written, state, stream: { write, isTTY: true, columns: 60 } };
}

function opened(status: () => Promise<Partial<SchedulesStatus>>) {
  const owner = { status: async () => ({ isHeld: true }) };
  return [{ workspace: '/work', schedules: { status }, config: undefined }, owner] as unknown as Parameters<
    ServeLog['open']
  >;
}

const busy = async () => ({ counts: { pending: 3, running: 1 } as never, nextDue: '2026-01-01T00:05:00.000Z' });

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse(AT) });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the log of serve', () => {
  it('[SF-1] keeps a line of the present state on a terminal, and clears it for what is printed', async () => {
    const { written, stream } = terminal();
    const log = new ServeLog(new Printer(stream, false), stream);
    log.open(...opened(busy));
    await vi.advanceTimersByTimeAsync(1000);
    log.hear(TROUBLE);
    await log.close();
    expect(written).toEqual([
      `${CLEAR}1 running, 2 queued, next due in 4 min 59 s`,
      CLEAR,
      '2026-01-01T00:00:00.000Z store trouble: the disk is\\nfull\n',
    ]);
  });

  it('[SF-1, ST-4] trouble of the store is shown and ends nothing', async () => {
    const { written, stream } = terminal();
    const log = new ServeLog(new Printer(stream, false), stream);
    log.open(...opened(() => Promise.reject(new Error('no disk'))));
    await vi.advanceTimersByTimeAsync(1000);
    await log.close();
    expect(written[0]).toBe(`${CLEAR}state unknown: no disk`);
  });

  it('[SF-1, OW-1] goes on when nobody reads any more, says so once, and is read again later', async () => {
    const { written, stream, state } = terminal(true);
    const errors = terminal();
    const log = new ServeLog(new Printer(stream, false), errors.stream);
    log.hear(TROUBLE);
    log.hear(TROUBLE);
    await vi.advanceTimersByTimeAsync(0);
    expect(errors.written).toEqual(['everdue: the log cannot be written any more (gone); the owner goes on\n']);
    state.fails = false;
    log.hear(TROUBLE);
    await vi.advanceTimersByTimeAsync(0);
    state.fails = true;
    log.hear(TROUBLE);
    await log.close();
    expect(written).toHaveLength(4);
    expect(errors.written).toHaveLength(2);
  });
});
