import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('the reader of print writes no remarks of its own on the console', async () => {
  const script = fileURLToPath(new URL('ocr-process.ts', import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script]);
  expect(stdout).toMatch(/^[^\n]*quick[^\n]*fox[^\n]*\n$/);
  expect(stderr).toBe('');
});
