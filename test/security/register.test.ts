/**
 * The security list: what an attacker or an accident could try, and the test that says what happens then.
 *
 * A row whose title no test has any more fails here, so that a test cannot be lost in silence.
 */
import { describe, expect, it } from 'vitest';
import { hasTitle } from './test-titles.js';

const HERE = 'test/security';

/** Threat, file of its test, and words of the title. */
const REGISTER: readonly (readonly [threat: string, file: string, title: string])[] = [
  [
    'ids that are no names: `..`, slashes, NUL, devices of Windows',
    `${HERE}/paths.test.ts`,
    'leads nowhere, whatever it is given as',
  ],
  [
    'ids of another case of letters',
    `${HERE}/paths.test.ts`,
    'never two folders that a file system might take for one',
  ],
  ['names of published files', `${HERE}/paths.test.ts`, 'is published below the directory of the attempt, or refused'],
  [
    'names of published files, once more',
    'test/adapters/in-process.test.ts',
    'a name that exists, or leads elsewhere, is refused',
  ],
  ['arguments of the command', `${HERE}/paths.test.ts`, 'as an argument of the command is an argument'],
  ['names of files as ids', 'test/adapters/fs/opening.test.ts', 'are reversible, safe, and stay in their directory'],
  ['digests that are paths', 'test/adapters/fs/faults.test.ts', "'../../store', 'sha256:../../store'"],
  ['ids in a catalogue that lead out', 'test/adapters/fs/opening.test.ts', 'no history leaves the root'],
  [
    'symbolic links on the way to the workspace',
    'test/adapters/fs/opening.test.ts',
    'a symbolic link: the workspace itself, above it',
  ],
  ['symbolic links in the place of files', `${HERE}/links.test.ts`, 'in the place of any file is not followed'],
  [
    'symbolic links in the place of directories',
    `${HERE}/links.test.ts`,
    'in the place of any directory of it is refused',
  ],
  ['symbolic links where evidence is going to be', `${HERE}/links.test.ts`, 'planted where evidence is going to be'],
  [
    'symbolic links among published files',
    'test/adapters/in-process-attempt.test.ts',
    'nothing is published through one',
  ],
  ['hard links', `${HERE}/links.test.ts`, 'of any file of the catalogue is found by the check'],
  ['hard links of locks', 'test/adapters/fs/locks.test.ts', 'a lock file with a second name is no lock'],
  ['directories that others may change', `${HERE}/links.test.ts`, 'is refused wherever it is in the catalogue'],
  ['directories of another user', `${HERE}/links.test.ts`, 'or that belongs to another user is refused'],
  ['modes under any umask', `${HERE}/links.test.ts`, 'are 0600 and 0700 under the umask'],
  [
    'prototypes: declarations, changes, documents',
    `${HERE}/hostile-input.test.ts`,
    'are refused in every part of a declaration',
  ],
  [
    'prototypes: labels, calendars, filters',
    `${HERE}/hostile-input.test.ts`,
    'are refused as names of labels and calendars',
  ],
  [
    'prototypes: results, faults, configuration',
    `${HERE}/hostile-input.test.ts`,
    'in results, faults, plans and a configuration',
  ],
  ['prototypes: options', `${HERE}/options.test.ts`, 'keys of prototypes are names like others'],
  ['prototypes: changes', 'test/codec/update.test.ts', 'no change reaches a prototype'],
  [
    'hostile records in the journal',
    `${HERE}/hostile-input.test.ts`,
    'a journal record of right digest with hostile members',
  ],
  ['hostile receipts', `${HERE}/hostile-input.test.ts`, 'receipts of hostile content are data'],
  [
    'hostile reports of an owner',
    `${HERE}/hostile-input.test.ts`,
    'a report of an owner of hostile content is no report',
  ],
  [
    'hostile files before the check',
    'test/checker/hostile-cases.ts',
    'JSON that is nested deep, and numbers that no double holds',
  ],
  ['files without end before the check', 'test/checker/hostile-cases.ts', 'a line of a hundred megabytes'],
  ['deep documents, and large ones', `${HERE}/hostile-input.test.ts`, 'a document of 1 MiB - 1, 1 MiB and 1 MiB + 1'],
  ['ten thousand keys', `${HERE}/hostile-input.test.ts`, 'ten thousand keys, where that is the bound'],
  ['objects that unfold without end', 'test/codec/plain-json.test.ts', 'shared objects that would unfold without end'],
  [
    'doubled keys, unsafe integers, 1e309, NaN',
    `${HERE}/hostile-input.test.ts`,
    'doubled keys, unsafe integers, numbers out of range',
  ],
  ['-0', 'test/codec/strict-json.test.ts', 'reads %s as 0'],
  ['code in a declaration', 'test/codec/declaration.test.ts', 'has no field that could name code'],
  ['regular expressions that explode', `${HERE}/patterns.test.ts`, 'repeat no group without bound'],
  ['regular expressions that are slow', `${HERE}/patterns.test.ts`, 'are linear by their form, or judged'],
  ['forged lines and terminals', `${HERE}/told-texts.test.ts`, 'no command prints any of it as it is'],
  ['forged faults and notes', `${HERE}/told-texts.test.ts`, 'stored faults, notes of progress and names of stages'],
  ['forged findings of a check', 'test/checker/hostile-cases.ts', 'bytes that move a cursor'],
  [
    'secrets of documents in logs, events and records',
    `${HERE}/told-texts.test.ts`,
    'of a document stand in the pinned document',
  ],
  ['secrets in errors', `${HERE}/told-texts.test.ts`, 'are not repeated by an error'],
  ['timers of more than 2^31 ms', `${HERE}/timers.test.ts`, 'of an owner stay below 2^31 ms'],
  ['limits, each on both sides', `${HERE}/limits.test.ts`, 'is kept: one below and the limit are taken'],
  ['errors without end', `${HERE}/error-size.test.ts`, 'is small, and counts what it leaves out'],
  ['options that are misspelt', `${HERE}/options.test.ts`, 'of %s: %s is refused, and %s is proposed'],
  ['providers that nobody authorised', 'test/runtime/client-register.test.ts', 'DE-6'],
  [
    'network file systems',
    'test/operating/network-file-systems.test.ts',
    'is refused, makes nothing, and says what to do',
  ],
  [
    'a machine without a kernel lock',
    'test/operating/processes/native-lock.test.ts',
    'an owner is refused, with both causes',
  ],
  [
    'lock files that a person removes',
    'test/operating/removed-files.test.ts',
    'lets a second owner in, and the first can commit',
  ],
  ['media that are read-only', 'test/operating/media.test.ts', 'gives every reading; what would write says so'],
  ['disks that are full', 'test/operating/media.test.ts', 'the owner tells of it, goes on when there is room'],
  ['folders that cannot be watched', 'test/operating/standing.test.ts', 'is looked at instead, which is told once'],
  [
    'clocks that go back or ahead, and backups',
    'test/operating/clock.test.ts',
    'stops until somebody looks, and runs nothing again',
  ],
];

describe('the security list', () => {
  it.each(REGISTER)('[ST-8] %s: %s', (_threat, file, title) => {
    expect(hasTitle(title, file), `no title of ${file} says "${title}"`).toBe(true);
  });

  it('[ST-8] would notice a title that is gone', () => {
    expect(hasTitle('no test is called this', `${HERE}/paths.test.ts`)).toBe(false);
    expect(hasTitle('leads nowhere', 'test/security/none.test.ts')).toBe(false);
  });
});
