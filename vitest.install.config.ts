import { defineConfig } from 'vitest/config';

/** The checks of an installation: they install, build and start the program as an operator would, which takes minutes. */
export default defineConfig({
  test: {
    include: ['test/install/*.check.ts'],
    reporters: ['verbose', './test/support/count-reporter.ts'],
    fileParallelism: false,
    bail: 1,
    testTimeout: 10 * 60_000,
    // Thousands of files of packages are removed.
    hookTimeout: 5 * 60_000,
  },
});
