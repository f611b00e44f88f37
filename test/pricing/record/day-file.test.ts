import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { addLine, closeDayFile, openDayFile } from '../../../src/pricing/record/day-file.ts';
import { leafHash, rootOf, treeOf } from '../../../src/record/merkle.ts';

/** More characters than a block of lines has. */
const LONG = 200_000;

it.each([
  ['no line', []],
  ['one line', ['{"k":"day"}']],
  ['an odd number of lines', ['a', 'bb', 'ccc']],
  ['many lines', Array.from({ length: 300 }, (_, i) => `{"line":${i}}`)],
  ['several blocks', Array.from({ length: 3000 }, (_, i) => `${'x'.repeat(i % 100)}${i}`)],
  ['a line longer than a block', ['first', 'y'.repeat(LONG), 'last']],
  [
    'lines of other scripts, in the middle of a block',
    ['plain', '{"name":"リザードン"}', '{"name":"Pokémon 🂡"}', 'plain'],
  ],
  ['a long line of three bytes a character', ['リ'.repeat(LONG), 'é']],
])('%s: root, leaves, length and digest are those of the text', (_, lines) => {
  const text = lines.map((line) => `${line}\n`).join('');
  const file = openDayFile();
  for (const line of lines) addLine(file, line);
  const leaves = lines.map(leafHash);
  expect(closeDayFile(file)).toEqual({
    root: rootOf(treeOf(leaves)),
    lines: lines.length,
    leaves: Buffer.concat(leaves),
    bytes: Buffer.byteLength(text),
    digest: hash('sha256', text, 'buffer'),
  });
});
