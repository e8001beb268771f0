// The same from a CommonJS module: `require` finds declarations of its own format.
import everdue = require('everdue');
import core = require('everdue/core');
import fs = require('everdue/fs');
import testing = require('everdue/testing');

export const doors = { everdue, core, fs, testing };
export const error: everdue.ScheduleError = new everdue.ScheduleError('SCHEDULE_CLOSED', 'closed');
