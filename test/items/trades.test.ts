import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { aListing, anItem, aSale, aSource, aVoid, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const ID = '6e7fdc9a-0000-4000-8000-000000000001';
const CARD = '/v1/items/pokemon/base-base1/4-charizard-6e7fdc9a/trades';
const PSA_10 = '/v1/items/pokemon/base-base1/4-charizard-psa-10-6e7fdc9a/trades';
const BY_ID = `/v1/items/by-id/${ID}/trades`;

type Row = Record<string, unknown>;

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await anItem(db, { id: ID });
  await manySales(db, { itemId: ID, from: '2026-04-01', to: '2026-06-28', everyDays: 1 });
  await aSale(db, { itemId: ID, sold: '2026-06-20', soldTime: '18:00:00', usdCents: 1_00, source: 'goldin' });
  await manySales(db, { itemId: ID, gradeKey: 'psa-9', from: '2026-06-01', to: '2026-06-04', everyDays: 1 });
  await aSale(db, { itemId: ID, sold: '2026-06-19', usdCents: null, rejection: 'fx_missing', source: 'yahoo' });
  await aSale(db, {
    itemId: ID,
    sold: '2026-06-18',
    offScale: { company: 'SGC', grade: '9.5' },
    rejection: 'company_unsupported',
  });
  await aSource(db, 'house');
  await db.query(
    `update sources set display_name = 'House', bucket = 'partner', category = 'partner' where id = 'house'`,
  );
  const priced = { itemId: ID, sold: '2026-06-17', source: 'house', url: 'https://house.example/1' };
  await aSale(db, { ...priced, saleType: 'fixed', cert: '12345678' });
  const voided = await aSale(db, { itemId: ID, sold: '2026-06-16', source: 'house' });
  await aVoid(db, voided, 'unpaid', '2026-06-20');
  const corrected = await aSale(db, { itemId: ID, sold: '2026-06-15', source: 'house' });
  await aVoid(db, corrected, 'corrected', '2026-06-20');
  await aListing(db, { itemId: ID, firstSeen: '2026-06-01', lastSeen: '2026-06-29' });
  await closeDays(db);
  api = await testApp(db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

async function rows(path: string): Promise<Row[]> {
  const { status, json } = await api.get(path);
  expect(status, path).toBe(200);
  return json.trades;
}

describe('trades', () => {
  test('are newest first, fifty by default, with a total beyond that', async () => {
    const { json } = await api.get(PSA_10);
    expect(json.trades).toHaveLength(50);
    expect(json.total).toBe(93);
    const times = json.trades.map((one: Row) => one.observedAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(await rows(`${PSA_10}?limit=200`)).toHaveLength(93);
    expect(await rows(`${PSA_10}?limit=1`)).toHaveLength(1);
  });

  test('show whether a sale was used, down-weighted or rejected, and why', async () => {
    const all = await rows(`${PSA_10}?limit=200`);
    const on = (day: string, source: string) =>
      all.find((one) => String(one.observedAt).startsWith(day) && one.source === source);
    expect(on('2026-06-19', 'ebay')).toMatchObject({ disposition: 'used', dispositionReason: null });
    expect(on('2026-06-20', 'goldin')).toMatchObject({ disposition: 'downweighted', dispositionReason: 'outlier' });
    expect(on('2026-06-19', 'yahoo')).toMatchObject({
      disposition: 'refused',
      dispositionReason: 'fx_missing',
      priceUsdCents: null,
      priceMinor: 10000,
      currency: 'USD',
    });
    expect(on('2026-06-16', 'house')).toMatchObject({ disposition: 'refused', dispositionReason: 'unpaid' });
  });

  test('leave out a revision that was corrected since', async () => {
    const all = await rows(`${PSA_10}?source=house`);
    expect(all.map((one) => one.observedAt)).toEqual(['2026-06-17T00:00:00.000Z', '2026-06-16T00:00:00.000Z']);
  });

  test('carry the source as it is called, its bucket and where the sale was seen', async () => {
    expect((await rows(`${PSA_10}?source=house`))[0]).toEqual({
      source: 'house',
      bucket: 'partner',
      category: 'partner',
      displayName: 'House',
      observedAt: '2026-06-17T00:00:00.000Z',
      kind: 'transaction',
      priceUsdCents: 100_00,
      priceMinor: 100_00,
      currency: 'USD',
      detail: null,
      sourceUrl: 'https://house.example/1',
      company: 'PSA',
      grade: '10 Gem Mint',
      gradeLabel: 'PSA 10',
      saleType: 'fixed',
      certHash: expect.stringMatching(/^[\w-]{22}$/),
      disposition: 'used',
      dispositionReason: null,
    });
  });

  test('show two sales of one slab by one hash, from which the number cannot be read', async () => {
    const itemId = await anItem(database.db, { number: '77' });
    const psa9 = { itemId, gradeKey: 'psa-9' };
    await aSale(database.db, { ...psa9, sold: '2026-06-04', cert: '0012345678' });
    await aSale(database.db, { ...psa9, sold: '2026-06-03', cert: '12345678', source: 'house' });
    await aSale(database.db, { ...psa9, sold: '2026-06-02', cert: '87654321' });
    await aSale(database.db, { ...psa9, sold: '2026-06-01', saleType: 'house_auction' });
    await aSale(database.db, { itemId, gradeKey: 'cgc-9', sold: '2026-05-31', cert: '12345678' });
    const { json, text } = await api.get(`/v1/items/by-id/${itemId}/trades?scope=all`);
    const [first, second, other, none, elsewhere] = json.trades.map(({ certHash }: Row) => certHash);
    expect(second).toBe(first);
    expect(new Set([first, other, none, elsewhere]).size).toBe(4);
    expect(none).toBeNull();
    expect(text).not.toMatch(/12345678|87654321/);
    expect(json.trades[3].saleType).toBe('house_auction');
    const { json: feed } = await api.get('/v1/trades/recent?limit=50');
    expect(feed.trades.find((one: Row) => one.certHash === other)).toMatchObject({ card: { id: itemId } });
  });

  test('never hold a listing', async () => {
    for (const row of await rows(`${CARD}?scope=all&limit=200`)) expect(row.kind).toBe('transaction');
  });
});

describe('the scope of trades', () => {
  const companies = async (path: string) => new Set((await rows(`${path}limit=200`)).map((one) => one.gradeLabel));

  test('is the grade of the address, or the representative grade of an id', async () => {
    expect(await companies(`${PSA_10}?`)).toEqual(new Set(['PSA 10']));
    expect(await companies(`${BY_ID}?`)).toEqual(new Set(['PSA 10']));
    expect(await companies(`${CARD}?scope=grade&`)).toEqual(new Set(['PSA 10']));
  });

  test('is everything on a slug without a grade, and where requested; companies without prices too', async () => {
    const everything = new Set(['PSA 10', 'PSA 9', 'SGC 9.5']);
    expect(await companies(`${CARD}?`)).toEqual(everything);
    expect(await companies(`${PSA_10}?scope=all&`)).toEqual(everything);
    expect(await companies(`${BY_ID}?scope=all&`)).toEqual(everything);
    const sgc = (await rows(`${CARD}?limit=200`)).find((one) => one.company === 'SGC');
    expect(sgc).toMatchObject({ grade: '9.5', disposition: 'refused', dispositionReason: 'company_unsupported' });
  });
});

describe('the pages of trades', () => {
  async function allPages(query: string, path = CARD): Promise<Row[]> {
    const all: Row[] = [];
    for (let after = ''; ; ) {
      const { status, json } = await api.get(`${path}?${query}&after=${after}`);
      expect(status).toBe(200);
      all.push(...json.trades);
      expect(json.hasMore).toBe(json.nextCursor !== null);
      if (!json.hasMore) return all;
      after = json.nextCursor;
    }
  }

  test.each(['limit=7', 'limit=97', 'limit=96', 'limit=30&window=20', 'limit=1&source=house'])(
    'go on where the one before ended, to the end, without gap or repeat: %s',
    async (query) => {
      const whole = await rows(`${CARD}?${query.replace(/limit=\d+/, 'limit=200')}`);
      expect(whole.length).toBeGreaterThan(1);
      expect(await allPages(query)).toEqual(whole);
    },
  );

  test('stay what they were when a newer sale is recorded in between, and order sales of one moment', async () => {
    const itemId = await anItem(database.db, { number: '78' });
    for (let i = 1; i <= 6; i++) await aSale(database.db, { itemId, sold: '2026-06-01', usdCents: i * 100 });
    const path = `/v1/items/by-id/${itemId}/trades`;
    const first = (await api.get(`${path}?limit=4`)).json;
    await aSale(database.db, { itemId, sold: '2026-06-02', usdCents: 999 });
    const second = (await api.get(`${path}?limit=4&after=${first.nextCursor}`)).json;
    const cents = [...first.trades, ...second.trades].map(({ priceUsdCents }: Row) => priceUsdCents);
    expect(cents).toEqual([600, 500, 400, 300, 200, 100]);
    expect(second).toMatchObject({ total: 7, hasMore: false });
  });

  test('take a cursor only as it was sent, with the card and filters that it was made for', async () => {
    const { nextCursor } = (await api.get(`${CARD}?limit=5`)).json;
    expect((await api.get(`${CARD}?limit=9&after=${nextCursor}`)).status).toBe(200);
    const other = await anItem(database.db, { number: '79' });
    const last = nextCursor.at(-1) === 'A' ? 'B' : 'A';
    for (const path of [
      `${CARD}?after=${nextCursor.slice(0, -1)}${last}`,
      `${CARD}?after=${nextCursor}=`,
      `${CARD}?after=1`,
      `${CARD}?after=${Buffer.from('1.x').toString('base64url')}`,
      `${CARD}?after=${nextCursor}&source=house`,
      `${CARD}?after=${nextCursor}&window=30`,
      `${CARD}?after=${nextCursor}&scope=grade`,
      `/v1/items/by-id/${other}/trades?scope=all&after=${nextCursor}`,
    ]) {
      const { status, json } = await api.get(path);
      expect([status, json.error, json.errors[0].parameter], path).toEqual([400, 'invalid_cursor', 'after']);
    }
    expect((await api.get(`${CARD}?after=${nextCursor}&after=${nextCursor}`)).status).toBe(400);
  });
});

describe('the filters of trades', () => {
  test('a source narrows rows, total and the counts by source alike', async () => {
    const all = (await api.get(PSA_10)).json;
    expect(all).toMatchObject({ total: 93, sourceCounts: { ebay: 89, goldin: 1, house: 2, yahoo: 1 } });
    const { json } = await api.get(`${PSA_10}?source=goldin`);
    expect([json.total, json.sourceCounts]).toEqual([1, { goldin: 1 }]);
    expect(json.trades).toHaveLength(1);
    const none = (await api.get(`${PSA_10}?source=nobody`)).json;
    expect(none).toEqual({ trades: [], total: 0, sourceCounts: {}, hasMore: false, nextCursor: null });
    const recent = (await api.get(`${PSA_10}?window=3`)).json;
    expect([recent.total, recent.sourceCounts]).toEqual([1, { ebay: 1 }]);
  });

  test('a window reaches back that many days with today; a sale at midnight belongs to its own day alone', async () => {
    // Today is 2026-06-30: three days are the 28th, 29th and 30th, and the sale of the 28th is at 00:00Z.
    expect((await rows(`${PSA_10}?window=3`)).map((one) => one.observedAt)).toEqual(['2026-06-28T00:00:00.000Z']);
    expect(await rows(`${PSA_10}?window=2`)).toEqual([]);
    expect((await api.get(`${PSA_10}?window=all`)).json.total).toBe(93);
    expect((await api.get(`${PSA_10}?window=36500`)).json.total).toBe(93);
  });

  test('what is out of range or garbage is 400 and names the parameter', async () => {
    const bad = {
      limit: ['0', '201', '-1', '1.5', '1e2', '007', '', '%205', '5%20'],
      window: ['0', '-7', '36501', '99999', '7d', 'ALL', '1.5', '', 'NaN', '07'],
      scope: ['everything', '', 'GRADE'],
      source: ['', 'Ebay', 'a b', `x${'y'.repeat(40)}`, '%27'],
    };
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        const { status, json } = await api.get(`${PSA_10}?${name}=${value}`);
        expect([status, json.error, json.errors?.[0].parameter], `${name}=${value}`).toEqual([
          400,
          'invalid_parameter',
          name,
        ]);
      }
      expect((await api.get(`${PSA_10}?${name}=${values[0]}&${name}=${values[1]}`)).status, name).toBe(400);
    }
    expect((await api.get(`${PSA_10}?limit=5&limit=6`)).status).toBe(400);
    expect((await api.get(`${PSA_10}?source=%00`)).status).toBe(400);
  });
});
