/** Zone data of a host for tests: the runtime's own, with one zone told otherwise from some instant on. */
import type { ZoneData } from '../../src/core/time/zone-data.js';
import { runtimeZoneData } from '../../src/core/time/zones.js';

const HOUR = 3_600_000;

/** The runtime's data under a version, where the clock of a zone is an hour further ahead from an instant on. */
export function movedZone(version: string, zone: string, from: string): ZoneData {
  const base = runtimeZoneData('base');
  const start = Date.parse(from);
  return {
    version,
    offsetAt: (name, at) => base.offsetAt(name, at) + (name === zone && at >= start ? HOUR : 0),
  };
}

/** The runtime's data under a version, copied so that nothing of it is shared with the runtime's own zones. */
export function sameZones(version: string): ZoneData {
  return movedZone(version, '', '2000-01-01T00:00:00Z');
}
