/**
 * Providers: named sets of handlers, one for each kind of document that the provider understands.
 *
 * A document names its kind in its `version` text. A handler may carry a schema for its documents (any library that
 * speaks Standard Schema); what the schema gives out is what the handler gets, in value and in type (DE-10).
 */
import type { StandardSchemaV1 } from '../../codec/standard-schema.js';
import type { Json, JsonObject } from '../../core/model/declaration.js';
import type { HandlerContext } from './handler-context.js';

/**
 * What a handler may return: a small JSON value, or nothing. `object`, so that values of interface types fit; that it is
 * plain JSON is checked when it is returned.
 *
 * @public
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a result is an ordinary function without one.
export type HandlerResult = Json | object | void;

/** The type of a handler's document: what its schema gives out; a JSON object where nothing says more. @public */
export type DocumentOf<Output> = unknown extends Output ? JsonObject : Output;

/**
 * What one kind of document needs to be run.
 *
 * @typeParam Document - what the schema gives out; a JSON object where there is none.
 * @public
 */
export interface Handler<Document = JsonObject> {
  /** Checked at registration and again at dispatch; types the document. */
  readonly schema?: StandardSchemaV1<unknown, Document>;
  /** Names of other providers that the work needs; they must be allowed too. Starts nothing. */
  readonly needs?: (document: DocumentOf<Document>) => readonly string[];
  /**
   * Does the work, on a document of its own: what it changes in there reaches no other attempt. What it returns is kept in the
   * record: plain JSON of at most 64 KiB.
   */
  readonly run: (document: DocumentOf<Document>, context: HandlerContext) => HandlerResult | Promise<HandlerResult>;
}

/**
 * A handler as a provider holds it. Written in place it gets its document as a JSON object; {@link handler} and
 * {@link provider} type it by its schema.
 *
 * @remarks Methods, so that a handler of any document type fits.
 * @public
 */
export interface AnyHandler {
  /** See {@link Handler}. */
  readonly schema?: StandardSchemaV1;
  /** See {@link Handler}. */
  needs?(document: JsonObject): readonly string[];
  /** See {@link Handler}. */
  run(document: JsonObject, context: HandlerContext): HandlerResult | Promise<HandlerResult>;
}

/** A named set of handlers. @public */
export interface Provider {
  /** Kind of document (its `version` text) to its handler. */
  readonly kinds: Readonly<Record<string, AnyHandler>>;
}

/**
 * A handler as it is given, with the type of its document taken from its schema.
 *
 * @public
 */
export function handler<Document = JsonObject>(it: Handler<Document>): Handler<Document> & AnyHandler {
  return it as Handler<Document> & AnyHandler;
}

/**
 * A provider of the given kinds; each handler's document has the type that its own schema gives out.
 *
 * @public
 */
export function provider<Documents extends Readonly<Record<string, unknown>>>(
  kinds: {
    readonly [Kind in keyof Documents]: Handler<Documents[Kind]>;
  },
): Provider {
  return { kinds: kinds as unknown as Provider['kinds'] };
}
