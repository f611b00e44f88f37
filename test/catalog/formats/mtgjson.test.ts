import { describe, expect, test } from 'vitest';
import { UnreadableFile } from '../../../src/catalog/formats/files.ts';
import { mtgjson } from '../../../src/catalog/formats/mtgjson.ts';
import { testData } from '../../support/test-data.ts';
import { faultsIn, jsonIn, placesOf, readFiles, readReal, total } from './reading.ts';

const folder = testData('catalog', 'mtg', 'mtgjson');
const SCRYFALL_ID = 'a7af8350-9a51-437c-a55e-19f3e07acfa9';

const card = (number: string, more: object = {}) => ({
  uuid: `uuid-${number}-${JSON.stringify(more).length}`,
  name: 'Serra Angel',
  number,
  rarity: 'mythic',
  finishes: ['foil', 'nonfoil'],
  identifiers: { scryfallId: SCRYFALL_ID },
  type: 'Legendary Creature — Angel',
  colorIdentity: ['W'],
  artist: 'Douglas Shuler',
  ...more,
});
const set = (code: string, cards: unknown[], more: object = {}) => ({
  code,
  name: `Set ${code}`,
  releaseDate: '2022-02-18',
  cards,
  translations: { cards: 1 },
  ...more,
});
const read = async (...cards: unknown[]) => readFiles(mtgjson, { 'T.json': { meta: {}, data: set('T', cards) } });

test('every finish is a printing; non-foil is plain, or the only finish there is', async () => {
  const { records } = await read(
    card('1'),
    card('2', { finishes: ['etched'] }),
    card('3★', { finishes: ['etched', 'nonfoil'] }),
  );
  expect(records.map(({ number, variation, rarity, year }) => [number, variation, rarity, year])).toEqual([
    ['1', null, 'Mythic Rare', 2022],
    ['1', 'Foil', 'Mythic Rare', 2022],
    ['2', null, 'Mythic Rare', 2022],
    ['3★', null, 'Mythic Rare', 2022],
    ['3★', 'Etched Foil', 'Mythic Rare', 2022],
  ]);
  expect(records[1]!.ids.slice(1)).toEqual([
    ['scryfall', `${SCRYFALL_ID}/foil/English`],
    ['mtg-number', 't/1/serraangel/English/Foil'],
  ]);
  expect(records[0]!.imageUrl).toBe(`https://cards.scryfall.io/normal/front/a/7/${SCRYFALL_ID}.jpg`);
  expect(records[0]!.facts).toEqual({
    artist: 'Douglas Shuler',
    types: ['Creature'],
    cardKind: 'Creature',
    colors: ['White'],
    characters: ['Serra Angel'],
  });
});

test('a foreign language is one plain printing, with no picture but its own', async () => {
  const { records, dropped } = await read(
    card('1', {
      foreignData: [
        { language: 'German', name: 'Serra-Engel' },
        { language: 'Portuguese (Brazil)', name: 'Anjo Serra', identifiers: { scryfallId: SCRYFALL_ID } },
        { language: 'Quenya', name: 'x' },
      ],
    }),
  );
  const foreign = records.filter(({ language }) => language !== 'English');
  expect(
    foreign.map(({ name, printedName, language, variation, imageUrl }) => [
      name,
      printedName,
      language,
      variation,
      imageUrl !== null,
    ]),
  ).toEqual([
    ['Serra Angel', 'Serra-Engel', 'German', null, false],
    ['Serra Angel', 'Anjo Serra', 'Portuguese', null, true],
  ]);
  expect(dropped).toEqual({ language: 1 });
});

test('a number printed in Japanese alone has no English printing', async () => {
  const names = (...languages: string[]) => ({ foreignData: languages.map((language) => ({ language, name: 'x' })) });
  const { records } = await read(card('1', names('Japanese', 'German')), card('1★', names('Japanese')));
  expect(
    records.filter(({ number }) => number === '1★').map(({ language, variation }) => [language, variation]),
  ).toEqual([
    ['Japanese', null],
    ['Japanese', 'Foil'],
  ]);
});

test('two-part cards are one, digital cards and meld results none, broken ones are reported by position', async () => {
  const fire = { name: 'Fire // Ice', layout: 'split', finishes: ['nonfoil'] };
  const { records, dropped, broken } = await read(
    card('9', { ...fire, side: 'a' }),
    card('9', { ...fire, side: 'b' }),
    card('15b', { name: 'Brisela', layout: 'meld', side: 'b' }),
    card('A-2', { isOnlineOnly: true }),
    card('3', { availability: ['arena', 'mtgo'] }),
    { ...card('4'), uuid: undefined },
    'nonsense',
  );
  expect(records.map(({ name }) => name)).toEqual(['Fire // Ice']);
  expect(dropped).toEqual({ back_face: 2, digital: 2 });
  expect(placesOf(broken)).toEqual(['T.json data.cards[5]', 'T.json data.cards[6]']);
});

test('AllPrintings is read set by set; online sets are left out; an unreadable file does not stop the others', async () => {
  const data = { A: set('A', [card('1')]), B: set('B', [card('1')], { isOnlineOnly: true }), C: set('C', [card('1')]) };
  const files = {
    'AllPrintings.json': { meta: { data: { X: 1 } }, data },
    'CMR.json': '',
    'Meta.json': { data: { version: '5' } },
  };
  const { records, dropped, broken } = await readFiles(mtgjson, files);
  expect([...new Set(records.map((record) => record.set.key))]).toEqual(['A', 'C']);
  expect([dropped, broken.length]).toEqual([{ digital: 1, other_format: 1 }, 1]);
});

test('nothing readable at all is an error', async () => {
  await expect(readFiles(mtgjson, { 'a.json': '\u0000\u0001', 'b.json': [] })).rejects.toThrow(UnreadableFile);
});

describe.skipIf(folder === null)('the real folder', () => {
  test('every printing is distinguished, and the counts are those of the files', async () => {
    const { records, dropped, broken } = await readReal(mtgjson, folder!);
    expect(faultsIn(records)).toEqual([]);
    expect(broken).toEqual([]);
    let expected = 0;
    type Card = {
      side?: string;
      isOnlineOnly?: true;
      finishes: string[];
      foreignData?: { language: string }[];
      promoTypes?: string[];
    };
    for (const { data } of jsonIn<{ data: { code: string; cards: Card[] } }>(folder!)) {
      for (const { side, isOnlineOnly, finishes, foreignData = [], promoTypes = [] } of data.cards) {
        const [only] = foreignData.length === 1 ? foreignData : [];
        const inOneLanguage =
          only?.language === 'Phyrexian' || (only && (data.code === 'STA' || promoTypes.includes('jpwalker')));
        if (side === 'b' || isOnlineOnly) expected++;
        else expected += finishes.length + (inOneLanguage ? 0 : foreignData.length);
      }
    }
    expect(records.length + total(dropped)).toBe(expected);
    expect(dropped).toEqual({ back_face: 72, digital: 1 });
  });
});
