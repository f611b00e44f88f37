import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { equalSetsOf } from '../../../src/catalog/equal-sets.ts';
import { pokemontcg } from '../../../src/catalog/formats/pokemontcg.ts';
import { tcgdex } from '../../../src/catalog/formats/tcgdex.ts';
import { identityKey } from '../../../src/catalog/identity.ts';
import { testData } from '../../support/test-data.ts';
import { faultsIn, folderOf, jsonIn, placesOf, readAll, readFiles, readReal } from './reading.ts';

const folder = testData('catalog', 'pokemon', 'pokemontcg');

const sets = [{ id: 'base9', name: 'Base Nine', series: 'Base', releaseDate: '1999/02/03' }];
const card = { id: 'base9-4', name: 'Charizard', number: '4', rarity: 'Rare Holo', supertype: 'Pokémon', images: {} };

test('a card has its set from the list next to its file, in either layout', async () => {
  const flat = await folderOf({ 'cards-en-base9.json': [card], 'sets-en.json': sets });
  const upstream = await folderOf({ 'cards/en/base9.json': [card], 'sets/en.json': sets });
  const paths = [flat, join(flat, 'cards-en-base9.json'), upstream, join(upstream, 'cards')];
  for (const path of paths) {
    const { records } = await readAll(pokemontcg, path);
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      set: { key: 'base9', name: 'Base Nine', code: 'base9', year: 1999 },
      number: '4',
      language: 'English',
      variation: null,
      year: 1999,
      facts: { characters: ['Charizard'], cardKind: 'Pokémon' },
    });
  }
});

test('without a list of sets the set keeps its id for a name', async () => {
  const { records } = await readFiles(pokemontcg, { 'cards-en-base9.json': [card] });
  expect(records[0]?.set).toEqual({ key: 'base9', name: 'base9', code: 'base9', year: null });
});

test('the Unown of Unseen Forces are a set of their own', async () => {
  const list = [{ id: 'ex10', name: 'Unseen Forces', releaseDate: '2005/08/01' }];
  const cards = ['ex10-1', 'ex10-A', 'ex10-!'].map((id) => ({ ...card, id, number: id.slice(5) }));
  const { records } = await readFiles(pokemontcg, { 'ex10.json': cards, 'sets-en.json': list });
  expect(records.map(({ set, year }) => [set.key, year])).toEqual([
    ['ex10', 2005],
    ['exu', 2005],
    ['exu', 2005],
  ]);
});

test('a set typed in by hand has its rarities in words and its supporters as trainers', async () => {
  const typed = [
    { ...card, rarity: 'DoubleRare', types: ['Fire'], images: { large: 'https://x.example/4.webp' } },
    { ...card, id: 'base9-5', number: '5', name: 'Canari', rarity: 'Common', subtypes: ['Supporter'], types: [] },
  ];
  const { records } = await readFiles(pokemontcg, { 'cards-en-base9.json': typed });
  expect(records.map(({ rarity, facts }) => [rarity, facts.cardKind, facts.characters])).toEqual([
    ['Double Rare', 'Pokémon', ['Charizard']],
    ['Common', 'Trainer', undefined],
  ]);
  expect(records[0]?.imageUrl).toBe('https://x.example/4.webp');
});

test('broken records and files are reported by file and position, the rest is read', async () => {
  const { records, broken } = await readFiles(pokemontcg, {
    'cards-en-base9.json': [null, { ...card, name: 7.5 }, { ...card, id: undefined }, { ...card, number: [] }, card],
    'cards-en-cut.json': '[{"id": "cut-1"',
    'cards-en-other.json': { sets: [] },
    'sets-en.json': [...sets, { releaseDate: '' }],
  });
  expect(records.map(({ name }) => name)).toEqual(['7.5']);
  expect(placesOf(broken)).toEqual([
    'sets-en.json[1]',
    'cards-en-base9.json[0]',
    'cards-en-base9.json[2]',
    'cards-en-base9.json[3]',
    'cards-en-base9.json[4]',
    'cards-en-cut.json',
  ]);
});

describe.skipIf(folder === null)('the real files', () => {
  test('every card is one record, distinguished', async () => {
    const { records, dropped, broken } = await readReal(pokemontcg, folder!);
    expect(broken).toEqual([]);
    expect(dropped).toEqual({});
    expect(records.length).toBe(jsonIn(folder!, /^cards-/).flat().length);
    expect(faultsIn(records)).toEqual([]);
    expect(records.filter(({ set }) => set.name === set.key)).toEqual([]);
  });

  test('the map of equal sets names each set once, and its sets meet in the same items', async () => {
    const equal: Record<string, string>[] = JSON.parse(readFileSync('src/catalog/equal-sets/pokemon.json', 'utf8'));
    const known = JSON.parse(readFileSync(join(folder!, 'sets-en.json'), 'utf8')).map(({ id }: { id: string }) => id);
    expect(new Set(equal.map((pair) => pair.pokemontcg)).size).toBe(equal.length);
    expect(new Set(equal.map((pair) => pair.tcgdex)).size).toBe(equal.length);
    for (const pair of equal) expect([...known, 'exu']).toContain(pair.pokemontcg);

    const { canonical } = equalSetsOf('pokemon');
    const theirs = await readAll(tcgdex, testData('catalog', 'pokemon', 'tcgdex')!);
    const keys = new Set(theirs.records.map((record) => identityKey(canonical('tcgdex', record.set.key), record)));
    const inBoth = new Set(theirs.records.map((record) => canonical('tcgdex', record.set.key)));
    const { records } = await readAll(pokemontcg, folder!);
    const shared = records.filter((record) => inBoth.has(canonical('pokemontcg', record.set.key)));
    const joined = shared.filter((record) => keys.has(identityKey(canonical('pokemontcg', record.set.key), record)));
    console.info(`pokemontcg: ${shared.length} cards of sets that both have, ${joined.length} join`);
    expect(joined.length).toBe(shared.length);
    expect(shared.length).toBeGreaterThan(1000);
  });
});
