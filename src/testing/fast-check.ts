/**
 * The caller's fast-check, by its shape: it is no dependency of this package, so its types are told here. What is made with
 * it fits `fc.property` as its own arbitraries do.
 */

/** The members of fast-check that are used, version 3 or 4: pass the module itself. @public */
export type FastCheck = Readonly<
  Record<
    'constant' | 'constantFrom' | 'integer' | 'array' | 'uniqueArray' | 'oneof' | 'record',
    (...args: never[]) => unknown
  >
>;

/** The shape of an arbitrary of fast-check; `generate` and `shrink` are fast-check's own affair. @public */
export interface Arbitrary<T> {
  /** See fast-check. */
  generate(...given: never[]): never;
  /** See fast-check. */
  canShrinkWithoutContext(value: unknown): value is T;
  /** See fast-check. */
  shrink(value: T, context: unknown): never;
  /** See fast-check. */
  filter<U extends T>(refinement: (value: T) => value is U): Arbitrary<U>;
  /** See fast-check. */
  filter(predicate: (value: T) => boolean): Arbitrary<T>;
  /** See fast-check. */
  map<U>(mapper: (value: T) => U, unmapper?: (value: unknown) => T): Arbitrary<U>;
  /** See fast-check. */
  chain<U>(chainer: (value: T) => Arbitrary<U>): Arbitrary<U>;
}

/** The members of {@link FastCheck}, as they are used. @internal */
export interface Maker {
  constant<T>(value: T): Arbitrary<T>;
  constantFrom<T>(...values: readonly T[]): Arbitrary<T>;
  integer(bounds: { min: number; max: number }): Arbitrary<number>;
  array<T>(of: Arbitrary<T>, bounds: { minLength: number; maxLength: number; size?: 'max' }): Arbitrary<T[]>;
  uniqueArray<T>(of: Arbitrary<T>, bounds: { minLength: number; maxLength: number }): Arbitrary<T[]>;
  oneof<T>(...of: readonly Arbitrary<T>[]): Arbitrary<T>;
  record<T>(of: { readonly [K in keyof T]: Arbitrary<T[K]> }, options?: { requiredKeys: (keyof T)[] }): Arbitrary<T>;
}
