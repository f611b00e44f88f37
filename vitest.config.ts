import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    globalSetup: ['test/support/database/database-setup.ts'],
    reporters: ['default', './test/support/count-reporter.ts'],
    // Fonts of made-up slabs: a process reads this file once, when it first draws text.
    env: { FONTCONFIG_FILE: fileURLToPath(new URL('test/support/photos/fonts.conf', import.meta.url)) },
    pool: 'forks',
    // Half of the time went into loading the same modules again for each file. Much of the rest is waiting, hence a third.
    isolate: false,
    maxWorkers: 3,
    // A test that passes only the second time is named at the end (docs/decisions/0061).
    retry: 1,
    // For what hangs. A busy machine takes its time: a bound that a test is about is asserted by the test.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
