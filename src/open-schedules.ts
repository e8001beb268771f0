/**
 * The composition root: joins a workspace, an execution service and the machine into a catalogue of schedules.
 *
 * Everything but the workspace is optional and can be injected. Opening reads the catalogue once, so that damage is
 * reported here and not in the middle of the night; it starts nothing.
 */
import { systemClock } from './adapters/system-clock.js';
import { type ThisProcess, thisProcess } from './adapters/this-process.js';
import type { DeclarationInput } from './codec/declaration-input.js';
import { type OptionNames, refuseUnknownOptions, unknownOptions } from './codec/json/option-names.js';
import { plainCopy } from './codec/json/plain-copy.js';
import type { Warning } from './core/lint/warning.js';
import type { JsonObject } from './core/model/declaration.js';
import type { ZoneData } from './core/time/zone-data.js';
import { ScheduleError } from './errors.js';
import type { Clock } from './ports/clock.js';
import type { ExecutionService } from './ports/execution-service.js';
import type { Observer } from './ports/observer.js';
import type { Workspace } from './ports/workspace.js';
import { Catalogue } from './runtime/catalogue/catalogue.js';
import { refuseBadCall } from './runtime/client/checked-call.js';
import { ScheduleClient } from './runtime/client/client.js';
import { checkedRandomId, refuseBadConfiguration } from './runtime/client/configuration.js';
import type { Schedules } from './runtime/client/face.js';
import type { Caller, PreviewOptions, SchedulePreview } from './runtime/client/options.js';
import { lintAt } from './runtime/client/registration/lint-declaration.js';
import { previewAt } from './runtime/client/registration/preview.js';
import { checkedClock } from './runtime/clock/checked-clock.js';
import { Committer } from './runtime/commit/commit.js';
import { EventHub } from './runtime/events.js';
import { OwnTerms } from './runtime/own-terms.js';
import { createOwner, type Owner } from './runtime/owner/owner.js';
import type { OwnerOptions } from './runtime/owner/owner-parts.js';
import { CORE_RULES } from './runtime/rules.js';
import { UnendedWork } from './runtime/unended-work.js';

/** What {@link openSchedules} takes. @public */
export interface OpenOptions {
  /** Where the catalogue lives: its store, its lock and its evidence. `close` of the schedules closes it. */
  readonly workspace: Workspace;
  /** Plans and runs documents. Without one nothing can be registered unless planning is deferred, and no owner can run. */
  readonly execution?: ExecutionService | undefined;
  /** The time; the machine's where absent. */
  readonly clock?: Clock | undefined;
  /** Hears what this process commits and runs, from the start (OW-7). */
  readonly observer?: Observer | undefined;
  /** On whose behalf calls are made that name nobody else (DE-6); `host`, for every configured provider, where absent. */
  readonly caller?: Caller | undefined;
  /** Occurrences that an owner of this process may run at the same time, 1..10000; 1 where absent (OC-2). */
  readonly concurrency?: number | undefined;
  /** Providers that an owner of this process may use (OC-4); every configured one where absent. */
  readonly authorised?: readonly string[] | undefined;
  /** Where offsets of time zones come from (TR-10); the runtime's own zone data where absent. */
  readonly zoneData?: ZoneData | undefined;
  /** 1..64 lower-case letters and digits, never the same twice: ends of ids and request ids. Made of random numbers where absent. */
  readonly randomId?: (() => string) | undefined;
}

/**
 * Opens the schedules of a workspace.
 *
 * @throws `SCHEDULE_CONFIG_INVALID` for options that cannot work, such as a store that processes share with a lock that
 * they do not; what the store rejects with when it is read first, such as `SCHEDULE_CATALOGUE_CORRUPT`.
 * @public
 */
export function openSchedules(options: OpenOptions): Promise<Schedules> {
  return openSchedulesIn(thisProcess(), options);
}

