import { describe, expect, test } from 'vitest';
import { equalSetsOf } from '../../../src/catalog/equal-sets.ts';
import { cardChecklists } from '../../../src/catalog/formats/card-checklists.ts';
import { parallelsIn } from '../../../src/catalog/formats/card-checklists-parallels.ts';
import { UnreadableFile } from '../../../src/catalog/formats/files.ts';
import { testData } from '../../support/test-data.ts';
import { confusedIn, folderOf, jsonIn, placesOf, readAll, readFiles, readReal, variationsOf } from './reading.ts';

function release(sections: unknown[], changes: Record<string, unknown> = {}) {
  return { slug: 'example', name: '2031-32 Example Hockey Cards', year: 2032, sport: 'Hockey', sections, ...changes };
}

const ANN = { n: '7', p: 'Ann Player', t: 'Oslo Elks' };

describe('card-checklists', () => {
  test('the base section has no variation; other titles are the variation; the year is the first of the season', async () => {
    const sections = [
      { title: 'Base', cards: [{ ...ANN, x: 'RC' }] },
      { title: 'Glow', cards: [ANN] },
      { title: 'Base Clear Parallels', cards: [ANN] },
    ];
    const { records } = await readFiles(cardChecklists, { 'a.json': release(sections) });
    expect(variationsOf(records)).toEqual([null, 'Glow', 'Clear']);
    expect(records[0]).toMatchObject({
      set: { key: 'example', name: '2031-32 Example Hockey', code: null, year: 2031 },
      number: '7',
      name: 'Ann Player',
      facts: { characters: ['Ann Player'], team: 'Oslo Elks', cardKind: 'RC' },
    });
  });

  test.each([
    ['2024 Topps Chrome Formula 1 – Racing', 'Racing', '2024 Topps Chrome Formula 1 Racing'],
    ['2025-26 Bowman Basketball – Basketball', 'Basketball', '2025-26 Bowman Basketball'],
    ['2024 Topps Chrome – Baseball', 'Baseball', '2024 Topps Chrome Baseball'],
    ['1948 Leaf Football Cards', 'Baseball', '1948 Leaf Football'],
    ['1981 Topps Stickers', 'Football', '1981 Topps Stickers Football'],
  ])('the release "%s" is named once with its sport', async (name, sport, expected) => {
    const sections = [{ title: `${name.split(' – ')[0]} – Base Set`, cards: [ANN] }];
    const { records } = await readFiles(cardChecklists, { 'a.json': release(sections, { name, sport }) });
    expect(records.map((record) => [record.set.name, record.variation])).toEqual([[expected, null]]);
  });

  test('rows that share number and player are distinguished by their description, and true repeats are dropped', async () => {
    const variations = [
      { ...ANN, t: 'Oslo Elks' },
      { ...ANN, t: 'Elks (Batting)' },
      { ...ANN, t: 'Red star on back' },
      { ...ANN, t: 'Oslo Elks' },
    ];
    const sections = [
      { title: 'Base', cards: [ANN] },
      { title: 'Base Variations', cards: variations },
    ];
    const read = await readFiles(cardChecklists, { 'a.json': release(sections) });
    expect(variationsOf(read.records)).toEqual([
      null,
      'Variation',
      'Variation: Batting',
      'Variation: Red star on back',
    ]);
    expect(read.records.map((record) => record.facts.team)).toEqual(['Oslo Elks', 'Oslo Elks', undefined, undefined]);
    expect(read.dropped).toEqual({ repeat: 1 });
  });

  test('players of one card are one item; column heads and sentences are not players', async () => {
    const cards = [
      { n: 'F1', p: 'Drivers' },
      { n: '8', p: 'Ann Player', t: 'Elks Rookie Combos' },
      { n: '8', p: 'Bo Other', t: 'Elks Rookie Combos' },
      { n: '80', p: 'players. Serial numbered 1/1.' },
    ];
    const read = await readFiles(cardChecklists, { 'a.json': release([{ title: 'Base', cards }]) });
    expect(read.records.map((record) => record.name)).toEqual(['Ann Player / Bo Other']);
    expect(read.dropped).toEqual({ not_a_card: 2, player_of_same_card: 1 });
  });

  test('a print run in place of the team goes into the variation of an insert', async () => {
    const sections = [
      { title: 'Base', cards: [] },
      {
        title: 'Patches',
        cards: [
          { ...ANN, t: 'Oslo Elks #/ 99' },
          { n: '8', p: 'Bo Other', x: '/1' },
        ],
      },
    ];
    const { records } = await readFiles(cardChecklists, { 'a.json': release(sections) });
    expect(variationsOf(records)).toEqual(['Patches /99', 'Patches 1/1']);
    expect(records[0]!.facts.team).toBe('Oslo Elks');
  });

  test('parallels named in the notes are printings, but not for players without them', async () => {
    const odds = 'Hobby only. · PRIZM PARALLELS: Silver, Gold #/10 (No Other*), Black 1/1.';
    const sections = [{ title: 'Base', odds, cards: [ANN, { n: '8', p: 'Bo Other' }] }];
    const { records } = await readFiles(cardChecklists, { 'a.json': release(sections) });
    expect(variationsOf(records)).toEqual([
      null,
      'Silver Prizm',
      'Gold Prizm /10',
      'Black Prizm 1/1',
      null,
      'Silver Prizm',
      'Black Prizm 1/1',
    ]);
  });

  test('what does not read as a parallel of every card is unclear', () => {
    expect(
      parallelsIn('PARALLEL CARDS: Gold #/10* or #/5, Red Border, Blue #/25 (Hobby) Note: Only select rookies.'),
    ).toEqual({
      named: [{ name: 'Red Border', run: null, without: [] }],
      unclear: ['Gold #/10* or #/5', 'Blue #/25 (Hobby) Note: Only select rookies'],
    });
    expect(parallelsIn('FAST BREAK PRIZMS: Base, Pink #/50.').named.map(({ name }) => name)).toEqual([
      'Fast Break Prizm',
      'Fast Break Pink Prizm',
    ]);
  });

  test('a broken row or file is reported with its place; nothing readable is rejected', async () => {
    const folder = await folderOf({
      '_release-index.json': [],
      'a.json': release([{ title: 'Base', cards: [ANN, { n: '8' }] }, { title: 'X' }]),
      'b.json': '\u0000\u0001',
    });
    const read = await readAll(cardChecklists, folder);
    expect(read.records).toHaveLength(1);
    expect(placesOf(read.broken)).toEqual(['a.json sections[0].cards[1]', 'a.json sections[1]', 'b.json']);
    await expect(readFiles(cardChecklists, { 'a.json': '{}' })).rejects.toThrow(UnreadableFile);
  });
});

