/** Topic `triggers`: what due instants cost, warm and cold. */
import { compileCold, importCold } from './triggers/cold-start.mjs';
import { nextDue } from './triggers/next-due.mjs';

await importCold();
await compileCold();
await nextDue();
