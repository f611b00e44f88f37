import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { aCert } from '../support/servers/certs.ts';

let database: FreshDatabase;
let api: TestApp;
let stays: string;
/** Withdrawn with another card in its place, and without one. */
let replaced: string;
let dropped: string;

const SET = 'pokemon/base-base1';
const slugOf = (id: string) => `4-charizard-psa-10-${id.slice(0, 8)}`;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  stays = await anItem(db, { set });
  replaced = await anItem(db, { set, upstreamItemId: 'inv-4' });
  dropped = await anItem(db, { set, variation: '1st Edition' });
  // A flat market, in which any move is visible.
  const others = await aSet(db, { name: 'Jungle', code: 'base2' });
  for (let n = 1; n <= 20; n++)
    await manySales(db, { itemId: await anItem(db, { set: others, number: String(n), name: 'Other' }), everyDays: 2 });
  for (const itemId of [stays, replaced, dropped]) {
    await manySales(db, { itemId, to: '2026-06-20', everyDays: 3 });
    // A move with sales of its own behind it.
    for (const day of ['25', '26', '28'])
      await manySales(db, { itemId, from: `2026-06-${day}`, to: `2026-06-${day}`, usdCents: 170_00 });
    for (const day of ['26', '27', '28'])
      await manySales(db, { itemId, source: 'house', from: `2026-06-${day}`, to: `2026-06-${day}`, usdCents: 172_00 });
  }
  await aCert(db, { certNumber: '40000001', itemId: replaced, imageFront: 'https://scans.example/f.jpg' });
  await closeDays(db);
  await db.query(`update items set removed_at = '2026-06-29T10:00:00Z' where id = any($1)`, [[replaced, dropped]]);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('a withdrawn card', () => {
  test('is 410 by every name and view, with since when and what took its place', async () => {
    const paths = [
      ...['', '/overview', '/trades', '/series', '/fmv-series'].flatMap((view) => [
        `/v1/items/${SET}/${slugOf(replaced)}${view}`,
        `/v1/items/by-id/${replaced}${view}`,
        `/v1/items/by-upstream-id/inv-4${view || '/detail'}`,
      ]),
      `/v1/items/${SET}/${slugOf(replaced)}/similar`,
      '/v1/items/by-upstream-id/inv-4',
      '/v1/cards/by-upstream-id/inv-4',
    ];
    for (const path of paths) {
      const { status, json, headers } = await api.get(path);
      expect([status, json.error], path).toEqual([410, 'withdrawn']);
      expect(json.removedAt, path).toBe('2026-06-29T10:00:00.000Z');
      expect(json.replacedBy, path).toBe(`/card/${SET}/4-charizard-${stays.slice(0, 8)}`);
      expect(headers['cache-control'], path).toBe('no-store');
    }
    expect((await api.get(`/v1/items/by-id/${stays}`)).status).toBe(200);
  });

  test('takes no address from the card in its place, with or without an id token that both share', async () => {
    const { db } = database;
    const set = await aSet(db, { name: 'Twins', code: 'twn' });
    const [gone, there] = ['1', '2'].map((end) => `5555555${end}-0000-4000-8000-00000000000${end}`) as [string, string];
    for (const id of [gone, there]) await anItem(db, { id, set, name: 'Mew' });
    const byName = `/v1/items/pokemon/${set.segment}/4-mew/overview`;
    expect((await api.get(byName)).status).toBe(404);
    await db.query('update items set removed_at = now() where id = $1', [gone]);
    expect((await api.get(byName)).json.id).toBe(there);
    const [shared, other] = ['1', '2'].map((end) => `66666666-0000-4000-8000-00000000000${end}`) as [string, string];
    for (const id of [shared, other]) await anItem(db, { id, set, number: '9', name: 'Pikachu' });
    await db.query('update items set removed_at = now() where id = $1', [shared]);
    const byToken = `/v1/items/pokemon/${set.segment}/9-pikachu-66666666/overview`;
    expect((await api.get(byToken)).json.id).toBe(other);
    // Of two withdrawn cards neither has the address.
    await db.query('update items set removed_at = now() where id = $1', [other]);
    expect((await api.get(byToken)).status).toBe(404);
  });

  test('without another of its number, language and variation has no replacement', async () => {
    const { status, json } = await api.get(`/v1/items/by-id/${dropped}`);
    expect([status, json.replacedBy]).toEqual([410, null]);
  });

  test('has pages that are 410 too, in every form, and lead to the card in its place', async () => {
    const href = `/card/${SET}/${slugOf(replaced)}`;
    for (const form of ['', '.md', '.png']) expect((await api.get(href + form)).status, form).toBe(410);
    const place = `/card/${SET}/4-charizard-${stays.slice(0, 8)}`;
    expect((await api.get(href)).text).toContain(`href="${place}"`);
    expect((await api.get(`${href}.md`)).text).toContain(`(${place}.md)`);
  });

  test('is in no summary, list, feed, mover or search', async () => {
    const ids = async (path: string, list: (json: never) => { id: string }[]) =>
      list((await api.get(path)).json as never).map(({ id }) => id);
    const all = [stays, replaced, dropped].join();
    expect(await ids(`/v1/items/summaries?ids=${all}`, (json) => json)).toEqual([stays]);
    expect(await ids(`/v1/sets/${SET}`, (json: { cards: { id: string }[] }) => json.cards)).toEqual([stays]);
    const featured = await ids('/v1/items/featured?limit=48', (json: { cards: { id: string }[] }) => json.cards);
    expect([stays, replaced, dropped].map((id) => featured.includes(id))).toEqual([true, false, false]);
    expect(await ids('/v1/search?q=charizard', (json: { results: { id: string }[] }) => json.results)).toEqual([stays]);
    const { trades } = (await api.get('/v1/trades/recent?limit=50')).json;
    const sold = new Set(trades.map(({ card }: { card: { id: string } }) => card.id));
    expect([sold.has(stays), sold.has(replaced), sold.has(dropped)]).toEqual([true, false, false]);
    const slug = `4-charizard-${stays.slice(0, 8)}`;
    for (const path of [
      '/movers.xml',
      `/v1/items/${SET}/${slug}/similar`,
      '/v1/search/suggest?q=chari',
      `/card/${SET}`,
      `/card/${SET}.md`,
      '/sitemaps/cards-pokemon-1-of-1.xml',
      '/sitemaps/grades-pokemon-1-of-1.xml',
    ]) {
      const { status, text } = await api.get(path);
      expect([path, status]).toEqual([path, 200]);
      for (const id of [replaced, dropped]) expect(text, path).not.toContain(id.slice(0, 8));
    }
  });

  test('in a slab is not found, with the card’s identity and scans and without grade or price', async () => {
    for (const path of ['/v1/graded/40000001', '/v1/graded?certs=40000001']) {
      const { json } = await api.get(path);
      const lookup = json.results?.[0] ?? json;
      expect(lookup).toMatchObject({
        found: false,
        reason: 'withdrawn',
        grade: null,
        certImages: { front: 'https://scans.example/f.jpg' },
        card: { id: replaced, name: 'Charizard', grade: null, priceUsdCents: null, updatedAt: null, lastSaleAt: null },
      });
      expect(lookup.card.href).toBe(`/card/${SET}/4-charizard-${replaced.slice(0, 8)}`);
    }
  });
});
