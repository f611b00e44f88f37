import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { MUTANTS } from './list/index.ts';

const ROOT = resolve(import.meta.dirname, '../..');

test('the text of each hand-made mutant occurs once in its file, is changed by it, and its tests exist', () => {
  const stale = MUTANTS.filter(({ file, find, replace, tests }) => {
    const path = join(ROOT, 'src', file);
    const count = existsSync(path) ? readFileSync(path, 'utf8').split(find).length - 1 : 0;
    return count !== 1 || replace === find || !tests.every((name) => existsSync(join(ROOT, 'test', name)));
  });
  expect(stale.map(({ file, does }) => `${file}: ${does}`)).toEqual([]);
});
