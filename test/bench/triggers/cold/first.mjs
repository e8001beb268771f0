/** In a cold process: imports one engine and asks it for one due instant in one zone. Told to the parent. */
import { mainThreadMs, tell } from '../../measuring/cold.mjs';
import { COLD_ENGINES } from './cold-engines.mjs';

const [engine, timezone] = process.argv.slice(2);
const AT = Date.UTC(2026, 0, 5);

const [started, startedMain] = [performance.now(), mainThreadMs()];
const make = await COLD_ENGINES[engine]();
const importMs = performance.now() - started;
const due = make('0 9 * * 1-5', timezone).next(AT);
const ms = performance.now() - started;
tell({ ms, importMs, mainMs: mainThreadMs() - startedMain, isKept: due !== undefined });
