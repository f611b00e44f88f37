import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonItem, readJsonItems } from '../../../src/catalog/formats/json-items.ts';
import { folderOf } from './reading.ts';

async function itemsOf(text: string | Buffer, under?: string[], maxItemBytes?: number): Promise<JsonItem[]> {
  const file = join(await folderOf({}), 'file.json');
  await writeFile(file, text);
  const items: JsonItem[] = [];
  for await (const item of readJsonItems(file, under, maxItemBytes)) items.push(item);
  return items;
}

test('the items of any JSON list or object are those that JSON.parse gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), async (value) => {
      const items = await itemsOf(JSON.stringify(value, null, 1));
      const values = items.map((item) => ('value' in item ? item.value : item));
      expect(values).toEqual(Object.values(JSON.parse(JSON.stringify(value))));
    }),
    { numRuns: 60 },
  );
});

test('only the members under the path are items, whatever is around them', async () => {
  const text = '{"meta": {"data": [1]}, "x": "}{\\"", "data": {"A": {"n": 1}, "B": [2]}, "after": {"data": {"C": 3}}}';
  expect(await itemsOf(text, ['data'])).toEqual([
    { key: 'A', position: 1, value: { n: 1 } },
    { key: 'B', position: 2, value: [2] },
  ]);
});

test('an item longer than a chunk is whole, one over the limit is reported and skipped', async () => {
  const long = 'é'.repeat(300_000);
  const [first] = await itemsOf(JSON.stringify([long, 1]));
  expect(first).toEqual({ key: null, position: 1, value: long });
  const items = await itemsOf(JSON.stringify([1, long, 2]), [], 1000);
  expect(items.map((item) => ('value' in item ? item.value : item.problem))).toEqual([1, 'longer than 1000 bytes', 2]);
});

test('a damaged item is reported by position and the next is read', async () => {
  const items = await itemsOf(
    Buffer.concat([Buffer.from('[{"a":1},{"a":},{"a":"'), Buffer.of(0xff), Buffer.from('"},4]')]),
  );
  expect(items.map((item) => ('value' in item ? 'value' : item.problem.slice(0, 9)))).toEqual([
    'value',
    'not JSON ',
    'not UTF-8',
    'value',
  ]);
});

test('a file that is empty, no JSON, cut off or of another shape ends with a problem', async () => {
  for (const text of ['', 'hello', '}]', '\u0000\u0001[', '[1, 2', '[{"a": "never closed'])
    expect((await itemsOf(text)).at(-1), text).toHaveProperty('problem');
  expect(await itemsOf('{"other": {}}', ['data'])).toHaveProperty('0.problem', 'no JSON of the expected shape');
});
