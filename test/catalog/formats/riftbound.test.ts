import { describe, expect, test } from 'vitest';
import { riftbound } from '../../../src/catalog/formats/riftbound.ts';
import { testData } from '../../support/test-data.ts';
import { confusedIn, jsonIn, placesOf, readFiles, readReal } from './reading.ts';

const folder = testData('catalog', 'riftbound');

const card = (id: string) => ({
  id,
  name: 'Jinx',
  set_id: 'OGN',
  collector_number: 1,
  rarity: 'epic',
  domains: ['Fury'],
});
const promo = (name: string, numberToken: string, more: object = {}) => ({
  id: `tcg-${name}`,
  name,
  setCode: 'OPP',
  setName: 'Organized Play Promos',
  numberToken,
  tcgProductId: 7,
  rarity: 'Promo',
  imageUrl: 'https://x.test/7.jpg',
  ...more,
});

test('marks and numbers over the total are variations, the printed number carries them', async () => {
  const ids = ['ogn-039-298', 'ogn-039a-298', 'ogn-299-298', 'ogn-299-star-298', 'sfd-t03', 'ven-sp1-006'];
  const { records } = await readFiles(riftbound, { 'riftbound-cards.json': ids.map(card) });
  expect(records.map(({ number, variation }) => [number, variation])).toEqual([
    ['039', null],
    ['039a', 'Alternate Art'],
    ['299', 'Overnumbered'],
    ['299*', 'Signature'],
    ['T03', null],
    ['SP1', null],
  ]);
});

test("a promo's additions in brackets are its variation, and a borrowed picture is not its own", async () => {
  const promos = [
    promo('Jinx - Rebel', '202'),
    promo('Jinx - Rebel (Metal) (Best Of)', '202', { borrowedArt: true }),
    promo('Mind Rune (R03c)', 'R03c'),
  ];
  const { records } = await readFiles(riftbound, { 'promo-cards.json': promos });
  expect(records.map(({ name, number, variation, imageUrl }) => [name, number, variation, imageUrl])).toEqual([
    ['Jinx - Rebel', '202', null, 'https://x.test/7.jpg'],
    ['Jinx - Rebel', '202', 'Metal Best Of', null],
    ['Mind Rune', 'R03c', null, 'https://x.test/7.jpg'],
  ]);
  expect(records[0]!.ids[1]).toEqual(['tcgplayer', '7']);
});

test('set names and years come from sets.json', async () => {
  const files = {
    'sets.json': [{ code: 'OGN', name: 'Origins', releasedOn: '2025-10-31' }],
    'riftbound-cards.json': [card('ogn-001-298')],
  };
  const { records } = await readFiles(riftbound, files);
  expect(records[0]!.set).toEqual({ key: 'OGN', name: 'Origins', code: 'OGN', year: 2025 });
});

test('broken records are reported by file and position, the rest is read', async () => {
  const cards = [card('nonsense'), { ...card('ogn-001-298'), name: null }, card('ogn-002-298')];
  const { records, broken } = await readFiles(riftbound, { 'riftbound-cards.json': cards });
  expect(records).toHaveLength(1);
  expect(placesOf(broken)).toEqual(['riftbound-cards.json[0]', 'riftbound-cards.json[1]']);
});

describe.skipIf(folder === null)('the real files', () => {
  test('every printing and promo is one record, distinguished', async () => {
    const { records, dropped, broken } = await readReal(riftbound, folder!);
    const rows = jsonIn(folder!, /-cards\.json$/).flat();
    expect([records.length, dropped, broken]).toEqual([rows.length, {}, []]);
    expect(confusedIn(records)).toEqual([]);
  });
});
