import { describe, expect, test } from 'vitest';
import { UnreadableFile } from '../../../src/catalog/formats/files.ts';
import { junkwaxdata } from '../../../src/catalog/formats/junkwaxdata.ts';
import { testData } from '../../support/test-data.ts';
import { confusedIn, folderOf, jsonIn, placesOf, readAll, readFiles, readReal, variationsOf } from './reading.ts';

function release(sets: unknown[], name = '2031 Example Baseball') {
  return { name, version: '1.0', uniqueId: 'r', sets };
}

function card(changes: Record<string, unknown> = {}) {
  return { uniqueId: 'c1', number: '7', name: 'Ann Player', ...changes };
}

describe('JunkWaxData', () => {
  test('the base card has no variation; every parallel, variation and parallel of a variation is a printing', async () => {
    const base = {
      name: 'Base Set',
      parallels: [{ name: 'Refractor' }, { name: 'Gold', numberedTo: 50 }],
      cards: [
        card({
          parallels: [{ name: 'Superfractor', numberedTo: 1 }],
          variations: [{ variation: 'Image Variation', numberedTo: 25, parallels: [{ name: 'Red', numberedTo: 5 }] }],
        }),
      ],
    };
    const { records } = await readFiles(junkwaxdata, { 'a.json': release([base]) });
    expect(variationsOf(records)).toEqual([
      null,
      'Refractor',
      'Gold /50',
      'Superfractor 1/1',
      'Image Variation /25',
      'Image Variation: Red /5',
    ]);
    expect(records[0]).toMatchObject({
      game: 'sports',
      ids: [['junkwaxdata', 'c1']],
      set: { key: '2031 Example Baseball', name: '2031 Example Baseball', code: null, year: 2031 },
      number: '7',
      language: 'English',
      imageUrl: null,
      year: 2031,
      facts: { characters: ['Ann Player'] },
    });
  });

  test("an insert's name is the variation, its print run and parallels follow", async () => {
    const insert = {
      name: 'Signatures',
      numberedTo: 99,
      attributes: ['AU'],
      parallels: [{ name: 'Gold', numberedTo: 10 }],
      cards: [card()],
    };
    const { records } = await readFiles(junkwaxdata, { 'a.json': release([{ name: 'Base', cards: [] }, insert]) });
    expect(variationsOf(records)).toEqual(['Signatures /99', 'Signatures: Gold /10']);
    expect(records[0]!.facts.cardKind).toBe('Autograph');
  });

  test('a card without a base version has only its parallels', async () => {
    const only = card({ note: 'No Base Set Version', numberedTo: 5, parallels: [{ name: 'Blue', numberedTo: 5 }] });
    const read = await readFiles(junkwaxdata, { 'a.json': release([{ name: 'Base', cards: [only] }]) });
    expect(variationsOf(read.records)).toEqual(['Blue /5']);
    expect(read.dropped).toEqual({ no_plain_version: 1 });
  });

  test('a note is the team only where it names one; players of a title are distinguished', async () => {
    const cards = [
      card({ note: 'Los Angeles Dodgers', attributes: ['RC'] }),
      card({ uniqueId: 'c2', number: '8', note: '1987 Design', name: 'Leaders (Ann Player / Bo Other)' }),
    ];
    const { records } = await readFiles(junkwaxdata, { 'a.json': release([{ name: 'Base', cards }]) });
    expect(records.map((record) => record.facts)).toEqual([
      { characters: ['Ann Player'], team: 'Los Angeles Dodgers', cardKind: 'RC' },
      { characters: ['Ann Player', 'Bo Other'] },
    ]);
  });

  test('a printing listed twice is dropped as a repeat', async () => {
    const twice = card({ parallels: [{ name: 'Gold' }, { name: 'Gold' }] });
    const read = await readFiles(junkwaxdata, { 'a.json': release([{ name: 'Base', cards: [twice] }]) });
    expect(read.dropped).toEqual({ repeat: 1 });
    expect(confusedIn(read.records)).toEqual([]);
  });

  test('a broken card, set or file is reported with its place and the rest is read', async () => {
    const folder = await folderOf({
      'a.json': release([{ name: 'Base', cards: [card(), { number: '8' }, 5] }, { name: 'No cards' }]),
      'b.json': '{"name": "cut',
      'c.json': { some: 'thing' },
      'd.json': { category: { name: 'baseball' } },
    });
    const read = await readAll(junkwaxdata, folder);
    expect(read.records).toHaveLength(1);
    expect(placesOf(read.broken)).toEqual([
      'a.json sets[0].cards[1]',
      'a.json sets[0].cards[2]',
      'a.json sets[1]',
      'b.json',
    ]);
  });

  test('nothing readable at all is rejected', async () => {
    await expect(readFiles(junkwaxdata, { 'a.json': '[]' })).rejects.toThrow(UnreadableFile);
    await expect(readFiles(junkwaxdata, {})).rejects.toThrow(UnreadableFile);
    await expect(readAll(junkwaxdata, '/nowhere/at/all')).rejects.toThrow(/no such file/);
  });
});

type RawCard = { note?: string; parallels?: unknown[]; variations?: { parallels?: RawParallel[] }[] };
type RawParallel = { notes?: string[] };
type RawRelease = { sets: { parallels?: RawParallel[]; cards: RawCard[] }[] };

const folder = testData('catalog', 'sports', 'junkwaxdata');
describe.skipIf(folder === null)('JunkWaxData, the real releases', () => {
  test('the records add up to what the files have, without a repeated printing', async () => {
    const plates = (parallels: RawParallel[] = []) =>
      parallels.reduce(
        (sum, parallel) => sum + (parallel.notes?.some((note) => note.startsWith('Each has')) ? 4 : 1),
        0,
      );
    let expected = 0;
    for (const raw of jsonIn<RawRelease>(folder!, /--/)) {
      for (const set of raw.sets) {
        for (const one of set.cards) {
          expected += one.note === 'No Base Set Version' ? 0 : 1;
          expected += plates(set.parallels) + (one.parallels?.length ?? 0);
          for (const variation of one.variations ?? []) expected += 1 + plates(variation.parallels);
        }
      }
    }
    const read = await readReal(junkwaxdata, folder!);
    expect(read.broken).toEqual([]);
    expect(read.records.length + (read.dropped.repeat ?? 0)).toBe(expected);
    expect(confusedIn(read.records)).toEqual([]);
    expect(new Set(read.records.map((record) => record.set.key)).size).toBe(10);
    expect(read.records.every((record) => record.year !== null)).toBe(true);
  });

  test('well-known cards come out as collectors name them', async () => {
    const { records } = await readAll(junkwaxdata, folder!);
    const find = (set: string, number: string, variation: string | null) =>
      records.filter((r) => r.set.name === set && r.number === number && r.variation === variation).map((r) => r.name);
    expect(find('1989 Upper Deck Baseball', '1', null)).toEqual(['Ken Griffey Jr.']);
    expect(find('1993 Finest Baseball', '110', 'Refractor')).toEqual(['Ken Griffey, Jr. AS']);
    expect(find('1986-87 Fleer Basketball', '57', null)).toEqual(['Michael Jordan']);
    expect(find('1986-87 Fleer Basketball', '8', 'Stickers')).toEqual(['Michael Jordan']);
    expect(find('2001 Topps Baseball', '726', 'Gold /2001')).toEqual(['Ichiro Suzuki']);
  });
});
