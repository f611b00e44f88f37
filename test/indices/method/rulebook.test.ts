import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { INDEX_RULES, METHODOLOGY_VERSION } from '../../../src/indices/method/rules.ts';

const rulebook = readFileSync('docs/methodology/index.md', 'utf8');

test('the rulebook states every number of the method as the program has it', () => {
  const stated = [...rulebook.matchAll(/^\| `(\w+)` \| ([\d.]+) \|/gm)].map(([, name, value]) => [name, Number(value)]);
  expect(Object.fromEntries(stated)).toEqual(INDEX_RULES);
});

test('the last version in the rulebook is the one in force', () => {
  const versions = [...rulebook.matchAll(/^\| (\d+) \| /gm)].map(([, version]) => version);
  expect(versions.at(-1)).toBe(METHODOLOGY_VERSION);
});
