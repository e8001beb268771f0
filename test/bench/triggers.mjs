/** Topic `triggers`: what due instants cost, warm and cold. */
import { printGoals } from './measuring/goals.mjs';
import { compileCold, firstCold, importCold } from './triggers/cold/cold-start.mjs';
import { refuseIdleRun } from './triggers/contest.mjs';
import { nextDue } from './triggers/next-due.mjs';
import { rules } from './triggers/rules.mjs';

await importCold();
await firstCold();
await compileCold();
await nextDue();
await rules();
refuseIdleRun();
printGoals();
