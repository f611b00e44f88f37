import { afterEach, beforeEach, expect, test } from 'vitest';
import { mtgjson } from '../../src/catalog/formats/mtgjson.ts';
import { scryfall } from '../../src/catalog/formats/scryfall.ts';
import { importCatalog } from '../../src/catalog/import-catalog.ts';
import type { CatalogFormat, CatalogRecord } from '../../src/catalog/record.ts';
import type { Db } from '../../src/db/client.ts';
import { externalIdsOf } from '../../src/items/external-ids-of-item.ts';
import { openResolver } from '../../src/sales/import/resolve.ts';
import { freshDatabase } from '../support/database/database.ts';
import { folderOf, readFiles } from './formats/reading.ts';

const SCRYFALL = '3123d16c-e1e6-4659-a7a3-2ec6efc6bf08';
const FRONT = '0d3a8f1e-1111-5222-8333-444455556666';
const BACK = '0d3a8f1e-1111-5222-8333-444455557777';

let db: Db;
let close: () => Promise<void>;

beforeEach(async () => {
  ({ db, close } = await freshDatabase());
});
afterEach(() => close());

const mtgjsonCard = (more: object = {}) => ({
  uuid: FRONT,
  name: 'Fire // Ice',
  number: '12',
  side: 'a',
  layout: 'split',
  finishes: ['nonfoil', 'foil', 'etched'],
  identifiers: {
    scryfallId: SCRYFALL,
    tcgplayerProductId: '100',
    tcgplayerEtchedProductId: '101',
    mcmId: '200',
    multiverseId: '300',
  },
  foreignData: [{ language: 'German', name: 'Feuer // Eis', multiverseId: 301 }],
  ...more,
});
const ofMtgjson = (...cards: object[]) => ({
  data: { code: 'DMR', name: 'Remastered', releaseDate: '2023-01-13', cards },
});
const back = { ...mtgjsonCard(), uuid: BACK, side: 'b', foreignData: [] };

test('readers keep the ids of their sources: of a finish, of all finishes, of a translation, of both sides', async () => {
  const { records } = await readFiles(mtgjson, { 'DMR.json': ofMtgjson(mtgjsonCard(), back) });
  const ids = records.map(({ variation, language, externalIds }) => [
    language,
    variation,
    Object.fromEntries(externalIds!),
  ]);
  const all = { mtgjson: BACK, scryfall: SCRYFALL, cardmarket: '200', multiverse: '300' };
  expect(ids).toEqual([
    ['English', null, { ...all, tcgplayer: '100' }],
    ['English', 'Foil', { ...all, tcgplayer: '100' }],
    ['English', 'Etched Foil', { ...all, tcgplayer: '101' }],
    ['German', null, { multiverse: '301' }],
  ]);
  expect(records[0]!.externalIds!.filter(([space]) => space === 'mtgjson').map(([, id]) => id)).toEqual([FRONT, BACK]);
});

async function load(format: CatalogFormat, files: Record<string, unknown>) {
  return importCatalog(db, { format, paths: [await folderOf(files)] });
}

/** Variations of the items with an id, the plain one as null. */
async function variationsOf(space: string, value: string) {
  const resolver = openResolver(db);
  await resolver.load([{ by: 'source', space, value }]);
  return resolver
    .all({ by: 'source', space, value })
    .map(({ variation }) => variation)
    .sort();
}

test('an id is that of each of its printings, from either source; the two give one list', async () => {
  await load(mtgjson, { 'DMR.json': ofMtgjson(mtgjsonCard(), back) });
  const finishes = ['Etched Foil', 'Foil', null].sort();
  for (const [space, id] of [
    ['scryfall', SCRYFALL],
    ['mtgjson', BACK],
    ['cardmarket', '200'],
  ] as const)
    expect(await variationsOf(space, id), space).toEqual(finishes);
  expect(await variationsOf('tcgplayer', '101')).toEqual(['Etched Foil']);
  expect(await variationsOf('scryfall', `${SCRYFALL}/foil/English`)).toEqual(['Foil']);
  const card = {
    id: SCRYFALL,
    name: 'Fire // Ice',
    lang: 'en',
    set: 'dmr',
    set_name: 'Remastered',
    collector_number: '12',
    finishes: ['nonfoil', 'foil', 'etched'],
    tcgplayer_id: 100,
    cardmarket_id: 201,
  };
  expect(await load(scryfall, { 'cards.json': [card] })).toMatchObject({ added: 0, known: 3 });
  const [plain] = await db.query<{ id: string }>(
    `select id from items where variation is null and language = 'English'`,
  );
  expect(await externalIdsOf(db, plain!.id)).toEqual({
    cardmarket: ['200', '201'],
    mtgjson: [FRONT, BACK],
    multiverse: ['300'],
    scryfall: [SCRYFALL],
    tcgplayer: ['100'],
  });
});

