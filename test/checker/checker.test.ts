/**
 * The independent check: what a real store made of real runs is whole by every rule, and whatever is damaged is found.
 *
 * The workspace is lived through once, and every case damages a copy of it in memory.
 */
import { beforeAll } from 'vitest';
import { type Fixture, makeFixture } from './fixture.js';
import { hostileCases } from './hostile-cases.js';
import { invariantCases } from './invariant-cases.js';
import { movingCases } from './moving-cases.js';
import { sweepCases } from './sweep-cases.js';

let made: Fixture;

beforeAll(async () => {
  made = await makeFixture();
}, 120_000);

const fixture = () => made;

invariantCases(fixture);
movingCases(fixture);
sweepCases(fixture);
hostileCases(fixture);
