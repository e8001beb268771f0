// Vitest, ES modules.
import { storeContract } from 'everdue/testing';
import { describe, it } from 'vitest';
import { openFolder, openMemory } from '../open.mjs';

describe.each([
  ['memory', openMemory],
  ['folder', openFolder],
])('%s', (_, open) => {
  it.each(storeContract(open).map((one) => [`${one.clause} ${one.title}`, one]))('%s', (__, { run }) => run());
});
