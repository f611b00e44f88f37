import { defineConfig } from 'vitest/config';

const tests = process.env.MUTATION_TESTS?.split(' ') ?? [];
const isOfStryker = process.env.MUTATED !== undefined;

/** Tests that need no database: those of a pure file (pure.ts), and some of those of mutants made by hand. */
export default defineConfig({
  test: {
    include: isOfStryker ? ['test/mutants/loads.ts', ...tests] : tests,
    setupFiles: isOfStryker ? ['test/mutants/load-first.ts'] : [],
    // Stryker's own comes first: it puts the mutant in force.
    sequence: { setupFiles: 'list' },
    pool: 'threads',
    // One process of a run loads each file once; for each mutant it is a new one.
    isolate: false,
    testTimeout: 120_000,
  },
});
