import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitless } from '../../../src/catalog/formats/limitless.ts';
import { testData } from '../../support/test-data.ts';
import { faultsIn, jsonIn, placesOf, readFiles, readReal } from './reading.ts';

const folder = testData('catalog', 'one-piece', 'limitless');

const packs = [
  { code: 'OP05', name: 'Awakening of the New Era', releaseDate: '2023-12-08', slug: 'op05' },
  { code: 'tournament-pack-01', name: 'Tournament Pack Vol.1', releaseDate: '2022-12-01', slug: 'tp1' },
];

const card = (id: string, rarity: string | null, set = 'OP05') => ({
  id,
  name: 'Sabo',
  rarity,
  set,
  category: 'Leader',
});

async function variationsOf(cards: unknown[]): Promise<[string, string | null, string | null][]> {
  const { records } = await readFiles(limitless, { 'packs.json': packs, 'cards/a.json': cards });
  return records.map(({ ids, variation, rarity }) => [ids[0]![1], variation, rarity]);
}

test('styles are variations, and a parallel has the rarity of its card', async () => {
  expect(
    await variationsOf([
      card('OP05-001_p1', 'Alternate Art'),
      card('OP05-001_p2', 'Manga Art'),
      card('OP05-001_p3', 'Manga Art'),
      card('OP05-001_p4', 'Special Card'),
      card('OP05-001_p5', 'card.style.panda'),
      card('OP05-001', 'Leader'),
    ]),
  ).toEqual([
    ['OP05-001_p1', 'Alternate Art', 'Leader'],
    ['OP05-001_p2', 'Manga Art', 'Leader'],
    ['OP05-001_p3', 'Manga Art 2', 'Leader'],
    ['OP05-001_p4', 'Special Card', 'Special Card'],
    ['OP05-001_p5', 'Panda', 'Leader'],
    ['OP05-001', null, 'Leader'],
  ]);
});

test('parallels without a style keep their number, a reprint of another set is plain there', async () => {
  expect(
    await variationsOf([card('OP01-016_p1', 'Rare'), card('OP01-016_p4', null), card('OP01-016_r1', 'Rare')]),
  ).toEqual([
    ['OP01-016_p1', 'Parallel', 'Rare'],
    ['OP01-016_p4', 'Parallel 4', 'Rare'],
    ['OP01-016_r1', null, 'Rare'],
  ]);
  expect(await variationsOf([card('OP05-016', 'Rare'), card('OP05-016_r1', 'Rare')])).toEqual([
    ['OP05-016', null, 'Rare'],
    ['OP05-016_r1', 'Reprint', 'Rare'],
  ]);
});

test('the only printing in a product is plain there and keeps its style as rarity', async () => {
  expect(await variationsOf([card('OP01-016_p4', 'Alternate Art')])).toEqual([['OP01-016_p4', null, 'Alternate Art']]);
});

test('a set is the product a card came in; codes are those that are printed', async () => {
  const cards = [
    card('OP01-016_p4', 'Special Card'),
    card('P-001', null, 'tournament-pack-01'),
    card('P-002', null, 'x-1'),
  ];
  const side = { 'packs.json': packs, 'summary.json': { updatedAt: '', cards: {} } };
  const { records, broken } = await readFiles(limitless, { ...side, 'cards/a.json': cards });
  expect(broken).toEqual([]);
  expect(records.map(({ set, number, year }) => [set.name, set.code, number, year])).toEqual([
    ['Awakening of the New Era', 'OP05', 'OP01-016', 2023],
    ['Tournament Pack Vol.1', null, 'P-001', 2022],
    ['x 1', null, 'P-002', null],
  ]);
});

test('broken records and files are reported by file and position, the rest is read', async () => {
  const cards = [3, { id: 'OP05-001' }, card('nonsense', null), card('OP05-001', 'Leader'), card('OP05-001', 'Leader')];
  const files = { 'a.json': cards, 'b.json': '[{', 'c.json': { other: 1 } };
  const { records, broken, dropped } = await readFiles(limitless, files);
  expect(records).toHaveLength(1);
  expect(dropped).toEqual({ same_printing: 1, other_format: 1 });
  expect(placesOf(broken)).toEqual(['a.json[0]', 'a.json[1]', 'a.json[2]', 'b.json']);
  await expect(readFiles(limitless, { 'a.json': '[{' })).rejects.toThrow('a.json: not JSON');
});

test.skipIf(folder === null)(
  'the real files: every card is one record, distinguished, with one plain a number',
  async () => {
    const { records, dropped, broken } = await readReal(limitless, folder!);
    expect(broken).toEqual([]);
    expect(dropped).toEqual({});
    expect(records.length).toBe(jsonIn(join(folder!, 'cards')).flat().length);
    expect(faultsIn(records)).toEqual([]);
    expect(records.filter(({ variation }) => variation?.includes('style'))).toEqual([]);
  },
);
