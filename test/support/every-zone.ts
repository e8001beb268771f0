/** Every zone name that the library knows and this runtime has data for: IANA names and links. */
import { ZONE_NAMES } from '../../src/core/time/zone-names.js';

function isKnown(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** In the order of the table; the names of the runtime that the table lacks are none of the library's business. */
export const EVERY_ZONE: readonly string[] = ZONE_NAMES.split(' ').filter(isKnown);
