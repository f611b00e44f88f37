import { describe, expect, test } from 'vitest';
import { lorcanaCatalog } from '../../../src/catalog/formats/lorcana-catalog.ts';
import { lorcanaData } from '../../../src/catalog/formats/lorcana-data.ts';
import { testData } from '../../support/test-data.ts';
import { confusedIn, jsonIn, placesOf, readAll, readFiles, readReal, total } from './reading.ts';

const folder = testData('catalog', 'lorcana', 'lorcana-data-catalog');

const card = (identifier: string) => ({
  name: 'エルサ',
  subtitle: null,
  rarity: 'RARE',
  author: 'A',
  card_identifier: identifier,
  image_urls: [{ height: 512, url: 'https://x.test/1.png' }],
});

test('set, number and language are read from the printed identifier; the rarity says nothing', async () => {
  const cards = [card('1/204 JA 4'), card('8/P1 ZH 1'), card('26/204 ZH P2'), card('1/204 JA 4'), card('1/204 XX 4')];
  const { records, dropped, broken } = await readFiles(lorcanaCatalog, { 'ja.json': cards });
  expect(records.map(({ set, number, language, rarity }) => [set.key, number, language, rarity])).toEqual([
    ['urr', '1', 'Japanese', null],
    ['p1', '8', 'Chinese Simplified', null],
    ['p2', '26', 'Chinese Simplified', null],
  ]);
  expect(dropped).toEqual({ repeat: 1 });
  expect(placesOf(broken)).toEqual(['ja.json[4]']);
});

describe.skipIf(folder === null)('the real files', () => {
  test('every row is one record or a repetition, and all but one meet a printing of lorcana-data', async () => {
    const { records, dropped, broken } = await readReal(lorcanaCatalog, folder!);
    const rows = jsonIn(folder!).flat();
    expect(records.length + total(dropped)).toBe(rows.length);
    expect([dropped, broken]).toEqual([{ repeat: 50 }, []]);
    expect(confusedIn(records)).toEqual([]);
    const others = await readAll(lorcanaData, testData('catalog', 'lorcana', 'lorcana-data')!);
    const known = new Set(others.records.flatMap(({ ids }) => ids.slice(1).map((id) => id.join(' '))));
    // In lorcana-data this number is an unreleased card of another name.
    expect(records.filter(({ ids }) => !known.has(ids[1]!.join(' '))).map(({ ids }) => ids[0]![1])).toEqual([
      '25/P1 ZH 1',
    ]);
  });
});
