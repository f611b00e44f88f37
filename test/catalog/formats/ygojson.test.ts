import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UnreadableFile } from '../../../src/catalog/formats/files.ts';
import { ygojson } from '../../../src/catalog/formats/ygojson.ts';
import { testData } from '../../support/test-data.ts';
import { faultsIn, jsonIn, placesOf, readAll, readFiles, readReal, total } from './reading.ts';

const folder = testData('catalog', 'yugioh');

const card = (id: string, en: string, more: object = {}) => ({
  id,
  text: { en: { name: en }, ja: { name: `${en} (ja)` } },
  cardType: 'monster',
  type: 'beastwarrior',
  attribute: 'dark',
  monsterCardTypes: ['fusion'],
  images: [
    { id: 'art', card: 'https://jp' },
    { id: 'i', password: '1', card: 'https://images.ygoprodeck.com/images/cards/1.jpg' },
  ],
  ...more,
});
const printing = (id: string, of: string, suffix: string, rarity: string, more: object = {}) => ({
  id,
  card: of,
  suffix,
  rarity,
  ...more,
});
const set = (more: object) => ({
  id: 'set-1',
  name: { en: 'Legend' },
  locales: {
    na: { language: 'en', prefix: 'LOB-', date: '2002-03-08' },
    ae: { language: 'ae', prefix: 'LOB-' },
    en: { language: 'en', prefix: 'LOB-EN', cardImages: { '1st': { p1: 'https://first' } } },
    jp: { language: 'ja', prefix: 'LOB-JP', date: '1999-01-01' },
  },
  contents: [],
  externalIDs: {},
  ...more,
});
const cards = [card('c1', 'Kuriboh'), card('c2', 'Raigeki', { cardType: 'spell', subcategory: 'quickplay' })];
const read = async (value: unknown, files: object = {}) =>
  readFiles(ygojson, {
    'cards.ndjson': cards.map((one) => JSON.stringify(one)).join('\n'),
    'sets/a.json': value,
    ...files,
  });

test('editions and rarities of a number are printings; Unlimited of the lowest rarity is plain', async () => {
  const contents = [
    {
      locales: ['en'],
      editions: ['1st', 'unlimited'],
      cards: [printing('p2', 'c1', '001', 'starlight'), printing('p1', 'c1', '001', 'common')],
    },
    {
      locales: ['en'],
      editions: ['1st'],
      cards: [printing('p3', 'c2', '002', 'ultra'), printing('p4', 'c2', '002', 'superduper')],
    },
  ];
  const { records } = await read(set({ contents }));
  expect(records.map(({ number, variation, rarity }) => [number, variation, rarity])).toEqual([
    ['LOB-EN001', null, 'Common'],
    ['LOB-EN001', '1st Edition', 'Common'],
    ['LOB-EN001', 'Starlight Rare', 'Starlight Rare'],
    ['LOB-EN001', 'Starlight Rare 1st Edition', 'Starlight Rare'],
    ['LOB-EN002', null, 'Ultra Rare'],
    ['LOB-EN002', 'Superduper Rare', 'Superduper Rare'],
  ]);
  expect(records[1]!.imageUrl).toBe('https://first');
  expect(records[0]!.imageUrl).toBe('https://images.ygoprodeck.com/images/cards/1.jpg');
  expect(records[0]!.imageUrlThumb).toBe('https://images.ygoprodeck.com/images/cards_small/1.jpg');
  expect(records[0]!.facts).toEqual({ cardKind: 'Fusion Monster', types: ['Beast-Warrior', 'DARK'] });
  expect(records[4]!.facts.cardKind).toContain('Quick-Play Spell');
});

test('locales are languages with their own numbers; one number of one language is one printing', async () => {
  const contents = [{ locales: ['na', 'ae', 'jp'], editions: ['1st'], cards: [printing('p1', 'c1', '001', 'common')] }];
  const { records, dropped } = await read(set({ contents }));
  expect(
    records.map(({ number, language, name, printedName, year, imageUrl }) => [
      number,
      language,
      name,
      printedName,
      year,
      imageUrl !== null,
    ]),
  ).toEqual([
    ['LOB-001', 'English', 'Kuriboh', null, 2002, true],
    ['LOB-JP001', 'Japanese', 'Kuriboh', 'Kuriboh (ja)', 1999, false],
  ]);
  expect(dropped).toEqual({ same_printing: 1 });
  expect(records[0]!.set).toEqual({ key: 'set-1', name: 'Legend', code: 'LOB', year: 2002 });
});

