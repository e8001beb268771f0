/**
 * Controls of the catalogue as a whole: the gate, and the acceptance of the clock (CT-9, CO-6).
 */
import { toWire } from '../../../codec/rows.js';
import type { CatalogueRow, Gate } from '../../../core/model/catalogue.js';
import type { CallOptions } from '../../../ports/schedule-store.js';
import type { RowStep, SubmitOptions } from '../../commit/commit.js';
import { ArgumentCheck } from '../arguments.js';
import type { CallerOptions, SchedulesStatus } from '../options.js';
import { type ClientParts, callerOf, callOf } from '../parts.js';
import type { GateView } from '../view.js';
import { status } from './read.js';
import { hasUnknownEvidence } from './unknown-evidence.js';

/** See `GateControl.pause`. @internal */
export async function pauseGate(
  parts: ClientParts,
  options: CallerOptions & { note?: string | undefined },
): Promise<GateView> {
  const check = new ArgumentCheck({ control: 'pause', scheduleId: 'the gate' });
  const note = check.text('note', options.note);
  check.done();
  const by = callerOf(parts, options).name;
  return submitGate(parts, options, (gate, at) => {
    if (gate.isPaused) return undefined;
    const lastSpan = gate.lastSpan === undefined ? {} : { lastSpan: gate.lastSpan };
    return { isPaused: true, by, at, ...(note === undefined ? {} : { note }), ...lastSpan };
  });
}

/** See `GateControl.resume`. @internal */
export async function resumeGate(parts: ClientParts, options: CallerOptions): Promise<GateView> {
  const by = callerOf(parts, options).name;
  return submitGate(parts, options, (gate, at) => {
    if (!gate.isPaused) return undefined;
    return { isPaused: false, by, at, lastSpan: { cause: 'gate', from: gate.at ?? at, until: at } };
  });
}

/** See `GateControl.status`. @internal */
export async function readGate(parts: ClientParts, options: CallOptions): Promise<GateView> {
  await parts.catalogue.refresh(callOf(options));
  return toWire(parts.catalogue.row.gate);
}

/** See `Schedules.acceptClock`. @internal */
export async function acceptClock(parts: ClientParts, options: CallerOptions): Promise<SchedulesStatus> {
  const { catalogue, workspace } = parts;
  const { store, evidence } = workspace;
  const isRestored = await hasUnknownEvidence({ store, evidence, catalogue }, callOf(options));
  const accept: RowStep = (row, at) => {
    const isBehind = at < catalogue.lastSeenAt;
    if (row.clockStop === undefined && !isBehind && !isRestored) return undefined;
    const { clockStop, ...rest } = row;
    // A clock that has caught up meanwhile has nothing to be forgiven: an owner would take the stop away as well.
    if (clockStop?.reason === 'clockBehind' && !isBehind && !isRestored) return rest;
    return { ...rest, acceptedClockAt: at, acceptedSeenAt: catalogue.lastSeenAt };
  };
  await parts.committer.submitRow(accept, submitOptions(parts, options));
  return status(parts, options);
}

async function submitGate(
  parts: ClientParts,
  options: CallerOptions,
  next: (gate: Gate, at: Parameters<RowStep>[1]) => Gate | undefined,
): Promise<GateView> {
  const step: RowStep = (row: CatalogueRow, at) => {
    const gate = next(row.gate, at);
    return gate === undefined ? undefined : { ...row, gate };
  };
  const row = await parts.committer.submitRow(step, submitOptions(parts, options));
  return toWire(row.gate);
}

function submitOptions(parts: ClientParts, options: CallerOptions): SubmitOptions {
  return { actor: callerOf(parts, options).name, ...callOf(options) };
}
