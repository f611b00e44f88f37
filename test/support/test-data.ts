import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Path of a file or folder of the real test data, or null (said once on the console) where it is absent. */
export function testData(...parts: string[]): string | null {
  const root = resolve(process.env.MINTMARK_TEST_DATA ?? '../shared/data');
  const path = join(root, ...parts);
  if (existsSync(path)) return path;
  console.warn(`skipped: no test data at ${parts.join('/')} (set MINTMARK_TEST_DATA to the folder that has it)`);
  return null;
}
