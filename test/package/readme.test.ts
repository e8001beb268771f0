/** The README as its reader uses it: every block is compiled and run against the packed tarball, every table is complete. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors.js';
import { readmeBlocks } from './readme-blocks.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const BLOCKS = readmeBlocks(ROOT);

/** What each example prints, as far as the reader is told. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  'quick-start': /hello world\n.*hello world/s,
  client:
    /created .*Z\n2026-03-28T01:30:00.000Z .*\n2026-03-30T00:30:00.000Z .*\n2026-03-31T00:30:00.000Z .*\n.*active/s,
  owner: /report-on-demand~1~m~order-17 running.*succeeded \{ rows: 2 \} published\/report.csv/s,
  'execution-service': /\{ stdout: '42' \}/,
  typed: /to: must.*|Invalid email/is,
  declarations: /^Try four times.* 1 \[\]\nOnce, in ten minutes.* 1 \[\]\nOn the last Friday.* 1 \[\]$/m,
  'manual-clock': /^$/,
  'map-store': /# pass \d\d\n# fail 0\n|pass \d\d\n.*fail 0\n/s,
  'trigger-kinds': /^at one instant .*Z$/m,
  'clock-change': /02:00 becomes 03:00.*02:00 becomes 01:00/s,
  config: /^$/,
};

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'everdue-readme-'));
  symlinkSync(join(inject('consumer'), 'node_modules'), join(project, 'node_modules'), 'junction');
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  for (const { name, code } of BLOCKS) writeFileSync(join(project, `${name}.ts`), code);
});

function compile(): readonly string[] {
  const program = ts.createProgram(
    BLOCKS.map(({ name }) => join(project, `${name}.ts`)),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      types: ['node'],
      typeRoots: [join(project, 'node_modules/@types')],
    },
  );
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ file, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, ' ');
    return `${file?.fileName.slice(project.length + 1) ?? ''}: ${text}`;
  });
}

async function runBlock(
  name: string,
): Promise<{ readonly code: unknown; readonly output: string; readonly errors: string }> {
  const cwd = join(project, `${name}-here`);
  mkdirSync(cwd, { recursive: true });
  const child = spawn(process.execPath, [join(project, `${name}.js`)], { cwd });
  let output = '';
  let errors = '';
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString();
  });
  const [code] = await once(child, 'close');
  return { code, output, errors };
}

describe('the README', () => {
  it('compiles, every block of it', () => {
    expect(compile()).toEqual([]);
  });

  it.each(Object.entries(EXPECTED))('runs its example %s', async (name, expected) => {
    const { code, output, errors } = await runBlock(name);
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(output).toMatch(expected);
  });

  it.each(['trigger-kinds', 'clock-change'])(
    '[TR-1, TR-3, TR-6, TR-11, TR-14] says what its example %s prints',
    async (name) => {
      const said = new RegExp(`<!-- output: ${name} -->\\n\`\`\`text\\n([\\s\\S]*?)\`\`\``).exec(README)?.[1];
      expect((await runBlock(name)).output).toBe(said);
    },
  );

  it('has no example that is not run here', () => {
    expect(BLOCKS.map(({ name }) => name).sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  it('has a quick start of five lines', () => {
    const quickStart = BLOCKS.find(({ name }) => name === 'quick-start')
      ?.code.trimEnd()
      .split('\n');
    expect(quickStart).toHaveLength(5);
  });

  it('shows an execution service of at most thirty lines', () => {
    const code = BLOCKS.find(({ name }) => name === 'execution-service')?.code ?? '';
    const service = /const nodeScripts[\s\S]*?\n};/.exec(code)?.[0].split('\n') ?? [];
    expect(service.length).toBeGreaterThan(5);
    expect(service.length).toBeLessThanOrEqual(30);
  });

  it('lists every error code once', () => {
    const listed = [...README.matchAll(/^\| `(SCHEDULE_[A-Z_]+)` +\|/gm)].map(([, code]) => code);
    expect(listed.sort()).toEqual(Object.keys(ERROR_CODES).sort());
  });

  it('shows commands that do what the page says of that night', () => {
    const declaration = /<!-- example: nightly.json -->\n```json\n([\s\S]*?)```/.exec(README)?.[1] ?? '';
    writeFileSync(join(project, 'nightly.json'), declaration);
    expect(everdue('lint nightly.json')).toMatchObject({ status: 0 });
    for (const command of ['next', 'schedule preview']) {
      const line = new RegExp(`^npx everdue (${command} .*)$`, 'm').exec(README)?.[1] ?? '';
      const { status, stdout } = everdue(`${line} --json`);
      expect(status).toBe(0);
      expect(stdout).toContain('2026-03-28T01:30:00.000Z');
      expect(stdout).toContain('2026-03-31T00:30:00.000Z');
      expect(stdout).not.toMatch(/"at":"2026-03-29/);
    }
  });

  it('shows a way through the command line that can be followed', () => {
    writeFileSync(join(project, 'everdue.config.mjs'), readFileSync(join(project, 'config.js'), 'utf8'));
    const lines = [...README.matchAll(/^npx everdue ((?:schedule --workspace|check) .*)$/gm)].map(
      ([, line]) => line ?? '',
    );
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) {
      const { status, stderr } = everdue(line);
      expect(status, `${line}\n${stderr}`).toBe(0);
      expect(stderr.replace(/^warning .*\n/gm, ''), line).toBe('');
    }
  });
});

/** Runs the command in the project, with quotes as a shell would read them. */
function everdue(line: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const args = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, one, two, plain]) => one ?? two ?? plain ?? '');
  const cli = join(project, 'node_modules/everdue/dist/cli.js');
  return spawnSync(process.execPath, [cli, ...args], { cwd: project, encoding: 'utf8' });
}
