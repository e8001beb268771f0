/**
 * Door `everdue`: for applications and for authors of adapters. Re-exports and nothing else.
 */
export {};