describe('equal sets of the sports sources', () => {
  test('a release of both sources is one set', () => {
    expect(equalSetsOf('sports').aliases('junkwaxdata', '2024 Topps Chrome Baseball')).toEqual([
      'card-checklists:2024-topps-chrome-baseball',
    ]);
  });
});

type RawSection = { title: string; odds?: string; cards: { n: string; p: string; t?: string }[] };

const folder = testData('catalog', 'sports', 'card-checklists');
describe.skipIf(folder === null)('card-checklists, the real releases', () => {
  test('the records add up to what the files have, without a repeated printing', async () => {
    let cards = 0;
    let parallels = 0;
    let missing = 0;
    for (const raw of jsonIn<{ sections: RawSection[] }>(folder!, /^\d/)) {
      for (const section of raw.sections) {
        cards += section.cards.length;
        const { named } = parallelsIn(section.odds ?? '');
        const real = section.cards.filter((card) => !/^players/.test(card.p)).length;
        const joined = section.cards.filter((card, i) => {
          const last = section.cards[i - 1];
          return card.t?.endsWith('Rookie Combos') && last?.n === card.n && last.t === card.t;
        }).length;
        parallels += named.length * (real - joined);
        for (const one of named)
          for (const surname of one.without) missing += section.cards.filter((card) => card.p.endsWith(surname)).length;
      }
    }
    const read = await readReal(cardChecklists, folder!);
    const { repeat = 0, not_a_card = 0, player_of_same_card = 0, no_plain_version = 0 } = read.dropped;
    expect(read.broken).toEqual([]);
    expect(read.records.length + repeat).toBe(
      cards - not_a_card - player_of_same_card - no_plain_version + parallels - missing,
    );
    expect(read.dropped).toMatchObject({ not_a_card: 9, player_of_same_card: 10, no_plain_version: 200 });
    expect(confusedIn(read.records)).toEqual([]);
    expect(new Set(read.records.map((record) => record.set.key)).size).toBe(8);
  });

  test('well-known cards come out as collectors name them', async () => {
    const { records } = await readAll(cardChecklists, folder!);
    const find = (set: string, number: string, variation: string | null) =>
      records.filter((r) => r.set.name === set && r.number === number && r.variation === variation).map((r) => r.name);
    expect(find('2018-19 Panini Prizm Basketball', '280', 'Silver Prizm')).toEqual(['Luka Doncic']);
    expect(find('2017 Panini Prizm Football', '269', null)).toEqual(['Patrick Mahomes II']);
    expect(find('1952 Topps Baseball', '311', null)).toEqual(['Mickey Mantle']);
    expect(find('2018 Topps Update Series Baseball', 'US250', null)).toEqual(['Ronald Acuña Jr.']);
  });
});
