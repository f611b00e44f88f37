import { defineConfig } from 'vitest/config';

/** Tests that need no database: those of a pure file (pure.ts), and some of those of mutants made by hand. */
export default defineConfig({
  test: { include: process.env.MUTATION_TESTS?.split(' ') ?? [], pool: 'threads', testTimeout: 30_000 },
});
