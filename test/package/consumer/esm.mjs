// A user's ES module: every door loads, and the errors of the CommonJS copy are known for what they are.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as root from 'everdue';
import * as core from 'everdue/core';
import * as fs from 'everdue/fs';
import manifest from 'everdue/package.json' with { type: 'json' };
import * as testing from 'everdue/testing';

const require = createRequire(import.meta.url);

for (const [door, names] of Object.entries({ root, core, fs, testing })) {
  assert.notEqual(Object.keys(names).length, 0, `door ${door} exports nothing`);
}
const subpaths = Object.keys(manifest.exports).filter((subpath) => subpath !== './package.json');
for (const subpath of subpaths) {
  const name = subpath.replace(/^\./, 'everdue');
  assert.deepEqual(
    Object.keys(await import(name)).sort(),
    Object.keys(require(name)).sort(),
    `${name}: ESM and CJS differ`,
  );
}

const other = require('everdue');
const foreign = new other.ScheduleError('SCHEDULE_CLOSED', 'closed');
assert.equal(
  foreign instanceof root.ScheduleError,
  false,
  'the two formats share a class after all: simplify this test',
);
assert.equal(root.isScheduleError(foreign), true);
assert.equal(root.isScheduleError(foreign, 'SCHEDULE_CLOSED'), true);
assert.equal(root.isScheduleError(foreign, 'SCHEDULE_NOT_FOUND'), false);
assert.equal(other.isScheduleError(new root.ScheduleError('SCHEDULE_CLOSED', 'closed')), true);
assert.equal(root.isScheduleError(new Error('closed')), false);
process.stdout.write(`${subpaths.length} doors`);
