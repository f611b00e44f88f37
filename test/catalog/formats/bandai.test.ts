import { describe, expect, test } from 'vitest';
import { equalSetsOf } from '../../../src/catalog/equal-sets.ts';
import { bandai } from '../../../src/catalog/formats/bandai.ts';
import { limitless } from '../../../src/catalog/formats/limitless.ts';
import { identityKey } from '../../../src/catalog/identity.ts';
import type { CatalogRecord } from '../../../src/catalog/record.ts';
import { testData } from '../../support/test-data.ts';
import { faultsIn, jsonIn, placesOf, readAll, readFiles, readReal, total } from './reading.ts';

const folder = testData('catalog', 'one-piece', 'bandai-vegapull');

const packs = [{ code: 'OP-05', name: 'AWAKENING OF THE NEW ERA', vegapullId: '569105', cardCount: 2 }];

const card = (id: string, set = 'OP-05', rarity = 'SuperRare') => ({
  id,
  name: 'Sabo',
  rarity,
  set,
  category: 'Leader',
});

async function sharedIdsOf(cards: unknown[]): Promise<(string | undefined)[]> {
  const { records } = await readFiles(bandai, { 'a.json': cards });
  return records.map(({ ids }) => ids[1]?.join(' '));
}

test('rarities are in words and special ones are variations', async () => {
  const cards = [card('OP05-007'), card('OP05-007_p1'), card('OP05-007_p2', 'OP-05', 'Special')];
  const { records } = await readFiles(bandai, { 'packs.json': packs, 'OP-05.json': cards });
  expect(records.map(({ set, variation, rarity }) => [set.code, variation, rarity])).toEqual([
    ['OP-05', null, 'Super Rare'],
    ['OP-05', 'Parallel', 'Super Rare'],
    ['OP-05', 'Special Card', 'Special Card'],
  ]);
});

test('a promotion card of unknown product is dropped, and so is a repeated id', async () => {
  const cards = [card('P-001', 'PROMOTION-CARD'), card('OP99-001_p1', 'PROMOTION-CARD')];
  const files = { 'A.json': [card('OP05-007')], 'B.json': [card('OP05-007', 'ST-01')], 'PROMOTION-CARD.json': cards };
  const { records, dropped } = await readFiles(bandai, files);
  expect(records.map(({ ids }) => ids.map((id) => id.join(' ')))).toEqual([
    ['bandai OP05-007'],
    ['bandai P-001', 'op-card P-001'],
  ]);
  expect(dropped).toEqual({ product_unknown: 1, same_printing: 1 });
});

describe('an id shared with the other list', () => {
  test('means a parallel whose number has the same parallels there', async () => {
    expect(await sharedIdsOf([card('OP05-007'), card('OP05-007_p1'), card('OP05-007_p2')])).toEqual([
      undefined,
      'op-card OP05 OP05-007 p1+p2 p1',
      'op-card OP05 OP05-007 p1+p2 p2',
    ]);
  });

  test('or is the only parallel of as many printings, whatever its own number', async () => {
    expect(await sharedIdsOf([card('OP14-001_r1', 'OP14-EB04'), card('OP14-001_p3', 'OP14-EB04')])).toEqual([
      undefined,
      'op-card OP14 OP14-001 of 2',
    ]);
  });
});

test('broken records and files are reported by file and position, the rest is read', async () => {
  const files = { 'a.json': ['', card('x'), card('OP05-007')], 'b.json': '[', 'manifest.json': { packCount: 1 } };
  const { records, broken } = await readFiles(bandai, files);
  expect(records).toHaveLength(1);
  expect(placesOf(broken)).toEqual(['a.json[0]', 'a.json[1]', 'b.json']);
});

describe.skipIf(folder === null)('the real files', () => {
  test('every card is one record, distinguished, or dropped for a reason', async () => {
    const { records, dropped, broken } = await readReal(bandai, folder!);
    expect(broken).toEqual([]);
    expect(records.length + total(dropped)).toBe(jsonIn(folder!, /^(?!packs|manifest)/).flat().length);
    expect(dropped).toEqual({ product_unknown: 143, same_printing: 1 });
    expect(faultsIn(records)).toEqual([]);
  });

  test('no two records meet in one record of the other list, and what meets has one name', async () => {
    const { canonical } = equalSetsOf('one-piece');
    const theirs = await readAll(limitless, testData('catalog', 'one-piece', 'limitless')!);
    const byId = new Map<string, CatalogRecord>();
    const byIdentity = new Map<string, CatalogRecord>();
    for (const record of theirs.records) {
      if (record.ids[1]) byId.set(record.ids[1].join(' '), record);
      byIdentity.set(identityKey(canonical('limitless', record.set.key), record), record);
    }
    const met = new Set<CatalogRecord>();
    let special = 0;
    const { records } = await readAll(bandai, folder!);
    for (const record of records) {
      const shared = record.ids[1] && byId.get(record.ids[1].join(' '));
      const equal = byIdentity.get(identityKey(canonical('bandai', record.set.key), record));
      if (shared && equal) expect(shared).toBe(equal);
      const same = shared ?? equal;
      if (same === undefined) continue;
      expect(met.has(same)).toBe(false);
      met.add(same);
      expect(same.name).toBe(record.name);
      if ((same.rarity === 'Special Card') !== (record.rarity === 'Special Card')) special++;
    }
    console.info(
      `bandai: ${met.size} of ${records.length} join; ${special} of them are a Special Card in one list only`,
    );
    expect(met.size).toBeGreaterThan(4300);
    expect(special).toBeLessThan(10);
  });
});
