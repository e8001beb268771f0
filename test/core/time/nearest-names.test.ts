/** What "did you mean" says: near names alone, since a suggestion may be followed without a second look. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { nearestNames, suggestion } from '../../../src/core/time/nearest-names.js';

const FIELDS = ['spreadSeconds', 'expiresAt', 'exclude', 'gap', 'times', 'timezone', 'maxRetries', 'runOnce', 'kind'];

describe('nearest names', () => {
  it.each([
    ['exlude', 'exclude'],
    ['gab', 'gap'],
    ['maxRetry', 'maxRetries'],
    ['spread', 'spreadSeconds'],
    ['expires', 'expiresAt'],
    ['runonce', 'runOnce'],
    ['run-once', 'runOnce'],
    ['RUN_ONCE', 'runOnce'],
    ['time', 'times'],
  ])('[DE-1] %s is near to %s', (text, name) => {
    expect(nearestNames(text, FIELDS, 1)).toEqual([name]);
  });

  it.each(['end', 'x', 'z', 'local', 'every', 'objective', 'runOnce', ''])('[DE-1] nothing is near to %j', (text) => {
    expect(nearestNames(text, FIELDS, 3)).toEqual([]);
  });

  test.prop([fc.string({ maxLength: 80 }), fc.array(fc.string({ minLength: 1, maxLength: 20 }), { maxLength: 8 })])(
    '[DE-1] never the text itself, and never a name that shares little with it',
    (text, known) => {
      for (const name of nearestNames(text, known, 3)) {
        expect(name).not.toBe(text);
        // Of three letters one may differ, so that longer names have most letters in common.
        const shared = [...name.toLowerCase()].filter((letter) => text.toLowerCase().includes(letter)).length;
        const isBeginning = name
          .toLowerCase()
          .replace(/[\s_-]/g, '')
          .startsWith(text.toLowerCase().replace(/[\s_-]/g, ''));
        expect(isBeginning || shared * 2 >= name.replace(/[\s_-]/g, '').length, `${text} ${name}`).toBe(true);
      }
    },
  );

  it('[DE-1] is told as a question, or not at all', () => {
    expect(suggestion(['a', 'b'])).toBe('; did you mean "a" or "b"?');
    expect(suggestion([])).toBe('');
  });
});
