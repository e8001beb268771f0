/**
 * Pinned documents: each is what its name says, and every one that a schedule names is there (I18).
 */
import { createHash } from 'node:crypto';
import { textOf } from '../bytes/json-value.js';
import { documentPath } from '../bytes/names.js';
import type { FileSource } from '../file-source.js';
import type { Findings } from '../finding.js';
import type { World } from '../journal/world.js';
import { checkFile, tellUnknown } from './places.js';

const NAME = /^([0-9a-f]{64})\.json$/;
const DIRECTORY = 'catalogue/documents';

/** See the head of this file. @internal */
export async function checkDocuments(source: FileSource, world: World | undefined, findings: Findings): Promise<void> {
  const present = new Set<string>();
  for (const name of (await source.list(DIRECTORY)) ?? []) {
    const hex = NAME.exec(name)?.[1];
    const path = `${DIRECTORY}/${name}`;
    if (hex === undefined) {
      tellUnknown(path, findings);
      continue;
    }
    present.add(path);
    if (!(await checkFile(source, path, findings))) continue;
    const digest = createHash('sha256');
    for await (const slice of source.read(path)) digest.update(slice);
    if (digest.digest('hex') === hex) continue;
    findings.error(['I18', 'document'], { file: path, offset: 0 }, 'the digest of the document is not its name');
  }
  for (const { id, definition } of world?.entries.values() ?? []) {
    const path = documentPath(textOf(definition['documentDigest']));
    if (present.has(path)) continue;
    findings.error(
      ['I18', 'document'],
      { file: path, offset: 0 },
      `the document that schedule ${id} names does not exist`,
    );
  }
}
