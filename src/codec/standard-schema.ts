/**
 * Standard Schema (https://standardschema.dev), version 1: how a provider's document schema is asked, whoever made it.
 *
 * Zod, Valibot, ArkType and others speak it. The types are written from the published standard, so that no library is
 * needed for them. A provider may carry a schema for each kind of document; it is asked at registration and again at
 * dispatch (DE-10).
 */
import { foundText, type Issue } from '../core/model/issue.js';
import { memberPath } from './json/issue-path.js';

/** A schema of any vendor that implements Standard Schema v1. @public */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  /** What the standard asks for. */
  readonly '~standard': StandardSchemaProps<Input, Output>;
}

/** The one member of a {@link StandardSchemaV1}. @public */
export interface StandardSchemaProps<Input = unknown, Output = Input> {
  /** The version of the standard. */
  readonly version: 1;
  /** Who made the schema. */
  readonly vendor: string;
  /** Checks a value and gives out what the schema makes of it. */
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  /** Carries the types; never there at run time. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
}

/** What a schema answers: a value, or issues. @public */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One issue of a schema. @public */
export interface StandardIssue {
  /** For people. */
  readonly message: string;
  /** From the outside in; a segment may be wrapped. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The type that a schema gives out. @public */
export type StandardOutput<Schema extends StandardSchemaV1> = NonNullable<Schema['~standard']['types']>['output'];

/** What a schema made of a value, or every issue that it has with it. @internal */
export type StandardCheck<Output> =
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Asks a schema about a value; its issues come back with paths, in the schema's own words, under rule DE-10.
 *
 * @remarks Never rejects: a schema that throws has refused the value with the message of its error.
 * @internal
 */
export async function validateStandard<Output>(
  schema: StandardSchemaV1<unknown, Output>,
  value: unknown,
): Promise<StandardCheck<Output>> {
  try {
    const result = await schema['~standard'].validate(value);
    if (result.issues === undefined) return { ok: true, value: result.value };
    return { ok: false, issues: result.issues.map((issue) => issueOf(issue, value)) };
  } catch (error) {
    const what = error instanceof Error ? error.message : foundText(error);
    return {
      ok: false,
      issues: [{ path: '', rule: 'DE-10', message: `could not be checked, since the schema failed: ${what}` }],
    };
  }
}

function issueOf(issue: StandardIssue, value: unknown): Issue {
  let path = '';
  let found: unknown = value;
  for (const segment of issue.path ?? []) {
    const key = typeof segment === 'object' ? segment.key : segment;
    path = memberPath(path, typeof key === 'number' ? key : String(key));
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined;
  }
  const what = found === undefined ? {} : { found: foundText(found) };
  return { path, rule: 'DE-10', message: issue.message, ...what };
}
