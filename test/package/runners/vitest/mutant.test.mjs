// Vitest: a store that breaks a clause is reported as failed.
import { storeContract } from 'everdue/testing';
import { it } from 'vitest';
import { openMutant } from '../open.mjs';

for (const { clause, title, run } of storeContract(openMutant)) it(`${clause} ${title}`, run);
