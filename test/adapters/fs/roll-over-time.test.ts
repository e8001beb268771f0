/** When a roll-over is made: a burst has the disk to itself, and what it leaves behind stays bounded. */
import { describe, expect, it } from 'vitest';
import { ROLL_OVER_BYTES } from '../../../src/adapters/fs/journal/roll-over.js';
import { RollOverTime, type RollOverTimeParts } from '../../../src/adapters/fs/roll-over-time.js';

type Sizes = NonNullable<ReturnType<RollOverTimeParts['replica']>>;

/** A store of which only the sizes are real; pauses end when the test says so. */
function standIn() {
  const sizes = { journalBytes: 0, snapshotBytes: 0, state: { unexported: 0 } };
  const pauses: (() => void)[] = [];
  const seen = { rollOvers: 0, warnings: [] as unknown[] };
  let answer: () => Promise<boolean> = async () => {
    Object.assign(sizes, { journalBytes: 0, state: { unexported: 0 } });
    return true;
  };
  const time = new RollOverTime({
    disk: { pause: () => new Promise<void>((resolve) => pauses.push(resolve)) } as unknown as RollOverTimeParts['disk'],
    replica: () => sizes as unknown as Sizes,
    rollOver: () => {
      seen.rollOvers += 1;
      return answer();
    },
    warn: (error) => seen.warnings.push(error),
  });
  const passPause = async () => {
    for (const end of pauses.splice(0)) end();
    await settle();
  };
  return { sizes, seen, time, passPause, answers: (next: typeof answer) => (answer = next) };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe('the time of a roll-over', () => {
  it('[ST-1] comes once nothing was committed for a pause, not between two commits', async () => {
    const { sizes, seen, time, passPause } = standIn();
    time.noteCommit();
    expect(seen.rollOvers).toBe(0);
    sizes.journalBytes = ROLL_OVER_BYTES + 1;
    time.noteCommit();
    for (let commit = 0; commit < 5; commit += 1) {
      time.noteCommit();
      await passPause();
    }
    expect(seen.rollOvers).toBe(0);
    await passPause();
    expect(seen.rollOvers).toBe(1);
  });

  it.each([
    ['journal', { journalBytes: 5 * 1_048_576 }],
    ['ended records in memory', { journalBytes: ROLL_OVER_BYTES + 1, state: { unexported: 16_385 } }],
  ])('[ST-1] comes at once where it would leave too much %s behind', async (_what, more) => {
    const { sizes, seen, time } = standIn();
    Object.assign(sizes, more);
    time.noteCommit();
    await settle();
    expect(seen.rollOvers).toBe(1);
  });

  it('[ST-1, ST-6] comes again at once where more ended meanwhile than a start should read, however short the journal is', async () => {
    const { sizes, seen, time, answers } = standIn();
    Object.assign(sizes, { journalBytes: ROLL_OVER_BYTES + 1, state: { unexported: 40_000 } });
    answers(async () => {
      Object.assign(sizes, { journalBytes: 268, state: { unexported: seen.rollOvers === 1 ? 20_000 : 500 } });
      return true;
    });
    time.noteCommit();
    await settle();
    expect(seen.rollOvers).toBe(2);
  });

  it('[ST-1] comes at once for whoever waits for it, and is made again where it is due again', async () => {
    const { sizes, seen, time, answers } = standIn();
    sizes.journalBytes = ROLL_OVER_BYTES + 1;
    answers(async () => {
      if (seen.rollOvers === 2) sizes.journalBytes = 0;
      return true;
    });
    time.noteCommit();
    await time.settled();
    expect(seen.rollOvers).toBe(2);
  });

  it('[ST-1, ST-6] holds commits back where so much is in memory that no burst may add to it, until it has failed or is over', async () => {
    const { sizes, seen, time, answers } = standIn();
    Object.assign(sizes, { journalBytes: ROLL_OVER_BYTES + 1, state: { unexported: 131_072 } });
    let end = (_isDone: boolean) => {};
    answers(() => new Promise((resolve) => (end = resolve)));
    time.noteCommit();
    await settle();
    expect(seen.rollOvers).toBe(1);
    await time.room();
    sizes.state.unexported += 1;
    let hasRoom = false;
    const waiting = time.room().then(() => {
      hasRoom = true;
    });
    await settle();
    expect(hasRoom).toBe(false);
    Object.assign(sizes, { journalBytes: 0, state: { unexported: 0 } });
    end(true);
    await waiting;
    Object.assign(sizes, { journalBytes: ROLL_OVER_BYTES + 1, state: { unexported: 131_073 } });
    answers(() => Promise.reject(new Error('the disk is full')));
    time.noteCommit();
    await time.room();
    expect(seen.warnings).toHaveLength(1);
  });

  it('[ST-4] one that failed is told, and tried again when the journal has grown', async () => {
    const { sizes, seen, time, answers } = standIn();
    sizes.journalBytes = ROLL_OVER_BYTES + 1;
    answers(() => Promise.reject(new Error('the disk is full')));
    time.noteCommit();
    await time.settled();
    time.noteCommit();
    await time.settled();
    expect(seen).toMatchObject({ rollOvers: 1, warnings: [new Error('the disk is full')] });
    sizes.journalBytes += 65 * 1024;
    time.noteCommit();
    await time.settled();
    expect(seen.rollOvers).toBe(2);
  });

  it('[ST-5] one that another process makes is left to it', async () => {
    const { sizes, seen, time, answers } = standIn();
    sizes.journalBytes = ROLL_OVER_BYTES + 1;
    answers(async () => false);
    time.noteCommit();
    await time.settled();
    expect(seen.rollOvers).toBe(1);
  });
});
