/** The zone of the host plays no part: the same answers under four of them, from triggers compiled anew under each. */
import { fc, test } from '@fast-check/vitest';
import { afterEach, describe, expect } from 'vitest';
import { compileTrigger } from '../../src/core/trigger/compile.js';
import { EVERY_ZONE } from '../support/every-zone.js';
import { KINDS, randomTrigger } from '../support/random-dues.js';
import { findChanges, seeded } from '../support/random-triggers.js';

const HOSTS = ['UTC', 'America/New_York', 'Asia/Tokyo', 'Australia/Lord_Howe'] as const;
const hostZone = process.env['TZ'];

afterEach(() => {
  if (hostZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = hostZone;
});

describe('host independence', () => {
  test.prop([fc.nat(), fc.constantFrom(...EVERY_ZONE), fc.constantFrom(...KINDS)], { numRuns: 300 })(
    '[TR-9, TR-10] the same due instants under every host zone',
    (seed, zone, kind) => {
      const random = seeded(seed);
      const change = random.pick(findChanges(zone, 1970 + random.below(75), random));
      const { wire } = randomTrigger(random, kind, zone, change);
      const answers = HOSTS.map((host) => {
        process.env['TZ'] = host;
        const result = compileTrigger(wire);
        if (!result.ok) throw new Error(JSON.stringify(result.issues));
        // The host's clock is the one that was asked for, so the process did change its zone.
        const hostNoon = new Date(2024, 0, 15, 12).getTime();
        const list = result.value.list(change - 43_200_000, 30);
        return { hostNoon, found: [list, result.value.previous(change), result.normalized] };
      });
      expect(new Set(answers.map(({ hostNoon }) => hostNoon)).size).toBe(HOSTS.length);
      for (const { found } of answers) expect(found).toEqual(answers[0]?.found);
    },
  );
});
