import { describe, expect, test } from 'vitest';
import { equalSetsOf } from '../../../src/catalog/equal-sets.ts';
import { UnreadableFile } from '../../../src/catalog/formats/files.ts';
import { scryfall } from '../../../src/catalog/formats/scryfall.ts';
import { xmage } from '../../../src/catalog/formats/xmage.ts';
import { testData } from '../../support/test-data.ts';
import { faultsIn, jsonIn, placesOf, readAll, readFiles, readReal } from './reading.ts';

const folder = testData('catalog', 'mtg', 'xmage-sets');
const compact = testData('catalog', 'mtg', 'scryfall-compact');

const set = (code: string, cards: unknown[], setType = 'EXPANSION') => ({
  name: `Set ${code}`,
  code,
  releaseDate: '2025-06-13',
  setType,
  cards,
});

test('each number of a set is a plain printing; broken cards are reported, files too', async () => {
  const cards = [
    { name: 'A Realm Reborn', number: '196', rarity: 'RARE' },
    { name: 'A Realm Reborn', number: '344', rarity: 'MYTHIC' },
    { name: 'A Realm Reborn', number: '344', rarity: 'MYTHIC' },
    { name: 'No number' },
  ];
  const files = {
    'FIN.json': set('FIN', cards),
    'ME1.json': set('ME1', cards.slice(0, 1), 'MAGIC_ONLINE'),
    'bad.json': 'x',
  };
  const { records, dropped, broken } = await readFiles(xmage, files);
  expect(records.map(({ number, variation, rarity }) => [number, variation, rarity])).toEqual([
    ['196', null, 'Rare'],
    ['344', null, 'Mythic Rare'],
  ]);
  expect(dropped).toEqual({ same_printing: 1, digital: 1 });
  expect(placesOf(broken)).toEqual(['FIN.json cards[3]', 'bad.json']);
  await expect(readFiles(xmage, { 'bad.json': 'x' })).rejects.toThrow(UnreadableFile);
});

describe.skipIf(folder === null)('the real folder', () => {
  test('every card is one plain printing', async () => {
    const { records, dropped, broken } = await readReal(xmage, folder!);
    expect(records.length).toBe(jsonIn<{ cards: unknown[] }>(folder!).flatMap(({ cards }) => cards).length);
    expect([dropped, broken]).toEqual([{}, []]);
    expect(faultsIn(records)).toEqual([]);
  });

  test.skipIf(compact === null)('meets Scryfall by set, number and front name in all but two cards', async () => {
    const equal = equalSetsOf('mtg');
    const mine = await readAll(xmage, folder!);
    const theirs = await readAll(scryfall, compact!);
    const keys = new Set(mine.records.map(({ ids }) => ids[1]!.join(' ')));
    const sets = new Set(mine.records.flatMap((record) => equal.aliases('xmage', record.set.key)));
    const shared = theirs.records.filter((record) => sets.has(`scryfall:${record.set.key}`));
    const alone = shared.filter(({ ids }) => !keys.has(ids[1]!.join(' ')));
    console.info(`xmage and scryfall: ${shared.length - alone.length} of ${shared.length} meet in shared sets`);
    expect(shared.length).toBe(1576);
    expect(alone.map((record) => `${record.set.key} ${record.number}`)).toEqual(['tla 69', 'tla 337']);
  });
});
