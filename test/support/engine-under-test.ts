/** The engine in the form in which it is compared with the oracle: what it refuses, it throws. */

import type { NamedCalendar } from '../../src/core/model/exclusion.js';
import type { CompileResult } from '../../src/core/trigger/compile.js';
import type { CompileDueResult, DueParts } from '../../src/core/trigger/due/compile-due.js';
import type { Engine } from './differential.js';

/** The two doors of an engine, from the sources or from a build. */
export interface EngineDoors {
  readonly compileTrigger: (trigger: unknown) => CompileResult;
  readonly compileDue: (
    parts: DueParts,
    options: { readonly calendars: Readonly<Record<string, NamedCalendar>> },
  ) => CompileDueResult;
}

/** The engine behind these doors. */
export function engineOf({ compileTrigger, compileDue }: EngineDoors): Engine {
  return {
    compile: (trigger) => good(compileTrigger(trigger)),
    compileDue: (parts, calendars) => {
      const named = Object.entries(calendars).map(([name, dates]) => [name, { dates, digest: `sha256:${name}` }]);
      return good(compileDue(parts, { calendars: Object.fromEntries(named) }));
    },
  };
}

function good<Value>(
  result: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly issues: unknown },
) {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.issues)}`);
  return result.value;
}
