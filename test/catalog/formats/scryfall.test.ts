import { describe, expect, test } from 'vitest';
import { UnreadableFile } from '../../../src/catalog/formats/files.ts';
import { scryfall } from '../../../src/catalog/formats/scryfall.ts';
import { testData } from '../../support/test-data.ts';
import { faultsIn, jsonIn, placesOf, readFiles, readReal } from './reading.ts';

const folder = testData('catalog', 'mtg', 'scryfall-compact');
const ID = '3123d16c-e1e6-4659-a7a3-2ec6efc6bf08';

const card = (number: string, more: object = {}) => ({
  object: 'card',
  id: `${ID.slice(0, -3)}${number.padStart(3, '0')}`,
  name: 'Cloud, Midgar Mercenary',
  lang: 'en',
  set: 'fin',
  set_name: 'Final Fantasy',
  collector_number: number,
  finishes: ['nonfoil', 'foil'],
  image_uris: { small: 'https://s', normal: 'https://n' },
  digital: false,
  released_at: '2025-06-13',
  rarity: 'rare',
  type_line: 'Legendary Creature — Human Soldier',
  color_identity: ['W'],
  ...more,
});
const bulk = async (...cards: unknown[]) => readFiles(scryfall, { 'default-cards.json': cards });

test('a card of the bulk files is a printing for each finish, in its language', async () => {
  const { records } = await bulk(card('10'), card('11', { lang: 'ja', printed_name: '雲', finishes: ['foil'] }));
  expect(
    records.map(({ number, language, variation, printedName }) => [number, language, variation, printedName]),
  ).toEqual([
    ['10', 'English', null, null],
    ['10', 'English', 'Foil', null],
    ['11', 'Japanese', null, '雲'],
  ]);
  expect(records[0]).toMatchObject({
    set: { key: 'fin', name: 'Final Fantasy', code: 'FIN', year: 2025 },
    imageUrl: 'https://n',
    imageUrlThumb: 'https://s',
    facts: { characters: ['Cloud'], colors: ['White'] },
  });
});

test('a card of two faces has the front picture and the names of both', async () => {
  const faces = [
    { name: 'A', printed_name: 'Ä', image_uris: { normal: 'front' }, type_line: 'Land', artist: 'X' },
    { name: 'B', printed_name: 'ß', image_uris: { normal: 'back' } },
  ];
  const { records } = await bulk(card('1', { name: 'A // B', lang: 'de', image_uris: undefined, card_faces: faces }));
  expect(records[0]).toMatchObject({ name: 'A // B', printedName: 'Ä // ß', imageUrl: 'front' });
});

test('a flavour name is the printed name', async () => {
  const { records } = await bulk(card('1', { flavor_name: 'Godzilla' }));
  expect(records[0]!.printedName).toBe('Godzilla');
});

test('digital cards, meld results and languages out of the list are left out, broken cards reported', async () => {
  const result = card('5');
  const { records, dropped, broken } = await bulk(
    card('1', { digital: true }),
    card('2', { games: ['arena'] }),
    card('3', { lang: 'qya' }),
    { ...result, all_parts: [{ id: result.id, component: 'meld_result' }] },
    card('6', { name: '' }),
    7,
    card('8'),
  );
  expect([records.length, dropped]).toEqual([2, { digital: 2, language: 1, back_face: 1 }]);
  expect(placesOf(broken)).toEqual(['default-cards.json[4]', 'default-cards.json[5]']);
});

test('compact sets give the plain printing, met by the same keys as the bulk card', async () => {
  const compact = {
    code: 'FIN',
    name: 'Final Fantasy',
    released_at: '2025-06-13',
    rares: [
      {
        name: 'Cloud, Midgar Mercenary',
        collector_number: '10',
        rarity: 'rare',
        type_line: 'Land',
        image_uri: `https://x/normal/front/3/1/${ID.slice(0, -3)}010.jpg?1`,
      },
    ],
    mythics: [{ name: 'No picture', collector_number: '11' }],
  };
  const files = { 'FIN.json': compact, 'index.json': [{ code: 'FIN', set_type: 'expansion' }], 'bad.json': '{' };
  const { records, dropped, broken } = await readFiles(scryfall, files);
  const whole = await bulk(card('10'));
  expect(records[0]!.ids).toEqual(whole.records[0]!.ids);
  expect(records[0]!.set).toEqual(whole.records[0]!.set);
  expect([records.length, dropped, broken.length]).toEqual([1, { set_index: 1 }, 2]);
});

test('nothing readable at all is an error', async () => {
  await expect(readFiles(scryfall, { 'a.json': '[1]' })).rejects.toThrow(UnreadableFile);
});

describe.skipIf(folder === null)('the real folder', () => {
  test('every entry of every list is one plain printing', async () => {
    const { records, dropped, broken } = await readReal(scryfall, folder!);
    const lists = jsonIn<object>(folder!).flatMap((file) =>
      Array.isArray(file) ? [] : Object.values(file).filter(Array.isArray),
    );
    expect(records.length).toBe(lists.reduce((sum, list) => sum + list.length, 0));
    expect([dropped, broken]).toEqual([{ set_index: 180 }, []]);
    expect(faultsIn(records)).toEqual([]);
  });
});
