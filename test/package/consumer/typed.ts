// A user's TypeScript module, compiled under NodeNext without `skipLibCheck`: the declarations stand on their own.
import * as everdue from 'everdue';
import * as core from 'everdue/core';
import * as fs from 'everdue/fs';
import * as testing from 'everdue/testing';

export const doors = { everdue, core, fs, testing };

export function adviceOf(error: unknown): 'never' | 'reread' | 'later' | undefined {
  return everdue.isScheduleError(error) ? error.retry : undefined;
}
