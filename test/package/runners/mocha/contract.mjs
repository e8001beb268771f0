// Mocha, ES modules: `describe` and `it` are globals.
import { storeContract } from 'everdue/testing';
import { openMemory } from '../open.mjs';

describe('memory', () => {
  for (const { clause, title, run } of storeContract(openMemory)) it(`${clause} ${title}`, run);
});
