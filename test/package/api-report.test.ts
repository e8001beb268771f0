/**
 * The public surface, one reviewed report per door in `test/api`.
 *
 * A changed signature, a symbol without release tag or comment, and a type that a door mentions but no door exports
 * fail here. After a change on purpose, `npm run api` writes the reports anew.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig, ExtractorLogLevel, type ExtractorMessage } from '@microsoft/api-extractor';
import { afterAll, describe, expect, it } from 'vitest';
import { DOORS } from '../../tsup.config.js';
import { namesExportedBy } from '../house/source-tree.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SETTINGS = join(ROOT, 'api-extractor.json');
const nameable = new Set(Object.values(DOORS).flatMap(namesExportedBy));
const temporary = mkdtempSync(join(tmpdir(), 'everdue-api-'));

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

function settingsOf(door: string): ExtractorConfig {
  const shared = ExtractorConfig.loadFile(SETTINGS);
  return ExtractorConfig.prepare({
    configObject: {
      ...shared,
      projectFolder: ROOT,
      mainEntryPointFilePath: join(ROOT, 'dist', `${door}.d.ts`),
      apiReport: {
        enabled: true,
        reportFileName: `${door}.api.md`,
        reportFolder: temporary,
        reportTempFolder: join(temporary, 'compared'),
      },
    },
    configObjectFullPath: SETTINGS,
    packageJsonFullPath: join(ROOT, 'package.json'),
  });
}

/** Writes the report of a door; answers with it and with every complaint. */
function extract(door: string): { readonly report: string; readonly complaints: readonly string[] } {
  const complaints: string[] = [];
  Extractor.invoke(settingsOf(door), {
    localBuild: true,
    messageCallback: (message) => {
      if (message.logLevel === ExtractorLogLevel.Error && !isNameable(message)) complaints.push(complaintOf(message));
      message.handled = true;
    },
  });
  return { report: readFileSync(join(temporary, `${door}.api.md`), 'utf8'), complaints };
}

/** API Extractor looks at one door at a time; a user can name what another door of the package exports. */
function isNameable({ messageId, text }: ExtractorMessage): boolean {
  return messageId === 'ae-forgotten-export' && nameable.has(/"([^"]+)"/.exec(text)?.[1] ?? '');
}

function complaintOf({ messageId, text, sourceFilePath, sourceFileLine }: ExtractorMessage): string {
  const where = sourceFilePath === undefined ? '' : ` (${sourceFilePath.slice(ROOT.length)}:${sourceFileLine})`;
  return `${messageId}: ${text}${where}`;
}

describe('API report', () => {
  it.each(Object.keys(DOORS))('door %s is documented, complete and as reviewed', async (door) => {
    const { report, complaints } = extract(door);
    expect(complaints, 'document the symbol with a release tag, or export the type that the door mentions').toEqual([]);
    await expect(report).toMatchFileSnapshot(`../api/${door}.api.md`);
  });
});
