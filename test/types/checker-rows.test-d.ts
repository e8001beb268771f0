/** The checker has a table of its own for the members of rows; a member that is added to the model must be added there. */
import { expectTypeOf, test } from 'vitest';
import type * as rows from '../../src/checker/rules/row-members.js';
import type { CatalogueRow, DeletedMark } from '../../src/core/model/catalogue.js';
import type {
  AttemptRecord,
  Claim,
  DueWindow,
  Occurrence,
  Verdict,
  Verification,
} from '../../src/core/model/occurrence.js';
import type { Definition, Schedule } from '../../src/core/model/schedule.js';

/** Names of a table, with `?` behind those that may be absent. */
type Named<T> = { [K in keyof T & string]: object extends Pick<T, K> ? `${K}?` : K }[keyof T & string];

test('[ST-3] every row has the members that the model has', () => {
  expectTypeOf<keyof typeof rows.SCHEDULE_MEMBERS>().toEqualTypeOf<Named<Omit<Schedule, 'definition'>>>();
  expectTypeOf<keyof typeof rows.DEFINITION_MEMBERS>().toEqualTypeOf<Named<Definition>>();
  expectTypeOf<keyof typeof rows.OCCURRENCE_MEMBERS>().toEqualTypeOf<Named<Occurrence>>();
  expectTypeOf<keyof typeof rows.CLAIM_MEMBERS>().toEqualTypeOf<Named<Claim>>();
  expectTypeOf<keyof typeof rows.ATTEMPT_MEMBERS>().toEqualTypeOf<Named<AttemptRecord>>();
  expectTypeOf<keyof typeof rows.VERIFICATION_MEMBERS>().toEqualTypeOf<Named<Verification>>();
  expectTypeOf<keyof typeof rows.WINDOW_MEMBERS>().toEqualTypeOf<Named<DueWindow>>();
  expectTypeOf<keyof typeof rows.VERDICT_MEMBERS>().toEqualTypeOf<Named<Verdict>>();
  expectTypeOf<keyof typeof rows.MARK_MEMBERS>().toEqualTypeOf<Named<DeletedMark>>();
  expectTypeOf<keyof typeof rows.CATALOGUE_MEMBERS>().toEqualTypeOf<Named<CatalogueRow>>();
});
