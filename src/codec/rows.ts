/**
 * Rows of a catalogue, in and out: the model on one side, plain JSON with UTC texts on the other.
 *
 * Stores write and read these, and every surface answers with them. Encoding trusts the model; decoding trusts
 * nothing, and refuses a damaged row with the path and the rule of each fault (ST-3), as data: the store adds file and
 * offset. The `write` functions put the JSON of a row down at once, and refuse what decoding it would refuse, perhaps amid
 * the row, so that a store need not read what it has written. A schedule is two rows, its definition and the rest, since the definition
 * changes with an update only.
 */

import type { Wire } from '../core/explain/wire.js';
import type { CatalogueRow, DeletedMark } from '../core/model/catalogue.js';
import type { Occurrence, Verdict } from '../core/model/occurrence.js';
import type { Definition, Schedule } from '../core/model/schedule.js';
import type { JsonBytes } from './json/json-bytes.js';
import { occurrence, verdict } from './row/occurrence-shape.js';
import { type Decoded, decodeWith, NotWritable, type Shape } from './row/row-shape.js';
import { catalogueRow, definition, deletedMark, type ScheduleRow, scheduleRow } from './row/schedule-shape.js';
import { toWire } from './row/wire.js';

export type { Wire } from '../core/explain/wire.js';
export type { Decoded } from './row/row-shape.js';
export type { ScheduleRow } from './row/schedule-shape.js';
export { fromWire, toWire } from './row/wire.js';

/** A value of the model that no row can hold: decoding its row would refuse it. @internal */
export class UnstorableRow extends Error {}

/** Writes a schedule row, whether its definition stands beside it or not. Throws {@link UnstorableRow}. @internal */
export function writeScheduleRow(schedule: Schedule | ScheduleRow, out: JsonBytes): void {
  write(scheduleRow, schedule, encodeScheduleRow, out);
}

/** Writes what was declared. Throws {@link UnstorableRow}. @internal */
export function writeDefinition(value: Definition, out: JsonBytes): void {
  write(definition, value, encodeDefinition, out);
}

/** Writes an occurrence. Throws {@link UnstorableRow}. @internal */
export function writeOccurrenceRow(value: Occurrence, out: JsonBytes): void {
  write(occurrence, value, encodeOccurrenceRow, out);
}

/** Writes the mark of a deleted schedule. Throws {@link UnstorableRow}. @internal */
export function writeMark(value: DeletedMark, out: JsonBytes): void {
  write(deletedMark, value, encodeMark, out);
}

/** Writes the catalogue's own row. Throws {@link UnstorableRow}. @internal */
export function writeCatalogueRow(value: CatalogueRow, out: JsonBytes): void {
  write(catalogueRow, value, encodeCatalogueRow, out);
}

/** Writes an operator's verdict. Throws {@link UnstorableRow}. @internal */
export function writeVerdict(value: Verdict, out: JsonBytes): void {
  write(verdict, value, encodeVerdict, out);
}

/** What a shape refuses to write is found out by reading what it would have been: that names every fault. */
function write<T>(shape: Shape<T>, value: T, encode: (value: T) => unknown, out: JsonBytes): void {
  try {
    shape.write(value, out);
  } catch (error) {
    if (!(error instanceof NotWritable)) throw error;
    const read = decodeWith(shape, JSON.parse(JSON.stringify(encode(value))));
    const faults = read.ok ? 'it is not what it would be read as' : faultText(read.issues);
    throw new UnstorableRow(faults);
  }
}

/** The faults of a row in one line. @internal */
export function faultText(issues: readonly { readonly path: string; readonly message: string }[]): string {
  return issues.map(({ path, message }) => `${path}: ${message}`).join(' ');
}

/** The wire form of a schedule without its definition. @internal */
export function encodeScheduleRow(schedule: Schedule | ScheduleRow): Wire<ScheduleRow> {
  const { definition: _, ...row } = schedule as Schedule;
  return toWire(row);
}

/** The schedule without its definition that a row stands for, or the faults of the row. @internal */
export function decodeScheduleRow(value: unknown): Decoded<ScheduleRow> {
  return decodeWith(scheduleRow, value);
}

/** The wire form of what was declared. @internal */
export function encodeDefinition(value: Definition): Wire<Definition> {
  return toWire(value);
}

/** What was declared, or the faults of the row; the trigger is judged when it is compiled. @internal */
export function decodeDefinition(value: unknown): Decoded<Definition> {
  return decodeWith(definition, value);
}

/** The wire form of an occurrence. @internal */
export function encodeOccurrenceRow(value: Occurrence): Wire<Occurrence> {
  return toWire(value);
}

/** The occurrence that a row stands for, or the faults of the row; its status must agree with what it carries. @internal */
export function decodeOccurrenceRow(value: unknown): Decoded<Occurrence> {
  return decodeWith(occurrence, value);
}

/** The wire form of the mark of a deleted schedule. @internal */
export function encodeMark(value: DeletedMark): Wire<DeletedMark> {
  return toWire(value);
}

/** The mark of a deleted schedule, or the faults of the row. @internal */
export function decodeMark(value: unknown): Decoded<DeletedMark> {
  return decodeWith(deletedMark, value);
}

/** The wire form of the catalogue's own row. @internal */
export function encodeCatalogueRow(value: CatalogueRow): Wire<CatalogueRow> {
  return toWire(value);
}

/** The catalogue's own row, or the faults of the row. @internal */
export function decodeCatalogueRow(value: unknown): Decoded<CatalogueRow> {
  return decodeWith(catalogueRow, value);
}

/** The wire form of an operator's verdict. @internal */
export function encodeVerdict(value: Verdict): Wire<Verdict> {
  return toWire(value);
}

/** An operator's verdict, or the faults of the row. @internal */
export function decodeVerdict(value: unknown): Decoded<Verdict> {
  return decodeWith(verdict, value);
}
