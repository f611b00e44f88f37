import { expect, test } from 'vitest';
import { load } from './load.ts';

// Stryker counts tests that fail, not test files: a mutant that cannot be loaded would survive.
test('the file loads', async () => {
  await expect(load()).resolves.toBeDefined();
});