test('artworks of one number are distinguished, unknown numbers are left null, digital contents are left out', async () => {
  const contents = [
    {
      locales: ['en'],
      cards: [
        printing('p1', 'c1', '001', 'common', { imageID: 'a' }),
        printing('p2', 'c1', '001', 'common', { imageID: 'b' }),
        printing('p3', 'c2', '???', 'common'),
      ],
    },
    { locales: ['en'], formats: ['duellinks'], cards: [printing('p4', 'c2', '009', 'common')] },
  ];
  const { records, dropped } = await read(set({ contents }));
  expect(records.map(({ number, variation }) => [number, variation])).toEqual([
    ['LOB-EN001', null],
    ['LOB-EN001', 'Alternate Art'],
    [null, null],
  ]);
  expect(dropped).toEqual({ digital: 1 });
});

test('an undated set has the year of the list, by the name of its wiki page', async () => {
  const locales = { en: { language: 'en', prefix: 'X-' }, jp: { language: 'ja', date: '1999-01-01' } };
  const contents = [{ locales: ['en'], cards: [printing('p1', 'c1', '001', 'common')] }];
  const years = { 'set-years.json': [{ name: 'Yu-Gi-Oh! Legend', year: 2002 }, { name: 'nonsense' }] };
  const yearOf = async (externalIDs: object) =>
    (await read(set({ locales, contents, externalIDs }), years)).records[0]!.year;
  expect(await yearOf({})).toBe(2002);
  expect(await yearOf({ yugipedia: { name: 'Legend (25th Anniversary Edition)' } })).toBe(1999);
});

test('broken sets, printings and cards are reported by place, the rest is read; no cards at all is an error', async () => {
  const contents = [
    { locales: ['en', 'zz'], cards: [printing('p1', 'c9', '001', 'common'), 7, printing('p2', 'c1', '002', 'common')] },
  ];
  const { records, broken, dropped } = await read(set({ contents }), {
    'sets/b.json': '{"id":',
    'sets/c.json': { sets: [] },
  });
  expect(records.length).toBe(1);
  expect(placesOf(broken)).toEqual([
    'a.json contents[0].cards[0] en',
    'a.json contents[0].cards[1] en',
    'a.json contents[0].cards[0] zz',
    'a.json contents[0].cards[1] zz',
    'a.json contents[0].cards[2] zz',
    'b.json',
  ]);
  expect(dropped).toEqual({ other_format: 1 });
  await expect(readFiles(ygojson, { 'a.json': set({}) })).rejects.toThrow(UnreadableFile);
});

test('cards and sets in lists, and cards in files of their own, are read too', async () => {
  const contents = [
    { locales: ['en'], cards: [printing('p1', 'c1', '001', 'common'), printing('p2', 'c2', '002', 'common')] },
  ];
  const whole = await readFiles(ygojson, { 'cards.json': cards, 'sets.json': [set({ contents })] });
  const single = await readFiles(ygojson, {
    'cards.json': ['c1', 'c2'],
    'cards/c1.json': cards[0],
    'cards/c2.json': cards[1],
    'sets/s.json': set({ contents }),
  });
  expect(whole.records.length).toBe(2);
  expect(single.records).toEqual(whole.records);
});

describe.skipIf(folder === null)('the real folder', () => {
  test('every printing in a locale and edition is a record, or dropped as the same', async () => {
    const { records, dropped, broken } = await readReal(ygojson, folder!);
    type Content = { locales: string[]; editions: string[]; cards: unknown[] };
    const sets = jsonIn<{ contents: Content[] }>(join(folder!, 'ygojson', 'sets'));
    const contents = sets.flatMap((one) => one.contents);
    const rows = contents.reduce(
      (sum, { locales, editions, cards }) => sum + locales.length * editions.length * cards.length,
      0,
    );
    const { other_format, ...others } = dropped;
    expect([records.length + total(others), other_format, broken]).toEqual([rows, 1, []]);
    expect(faultsIn(records)).toEqual([]);
    // Asian-English copies of North American numbers, in the three oldest sets.
    expect(others).toEqual({ same_printing: 226 });
  });

  test('the seven rarities of RA01-EN001 are seven printings', async () => {
    const { records } = await readAll(ygojson, folder!);
    expect(records.filter(({ number }) => number === 'RA01-EN001').map(({ variation }) => variation)).toEqual([
      null,
      'Ultra Rare',
      'Secret Rare',
      'Ultimate Rare',
      'Platinum Secret Rare',
      "Collector's Rare",
      'Quarter Century Secret Rare',
    ]);
  });
});
