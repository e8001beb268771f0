/**
 * A close look at a JSON text: every fault with its path and its position.
 *
 * It knows what `JSON.parse` lets pass: duplicate keys, half surrogate pairs, numbers that a double cannot hold, depth
 * and number of keys. It also says where a text that is not JSON stops being JSON. Linear in the length of the text;
 * it goes no deeper than the depth that is allowed.
 */
import { foundText, type Issue } from '../../core/model/issue.js';
import { memberPath } from './issue-path.js';
import { isNumberKept } from './number-text.js';
import { hasLoneSurrogate } from './unicode-text.js';

/** Bounds of a JSON text. @internal */
export interface JsonBounds {
  /** Levels of lists and objects; 1 is a list or object without another inside. At most 1000. */
  readonly depth: number;
  /** Keys of all objects together. */
  readonly keys: number;
}

/** Faults that are reported of one text; what follows is not looked at. */
const MOST_ISSUES = 50;

/**
 * The faults of a text as JSON within bounds; none where it is fit to be parsed. Stops at a fault of syntax, depth or
 * number of keys; reports up to 50 of the others.
 *
 * @internal
 */
export function faultsOfJson(text: string, bounds: JsonBounds): readonly Issue[] {
  const scan = new JsonScan(text, bounds);
  scan.run();
  return scan.issues;
}

class JsonScan {
  readonly issues: Issue[] = [];
  readonly #text: string;
  readonly #bounds: JsonBounds;
  /** The member that is being read, at each level; nothing while its key is not known. */
  readonly #path: (string | number | undefined)[] = [];
  #at = 0;
  #keys = 0;

  constructor(text: string, bounds: JsonBounds) {
    this.#text = text;
    this.#bounds = bounds;
  }

  run(): void {
    if (!this.#value()) return;
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#syntax('must end behind the JSON value');
  }

  /** Each of these reads one thing and answers whether to go on. */
  #value(): boolean {
    this.#skipSpace();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#nested(() => this.#object());
      case '[':
        return this.#nested(() => this.#list());
      case '"':
        return this.#string() !== undefined;
      case 't':
        return this.#word('true');
      case 'f':
        return this.#word('false');
      case 'n':
        return this.#word('null');
      default:
        return this.#number();
    }
  }

  #nested(read: () => boolean): boolean {
    if (this.#path.length >= this.#bounds.depth) {
      return this.#stop(`must have at most ${this.#bounds.depth} levels of lists and objects`);
    }
    this.#at++;
    this.#skipSpace();
    return read();
  }

  #object(): boolean {
    if (this.#takes('}')) return true;
    const seen = new Set<string>();
    this.#path.push(undefined);
    do {
      this.#skipSpace();
      if (!this.#key(seen)) return false;
      this.#skipSpace();
      if (!this.#takes(':')) return this.#syntax('must have a colon behind the key');
      if (!this.#value()) return false;
      this.#skipSpace();
    } while (this.#takes(','));
    this.#path.pop();
    return this.#takes('}') || this.#syntax('must go on with a comma or end the object');
  }

  #key(seen: Set<string>): boolean {
    const start = this.#at;
    if (this.#text[start] !== '"') return this.#syntax('must be a key in double quotes');
    this.#path[this.#path.length - 1] = undefined;
    const key = this.#string(true);
    if (key === undefined) return false;
    this.#path[this.#path.length - 1] = key;
    if (++this.#keys > this.#bounds.keys) {
      this.#at = start;
      return this.#stop(`must have at most ${this.#bounds.keys} keys`);
    }
    if (seen.has(key)) return this.#note('must stand only once in its object', start, foundText(key));
    seen.add(key);
    return true;
  }

  #list(): boolean {
    if (this.#takes(']')) return true;
    const depth = this.#path.length;
    for (let index = 0; ; index++) {
      this.#path[depth] = index;
      if (!this.#value()) return false;
      this.#skipSpace();
      if (!this.#takes(',')) break;
    }
    this.#path.length = depth;
    return this.#takes(']') || this.#syntax('must go on with a comma or end the list');
  }

  #string(isKey = false): string | undefined {
    const start = this.#at++;
    while (this.#text[this.#at] !== '"') {
      const code = this.#text.charCodeAt(this.#at);
      if (Number.isNaN(code)) return this.#badString('must have a closing quote', start);
      if (code < 0x20) return this.#badString('must have its control characters escaped');
      if (code === 0x5c && !this.#escape()) return this.#badString('must be an escape that JSON has');
      this.#at++;
    }
    this.#at++;
    const value: string = JSON.parse(this.#text.slice(start, this.#at));
    if (!hasLoneSurrogate(value)) return value;
    return this.#note(
      isKey ? 'must not hold half of a surrogate pair in a key' : 'must not hold half of a surrogate pair',
      start,
      foundText(value),
    )
      ? value
      : undefined;
  }

  /** Steps from a backslash onto the last character of its escape. */
  #escape(): boolean {
    const kind = this.#text[this.#at + 1] ?? '';
    const length = kind === 'u' ? 6 : 2;
    const isGood =
      kind === 'u' ? /^[\da-f]{4}$/i.test(this.#text.slice(this.#at + 2, this.#at + 6)) : ESCAPES.has(kind);
    if (isGood) this.#at += length - 1;
    return isGood;
  }

  #number(): boolean {
    const start = this.#at;
    this.#takes('-');
    const isWhole = this.#takes('0') || this.#digits();
    const isFraction = !this.#takes('.') || this.#digits();
    const isExponent = !(this.#takes('e') || this.#takes('E')) || this.#exponent();
    if (!(isWhole && isFraction && isExponent)) return this.#syntax('must be a JSON value');
    const token = this.#text.slice(start, this.#at);
    if (isNumberKept(token)) return true;
    const value = Number(token);
    const instead = Number.isFinite(value) ? `write ${value}, or put it in quotes` : 'put it in quotes';
    return this.#note(`must be a number that a double holds to its last digit: ${instead}`, start, token);
  }

  #exponent(): boolean {
    if (!this.#takes('+')) this.#takes('-');
    return this.#digits();
  }

  #digits(): boolean {
    const start = this.#at;
    for (let code = this.#text.charCodeAt(start); code >= 48 && code <= 57; ) code = this.#text.charCodeAt(++this.#at);
    return this.#at > start;
  }

  #word(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return this.#syntax('must be a JSON value');
    this.#at += word.length;
    return true;
  }

  #takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #skipSpace(): void {
    let code = this.#text.charCodeAt(this.#at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = this.#text.charCodeAt(++this.#at);
  }

  #badString(message: string, at = this.#at): undefined {
    this.#at = at;
    this.#syntax(message);
  }

  #syntax(message: string): false {
    const isEnd = this.#at >= this.#text.length;
    return this.#stop(isEnd ? `${message}; the text ends here` : message);
  }

  /** A fault behind which nothing can be read. */
  #stop(message: string): false {
    this.#note(message, this.#at, this.#text[this.#at]);
    return false;
  }

  /** A fault beside which others can be found; answers whether there is room for more. */
  #note(message: string, at: number, found: string | undefined): boolean {
    const path = this.#path.reduce<string>(
      (whole, member) => (member === undefined ? whole : memberPath(whole, member)),
      '',
    );
    const what = found === undefined ? {} : { found: found.length > 80 ? `${found.slice(0, 79)}…` : found };
    this.issues.push({ path, rule: 'DE-3', message, ...what, at });
    return this.issues.length < MOST_ISSUES;
  }
}

const ESCAPES: ReadonlySet<string> = new Set('"\\/bfnrt');
