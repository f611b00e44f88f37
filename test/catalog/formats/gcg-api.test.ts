import { describe, expect, test } from 'vitest';
import { gcgApi } from '../../../src/catalog/formats/gcg-api.ts';
import { testData } from '../../support/test-data.ts';
import { confusedIn, folderOf, jsonIn, placesOf, readAll, readFiles, readReal } from './reading.ts';

const folder = testData('catalog', 'gundam', 'gcg-api');

const card = (product_id: string, rarity: string, set_name: string, where_to_get: string) => ({
  product_id,
  card_number: product_id.replace(/_p\d$/, ''),
  name: 'Gundam',
  set_code: 'ST01',
  set_name,
  rarity,
  card_type: 'UNIT TOKEN',
  color: '-',
  traits: ['Zeon'],
  where_to_get,
  image_url: 'https://x.test/1.webp',
});

test('the bare number is plain; others say where they come from and how many plus signs they have', async () => {
  const cards = [
    card('ST01-001', 'LR', 'Heroic Beginnings', 'Heroic Beginnings [ST01]'),
    card('ST01-001_p1', 'LR +', 'Heroic Beginnings', 'Heroic Beginnings [ST01] Bonus Pack'),
    card('ST01-001_p2', 'LR', 'Edition Beta', 'Edition Beta'),
    card('ST01-001_p3', 'LR ++', 'Edition Beta', 'Edition Beta'),
    card('ST01-001_p4', 'LR', 'Other Product Card', 'Premium Card Collection [EVX05]'),
    card('ST01-001_p5', 'LR ++', 'Heroic Beginnings', 'Heroic Beginnings [ST01]'),
  ];
  const { records } = await readFiles(gcgApi, { 'st01.json': cards });
  expect(records.map(({ rarity, variation }) => [rarity, variation])).toEqual([
    ['LR', null],
    ['LR+', 'Bonus Pack LR+'],
    ['LR', 'Edition Beta'],
    ['LR++', 'Edition Beta LR++'],
    ['LR', 'Premium Card Collection'],
    ['LR++', 'LR++'],
  ]);
  expect(records[0]!.facts).toEqual({ types: ['Zeon'], cardKind: 'Unit Token' });
});

test('the year is that of the product that brings the printing', async () => {
  const files = {
    'cards/en/st01.json': [
      card('ST01-001', 'LR', 'Heroic Beginnings', 'Heroic Beginnings [ST01]'),
      card('ST01-001_p2', 'LR', 'Edition Beta', 'Edition Beta'),
      card('ST01-001_p4', 'LR', 'Promotion card', 'Events'),
    ],
    'products.json': [
      { name: 'Heroic Beginnings [ST01]', set_code: 'ST01', release_date: '2025-07-11' },
      { name: 'GUNDAM CARD GAME Edition Beta', set_code: null, release_date: '2024-12-07' },
    ],
  };
  const { records } = await readAll(gcgApi, `${await folderOf(files)}/cards/en`);
  expect(records.map(({ year }) => year)).toEqual([2025, 2024, null]);
  expect(records[0]!.set).toEqual({ key: 'ST01', name: 'Heroic Beginnings', code: 'ST01', year: 2025 });
});

test('broken records are reported by file and position, repeated ids dropped', async () => {
  const good = card('ST01-001', 'LR', 'Heroic Beginnings', 'Heroic Beginnings [ST01]');
  const { records, dropped, broken } = await readFiles(gcgApi, { 'a.json': [{}, good, good, []] });
  expect([records.length, dropped]).toEqual([1, { repeat: 1 }]);
  expect(placesOf(broken)).toEqual(['a.json[0]', 'a.json[3]']);
});

describe.skipIf(folder === null)('the real files', () => {
  test('every record is one printing, distinguished from the up to eight others of its number', async () => {
    const { records, dropped, broken } = await readReal(gcgApi, folder!);
    const cards = jsonIn(`${folder}/cards/en`).flat();
    expect([records.length, dropped, broken]).toEqual([cards.length, {}, []]);
    expect(confusedIn(records)).toEqual([]);
  });
});