test('an id that its source corrects is the old printing’s no longer', async () => {
  const other = '3123d16c-e1e6-4659-a7a3-2ec6efc6bf09';
  const plain = { layout: 'normal', side: undefined, finishes: ['nonfoil'], foreignData: [] };
  await load(mtgjson, { 'DMR.json': ofMtgjson(mtgjsonCard(plain)) });
  const identifiers = { scryfallId: SCRYFALL, mcmId: '999' };
  await load(mtgjson, { 'DMR.json': ofMtgjson(mtgjsonCard({ ...plain, identifiers })) });
  expect(await variationsOf('cardmarket', '200')).toEqual([]);
  expect(await variationsOf('cardmarket', '999')).toEqual([null]);
  expect(await variationsOf('scryfall', other)).toEqual([]);
});

/** A source without finishes, whose second id other sources use for exactly this printing. */
function record(id: string, name: string, others: [string, string][] = []): CatalogRecord {
  return {
    game: 'riftbound',
    ids: [['riftbound', id], ...others],
    set: { key: 'OGN', name: 'Origins', code: 'OGN', year: 2025 },
    number: id,
    name,
    printedName: null,
    language: 'English',
    variation: null,
    rarity: null,
    year: 2025,
    imageUrl: null,
    imageUrlThumb: null,
    facts: {},
  };
}

async function loadRecords(...records: CatalogRecord[]) {
  const format: CatalogFormat = {
    name: 'test',
    game: 'any',
    about: 'records of a test',
    async *read() {
      for (const one of records) yield { kind: 'record', record: one };
    },
  };
  return importCatalog(db, { format, paths: [] });
}

test('an id that comes to be of two items is of both, not of the first', async () => {
  await loadRecords(record('1', 'Ahri', [['tcgplayer', '55']]), record('2', 'Jinx'));
  expect(await variationsOf('tcgplayer', '55')).toHaveLength(1);
  await loadRecords(record('1', 'Ahri', [['tcgplayer', '55']]), record('2', 'Jinx', [['tcgplayer', '55']]));
  expect(await variationsOf('tcgplayer', '55')).toHaveLength(2);
});

test('an item that its source lists no more is withdrawn, whatever ids of others it has', async () => {
  await loadRecords(record('1', 'Ahri', [['tcgplayer', '55']]), record('2', 'Jinx', [['tcgplayer', '56']]));
  const [ahri] = await db.query<{ id: string }>(`select id from items where number = '1'`);
  await db.query(
    `insert into item_sources (space, source_id, item_id, import_id, external_ids)
     select 'own:psa-spec', $1::text, $1::uuid, max(id), '{psa-spec 5}' from imports`,
    [ahri!.id],
  );
  expect(await loadRecords(record('2', 'Jinx', [['tcgplayer', '56']]))).toMatchObject({ removed: 1 });
});

test('a record whose ids are of two items is left out, not given to either', async () => {
  await loadRecords(record('1', 'Ahri', [['tcgplayer', '55']]), record('2', 'Jinx', [['cardmarket', '66']]));
  const both = record('3', 'Vi', [
    ['tcgplayer', '55'],
    ['cardmarket', '66'],
  ]);
  both.ids[0] = ['riftscribe', '3'];
  both.set = { ...both.set, key: 'OGN-3' };
  expect(await loadRecords(both)).toMatchObject({ joined: 0, added: 0, dropped: { ids_disagree: 1 } });
});
