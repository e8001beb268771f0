/**
 * What the runtime is told about the process that it runs in: who it is, which zone data it has, where warnings go.
 */
import { hostname } from 'node:os';

/** See the head of this file. @internal */
export interface ThisProcess {
  /** Process id. */
  readonly pid: number;
  /** Name of the machine. */
  readonly host: string;
  /** Version of the zone data of this runtime, such as `2026a` (TR-10); the runtime's own version where it does not say. */
  readonly zoneData: string;
  /** Tells the process of something that is nobody's call: a warning of type `EverdueWarning`. */
  warn(message: string, cause: unknown): void;
}

/** This process. @internal */
export function thisProcess(): ThisProcess {
  const { pid, version, versions } = process;
  return { pid, host: hostname(), zoneData: versions['tz'] ?? version, warn };
}

function warn(message: string, cause: unknown): void {
  const detail = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  process.emitWarning(message, { type: 'EverdueWarning', detail });
}
