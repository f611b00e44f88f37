import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { equalSetsOf } from '../../../src/catalog/equal-sets.ts';
import { tcgdex } from '../../../src/catalog/formats/tcgdex.ts';
import { testData } from '../../support/test-data.ts';
import { faultsIn, jsonIn, placesOf, readAll, readFiles, readReal, total } from './reading.ts';

const folder = testData('catalog', 'pokemon', 'tcgdex');

function setFile(cards: unknown[], set: object = {}, rest: object = {}) {
  return {
    _region: 'international',
    serie: { id: 'base', name: { en: 'Base' } },
    set: { id: 'base9', name: { en: 'Base Nine' }, releaseDate: '1999-02-03', cardCount: { official: 9 }, ...set },
    cards,
    ...rest,
  };
}

const card = (variants: unknown, rest: object = {}) => ({ localId: '1', name: { en: 'Pikachu' }, variants, ...rest });

async function variationsOf(variants: unknown): Promise<(string | null)[]> {
  const { records } = await readFiles(tcgdex, { 'a.json': setFile([card(variants)]) });
  return records.map((record) => record.variation);
}

describe('variants become variations in collectors words', () => {
  test('the unstamped first of normal, then holo is plain', async () => {
    expect(await variationsOf([{ type: 'reverse' }, { type: 'holo' }, { type: 'normal' }])).toEqual([
      'Reverse Holo',
      'Holo',
      null,
    ]);
    expect(await variationsOf([{ type: 'reverse' }, { type: 'holo' }])).toEqual(['Reverse Holo', null]);
  });

  test('a card with one finish has it plain, whatever it is', async () => {
    expect(await variationsOf([{ type: 'holo', foil: 'gold' }])).toEqual([null]);
    expect(await variationsOf([{ type: 'holo', stamp: ['25th-celebration'] }])).toEqual([null]);
    expect(await variationsOf(undefined)).toEqual([null]);
  });

  test('print runs, editions, stamps, foils and sizes are each a printing', async () => {
    expect(
      await variationsOf([
        { type: 'normal', subtype: 'unlimited' },
        { type: 'normal', subtype: 'shadowless', stamp: ['1st-edition'] },
        { type: 'normal', subtype: 'shadowless' },
        { type: 'normal', subtype: '1999-2000-copyright' },
        { type: 'reverse', foil: 'pokeball' },
        { type: 'reverse', foil: 'masterball' },
        { type: 'holo', foil: 'cosmos', stamp: ['gamestop'] },
        { type: 'normal', size: 'jumbo' },
      ]),
    ).toEqual([
      null,
      '1st Edition',
      'Shadowless',
      '1999-2000 Copyright',
      'Poké Ball Reverse Holo',
      'Master Ball Reverse Holo',
      'GameStop Stamp Cosmos Holo',
      'Jumbo',
    ]);
  });

  test('old objects of booleans name the same printings', async () => {
    expect(await variationsOf({ normal: true, reverse: true, holo: false, firstEdition: true })).toEqual([
      null,
      'Reverse Holo',
      '1st Edition',
    ]);
    expect(await variationsOf({ normal: false })).toEqual([null]);
  });

  test('an entry said twice is dropped, unless a market sells it as two', async () => {
    const stamped = { type: 'normal', stamp: ['staff'] };
    const twice = setFile([card([{ type: 'normal' }, stamped, stamped])]);
    const { records, dropped } = await readFiles(tcgdex, { 'a.json': twice });
    expect(records.map((record) => record.variation)).toEqual([null, 'Staff']);
    expect(dropped).toEqual({ same_printing: 1 });
    expect(
      await variationsOf([
        { type: 'normal' },
        { ...stamped, thirdParty: { cardmarket: 1 } },
        { ...stamped, thirdParty: { cardmarket: 2 } },
      ]),
    ).toEqual([null, 'Staff', 'Staff 2']);
  });

  test('a variant of some languages is not a variant of the others', async () => {
    const cards = [
      card([{ type: 'normal' }, { type: 'reverse', languages: ['en'] }], { name: { en: 'Pikachu', fr: 'Pikachu' } }),
    ];
    const { records } = await readFiles(tcgdex, { 'a.json': setFile(cards) });
    expect(records.map((record) => [record.language, record.variation])).toEqual([
      ['English', null],
      ['English', 'Reverse Holo'],
      ['French', null],
    ]);
  });
});

