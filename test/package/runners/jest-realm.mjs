/**
 * Runs CommonJS test files as Jest does, as far as it matters to a contract: each file in a realm (`node:vm` context) of its
 * own, with everything that it requires loaded into that realm, built-in modules and the globals of Node from outside,
 * `describe` and `test` as globals, and no `import()`.
 *
 *     node jest-realm.mjs FILE...
 *
 * Jest itself has some 250 packages and 54 MB. Where `EVERDUE_JEST` names its program, the same files are run with it.
 */
import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, resolve } from 'node:path';
import vm from 'node:vm';

let failed = 0;
let passed = 0;

for (const file of process.argv.slice(2)) {
  for (const { name, run } of testsOf(resolve(file))) {
    try {
      await run();
      passed += 1;
      console.log(`✓ ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`✕ ${name}\n${String(error?.stack)}`);
    }
  }
}
console.log(`Tests: ${failed} failed, ${passed} passed`);
process.exitCode = failed > 0 ? 1 : 0;

/** The tests that a file declares. */
function testsOf(file) {
  const tests = [];
  const suites = [];
  const test = (title, run) => tests.push({ name: [...suites, title].join(' '), run });
  const describe = (title, declare) => {
    suites.push(title);
    declare();
    suites.pop();
  };
  load(file, realm({ describe, test, it: test }), new Map());
  return tests;
}

/** A context with the globals of Node that the language itself does not have. */
function realm(more) {
  const context = vm.createContext({});
  const own = new Set(vm.runInContext('Object.getOwnPropertyNames(globalThis)', context));
  const inner = vm.runInContext('globalThis', context);
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!own.has(name)) Object.defineProperty(inner, name, Object.getOwnPropertyDescriptor(globalThis, name));
  }
  return Object.assign(inner, { global: inner }, more) && context;
}

function load(file, context, loaded) {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(file, module);
  const outer = createRequire(file);
  if (file.endsWith('.json')) module.exports = JSON.parse(readFileSync(file, 'utf8'));
  else if (file.endsWith('.node')) module.exports = outer(file);
  else {
    const require = (name) => (isBuiltin(name) ? outer(name) : load(outer.resolve(name), context, loaded));
    const names = ['exports', 'require', 'module', '__filename', '__dirname'];
    const code = vm.compileFunction(readFileSync(file, 'utf8'), names, { filename: file, parsingContext: context });
    code.call(
      module.exports,
      module.exports,
      Object.assign(require, outer, { resolve: outer.resolve }),
      module,
      file,
      dirname(file),
    );
  }
  return module.exports;
}
