/**
 * The host's private configuration: where `serve`, `create`, `ensure` and `update` find the execution service (SF-2).
 *
 * It is a module that the person who runs the command chose, by `EVERDUE_CONFIG` or by standing in the working directory;
 * no declaration and no workspace can name one. It is checked whole before anything is opened.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Caller,
  type ExecutionService,
  type HandlerLogger,
  inProcess,
  type Observer,
  type Provider,
  ScheduleError,
} from '../../index.js';
import type { Surroundings } from './output/print.js';

/** What a configuration module exports by default, or a function that answers with it. @internal */
export interface HostConfig {
  /** Plans and runs documents. */
  readonly execution?: ExecutionService;
  /** Short for `execution: inProcess({ providers, logger })`. */
  readonly providers?: Readonly<Record<string, Provider>>;
  /** With `providers`: where handlers' log lines go; standard error where absent. */
  readonly logger?: HandlerLogger;
  /** Hears what the command commits and runs. */
  readonly observer?: Observer;
  /** On whose behalf the command acts, and which providers it may use. */
  readonly caller?: Caller;
  /** Occurrences that `serve` runs at a time. */
  readonly concurrency?: number;
  /** Seconds that `serve` waits for what runs when it is stopped. */
  readonly drainSeconds?: number;
}

/** A configuration that was found and is right. @internal */
export interface LoadedConfig extends Omit<HostConfig, 'providers' | 'logger'> {
  /** Absolute path of its module. */
  readonly path: string;
}

const NAMES = ['everdue.config.mjs', 'everdue.config.js', 'everdue.config.cjs', 'everdue.config.ts'] as const;
const FIELDS = ['execution', 'providers', 'logger', 'observer', 'caller', 'concurrency', 'drainSeconds'] as const;

/**
 * The host's configuration, or undefined where there is none; `SCHEDULE_CONFIG_INVALID` where it is wrong. Handlers that
 * it names by `providers` log to its own logger, else to `logger`.
 *
 * @internal
 */
export async function loadConfig(
  surroundings: Pick<Surroundings, 'env' | 'cwd'>,
  logger: HandlerLogger,
): Promise<LoadedConfig | undefined> {
  const path = findConfig(surroundings);
  if (path === undefined) return undefined;
  const { providers, logger: own, ...rest } = check(await evaluate(path), path);
  if (providers === undefined) return { ...rest, path };
  return { ...rest, execution: inProcess({ providers, logger: own ?? logger }), path };
}

function findConfig({ env, cwd }: Pick<Surroundings, 'env' | 'cwd'>): string | undefined {
  const named = env['EVERDUE_CONFIG'];
  if (named === undefined || named === '') return NAMES.map((name) => resolve(cwd, name)).find(existsSync);
  const path = resolve(cwd, named);
  if (existsSync(path)) return path;
  throw invalid(path, 'EVERDUE_CONFIG names a file that does not exist', 'Correct the path, or unset EVERDUE_CONFIG.');
}

async function evaluate(path: string): Promise<unknown> {
  const exported = defaultExport(await load(path));
  if (typeof exported !== 'function') return exported;
  try {
    return await (exported as () => unknown)();
  } catch (cause) {
    if (cause instanceof ScheduleError) throw cause;
    throw invalid(path, 'its default function threw', 'Run it by itself to see why.', cause);
  }
}

async function load(path: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (cause) {
    const isUnreadable = (cause as NodeJS.ErrnoException)?.code === 'ERR_UNKNOWN_FILE_EXTENSION';
    const hint = isUnreadable
      ? `Node ${process.version} does not read this kind of file: write the configuration as .mjs, or run Node 22.18 or later, which strips types.`
      : 'The cause says what is wrong in it, or in what it imports.';
    throw invalid(path, 'it cannot be loaded', hint, cause);
  }
}

/** The default export; of a module that was translated to CommonJS, the one inside. */
function defaultExport(module: unknown): unknown {
  const outer = (module as { readonly default?: unknown }).default;
  const isTranslated = isRecord(outer) && outer['__esModule'] === true;
  return isTranslated ? outer['default'] : outer;
}

function check(value: unknown, path: string): HostConfig {
  if (!isRecord(value)) {
    throw invalid(path, 'its default export must be an object, or a function that answers with one', EXAMPLE);
  }
  const faults = faultsOf(value);
  if (faults.length > 0) throw invalid(path, faults.join('; '), EXAMPLE);
  return value as HostConfig;
}

const EXAMPLE = "Write `export default { providers: { report: { kinds: { 'report/1': { run } } } } }`.";

function faultsOf(config: Readonly<Record<string, unknown>>): readonly string[] {
  const { execution, providers, logger, observer, caller, concurrency, drainSeconds } = config;
  const unknown = Object.keys(config).filter((name) => !(FIELDS as readonly string[]).includes(name));
  const rules: readonly (readonly [boolean, string])[] = [
    [unknown.length === 0, `${unknown.join(', ')} is unknown; known are ${FIELDS.join(', ')}`],
    [execution === undefined || providers === undefined, 'give `execution` or `providers`, not both'],
    [execution === undefined || isExecutionService(execution), '`execution` must be an execution service'],
    [
      providers === undefined || isProviders(providers),
      '`providers` must be an object of `{ kinds: { [kind]: { run } } }`',
    ],
    [logger === undefined || isLogger(logger), '`logger` must be `{ debug, info, warn, error }`, four functions'],
    [
      logger === undefined || execution === undefined,
      '`logger` goes with `providers`; an execution service brings its own',
    ],
    [observer === undefined || typeof observer === 'function', '`observer` must be a function'],
    [caller === undefined || isCaller(caller), '`caller` must be `{ name, providers? }`'],
    [concurrency === undefined || isWhole(concurrency, 1, 10_000), '`concurrency` must be a whole number, 1..10000'],
    [drainSeconds === undefined || isDrain(drainSeconds), '`drainSeconds` must be a number, 0..86400'],
  ];
  return rules.filter(([isRight]) => !isRight).map(([, fault]) => fault);
}

function isExecutionService(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value['capabilities'])) return false;
  return ['providers', 'plan', 'execute'].every((name) => typeof value[name] === 'function');
}

function isProviders(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((provider) => isRecord(provider) && isRecord(provider['kinds']));
}

function isLogger(value: unknown): boolean {
  return isRecord(value) && ['debug', 'info', 'warn', 'error'].every((level) => typeof value[level] === 'function');
}

function isCaller(value: unknown): boolean {
  if (!isRecord(value) || typeof value['name'] !== 'string' || value['name'] === '') return false;
  const { providers } = value;
  return providers === undefined || (Array.isArray(providers) && providers.every((name) => typeof name === 'string'));
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

function isDrain(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 86_400;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(path: string, what: string, hint: string, cause?: unknown): ScheduleError {
  const details = { path };
  return new ScheduleError('SCHEDULE_CONFIG_INVALID', `cannot use the configuration ${path}: ${what}`, {
    details,
    hint,
    ...(cause === undefined ? {} : { cause }),
  });
}
