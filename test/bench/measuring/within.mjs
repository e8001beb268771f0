/** A time limit on synchronous code, for peers that may never come back. */
import vm from 'node:vm';

const call = new vm.Script('globalThis.everdueBenchRun()');

/** What `run()` returns, or `undefined` where it took longer than the limit; what it throws is thrown. */
export function within(limitMs, run) {
  globalThis.everdueBenchRun = run;
  try {
    return { value: call.runInThisContext({ timeout: limitMs }) };
  } catch (error) {
    if (error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    delete globalThis.everdueBenchRun;
  }
}
