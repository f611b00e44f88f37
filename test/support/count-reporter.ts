import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends a run with one plain line, `N passed, N failed`, whatever else was printed. Above it: which tests failed before they
 * passed, and which files skipped tests: those say what they lack (data, a browser, root), and a filter skips the others.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    const files: string[] = [];
    for (const module of modules) {
      const before = { failed, skipped };
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (test.diagnostic()?.flaky) {
          const name = `${module.relativeModuleId} > ${test.fullName}`;
          const [first] = errors ?? [];
          const where = first?.stack?.split('\n').find((line) => line.includes('/test/'));
          console.log(`passed only the second time: ${name}: ${first?.message}${where ? `\n${where}` : ''}`);
        }
        if (state === 'passed') passed++;
        else if (state === 'failed') failed++;
        else skipped++;
      }
      // A file that cannot be loaded or set up fails without a test that fails: it is one failure itself.
      if (module.state() === 'failed' && failed === before.failed) failed++;
      if (skipped > before.skipped) files.push(`${module.relativeModuleId} ${skipped - before.skipped}`);
    }
    if (files.length > 0) console.log(`skipped: ${files.sort().join(', ')}`);
    process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  }
}
