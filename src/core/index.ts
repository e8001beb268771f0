/**
 * Door `everdue/core`: the pure half, for previews in a browser, other runtimes and simulations. Re-exports and
 * nothing else.
 */
export {};
