import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { examine } from '../../src/ops/doctor.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { scratchFolder } from '../support/scratch.ts';

let database: FreshDatabase;
let folder: string;
let file: string;

beforeAll(async () => {
  database = await freshDatabase();
  folder = scratchFolder();
  file = join(folder, 'synonyms.txt');
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.close();
});

async function found(env: Record<string, string> = { SYNONYMS_FILE: file }) {
  const findings = await examine(database.db, readConfig(env), 20_000);
  return findings.filter(({ what }) => what.includes('synonyms'));
}

test('doctor reports each line of the synonyms file that is not a rule', async () => {
  writeFileSync(file, '# ours\npokemon: kitty = mew\nchess: kitty = mew\nkitty\n');
  const [finding, ...more] = await found();
  expect(more).toEqual([]);
  expect(finding!.state).toBe('warn');
  expect(finding!.what).toContain('left out: 2');
  expect(finding!.what).toContain('line 3: "chess" is not a game');
  expect(finding!.what).toContain('line 4: A rule is written');
});

test('of a file full of mistakes it reports the first twenty and how many follow', async () => {
  writeFileSync(file, 'no rule\n'.repeat(50));
  const [finding] = await found();
  expect(finding!.what.match(/line \d+:/g)).toHaveLength(20);
  expect(finding!.what).toMatch(/and 30 more$/);
});

test('a file without mistakes is well, and a missing file is not reported', async () => {
  writeFileSync(file, 'pokemon: kitty = mew\n');
  expect(await found()).toEqual([{ state: 'ok', what: expect.stringContaining(file) }]);
  expect(await found({})).toEqual([]);
});

test('a file that cannot be read fails: no search works without it', async () => {
  const missing = join(folder, 'nowhere.txt');
  expect(await found({ SYNONYMS_FILE: missing })).toEqual([
    { state: 'fail', what: expect.stringContaining(missing), advice: expect.stringContaining('SYNONYMS_FILE') },
  ]);
});
