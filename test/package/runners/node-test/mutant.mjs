// node:test: a store that breaks a clause is reported as failed.
import { it } from 'node:test';
import { storeContract } from 'everdue/testing';
import { openMutant } from '../open.mjs';

for (const { clause, title, run } of storeContract(openMutant)) it(`${clause} ${title}`, run);
