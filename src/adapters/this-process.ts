/**
 * What the runtime is told about the process that it runs in: who it is, which zone data it has, where warnings go, and
 * chance.
 */
import { hostname } from 'node:os';
import type { ZoneData } from '../core/time/zone-data.js';
import { runtimeZoneData } from '../core/time/zones.js';

/** See the head of this file. @internal */
export interface ThisProcess {
  /** Process id. */
  readonly pid: number;
  /** Name of the machine. */
  readonly host: string;
  /** The zone data of this runtime under its version, such as `2026a` (TR-10); the runtime's own version where it does not say. */
  readonly zoneData: ZoneData;
  /** Work of this process that has not ended: see `UnendedWork`. */
  readonly unended: Map<string, Promise<void>>;
  /** A number in 0..1, 1 excluded, for jitter alone. */
  random(): number;
  /** Tells the process of something that is nobody's call: a warning of type `EverdueWarning`. */
  warn(message: string, cause: unknown): void;
}

const UNENDED: ThisProcess['unended'] = new Map();

/** This process. @internal */
export function thisProcess(): ThisProcess {
  const { pid, version, versions } = process;
  const zoneData = runtimeZoneData(versions['tz'] ?? version);
  return { pid, host: hostname(), zoneData, unended: UNENDED, random: Math.random, warn };
}

function warn(message: string, cause: unknown): void {
  const detail = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  process.emitWarning(message, { type: 'EverdueWarning', detail });
}