/** Opens schedules as `openSchedules` does, in a process that is told of; a simulation has several in one. @internal */
export async function openSchedulesIn(machine: ThisProcess, options: OpenOptions): Promise<Schedules> {
  refuseUnknownOptions('cannot open schedules', unknownOptions(options, OPEN_NAMES));
  refuseBadWorkspace(options?.workspace);
  refuseBadConfiguration(options);
  const { workspace, execution, observer } = options;
  const { random } = machine;
  const zoneData = options.zoneData ?? machine.zoneData;
  const { store } = workspace;
  const clock = checkedClock(options.clock ?? systemClock());
  const rules = CORE_RULES;
  const catalogue = new Catalogue({ store, clock, rules });
  const events = new EventHub(machine.warn, (id) => catalogue.entry(id)?.schedule);
  if (observer !== undefined) events.observe(observer);
  const committer = new Committer({ store, catalogue, rules, clock, events, zoneData, random });
  const shared = { clock, catalogue, committer, events };
  const unended = new UnendedWork(workspace.identity ?? crypto.randomUUID(), machine.unended);
  const ownTerms = new OwnTerms();
  const { concurrency } = options;
  const authorised = plainCopy(options.authorised);
  const newOwner = (own: OwnerOptions): Owner => {
    if (execution === undefined) throw noExecution();
    const process = { pid: machine.pid, host: machine.host };
    const parts = {
      ...workspace,
      ...shared,
      unended,
      ownTerms,
      execution,
      zoneData,
      process,
      ...(authorised && { authorised }),
    };
    return createOwner(parts, { ...(concurrency !== undefined && { concurrency }), ...own });
  };
  await catalogue.refresh();
  return new ScheduleClient({
    ...shared,
    workspace,
    zoneData,
    ...(execution === undefined ? {} : { execution }),
    caller: plainCopy(options.caller ?? { name: 'host' }),
    randomId: checkedRandomId(options.randomId ?? randomId),
    newOwner,
    stopOwners: () => ownTerms.close(),
  });
}

/** What is asked of a declaration without any workspace. @public */
export interface AloneOptions {
  /** The time; the machine's where absent. */
  readonly clock?: Clock | undefined;
  /** Where offsets of time zones come from (TR-10); the runtime's own zone data where absent. */
  readonly zoneData?: ZoneData | undefined;
}

/**
 * The due instants of a declaration with local times, without any workspace (TR-11). A calendar is known to a workspace
 * alone: a declaration that names one is refused here.
 *
 * @throws `SCHEDULE_DECLARATION_INVALID`.
 * @public
 */
export async function previewDeclaration<Doc extends object = JsonObject>(
  declaration: DeclarationInput<Doc>,
  options: PreviewOptions & AloneOptions = {},
): Promise<SchedulePreview> {
  refuseBadCall('preview', { options }, ALONE_NAMES);
  const { clock = systemClock(), zoneData } = options;
  return previewAt(declaration, options, { now: clock.now(), zoneData });
}

/**
 * What a declaration allows and its author probably did not mean, without any workspace (TR-12). A calendar that it names is
 * taken to leave nothing out.
 *
 * @throws `SCHEDULE_DECLARATION_INVALID`.
 * @public
 */
export async function lintDeclaration<Doc extends object = JsonObject>(
  declaration: DeclarationInput<Doc>,
  options: AloneOptions = {},
): Promise<readonly Warning[]> {
  refuseBadCall('lint', { options }, ALONE_NAMES);
  const { clock = systemClock(), zoneData } = options;
  return lintAt(declaration, { now: clock.now(), zoneData });
}

const OPEN_NAMES: OptionNames<OpenOptions> = {
  workspace: true,
  execution: true,
  clock: true,
  observer: true,
  caller: true,
  concurrency: true,
  authorised: true,
  zoneData: true,
  randomId: true,
};

const ALONE_NAMES: OptionNames<AloneOptions> = { clock: true, zoneData: true };

function refuseBadWorkspace(workspace: Workspace | undefined): void {
  const { store, lock, evidence } = workspace ?? {};
  if (store === undefined || lock === undefined || evidence === undefined) {
    throw new ScheduleError(
      'SCHEDULE_CONFIG_INVALID',
      'cannot open schedules: `workspace` must have a store, a lock and evidence',
      {
        details: {
          issues: [{ path: 'workspace', rule: 'OW-1', message: 'must be what fileWorkspace or memoryWorkspace gives' }],
        },
        hint: 'Open one with fileWorkspace of everdue/fs, or with memoryWorkspace.',
      },
    );
  }
  if (!store.capabilities.isSharedBetweenProcesses || lock.capabilities.isSharedBetweenProcesses) return;
  throw new ScheduleError(
    'SCHEDULE_CONFIG_INVALID',
    'cannot open schedules: processes share this store, but not this lock, so two owners could run at once',
    {
      details: { store: store.capabilities, lock: lock.capabilities },
      hint: 'Use the lock that belongs to the store.',
    },
  );
}

function noExecution(): ScheduleError {
  return new ScheduleError('SCHEDULE_CONFIG_INVALID', 'cannot make an owner: no execution service is configured here', {
    details: { issues: [{ path: 'execution', rule: 'SF-2', message: 'is required for an owner' }] },
    hint: 'Give openSchedules an execution service, such as inProcess({ providers }).',
  });
}

const RANDOM_LENGTH = 12;

function randomId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, RANDOM_LENGTH);
}
