/**
 * Warnings about names of zones that mean one offset all year round (TR-9, TR-12).
 *
 * `EST` and its like sound as if they followed the summer time of a place, and the sign of `Etc/GMT+5` is turned round.
 */

import type { Outlook } from '../outlook.js';
import { type Warning, warning } from '../warning.js';
import type { Single } from './singles.js';

/** Abbreviations of the table of zone names, their offsets, and places whose winter time they are. */
const ABBREVIATIONS: ReadonlyMap<string, readonly [offset: string, place: string]> = new Map([
  ['EST', ['-05:00', 'America/New_York']],
  ['MST', ['-07:00', 'America/Denver']],
  ['HST', ['-10:00', 'Pacific/Honolulu']],
]);

/** Warnings of `fixedZone`, for each field that names such a zone. @internal */
export function zoneWarnings({ declaration }: Outlook, singles: readonly Single[]): readonly Warning[] {
  const ofTrigger = singles.flatMap(({ compiled, path }) => zoneWarning(compiled.timezone, `${path}.timezone`));
  return [...ofTrigger, ...zoneWarning(declaration.exclude?.timezone, 'exclude.timezone')];
}

function zoneWarning(name: string | undefined, path: string): readonly Warning[] {
  if (name === undefined) return [];
  const abbreviation = ABBREVIATIONS.get(name);
  if (abbreviation !== undefined) {
    const [offset, place] = abbreviation;
    const text = `\`${name}\` is ${offset} all year round, without summer time; name a place, such as \`${place}\``;
    return [warning('fixedZone', path, text)];
  }
  const [, sign, hours] = /^Etc\/GMT([+-])([1-9]\d?)$/.exec(name) ?? [];
  if (hours === undefined) return [];
  const offset = `${sign === '+' ? '-' : '+'}${hours.padStart(2, '0')}:00`;
  const text = `\`${name}\` is ${offset}, since the sign is turned round in these names, all year round, without summer time; name a place, such as \`Europe/Berlin\``;
  return [warning('fixedZone', path, text)];
}
