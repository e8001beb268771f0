/**
 * What the command reads: files, standard input as `-`, JSON texts and the values of options.
 *
 * JSON is read strictly: a duplicate key or a number that would not survive is refused with its path. What the command
 * line itself got wrong is `SCHEDULE_USAGE`.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Issue, parseStrictJson, ScheduleError } from '../../index.js';
import type { Surroundings } from './output/print.js';

/** Longest input that is read, in bytes: a document of 1 MiB with its declaration fits well. */
const MOST_BYTES = 16 * 1_048_576;

/** A mistake in how the command was called. @internal */
export function usageError(message: string, hint = '', cause?: unknown): ScheduleError {
  return new ScheduleError('SCHEDULE_USAGE', message, { hint, cause });
}

/** The text of a file, or of standard input where `source` is `-`. @internal */
export async function readText(source: string, { stdin, cwd }: Surroundings): Promise<string> {
  const bytes = source === '-' ? await readAll(stdin, nameOf(source)) : await readFileAt(resolve(cwd, source), source);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw notText(nameOf(source), cause);
  }
}

/** The JSON value in a file, or on standard input where `source` is `-`; `SCHEDULE_DECLARATION_INVALID` where it is none. @internal */
export async function readJson(source: string, surroundings: Surroundings): Promise<unknown> {
  return parseJson(await readText(source, surroundings), nameOf(source));
}

/** As {@link readJson}, for what must be an object. @internal */
export async function readJsonObject(source: string, surroundings: Surroundings): Promise<object> {
  const value = await readJson(source, surroundings);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  const issue: Issue = { path: '', rule: 'DE-1', message: 'must be a JSON object' };
  throw invalidInput(`${nameOf(source)} is no declaration`, [issue]);
}

/** The value of a JSON text, which begins on line `firstLine` of what is read; `what` names the text in the error. @internal */
export function parseJson(text: string, what: string, firstLine = 1): unknown {
  const parsed = parseStrictJson(text);
  if (parsed.ok) return parsed.value;
  const hint = /\.ya?ml$/i.test(what) ? 'This version reads JSON; convert the YAML to JSON first.' : undefined;
  const place = syntaxPlace(text, parsed.issues, firstLine);
  const told = place === undefined ? 'is not JSON that can be kept unchanged' : `is not valid JSON, ${place}`;
  throw invalidInput(`${what} ${told}`, parsed.issues, hint);
}

/** Where a text stops being JSON, as an editor counts; undefined for a text that is JSON, but loses something. */
function syntaxPlace(text: string, issues: readonly Issue[], firstLine: number): string | undefined {
  const at = issues.at(-1)?.at;
  if (at === undefined || isJson(text)) return undefined;
  const before = text.slice(0, at).split('\n');
  return `line ${firstLine + before.length - 1} column ${(before.at(-1) ?? '').length + 1}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const MEND = 'Mend what is named.';

/** Input that breaks rules, as every surface reports it. @internal */
export function invalidInput(what: string, issues: readonly Issue[], hint = MEND): ScheduleError {
  const list = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  return new ScheduleError('SCHEDULE_DECLARATION_INVALID', `${what}: ${list}`, { details: { issues }, hint });
}

/** A line of a stream without its line break; `undefined` for one that is not UTF-8. @internal */
export type StreamLine = string | undefined;

/** Lines of text on a stream, as they come; one that is not UTF-8 harms no other. @internal */
export async function* linesOf(stream: AsyncIterable<string | Uint8Array>): AsyncGenerator<StreamLine> {
  let rest: Uint8Array[] = [];
  let isFirst = true;
  const take = (bytes: Uint8Array): StreamLine => {
    const line = decoded(bytes, isFirst);
    isFirst = false;
    return line;
  };
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    let start = 0;
    // A newline is part of no other character.
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, start)) {
      yield take(Buffer.concat([...rest, bytes.subarray(start, at)]));
      rest = [];
      start = at + 1;
    }
    if (start < bytes.length) rest.push(bytes.subarray(start));
  }
  if (rest.length > 0) yield take(Buffer.concat(rest));
}

const NEWLINE = 0x0a;

/** A mark of the byte order may stand before the first line alone. */
function decoded(bytes: Uint8Array, isFirst: boolean): StreamLine {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: !isFirst }).decode(bytes);
  } catch {
    return undefined;
  }
}

function notText(named: string, cause: unknown): ScheduleError {
  return usageError(`${named} is not UTF-8 text`, 'Save it as UTF-8.', cause);
}

function nameOf(source: string): string {
  return source === '-' ? 'standard input' : source;
}

async function readFileAt(path: string, named: string): Promise<Uint8Array> {
  try {
    return await readRegular(path, named);
  } catch (cause) {
    if (cause instanceof ScheduleError) throw cause;
    throw usageError(`cannot read ${named}`, 'Give the path of a JSON file, or `-` for standard input.', cause);
  }
}

/** A device or a pipe may have no end, and opening a pipe may never come back: neither is waited for. */
async function readRegular(path: string, named: string): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) {
      throw usageError(`${named} is no regular file`, 'Give the path of a file, or `-` for standard input.');
    }
    return await readAll(file.createReadStream({ autoClose: false, end: MOST_BYTES }), named);
  } finally {
    await file.close();
  }
}

async function readAll(stream: AsyncIterable<string | Uint8Array>, named: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    bytes += piece.length;
    chunks.push(piece);
    if (bytes > MOST_BYTES) break;
  }
  return bounded(Buffer.concat(chunks), named);
}

function bounded(bytes: Uint8Array, named: string): Uint8Array {
  if (bytes.length <= MOST_BYTES) return bytes;
  throw usageError(`${named} has more than ${MOST_BYTES} bytes`);
}
