const file = process.env.MUTATED;

/** One file at a time (pure.ts): its mutants against its tests. */
export default {
  mutate: [file],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // pure.ts has the tests of a file: none is looked for.
  vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // A mutant that only starves on a busy machine would count as killed.
  timeoutMS: 120_000,
  incremental: true,
  incrementalFile: `.stryker/incremental/${file?.replaceAll('/', '-')}.json`,
  // Not below node_modules: tests there are not looked for.
  tempDirName: '.stryker/sandbox',
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
  jsonReporter: { fileName: process.env.MUTATION_REPORT ?? '.stryker/report.json' },
  ignorePatterns: ['/dist', '/data', '/bench', '/docs', '/content', '/.stryker'],
  // Stryker would read tsconfig.json with a compiler API that TypeScript 7 does not have.
  tsconfigFile: 'none.json',
  warnings: { slow: false },
  allowConsoleColors: false,
};
