import { describe, expect, test } from 'vitest';
import { gcgApi } from '../../../src/catalog/formats/gcg-api.ts';
import { tcgEnginesGundam } from '../../../src/catalog/formats/tcg-engines-gundam.ts';
import { testData } from '../../support/test-data.ts';
import { confusedIn, jsonIn, printingKey, readAll, readFiles, readReal } from './reading.ts';

const folder = testData('catalog', 'gundam', 'tcg-engines-scraped');

test('a printing has the id that the other list has too', async () => {
  const card = {
    id: 'ST01-001_p4',
    code: 'ST01-001',
    name: 'Gundam',
    rarity: 'LR',
    getIt: 'Events',
    trait: '(Earth Federation) (White Base Team)',
    set: { id: 'st01', name: 'Promotion card' },
  };
  const files = { 'promotion-card.json': [card, { ...card, set: {} }] };
  const { records, broken } = await readFiles(tcgEnginesGundam, files);
  expect(records[0]).toMatchObject({
    ids: [
      ['tcg-engines-gundam', 'ST01-001_p4'],
      ['gundam-gcg', 'ST01-001_p4'],
    ],
    variation: 'Events',
    facts: { types: ['Earth Federation', 'White Base Team'] },
  });
  expect(broken).toHaveLength(1);
});

describe.skipIf(folder === null)('the real files', () => {
  test('every record is one printing that gcg-api has under the same set, number, name and variation', async () => {
    const { records, dropped, broken } = await readReal(tcgEnginesGundam, folder!);
    const cards = jsonIn(folder!, /^(?!manifest)/).flat();
    expect([records.length, dropped, broken]).toEqual([cards.length, {}, []]);
    expect(confusedIn(records)).toEqual([]);
    const others = await readAll(gcgApi, testData('catalog', 'gundam', 'gcg-api')!);
    const known = new Map(others.records.map((record) => [record.ids[1]![1], printingKey(record)]));
    expect(records.filter((record) => known.get(record.ids[1]![1]) !== printingKey(record))).toEqual([]);
  });
});
