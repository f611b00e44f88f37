import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anExternalId, anItem, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const SCRYFALL = '3123d16c-e1e6-4659-a7a3-2ec6efc6bf08';
const AT = '/v1/items/by-external-id';
const VIEWS = ['', '/detail', '/overview', '/trades', '/series', '/fmv-series'];

let database: FreshDatabase;
let api: TestApp;
let plain: string;
let foil: string;
let french: string;
let gone: string;

const list = (itemId: string, space: string, sourceId: string, externalIds?: string[]) =>
  anExternalId(database.db, { itemId, space, sourceId, ...(externalIds ? { externalIds } : {}) });

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db, { game: 'mtg', name: 'Masters', code: 'DMR' });
  const card = { set, number: '12', name: 'Fire' };
  plain = await anItem(db, card);
  foil = await anItem(db, { ...card, variation: 'Foil' });
  french = await anItem(db, { ...card, language: 'French' });
  gone = await anItem(db, { set, number: '13', name: 'Ice' });
  await db.query('update items set removed_at = now() where id = $1', [gone]);
  await list(plain, 'scryfall', `${SCRYFALL}/nonfoil/English`, [
    `scryfall ${SCRYFALL}`,
    'tcgplayer 100',
    'cardmarket 7',
  ]);
  await list(foil, 'scryfall', `${SCRYFALL}/foil/English`, [`scryfall ${SCRYFALL}`, 'tcgplayer 101', 'cardmarket 7']);
  await list(french, 'mtgjson', 'x/nonfoil/French', ['cardmarket 7', 'multiverse 5/ä 6']);
  await list(french, 'mtg-number', 'dmr/12');
  await list(gone, 'scryfall', 'gone', ['tcgplayer 13', 'tcgplayer 101']);
  await manySales(db, { itemId: plain });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

const hrefOf = async (id: string) => (await api.get(`/v1/items/by-id/${id}/overview`)).json.href as string;

test('leads to its card, and each view is that of the catalog id', async () => {
  expect((await api.get(`${AT}/tcgplayer/100`)).json).toEqual({ href: await hrefOf(plain) });
  for (const view of VIEWS.slice(1)) {
    const { status, json } = await api.get(`${AT}/tcgplayer/100${view}`);
    expect([status, json], view).toEqual([
      200,
      (await api.get(`/v1/items/by-id/${plain}${view.replace('/detail', '')}`)).json,
    ]);
  }
  expect((await api.get(`${AT}/tcgplayer/100/trades?limit=1`)).json.trades).toHaveLength(1);
  expect((await api.get(`${AT}/tcgplayer/100/trades?limit=0`)).status).toBe(400);
});

test('the detail has the ids as they are published, by space', async () => {
  const idsOf = async (id: string) => (await api.get(`/v1/items/by-id/${id}`)).json.externalIds;
  expect(await idsOf(plain)).toEqual({ cardmarket: ['7'], scryfall: [SCRYFALL], tcgplayer: ['100'] });
  expect(await idsOf(french)).toEqual({ cardmarket: ['7'], mtgjson: ['x/nonfoil/French'], multiverse: ['5/ä 6'] });
});

test('of several printings it is 404 ambiguous with each of them, in every view; never one of them', async () => {
  const [a, b, c] = [await hrefOf(plain), await hrefOf(foil), await hrefOf(french)];
  for (const view of VIEWS) {
    const { status, json } = await api.get(`${AT}/scryfall/${SCRYFALL}${view}`);
    expect([status, json.error, json.candidates], view).toEqual([404, 'ambiguous', [a, b]]);
    expect(json.detail).toContain(
      '2 printings have this id: Masters 12 Fire, plain, English; Masters 12 Fire, Foil, English',
    );
  }
  expect((await api.get(`${AT}/cardmarket/7`)).json.candidates).toEqual([a, b, c]);
});

test('variation and language choose one of them', async () => {
  const choose = async (id: string, query: string) => (await api.get(`${AT}/${id}?${query}`)).json;
  expect(await choose(`scryfall/${SCRYFALL}`, 'variation=plain')).toEqual({ href: await hrefOf(plain) });
  expect(await choose(`scryfall/${SCRYFALL.toUpperCase()}`, 'variation=foil')).toEqual({ href: await hrefOf(foil) });
  expect((await choose('cardmarket/7/detail', 'language=French')).id).toBe(french);
  expect(await choose('cardmarket/7', 'language=English')).toMatchObject({
    error: 'ambiguous',
    candidates: [await hrefOf(plain), await hrefOf(foil)],
  });
  const none = await choose('cardmarket/7/overview', 'language=French&variation=Foil');
  expect([none.error, none.candidates.length]).toEqual(['not_found', 3]);
});

test('is found by the key that a catalog made, percent-encoded, and with any character in it', async () => {
  expect((await api.get(`${AT}/scryfall/${SCRYFALL}%2Ffoil%2FEnglish`)).json).toEqual({ href: await hrefOf(foil) });
  expect((await api.get(`${AT}/multiverse/${encodeURIComponent('5/ä 6')}/detail`)).json.id).toBe(french);
});

test('that no item has is 404 in every view: ids are exact, and of their space only', async () => {
  const unknown = ['tcgplayer/1', 'tcgplayer/100%20', 'cardmarket/100', 'TCGPLAYER/100', 'own:x/100', 'a%20b/1'];
  for (const id of [...unknown, `tcgplayer/${'1'.repeat(300)}`, `scryfall/${plain}`])
    for (const view of VIEWS) {
      const { status, json } = await api.get(`${AT}/${id}${view}`);
      expect([status, json.error], id + view).toEqual([404, 'not_found']);
    }
  expect((await api.get(`${AT}/tcgplayer/100/similar`)).json.detail).toContain('views of an id are detail');
});

test('of a withdrawn card is 410; one that a card of the catalog has too is that card’s', async () => {
  for (const view of VIEWS) expect((await api.get(`${AT}/tcgplayer/13${view}`)).json.error, view).toBe('withdrawn');
  expect((await api.get(`${AT}/tcgplayer/101`)).json).toEqual({ href: await hrefOf(foil) });
});

test('has no alias for old clients', async () => {
  expect((await api.get('/v1/cards/by-external-id/tcgplayer/100/overview')).status).toBe(404);
});

test('in a list names a line, and of several printings shows them', async () => {
  const value = async (externalId: object) =>
    (await api.post('/v1/valuations', { lines: [{ externalId, gradeLabel: 'PSA 10' }] })).json.lines[0];
  expect(await value({ space: 'tcgplayer', id: '100' })).toMatchObject({ status: 'priced', card: { id: plain } });
  const several = await value({ space: 'scryfall', id: SCRYFALL });
  expect(several).toMatchObject({ status: 'ambiguous', reason: 'id_on_several', valueUsdCents: null });
  expect(several.candidates.map((one: { id: string; gradeLabel: string }) => [one.id, one.gradeLabel]).sort()).toEqual(
    [
      [plain, 'PSA 10'],
      [foil, 'PSA 10'],
    ].sort(),
  );
  expect(several.because).toContain('variation');
  const chosen = await value({ space: 'scryfall', id: SCRYFALL, variation: 'plain', language: 'English' });
  expect(chosen).toMatchObject({ status: 'priced', card: { id: plain } });
});
