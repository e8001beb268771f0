// A user's CommonJS module: every door loads, and doors of one format share one copy of the error class.
const assert = require('node:assert/strict');
const manifest = require('everdue/package.json');

const subpaths = Object.keys(manifest.exports).filter((subpath) => subpath !== './package.json');
const doors = subpaths.map((subpath) => require(subpath.replace(/^\./, 'everdue')));
const { ScheduleError, isScheduleError } = require('everdue');

for (const door of doors) {
  if (door.ScheduleError !== undefined) assert.equal(door.ScheduleError, ScheduleError);
}
assert.equal(isScheduleError(new ScheduleError('SCHEDULE_CLOSED', 'closed')), true);
process.stdout.write(`${doors.length} doors`);
