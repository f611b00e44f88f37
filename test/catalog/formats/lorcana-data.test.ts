import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lorcanaData } from '../../../src/catalog/formats/lorcana-data.ts';
import { testData } from '../../support/test-data.ts';
import { confusedIn, folderOf, jsonIn, placesOf, readAll, readFiles, readReal, total } from './reading.ts';

const folder = testData('catalog', 'lorcana', 'lorcana-data');

const variant = (id: number, more: object = {}) => ({
  set: 'tfc',
  id,
  dreamborn: `001-${id}`,
  ravensburger: { en: `${id}/204 EN 1`, fr: `${id}/204 FR 1`, ja: '', sort_number: 1 },
  rarity: 'common',
  illustrator: 'A. Painter',
  ...more,
});
const card = (...variants: object[]) => ({
  variants,
  type: 'glimmer',
  colors: ['amber'],
  classifications: ['hero'],
  languages: {
    en: { name: 'Elsa', title: 'Snow Queen' },
    fr: { name: 'Elsa', title: 'Reine' },
    ja: { name: 'エルサ' },
  },
});

test('a printing is listed in every language whose identifier is given, and only there', async () => {
  const { records } = await readFiles(lorcanaData, { 'tfc.json': [card(variant(1))] });
  expect(records.map(({ language, name, printedName }) => [language, name, printedName])).toEqual([
    ['English', 'Elsa - Snow Queen', null],
    ['French', 'Elsa - Snow Queen', 'Elsa - Reine'],
  ]);
  expect(records[0]!.facts).toEqual({
    artist: 'A. Painter',
    characters: ['Elsa'],
    types: ['hero'],
    colors: ['amber'],
    cardKind: 'Character',
  });
});

test('chase rarities are variations, foil and the ordinary rarities are not', async () => {
  const cards = [card(variant(1, { rarity: 'super_rare' }), variant(205, { rarity: 'enchanted' }))];
  const { records } = await readFiles(lorcanaData, { 'tfc.json': cards });
  const english = records.filter(({ language }) => language === 'English');
  expect(english.map(({ number, variation, rarity }) => [number, variation, rarity])).toEqual([
    ['1', null, 'Super Rare'],
    ['205', 'Enchanted', 'Enchanted'],
  ]);
});

test('a variant goes to its own set, not to that of its file', async () => {
  const moved = { ravensburger: { en: '43/P2 EN 3' }, set: 'iti', id: 125 };
  const cards = [card(variant(9, { set: 'fab', ravensburger: { en: '9/204 EN 9' } }), variant(1, moved))];
  const { records } = await readFiles(lorcanaData, { 'tfc.json': cards });
  expect(records.map(({ set, number }) => [set.key, number])).toEqual([
    ['fab', '9'],
    ['p2', '43'],
  ]);
});

test('an identifier copied from another printing or language joins no source', async () => {
  const wrong = variant(58, { ravensburger: { en: '57/204 EN 1', fr: '58/204 EN 1', de: '58/204 DE 1' } });
  const { records } = await readFiles(lorcanaData, { 'tfc.json': [card(wrong)] });
  expect(records.map(({ ids }) => ids[1]?.join(' '))).toEqual([undefined, undefined, 'lorcana-printed 58/ DE 1']);
});

test('set codes and years come from the companion files', async () => {
  const root = await folderOf({
    'cards/tfc.json': [card(variant(1))],
    'ravensburger-sets.json': { set1: { name: 'The First Chapter', code: 'XYZ' } },
    'lorcast-sets.json': [{ code: '1', released_at: '2023-08-18' }],
  });
  const { records } = await readAll(lorcanaData, join(root, 'cards'));
  expect(records[0]!.set).toEqual({ key: 'tfc', name: 'The First Chapter', code: 'XYZ', year: 2023 });
});

test('YAML is read like JSON, and not again when both lie there', async () => {
  const yml = `- variants:\n  - {set: tfc, id: 1, dreamborn: "001-001", rarity: common, ravensburger: {en: "1/204 EN 1"}}\n  languages: {en: {name: Elsa, title: ''}}\n`;
  const alone = await readFiles(lorcanaData, { 'tfc.yml': yml, 'classifications.yml': '- slug: song\n' });
  expect(alone.records.map(({ name }) => name)).toEqual(['Elsa']);
  const both = await readFiles(lorcanaData, { 'tfc.yml': yml, 'tfc.json': [card(variant(1))] });
  expect([both.records.length, both.dropped]).toEqual([2, { also_json: 1 }]);
});

test('broken records and files are reported by file and position, the rest is read', async () => {
  const files = { 'a.json': [7, card({ id: 1 }), card(variant(1)), { variants: [], languages: {} }], 'b.yml': '\t- [' };
  const { records, broken } = await readFiles(lorcanaData, files);
  expect(records).toHaveLength(2);
  expect(placesOf(broken)).toEqual(['a.json[0]', 'a.json[1].variants[0]', 'a.json[3]', 'b.yml']);
});

test('nothing readable is rejected', async () => {
  await expect(readFiles(lorcanaData, { 'a.json': [{ id: 1 }] })).rejects.toThrow('no file of this format');
});

describe.skipIf(folder === null)('the real files', () => {
  test('every variant is one record a language, distinguished, or dropped for a reason', async () => {
    const { records, dropped, broken } = await readReal(lorcanaData, folder!);
    let expected = 0;
    type RawCard = { variants: { rarity: string; ravensburger: Record<string, string> }[] };
    for (const { variants } of jsonIn<RawCard[]>(folder!).flat()) {
      for (const { rarity, ravensburger } of variants) {
        const given = ['en', 'fr', 'de', 'it', 'zh', 'ja'].filter((code) => ravensburger[code]).length;
        expected += rarity === 'unreleased' ? 1 : Math.max(1, given);
      }
    }
    expect(broken).toEqual([]);
    expect(dropped).toEqual({ also_json: 204, unreleased: 4, repeat: 6 });
    expect(records.length + total(dropped) - 204).toBe(expected);
    expect(confusedIn(records)).toEqual([]);
  });
});
