import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends a run with one plain line, `N passed, N failed`, whatever else was printed; above it, which files skipped tests: those
 * say what they lack (data, a browser, root), and a filter skips the others.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    const files: string[] = [];
    for (const module of modules) {
      // A file that cannot be loaded has no tests to count: it is one failure itself.
      if (module.state() === 'failed' && [...module.children.allTests()].length === 0) failed++;
      const before = skipped;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed++;
        else if (state === 'failed') failed++;
        else skipped++;
      }
      if (skipped > before) files.push(`${module.relativeModuleId} ${skipped - before}`);
    }
    if (files.length > 0) console.log(`skipped: ${files.sort().join(', ')}`);
    process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  }
}
