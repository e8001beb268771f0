/**
 * `everdue serve` and `tick`: the owner, in the foreground, under whatever supervises this process.
 *
 * SIGINT or SIGTERM stops it: nothing new is dispatched, and what runs has the drain limit to end. A second signal ends it
 * at once; what ran is then `interrupted`. Exit codes: 0 after a stop, 130 after a forced end, else that of the error.
 */
import type { Command } from 'commander';
import { ScheduleError } from '../../../index.js';
import { type Call, type Intent, type Opened, PLANS, type Register, withSchedules } from '../call.js';
import { whole } from '../option-values.js';
import { fieldsText } from '../output/layout/table.js';
import { examples } from './help.js';
import { ServeLog } from './serve-log.js';

/** Adds the commands of the owner. @internal */
export function addOwnerCommands(schedule: Command, register: Register): void {
  register(
    owning(
      examples(
        schedule.command('serve'),
        'Run the owner: collect what is due and dispatch it, until SIGINT or SIGTERM.',
        [
          'everdue schedule --workspace ./work serve',
          'EVERDUE_CONFIG=./host/everdue.config.mjs everdue schedule --workspace ./work serve --concurrency 4',
        ],
      ),
    ),
    serve,
  );
  register(
    owning(
      examples(
        schedule.command('tick'),
        'Collect once, dispatch until nothing is ready, and end; for cron and tests.',
        ['everdue schedule --workspace ./work tick', 'everdue schedule --workspace ./work tick --json'],
      ),
    ),
    tick,
  );
}

function owning(command: Command): Command {
  return command
    .option('--concurrency <n>', 'occurrences at a time (default: the configuration, or 1)', whole(1, 10_000))
    .option('--drain-seconds <n>', 'time to end for what runs (default: the configuration, or 20)', whole(0, 86_400));
}

const RUNS: Intent = { ...PLANS, runs: true };

interface OwnerFlags {
  readonly concurrency?: number;
  readonly drainSeconds?: number;
}

async function serve(call: Call<OwnerFlags>): Promise<void> {
  const stop = new AbortController();
  const force = new AbortController();
  const log = new ServeLog(call.printer, call.surroundings.stderr);
  const stopListening = call.surroundings.onInterrupt(() => (stop.signal.aborted ? force : stop).abort());
  try {
    await withSchedules(call, { ...RUNS, logLine: (line) => log.beside(line) }, async (opened) => {
      const owner = ownerOf(call, opened);
      const stopObserving = opened.schedules.observe((event) => log.hear(event));
      log.open(opened, owner);
      const failure = await owner.run({ signal: stop.signal, force: force.signal }).then(
        () => (force.signal.aborted ? endedAtOnce() : undefined),
        (error: unknown) => error,
      );
      stopObserving();
      await log.close();
      if (failure !== undefined) throw failure;
    });
  } finally {
    stopListening();
  }
}

function endedAtOnce(): ScheduleError {
  return new ScheduleError('SCHEDULE_ABORTED', 'the owner was ended at once by a second signal', {
    hint: 'What it ran is recorded as interrupted when the next owner starts; look at it then, and resolve or rerun it.',
  });
}

async function tick(call: Call<OwnerFlags>): Promise<void> {
  const stop = new AbortController();
  const stopListening = call.surroundings.onInterrupt(() => stop.abort());
  try {
    await withSchedules(call, RUNS, async (opened) => {
      const summary = await ownerOf(call, opened).tick({ signal: stop.signal });
      await call.printer.answer(summary, () => fieldsText(Object.entries(summary)));
    });
  } finally {
    stopListening();
  }
}

function ownerOf({ options }: Call<OwnerFlags>, { schedules, config }: Opened) {
  const concurrency = options.concurrency ?? config?.concurrency;
  const drainSeconds = options.drainSeconds ?? config?.drainSeconds;
  return schedules.owner({
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(drainSeconds === undefined ? {} : { drainSeconds }),
  });
}
