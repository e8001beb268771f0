/**
 * What `serve` prints: a start line, a line per event, and on a terminal a line that is kept up to date.
 *
 * Everything is written in order. When nobody reads any more, the owner goes on and says so once on standard error: schedules
 * are not to fall silent because a collector of logs did.
 */

import type { ObservedEvent, Owner, Schedules, SchedulesStatus } from '../../../index.js';
import type { Opened } from '../call.js';
import { eventLine, type LogLine } from '../output/event-text.js';
import { distanceText } from '../output/layout/moment.js';
import { plain } from '../output/layout/plain.js';
import { type OutputStream, type Printer, writeTo } from '../output/print.js';

const REDRAW_MS = 1000;
const CLEAR_LINE = '\r\u001b[K';

/** The log of one `serve`. @internal */
export class ServeLog {
  readonly #printer: Printer;
  readonly #stderr: OutputStream;
  #opened: { readonly workspace: string; readonly schedules: Schedules; readonly owner: Owner } | undefined;
  #written: Promise<void> = Promise.resolve();
  #isUnread = false;
  #timer: NodeJS.Timeout | undefined;
  #hasProgress = false;
  #isRedrawAsked = false;

  /** `stderr` takes what is no answer. */
  constructor(printer: Printer, stderr: OutputStream) {
    this.#printer = printer;
    this.#stderr = stderr;
  }

  /** Begins: the start line follows once the owner has started. */
  open({ workspace, schedules }: Opened, owner: Owner): void {
    this.#opened = { workspace, schedules, owner };
    if (!this.#printer.isTerminal || this.#printer.isJson) return;
    this.#timer = setInterval(() => this.#askForRedraw(), REDRAW_MS);
    this.#timer.unref();
  }

  /** Prints what an event says. */
  hear(event: ObservedEvent): void {
    if (event.type === 'owner' && event.change === 'started') this.#enqueue(() => this.#start(event));
    const line = eventLine(event);
    if (line !== undefined) this.#enqueue(() => this.#print(line));
  }

  /** Prints a line on standard error, without breaking the line of the present state. */
  beside(line: string): void {
    this.#enqueue(async () => {
      await this.#clear();
      await this.#say(line);
    });
  }

  /** Waits until everything is written. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#enqueue(() => this.#clear());
    await this.#written;
  }

  async #start(event: ObservedEvent): Promise<void> {
    const { report } = (await this.#opened?.owner.status()) ?? {};
    const workspace = this.#opened?.workspace ?? '';
    const epoch = report?.epoch ?? 0;
    const { at } = event;
    const value = { type: 'serving', at, workspace, epoch, pid: process.pid };
    const text = `${at} serving ${plain(workspace)} (epoch ${epoch}, process ${process.pid}); stop it with Ctrl-C or SIGTERM`;
    await this.#print({ value, text });
  }

  async #print({ value, text }: LogLine): Promise<void> {
    await this.#clear();
    await this.#printer.line(value, () => text);
  }

  /** One at a time: a terminal that is held must not collect them. */
  #askForRedraw(): void {
    if (this.#isRedrawAsked) return;
    this.#isRedrawAsked = true;
    this.#enqueue(async () => {
      this.#isRedrawAsked = false;
      await this.#redraw();
    });
  }

  /** Writes the line of the present state over the one before. */
  async #redraw(): Promise<void> {
    const line = await this.#state();
    await this.#printer.write(`${CLEAR_LINE}${line.slice(0, (this.#printer.width ?? 80) - 1)}`);
    this.#hasProgress = true;
  }

  async #state(): Promise<string> {
    try {
      const status = await this.#opened?.schedules.status();
      return status === undefined ? '' : stateText(status, Date.now());
    } catch (error) {
      // Trouble of the store is the owner's to deal with; here it is what there is to tell.
      return plain(`state unknown: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #clear(): Promise<void> {
    if (!this.#hasProgress) return;
    this.#hasProgress = false;
    await this.#printer.write(CLEAR_LINE);
  }

  #enqueue(step: () => Promise<void>): void {
    this.#written = this.#written.then(async () => {
      try {
        await step();
        this.#isUnread = false;
      } catch (error) {
        if (this.#isUnread) return;
        this.#isUnread = true;
        const why = error instanceof Error ? error.message : String(error);
        await this.#say(`everdue: the log cannot be written any more (${plain(why)}); the owner goes on`);
      }
    });
  }

  /** Lines on standard error are for people: without a reader the owner goes on. */
  async #say(line: string): Promise<void> {
    await writeTo(this.#stderr, `${line}\n`).catch(() => undefined);
  }
}

function stateText({ counts, nextDue }: SchedulesStatus, now: number): string {
  const due = nextDue === undefined ? 'nothing due' : `next due ${distanceText(nextDue, now)}`;
  return `${counts.running} running, ${counts.pending - counts.running} queued, ${due}`;
}
