import { describe, expect, test } from 'vitest';
import { lorcanaData } from '../../../src/catalog/formats/lorcana-data.ts';
import { lorcast } from '../../../src/catalog/formats/lorcast.ts';
import { testData } from '../../support/test-data.ts';
import { confusedIn, jsonIn, placesOf, readAll, readFiles, readReal } from './reading.ts';

const folder = testData('catalog', 'lorcana');

const card = {
  id: 'crd_1',
  name: 'Elsa',
  version: 'Snow Queen',
  released_at: '2023-08-18',
  image_uris: { digital: { small: 'https://x.test/s.avif', large: 'https://x.test/l.avif' } },
  ink: null,
  inks: ['Amber', 'Steel'],
  type: ['Character'],
  rarity: 'Enchanted',
  illustrators: ['A', 'B'],
  collector_number: '207',
  lang: 'en',
  tcgplayer_id: 5,
  set: { code: '1', name: 'The First Chapter' },
};

test('a card gives its images, year, TCGplayer number and printed identifier', async () => {
  const { records } = await readFiles(lorcast, { 'set1.json': [card] });
  expect(records[0]).toMatchObject({
    ids: [
      ['lorcast', 'crd_1'],
      ['tcgplayer', '5'],
      ['lorcana-printed', '207/ EN 1'],
    ],
    name: 'Elsa - Snow Queen',
    variation: 'Enchanted',
    year: 2023,
    imageUrl: 'https://x.test/l.avif',
    imageUrlThumb: 'https://x.test/s.avif',
    facts: { artist: 'A / B', characters: ['Elsa'], colors: ['amber', 'steel'], cardKind: 'Character' },
  });
});

test('a record without a name and one in an unknown language are broken, the rest is read', async () => {
  const cards = [{ ...card, name: ' ' }, { ...card, lang: 'xx' }, card];
  const { records, broken } = await readFiles(lorcast, { 'set1.json': cards });
  expect(records).toHaveLength(1);
  expect(placesOf(broken)).toEqual(['set1.json[0]', 'set1.json[1]']);
});

describe.skipIf(folder === null)('the real files', () => {
  test('every card is one record, and each meets a printing of lorcana-data', async () => {
    const { records, dropped, broken } = await readReal(lorcast, folder!);
    const cards = jsonIn(folder!, /^lorcast-set\d/).flat();
    expect([records.length, dropped, broken]).toEqual([cards.length, { other_format: 16 }, []]);
    expect(confusedIn(records)).toEqual([]);
    const others = await readAll(lorcanaData, `${folder}/lorcana-data`);
    const known = new Set(others.records.flatMap(({ ids }) => ids.slice(1).map((id) => id.join(' '))));
    expect(records.filter(({ ids }) => !known.has(ids[2]!.join(' ')))).toEqual([]);
  });
});
