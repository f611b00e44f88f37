import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { type CrawlContext, crawlSeries, dropOldCrawledRows } from '../../src/sales/crawl/crawl.ts';
import type { SaleSource, SourceAnswer } from '../../src/sales/sources/source.ts';
import { anItem } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { anEbayAsk, anEbaySale, EBAY_ENV, type EbayServer, ebayServer } from '../support/servers/ebay-server.ts';
import { type MarketServer, marketServer } from '../support/servers/market-server.ts';
import { cardShopAt, crawlContext, crawlTen, never } from './crawl-world.ts';
import { NOW_MS, openMarket } from './sources/world.ts';

let database: FreshDatabase;
let db: Db;
let ebay: EbayServer;
let shop: MarketServer;
let itemId: string;

beforeEach(async () => {
  database = await freshDatabase();
  db = database.db;
  [ebay, shop] = [await ebayServer(), await marketServer(() => ({ body: [] }))];
  itemId = await anItem(db, { number: '4', name: 'Charizard', year: 1999 });
  await anItem(db, { number: '2', name: 'Blastoise', year: 1999 });
});
afterEach(async () => {
  await Promise.all([ebay.close(), shop.close()]);
  await database.close();
});

function insights(more: object = {}): SaleSource {
  const credentials = { clientId: { env: 'EBAY_ID' }, clientSecret: { env: 'EBAY_SECRET' } };
  const settings = {
    id: 'sold',
    name: 'eBay sold',
    kind: 'ebay-insights',
    apiUrl: ebay.origin,
    ...credentials,
    ...more,
  };
  return openMarket(db, settings, EBAY_ENV);
}

function browse(): SaleSource {
  const credentials = { clientId: { env: 'EBAY_ID' }, clientSecret: { env: 'EBAY_SECRET' } };
  return openMarket(db, { id: 'asks', kind: 'ebay-browse', apiUrl: ebay.origin, ...credentials }, EBAY_ENV);
}

const cardShop = (more?: object) => cardShopAt(db, shop, more);

const shopSale = (id: number) => ({ id, item: itemId, by: 'PSA', grade: '10', usd: '900', at: '2026-06-21' });

const contextOf = (...markets: SaleSource[]) => crawlContext(db, () => NOW_MS, markets);
const series = () => ({ itemId, gradeKey: 'psa-10' });
const crawl = (context: CrawlContext, withinMs?: number) => crawlTen(context, itemId, withinMs);

type LedgerRow = { source: string; id: string; item: string; key: string };
const ledger = () =>
  db.query<LedgerRow>(
    `select source, source_sale_id as id, item_id as item, grade_key as key from sales where rejection is null order by source, source_sale_id`,
  );

