import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { aegis } from '../../../src/catalog/formats/aegis.ts';
import { testData } from '../../support/test-data.ts';
import { faultsIn, placesOf, readFiles, readReal } from './reading.ts';

const file = testData('catalog', 'digimon', 'aegis-cards.json');

const card = (cardId: string, more: object = {}) => ({
  cardId,
  nameEn: 'Agumon',
  kinds: ['Digimon'],
  colors: ['Red'],
  types: ['Reptile'],
  rarity: 'SR',
  ...more,
});

test('a card is an English printing, and a Japanese one where it has a Japanese name', async () => {
  const cards = [card('BT1-010', { nameJp: 'アグモン' }), card('BT1-011', { isAce: true, rarity: '-' })];
  const { records } = await readFiles(aegis, { 'cards.json': cards });
  expect(
    records.map(({ ids, name, printedName, language, rarity }) => [ids[1], name, printedName, language, rarity]),
  ).toEqual([
    [['digimon-number', 'BT1-010/English'], 'Agumon', null, 'English', 'SR'],
    [['digimon-number', 'BT1-010/Japanese'], 'Agumon', 'アグモン', 'Japanese', 'SR'],
    [['digimon-number', 'BT1-011/English'], 'Agumon ACE', null, 'English', null],
  ]);
});

test('sets are named and dated by the list of releases, or called by their code', async () => {
  const releases = [
    { id: null, name: 'Release Special Booster Ver.1.0 [BT01-03]', release: 'February 12, 2021' },
    { id: 'BT4', name: 'Booster Great Legend [BT4]', release: 'June 11, 2021' },
  ];
  const cards = [card('BT2-001'), card('BT4-001'), card('BT99-001')];
  const files = { 'cards.json': cards, 'dtcg-web-releases.json': releases };
  const { records } = await readFiles(aegis, files);
  expect(records.map(({ set }) => [set.code, set.name, set.year])).toEqual([
    ['BT2', 'Release Special Booster', 2021],
    ['BT4', 'Great Legend', 2021],
    ['BT99', 'BT99', null],
  ]);
});

test('broken records are reported by position, repeated numbers dropped', async () => {
  const cards = [card('nonsense'), card('BT1-001'), card('bt1-001'), card('BT1-002', { nameEn: '' })];
  const { records, dropped, broken } = await readFiles(aegis, { 'cards.json': cards });
  expect([records.length, dropped]).toEqual([1, { repeat: 1 }]);
  expect(placesOf(broken)).toEqual(['cards.json[0]', 'cards.json[3]']);
});

describe.skipIf(file === null)('the real file', () => {
  test('every card is one record a language, each plain', async () => {
    const { records, dropped, broken } = await readReal(aegis, file!);
    const cards: { nameJp?: string }[] = JSON.parse(readFileSync(file!, 'utf8'));
    expect([dropped, broken]).toEqual([{}, []]);
    expect(records.length).toBe(cards.length + cards.filter(({ nameJp }) => nameJp).length);
    expect(faultsIn(records)).toEqual([]);
  });
});
