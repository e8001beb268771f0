/**
 * Door `everdue/testing`: contracts, manual clock, scripted execution, faulty store. Re-exports and nothing else.
 */
export {};
