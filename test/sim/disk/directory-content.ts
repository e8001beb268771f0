/**
 * The names in a simulated directory: those that processes see, and those that a power cut would leave.
 *
 * A change of a name waits until the directory is flushed; a power cut keeps the first so many of what waits. A rename is
 * an addition in one directory and a removal in another (or the same): the removal never outlives the addition, so that
 * what is renamed is never lost, but a file may be found under both names.
 */

/** One change of a name that waits. */
export interface NameChange<Node> {
  readonly name: string;
  /** What the name stands for from then on; nothing where it is free. */
  readonly node: Node | undefined;
  /** For a removal by rename: the addition, and where it waits; for the addition of a directory, the removal. */
  readonly after?: { readonly change: NameChange<Node>; readonly directory: DirectoryContent<Node> };
  isDurable: boolean;
}

/** See the head of this file. */
export class DirectoryContent<Node> {
  readonly #seen = new Map<string, Node>();
  readonly #stored = new Map<string, Node>();
  #waiting: NameChange<Node>[] = [];

  /** What a name stands for. */
  get(name: string): Node | undefined {
    return this.#seen.get(name);
  }

  /** The names that processes see. */
  names(): readonly string[] {
    return [...this.#seen.keys()];
  }

  /** What is seen, by name. */
  entries(): IterableIterator<[string, Node]> {
    return this.#seen.entries();
  }

  /** What a power cut would leave at least, by name. */
  storedEntries(): IterableIterator<[string, Node]> {
    return this.#stored.entries();
  }

  /** Changes that wait, the first one first. */
  get waiting(): readonly NameChange<Node>[] {
    return this.#waiting;
  }

  /** Changes a name. */
  set(name: string, node: Node | undefined, after?: NameChange<Node>['after']): NameChange<Node> {
    if (node === undefined) this.#seen.delete(name);
    else this.#seen.set(name, node);
    const change: NameChange<Node> = { name, node, isDurable: false, ...(after === undefined ? {} : { after }) };
    this.#waiting.push(change);
    return change;
  }

  /** Makes the first so many changes durable, all where it is not said; what they come after becomes durable with them. */
  flush(count = this.#waiting.length): void {
    const now = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    for (const change of now) {
      if (change.after?.change.isDurable === false) {
        const { directory, change: addition } = change.after;
        directory.flush(directory.waiting.indexOf(addition) + 1);
      }
      change.isDurable = true;
      if (change.node === undefined) this.#stored.delete(change.name);
      else this.#stored.set(change.name, change.node);
    }
  }

  /** A power cut: what is durable is all that there is. */
  cut(): void {
    this.#waiting = [];
    this.#seen.clear();
    for (const [name, node] of this.#stored) this.#seen.set(name, node);
  }

  /** Takes the names of another directory, to be changed apart. `twin` gives the clone of a node; changes are noted in `twins`. */
  fillFrom(other: DirectoryContent<Node>, twin: (node: Node) => Node, twins: ChangeTwins<Node>): void {
    for (const [name, node] of other.#seen) this.#seen.set(name, twin(node));
    for (const [name, node] of other.#stored) this.#stored.set(name, twin(node));
    this.#waiting = other.#waiting.map((change) => {
      const { name, node, isDurable } = change;
      const own = { name, node: node === undefined ? undefined : twin(node), isDurable };
      twins.set(change, { change: own, directory: this });
      return own;
    });
    twins.later.push(() => {
      this.#waiting = this.#waiting.map((own, index) => {
        const after = twins.get(other.#waiting[index]?.after?.change);
        return after === undefined ? own : Object.assign(own, { after });
      });
    });
  }
}

/** Clones of changes, and what is to be done once there is a clone of each. */
export class ChangeTwins<Node> {
  readonly later: (() => void)[] = [];
  readonly #twins = new Map<NameChange<Node>, NonNullable<NameChange<Node>['after']>>();

  set(change: NameChange<Node>, twin: NonNullable<NameChange<Node>['after']>): void {
    this.#twins.set(change, twin);
  }

  get(change: NameChange<Node> | undefined): NameChange<Node>['after'] {
    return change === undefined ? undefined : this.#twins.get(change);
  }
}