describe('languages', () => {
  test('a locale is its language, once, and international cards have their English name', async () => {
    const name = { 'es-mx': 'Ficha', es: 'Carta', 'pt-br': 'Cartão', en: 'Chart' };
    const { records } = await readFiles(tcgdex, { 'a.json': setFile([card(null, { name })]) });
    expect(records.map(({ language, name, printedName }) => [language, name, printedName])).toEqual([
      ['Spanish', 'Chart', 'Carta'],
      ['Portuguese', 'Chart', 'Cartão'],
      ['English', 'Chart', null],
    ]);
    expect(records[0]?.imageUrl).toBe('https://assets.tcgdex.net/es/base/base9/1/high.webp');
  });

  test('one number of an Asian promotion set is another card in each language', async () => {
    const set = { id: 'SV-P', name: { ja: 'プロモ' }, cardCount: { official: 0 }, _path: 'data-asia/SV/SV-P.ts' };
    const cards = [card(null, { name: { ja: 'ピカチュウ', th: 'วาไนเดอร์' }, dexId: [25] })];
    const file = setFile(cards, set, { _region: 'asia' });
    const { records } = await readFiles(tcgdex, { 'a.json': file });
    expect(records.map(({ language, name, facts }) => [language, name, facts.characters])).toEqual([
      ['Japanese', 'ピカチュウ', ['Pikachu']],
      ['Thai', 'วาไนเดอร์', undefined],
    ]);
    expect(records[0]?.set).toMatchObject({ key: 'asia/SV-P', code: 'SV-P', name: 'プロモ' });
  });
});

describe('what cannot be used', () => {
  test('cards of the phone game are dropped as digital, sets of the index without cards as such', async () => {
    const digital = setFile([card(null)], {}, { serie: { id: 'tcgp' } });
    const index = {
      sets: [
        { id: 'rc', cardFiles: 0 },
        { id: 'base1', cardFiles: 102 },
      ],
    };
    const { records, dropped } = await readFiles(tcgdex, { 'a.json': digital, 'b.json': index });
    expect(records).toEqual([]);
    expect(dropped).toEqual({ digital: 1, no_cards: 1 });
  });

  test('broken cards and files are reported by file and position, the rest is read', async () => {
    const cards = [
      7,
      { localId: '2' },
      { name: { en: 'X' } },
      card([{ foil: 'gold' }]),
      card(8, { localId: '3' }),
      card(null),
    ];
    const files = { 'a.json': setFile(cards), 'b.json': '{"set": {', 'c.json': [], 'd.json': setFile([], { name: 5 }) };
    const { records, broken } = await readFiles(tcgdex, files);
    expect(records).toHaveLength(1);
    expect(placesOf(broken)).toEqual([...[0, 1, 2, 3, 4].map((at) => `a.json cards[${at}]`), ...['b.json', 'd.json']]);
  });

  test('a folder of which nothing can be read is rejected', async () => {
    await expect(readFiles(tcgdex, { 'a.json': '{' })).rejects.toThrow('a.json: not JSON');
    await expect(readFiles(tcgdex, { 'a.txt': '' })).rejects.toThrow('no file of this format');
    await expect(readAll(tcgdex, '/nowhere/at/all')).rejects.toThrow('no such file');
  });
});

describe.skipIf(folder === null)('the real files', () => {
  test('every name and variant is one record, distinguished, with one plain a card', async () => {
    const { records, dropped, broken } = await readReal(tcgdex, folder!);
    let printings = 0;
    let emptySets = 0;
    type RawFile = { sets?: { cardFiles: number }[]; cards?: { name: object; variants?: unknown[] }[] };
    for (const { sets = [], cards = [] } of jsonIn<RawFile>(folder!)) {
      for (const set of sets) emptySets += set.cardFiles === 0 ? 1 : 0;
      for (const { name, variants } of cards)
        printings +=
          new Set(Object.keys(name).map((code) => code.replace('es-mx', 'es'))).size * (variants?.length ?? 1);
    }
    expect(broken).toEqual([]);
    expect(records.length + total(dropped)).toBe(printings + emptySets);
    expect(dropped).toEqual({ no_cards: emptySets, same_printing: 3 });
    expect(faultsIn(records)).toEqual([]);
  });

  test('four ids that name two sets are two sets', async () => {
    const { sets } = JSON.parse(readFileSync(join(folder!, '_all-sets.json'), 'utf8'));
    const files: Record<string, unknown> = {};
    const used = sets.filter((set: { cardFiles: number; _path: string }) => !set._path.includes('Pocket'));
    for (const [at, set] of used.entries())
      files[`${at}.json`] = {
        _region: set.region === 'intl' ? 'international' : 'asia',
        serie: {},
        set,
        cards: [card(null)],
      };
    const { records } = await readFiles(tcgdex, files);
    expect(new Set(records.map((record) => record.set.key)).size).toBe(used.length);
    const keys = new Set(records.map((record) => record.set.key));
    const equal = JSON.parse(readFileSync('src/catalog/equal-sets/pokemon.json', 'utf8'));
    for (const pair of equal) expect(keys).toContain(pair.tcgdex);
    expect(equalSetsOf('pokemon').aliases('tcgdex', 'sv03.5')).toEqual(['pokemontcg:sv3pt5']);
  });
});
