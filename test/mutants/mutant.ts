/** One fault put into a copy of the program on purpose: a test must fail because of it. */
export type Mutant = {
  /** What the service would do. */
  does: string;
  /** Below `src/`. */
  file: string;
  /** Occurs exactly once in the file. */
  find: string;
  replace: string;
  /** Below `test/`: at least one test of them has to fail. */
  tests: readonly string[];
};

/** The mutants of one source file, with what they would make the service do. */
export function mutantsOf(
  file: string,
  tests: readonly string[],
  changes: readonly (readonly [does: string, find: string, replace: string, tests?: readonly string[]])[],
): Mutant[] {
  return changes.map(([does, find, replace, own]) => ({ does, file, find, replace, tests: own ?? tests }));
}
