/**
 * A fleet of real host processes by name. Whoever ends is started anew, as a supervisor would; whoever ends without having
 * been killed is a fault. It signals its own processes only.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../sim/random.js';
import { type ChildHost, spawnHost, type Told } from '../child-host.js';

/** How the fleet runs. */
export interface FleetOptions {
  /** Where the scripts of the hosts are. */
  readonly hosts: string;
  /** What every host is given, beside its name. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Hears what must not be. */
  readonly complain: (rule: string, found: string) => void;
}

/** What was done to a fleet. */
export interface FleetCounts {
  kills: number;
  stops: number;
  ownerStarts: number;
  /** Milliseconds from the kill of an owner to the start of the next, its recovery included. */
  readonly takeovers: number[];
}

interface Member {
  readonly host: ChildHost;
  isKilled: boolean;
}

/** See the head of this file. */
export class Fleet {
  readonly counts: FleetCounts = { kills: 0, stops: 0, ownerStarts: 0, takeovers: [] };
  readonly #options: FleetOptions;
  readonly #members = new Map<string, Member>();
  readonly #listeners = new Set<(name: string) => void>();
  #owner: string | undefined;
  #orphanedAtMs: number | undefined;
  #isOver = false;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** Starts a host, and starts it anew whenever it ends. The script is named after the first word of its name. */
  start(name: string): void {
    const { hosts, given } = this.#options;
    const script = `${hosts}/${name.split('-', 1)[0]}-host.mjs`;
    const onTold = (line: Told): void => this.#note(name, line);
    const host = spawnHost(script, [JSON.stringify({ ...given, name })], { onTold });
    const member: Member = { host, isKilled: false };
    this.#members.set(name, member);
    void host.ended.then((code) => this.#noteEnd(name, member, code));
  }

  /** Kills a host on the spot. */
  kill(name: string): void {
    const member = this.#members.get(name);
    if (member === undefined || member.isKilled) return;
    member.isKilled = true;
    this.counts.kills += 1;
    if (name === this.#owner) this.#orphanedAtMs ??= performance.now();
    member.host.signal('SIGKILL');
  }

  /** Stops a host for a while; it notices nothing but that time has passed. */
  async stopFor(name: string, ms: number): Promise<void> {
    const member = this.#members.get(name);
    if (member === undefined || member.isKilled) return;
    this.counts.stops += 1;
    member.host.signal('SIGSTOP');
    await delay(ms);
    member.host.signal('SIGCONT');
  }

  /** Waits until a host has told so many lines more, and no longer than a while. */
  async untilTold(name: string, lines: number, atMostMs: number): Promise<void> {
    const told = new AbortController();
    let left = lines;
    const listener = (who: string): void => {
      if (who === name) left -= 1;
      if (left === 0) told.abort();
    };
    this.#listeners.add(listener);
    await delay(atMostMs, undefined, { signal: told.signal }).catch(() => undefined);
    this.#listeners.delete(listener);
  }

  /** Asks every host to end, and waits until all have; an owner settles what it runs. */
  async end(): Promise<void> {
    this.#isOver = true;
    const members = [...this.#members.values()];
    for (const { host } of members) host.signal('SIGTERM');
    await Promise.all(members.map(({ host }) => host.ended));
  }

  /** Stops every host where it stands. */
  freeze(): void {
    for (const { host } of this.#members.values()) host.signal('SIGSTOP');
  }

  /** Kills every host; nobody is started anew. */
  async endKilled(): Promise<void> {
    this.#isOver = true;
    for (const name of this.#members.keys()) this.kill(name);
    await Promise.all([...this.#members.values()].map(({ host }) => host.ended));
  }

  #note(name: string, line: Told): void {
    if (line['owner'] === 'started') {
      this.counts.ownerStarts += 1;
      this.#owner = name;
      if (this.#orphanedAtMs !== undefined) this.counts.takeovers.push(performance.now() - this.#orphanedAtMs);
      this.#orphanedAtMs = undefined;
    }
    for (const listener of this.#listeners) listener(name);
  }

  #noteEnd(name: string, member: Member, code: number | null): void {
    if (this.#members.get(name) !== member) return;
    if (!member.isKilled && (code !== 0 || !this.#isOver)) {
      this.#options.complain('OW-1', `${name} ended by itself with ${code}`);
    }
    if (!this.#isOver) this.start(name);
  }
}

/** Disturbs a fleet until a point in time: kills and stops at moments that are drawn. */
export async function disturb(fleet: Fleet, names: readonly string[], random: Random, untilMs: number): Promise<void> {
  const stops: Promise<void>[] = [];
  for (;;) {
    const name = random.of(names);
    // Half of the moments are moments of the victim's work, the others of the clock.
    if (random.chance(0.5)) await fleet.untilTold(name, random.between(1, 8), 400);
    else await delay(random.spread(5, 600));
    if (performance.now() >= untilMs) break;
    if (random.chance(0.75)) fleet.kill(name);
    else stops.push(fleet.stopFor(name, random.spread(10, 1200)));
  }
  await Promise.all(stops);
}
