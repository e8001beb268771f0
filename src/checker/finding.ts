/**
 * What a check can find: twenty invariants with a number each, and the list of what was found, which is bounded.
 */

/** Number of an invariant of a workspace. @public */
export type Invariant =
  | 'I1'
  | 'I2'
  | 'I3'
  | 'I4'
  | 'I5'
  | 'I6'
  | 'I7'
  | 'I8'
  | 'I9'
  | 'I10'
  | 'I11'
  | 'I12'
  | 'I13'
  | 'I14'
  | 'I15'
  | 'I16'
  | 'I17'
  | 'I18'
  | 'I19'
  | 'I20';

/** What an invariant says, and what it is judged by: the files of a workspace, or a log that was kept outside of it. @public */
export interface InvariantFacts {
  /** For people. */
  readonly says: string;
  /** What it is judged by. */
  readonly by: 'files' | 'logs';
}

/** The invariants of a workspace. @public */
export const INVARIANTS: Readonly<Record<Invariant, InvariantFacts>> = {
  I1: { says: 'store.json is sealed, of a known version, and names the workspace that every file names', by: 'files' },
  I2: { says: 'a snapshot is sealed, and stands at a point of the chain', by: 'files' },
  I3: { says: 'every byte of the journal is a record of the chain, a fenced one, or explained', by: 'files' },
  I4: { says: 'epochs rise by one with each owner, and an owner writes under its own', by: 'files' },
  I5: {
    says: 'an occurrence is named by schedule, revision and due instant, and made once; no due instant is run twice',
    by: 'files',
  },
  I6: { says: 'an occurrence follows its status table, and ends by the epoch that claimed it', by: 'files' },
  I7: { says: 'one occurrence runs under a key, and overlap keeps what it promises', by: 'files' },
  I8: { says: 'revisions rise by one, occurrences name theirs, no work is deleted', by: 'files' },
  I9: { says: 'due instants of a revision rise, within its budget and expiry, and none while paused', by: 'files' },
  I10: { says: 'an attempt directory belongs to one claim of the chain, by number and hash', by: 'files' },
  I11: { says: 'an effect happens at most once for each attempt, and only after its claim', by: 'logs' },
  I12: { says: 'a commit that was acknowledged is in the chain, with its hash', by: 'logs' },
  I13: { says: 'what ended is in the history, once, and as it ended', by: 'files' },
  I14: { says: 'the snapshot is what the journal makes of the one before it', by: 'files' },
  I15: { says: 'names, kinds and modes in catalogue/ are those that it was made with', by: 'files' },
  I16: { says: 'the head mark names a commit of the chain', by: 'files' },
  I17: { says: 'a success has its verification, in its record and in its evidence', by: 'files' },
  I18: { says: 'a document is what its name says, and is there while a schedule names it', by: 'files' },
  I19: { says: 'an owner claims nothing before the claims of older owners are settled', by: 'files' },
  I20: { says: 'deleting a schedule leaves its evidence', by: 'logs' },
};

/** Something that is wrong in a workspace, and what an operator can do. @public */
export interface WorkspaceFinding {
  /** `error`: what is stored is damaged, or use fails. `note`: all of it can be used, but something was lost that guards it. */
  readonly severity: 'error' | 'note';
  /** Absolute path of the file. */
  readonly file: string;
  /** Offset of the first byte of what is wrong. */
  readonly offset: number;
  /** Number of the invariant that it breaks; see {@link INVARIANTS}. */
  readonly invariant: Invariant;
  /** Short name of the rule that it breaks. */
  readonly rule: string;
  /** What was found. */
  readonly message: string;
  /** What an operator can do. */
  readonly advice: string;
}

/** A byte of a file. @internal */
export interface Place {
  readonly file: string;
  readonly offset: number;
}

/** A rule by the number of its invariant and its short name. @internal */
export type Rule = readonly [invariant: Invariant, rule: string];

/** Takes findings; a part of a check that use does not depend on may be given one that notes everything. @internal */
export type Tells = Pick<Findings, 'error' | 'note'>;

/** Notes what is an error elsewhere. @internal */
export function asNotes(findings: Findings): Tells {
  const note: Tells['note'] = (rule, place, message, advice) => findings.note(rule, place, message, advice);
  return { error: note, note };
}

/** Findings that are kept; of more than these only the number is told. */
const KEPT = 1000;
/** Findings that are kept of one file. */
const KEPT_OF_FILE = 50;

/** The findings of one look at a workspace, in order, the same one once. @internal */
export class Findings {
  readonly #kept: WorkspaceFinding[] = [];
  readonly #known = new Set<string>();
  readonly #ofFile = new Map<string, number>();
  readonly #advise: (finding: Omit<WorkspaceFinding, 'advice'>) => string;
  #left = 0;

  constructor(advise: (finding: Omit<WorkspaceFinding, 'advice'>) => string) {
    this.#advise = advise;
  }

  /** Notes damage. */
  error(rule: Rule, place: Place, message: string, advice?: string): void {
    this.#add('error', rule, place, message, advice);
  }

  /** Notes something that use does not depend on. */
  note(rule: Rule, place: Place, message: string, advice?: string): void {
    this.#add('note', rule, place, message, advice);
  }

  /** Whether there is a finding about a file. */
  has(file: string): boolean {
    return this.#ofFile.has(file);
  }

  /** Everything that was found. */
  all(): readonly WorkspaceFinding[] {
    if (this.#left === 0) return this.#kept;
    const last = this.#kept.at(-1) as WorkspaceFinding;
    const message = `${this.#left} more findings, which are not listed`;
    return [...this.#kept, { ...last, message, advice: 'Mend what is listed first, and check again.' }];
  }

  #add(severity: 'error' | 'note', [invariant, rule]: Rule, place: Place, message: string, advice?: string): void {
    const { file, offset } = place;
    const key = `${file}\0${rule === 'place' ? rule : `${offset} ${invariant} ${rule}`}`;
    if (this.#known.has(key)) return;
    const ofFile = this.#ofFile.get(file) ?? 0;
    if (this.#kept.length >= KEPT || ofFile >= KEPT_OF_FILE) {
      this.#left += 1;
      return;
    }
    this.#known.add(key);
    this.#ofFile.set(file, ofFile + 1);
    const finding = { severity, file, offset, invariant, rule, message: cut(message) };
    this.#kept.push({ ...finding, advice: advice ?? this.#advise(finding) });
  }
}

const LONGEST_MESSAGE = 500;

/** Texts of a damaged file may be long, or hold characters that move a cursor. */
function cut(message: string): string {
  let text = '';
  for (const character of message.slice(0, LONGEST_MESSAGE)) {
    const code = character.charCodeAt(0);
    text += code < 0x20 || (code >= 0x7f && code < 0xa0) ? '�' : character;
  }
  return message.length > LONGEST_MESSAGE ? `${text}…` : text;
}