describe('crawling a series', () => {
  test('queries every market and puts what each finds into the ledger, identified like rows of a file', async () => {
    ebay.sales = [
      anEbaySale(),
      anEbaySale({ itemId: 'v1|2|0', title: 'Pokemon 1999 Base Blastoise 2/102 PSA 10' }),
      anEbaySale({ itemId: 'v1|3|0', title: 'Pokemon Charizard lot of 5 PSA 10' }),
    ];
    ebay.summaries = [anEbayAsk()];
    shop.usual(() => ({ body: [shopSale(1)] }));
    const report = await crawl(await contextOf(insights(), browse(), cardShop()));
    expect(report).toMatchObject({
      ...series(),
      added: 3,
      sources: [
        { source: 'sold', name: 'eBay sold', sales: 3, listings: 0, added: 2, complete: true, problem: null },
        { source: 'asks', sales: 0, listings: 1, added: 0, complete: true, problem: null },
        { source: 'card-shop', sales: 1, added: 1, complete: true, problem: null },
      ],
    });
    const blastoise = (await db.query<{ id: string }>(`select id from items where name = 'Blastoise'`))[0]!.id;
    expect(await ledger()).toEqual([
      { source: 'card-shop', id: '1', item: itemId, key: 'psa-10' },
      { source: 'ebay', id: '110000000001', item: itemId, key: 'psa-10' },
      { source: 'ebay', id: '2', item: blastoise, key: 'psa-10' },
    ]);
    expect(await db.query('select price_usd_cents as cents from listings where item_id = $1', [itemId])).toEqual([
      { cents: 140_000 },
    ]);
    expect(await db.query(`select display_name as name from sources where id = 'card-shop'`)).toEqual([
      { name: 'The Card Shop' },
    ]);
  });

  test('again adds nothing, and announces no change', async () => {
    ebay.sales = [anEbaySale(), anEbaySale({ itemId: 'v1|9|0', title: 'Pokemon Base Mew PSA 10' })];
    ebay.summaries = [anEbayAsk()];
    const context = await contextOf(insights(), browse());
    let changes = 0;
    await db.listen('sales', () => changes++);
    expect((await crawl(context))!.added).toBe(1);
    await expect.poll(() => changes).toBe(2);
    expect((await crawl(context))!.added).toBe(0);
    expect(await ledger()).toHaveLength(1);
    await db.query(`select pg_notify('sales', '')`);
    await expect.poll(() => changes).toBe(3);
  });

  test('keeps one row of each reason for which rows are not sales, for a month', async () => {
    const silent = (n: number) => anEbaySale({ itemId: `v1|${n}|0`, title: 'Charizard 4/102 Base' });
    ebay.sales = [silent(1), silent(2), silent(3), anEbaySale({ lastSoldDate: 'x' })];
    const report = await crawl(await contextOf(insights()));
    expect(report!.sources[0]).toMatchObject({ sales: 4, unreadable: { grade_untold: 3, bad_date: 1 } });
    const reasons = async () =>
      (await db.query<{ reason: string }>('select reason from rejected_rows order by reason')).map(
        ({ reason }) => reason,
      );
    expect(await reasons()).toEqual(['bad_date', 'grade_untold']);
    const startedMs = Date.now();
    expect(await dropOldCrawledRows(db, startedMs + 29 * 86_400_000)).toBe(0);
    expect(await dropOldCrawledRows(db, startedMs + 31 * 86_400_000)).toBe(2);
  });

  test('a card that is added to the catalog later is identified from then on', async () => {
    const title = 'Pokemon 1999 Base Venusaur 15/102 PSA 10';
    ebay.sales = [anEbaySale({ title })];
    const context = await contextOf(insights());
    expect((await crawl(context))!.added).toBe(0);
    await anItem(db, { number: '15', name: 'Venusaur', year: 1999 });
    await db.query(`select pg_notify('catalog', '')`);
    await expect.poll(async () => (await crawl(context))!.added).toBe(1);
  });

  test('leaves no timer and no listener behind once every market has answered', async () => {
    const { signal } = new AbortController();
    await crawlSeries(await contextOf(cardShop()), series(), signal, 60_000);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('is null for a series that does not exist', async () => {
    const context = await contextOf();
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(await crawlSeries(context, { itemId: nobody, gradeKey: 'psa-10' }, never, 1000)).toBeNull();
    expect(await crawlSeries(context, { itemId, gradeKey: 'psa-11' }, never, 1000)).toBeNull();
  });
});

describe('a market that fails costs its own share only', () => {
  test.each([
    ['hangs', null, 'timeout'],
    ['drips a byte now and then', { body: 'x'.repeat(1000), dripMs: 50 }, 'timeout'],
    ['answers garbage', { body: 'garbage' }, 'bad_answer'],
    ['says to come again', { status: 429, headers: { 'retry-after': '60' } }, 'rate_limited'],
    ['fails', { status: 500 }, 'server_error'],
  ])('one that %s', async (_, reply, reason) => {
    shop.usual(() => reply);
    ebay.sales = [anEbaySale()];
    const startedMs = performance.now();
    const report = await crawl(await contextOf(insights(), cardShop()));
    expect(performance.now() - startedMs).toBeLessThan(2500);
    expect(report!.sources).toMatchObject([
      { added: 1, problem: null },
      { source: 'card-shop', problem: { reason } },
    ]);
  });

  test('one that throws or keeps to no time is left behind', async () => {
    ebay.sales = [anEbaySale()];
    const broken = { ...cardShop(), id: 'broken', search: () => Promise.reject(new Error('a fault of ours')) };
    const endless = { ...cardShop(), id: 'endless', search: () => new Promise<SourceAnswer>(() => {}) };
    const report = await crawl(await contextOf(insights(), broken, endless), 500);
    expect(report!.sources.map(({ problem }) => problem?.reason ?? null)).toEqual([null, 'bad_answer', 'timeout']);
    expect(report!.added).toBe(1);
  });

  test('when the caller gives up, what was found is stored all the same', async () => {
    shop.usual(() => null);
    ebay.sales = [anEbaySale()];
    const given = new AbortController();
    const endless = { ...cardShop(), id: 'endless', search: () => new Promise<SourceAnswer>(() => {}) };
    const sold = insights();
    const found: SaleSource = {
      ...sold,
      async search(...received) {
        const answer = await sold.search(...received);
        setImmediate(() => given.abort());
        return answer;
      },
    };
    const context = await contextOf(found, cardShop({ tryTimeoutMs: 60_000 }), endless);
    // Without the caller it would go on for longer than a test may take.
    const report = await crawlSeries(context, series(), given.signal, 60_000);
    expect(report!.sources.map(({ problem }) => problem?.reason ?? null)).toEqual([null, 'timeout', 'timeout']);
    expect(await ledger()).toHaveLength(1);
  });
});

test('whatever rows a market answers, they are stored, waiting or rejected, and nothing breaks', async () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      '\u0000',
      'a\u0000b',
      '\ud83d',
      '\u202e',
      "'; drop table sales; --",
      '1e999',
      '-1',
      '9'.repeat(400),
      '',
      '0.001',
    ),
    fc.constantFrom('PSA', '10', '900', '2026-06-21', itemId, 'Pokemon 1999 Base Charizard 4/102 PSA 10'),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const fields = {
    sale_id: '/id',
    item_id: '/item',
    title: '/title',
    company: '/by',
    grade: '/grade',
    price: '/usd',
    sold_at: '/at',
    cert: '/cert',
    url: '/url',
    detail: '/detail',
    quantity: '/n',
  };
  const row = fc.record(Object.fromEntries(Object.values(fields).map((at) => [at.slice(1), nasty])), {
    requiredKeys: [],
  });
  const context = await contextOf(cardShop({ fields }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 9, arbitrary: row }, nasty), { minLength: 1, maxLength: 20 }),
      async (rows) => {
        shop.next({ body: rows as object[] });
        const report = await crawl(context);
        expect(report!.sources).toMatchObject([{ sales: rows.length, problem: null }]);
      },
    ),
    { numRuns: 60 },
  );
});
