import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SaleSource } from '../../../src/sales/sources/source.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { type MarketServer, marketServer, type Reply } from '../../support/servers/market-server.ts';
import { aQuery, entry, NOW_MS, openEntries, openMarket, patience } from './world.ts';

let database: FreshDatabase;
let server: MarketServer;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  server = await marketServer();
  return () => server.close();
});

const search = (one: SaleSource) => one.search(aQuery(), patience(), NOW_MS);

/** A JSON market with sales. */
const jsonMarket = (more: object = {}, env = {}) =>
  openMarket(
    database.db,
    {
      kind: 'json-http',
      url: `${server.origin}/sold?q={query}&grade={gradeKey}`,
      tells: 'sale',
      rows: '/data/sold',
      fields: { sale_id: '/id', title: '/name', price: '/price/amount', currency: '/price/currency', sold_at: '/at' },
      ...more,
    },
    env,
  );
const aSold = (more: object = {}) => ({
  id: 7,
  name: 'Charizard 4/102 Base PSA 10',
  price: { amount: 1250.5, currency: 'USD' },
  at: '2026-06-20',
  ...more,
});
const answer = (...sold: unknown[]): Reply => ({ body: { data: { sold } } });

describe('JSON over HTTP', () => {
  test('the series is filled into the address, and the fields are read where the settings say', async () => {
    server.next(answer(aSold()));
    const market = jsonMarket();
    const { sales, complete, problem } = await search(market);
    expect({ complete, problem }).toEqual({ complete: true, problem: null });
    expect(sales[0]!.sale).toMatchObject({
      source: market.id,
      sourceSaleId: '7',
      priceMinor: 125_050,
      soldAtMs: Date.parse('2026-06-20T00:00:00Z'),
      item: { by: 'title', value: 'Charizard 4/102 Base PSA 10' },
    });
    expect(Object.fromEntries(server.received[0]!.query)).toEqual({ q: 'Charizard 4 PSA 10 Base', grade: 'psa-10' });
  });

  test('what is filled in cannot leave its place in the address', async () => {
    server.next(answer());
    await jsonMarket().search(aQuery({ name: 'A&q=B#C/../%00 "x"' }), patience(), NOW_MS);
    const { path, query } = server.received[0]!;
    expect(path).toBe('/sold');
    expect(query.getAll('q')).toHaveLength(1);
  });

  test('constants are in every row, prices may be cents, and asks are seen now', async () => {
    server.next(answer({ ref: 'a1', name: 'Charizard 4/102 Base PSA 10', cents: 140_000 }));
    const { listings } = await search(
      jsonMarket({
        tells: 'listing',
        fields: { listing_id: '/ref', title: '/name', price: '/cents' },
        constants: { currency: 'USD', source: 'card-shop' },
        priceInCents: true,
      }),
    );
    expect(listings[0]!.listing).toMatchObject({ source: 'card-shop', sourceListingId: 'a1', priceMinor: 140_000 });
  });

  test('pages are followed to the last one or as many as configured', async () => {
    const paged = (id: number, next: string | null): Reply => ({ body: { data: { sold: [aSold({ id })] }, next } });
    server.next(paged(1, '/sold?page=2'), paged(2, `${server.origin}/sold?page=3`), paged(3, null));
    const found = await search(jsonMarket({ next: '/next' }));
    expect(found.sales.map(({ sale }) => sale?.sourceSaleId)).toEqual(['1', '2', '3']);
    expect(found.complete).toBe(true);
    server.next(paged(1, '/sold?page=2'), paged(2, '/sold?page=3'));
    expect(await search(jsonMarket({ next: '/next', maxPages: 2 }))).toMatchObject({ complete: false, problem: null });
  });

  test('a next page on another host is not requested, and the rows found before are kept', async () => {
    server.next({ body: { data: { sold: [aSold()] }, next: 'http://127.0.0.2:1/sold' } });
    const found = await search(jsonMarket({ next: '/next' }));
    expect(found).toMatchObject({ complete: false, problem: { reason: 'refused' } });
    expect(found.sales).toHaveLength(1);
  });

  test('a secret goes into its header and nowhere else', async () => {
    server.next(answer());
    const headers = { authorization: { env: 'TOKEN', prefix: 'Bearer ' }, 'x-app': 'mintmark' };
    const market = jsonMarket({ headers }, { TOKEN: 'the-secret' });
    await search(market);
    expect(server.received[0]!.headers).toMatchObject({ authorization: 'Bearer the-secret', 'x-app': 'mintmark' });
    server.next({ status: 403, body: 'the-secret' });
    const { problem } = await search(market);
    expect(problem).toMatchObject({ reason: 'unauthorized' });
    expect(JSON.stringify(problem)).not.toContain('the-secret');
  });

  test('a row that is not a sale is kept with its reason, and the others are read', async () => {
    server.next(answer(aSold({ at: 'yesterday' }), null, 'x', aSold({ price: { amount: '1,000' } }), aSold()));
    const { sales } = await search(jsonMarket());
    expect(sales.map((one) => (one.sale === null ? one.unreadable.reason : 'sale'))).toEqual([
      'bad_date',
      'no_item',
      'no_item',
      'bad_currency',
      'sale',
    ]);
  });

  test.each([
    ['garbage', { body: '{"data"' }, 'bad_answer'],
    ['a page for people', { headers: { 'content-type': 'text/html' }, body: '<html>' }, 'bad_answer'],
    ['another shape', { body: { data: { sold: {} } } }, 'bad_answer'],
    ['404', { status: 404 }, 'refused'],
    ['401', { status: 401 }, 'unauthorized'],
    ['429', { status: 429 }, 'rate_limited'],
    ['500', { status: 500 }, 'server_error'],
    ['nothing', null, 'timeout'],
    ['a byte now and then', { body: 'x'.repeat(500), dripMs: 50 }, 'timeout'],
    ['a redirect elsewhere', { status: 307, headers: { location: 'https://other.example/' } }, 'refused'],
    ['too much', { body: Buffer.alloc(9 * 2 ** 20, 32) }, 'too_large'],
  ] as [string, Reply, string][])('%s is said and costs no exception', async (_, reply, reason) => {
    server.next(reply);
    // Only what is slow needs a short try: a busy machine takes a while to send nine megabytes.
    const one = jsonMarket(reason === 'timeout' ? {} : { tryTimeoutMs: 20_000 });
    const found = await one.search(aQuery(), patience(20_000), NOW_MS);
    expect(found).toMatchObject({ sales: [], complete: false, problem: { reason } });
  });
});

describe('CSV over HTTP', () => {
  const csvMarket = () =>
    openMarket(database.db, {
      kind: 'csv-http',
      url: `${server.origin}/sold.csv?name={name}&set={set}&number={number}`,
      tells: 'sale',
      columns: { sale_id: 'Lot', title: 'Description', price: 'Hammer Price', sold_at: 'Date' },
      constants: { currency: 'USD', sale_type: 'house_auction' },
    });

  test('columns are read by their headers, in whatever order', async () => {
    const body =
      '\ufeffDate,Lot,Description,Hammer Price,Bidder\r\n2026-06-20,9,"Charizard, 4/102 Base PSA 10",900.00,x\r\n';
    server.next({ headers: { 'content-type': 'text/csv' }, body });
    const { sales, complete } = await search(csvMarket());
    expect(complete).toBe(true);
    expect(sales[0]!.sale).toMatchObject({
      sourceSaleId: '9',
      title: 'Charizard, 4/102 Base PSA 10',
      priceMinor: 90_000,
      saleType: 'house_auction',
    });
  });

  test('a broken line spoils itself alone', async () => {
    server.next({ body: 'Lot,Description,Hammer Price,Date\n1,"open,5,2026-06-20\n2,Charizard,5,2026-06-20\n' });
    const { sales } = await search(csvMarket());
    expect(sales.map(({ sale }) => sale?.sourceSaleId ?? null)).toEqual([null, '2']);
  });

  test('an answer without the columns is not a CSV of this market', async () => {
    server.next({ headers: { 'content-type': 'text/html' }, body: '<html>not for you</html>' });
    expect((await search(csvMarket())).problem).toMatchObject({ reason: 'bad_answer' });
    server.next({ body: '' });
    expect((await search(csvMarket())).problem).toMatchObject({ reason: 'bad_answer' });
  });
});

describe('settings', () => {
  const mistakes = (...entries: Record<string, unknown>[]) => {
    try {
      openEntries(database.db, entries);
    } catch (error) {
      return (error as Error).message.split('\n').map((line) => line.replace(/^connections\.json:\d+: /, ''));
    }
    return [];
  };

  test('every mistake of every source is reported with its place', () => {
    const url = 'https://market.example/{seed}';
    const json = { kind: 'json-http', tells: 'sale', rows: '' };
    const found = mistakes(
      entry({ kind: 'ebay' }),
      entry({ ...json, url, fields: { cost: '/a' }, constants: { colour: 'red' } }),
      entry({ ...json, url: 'https://market.example/', fields: { price: 'a' }, method: 'POST' }),
      entry({ kind: 'watched-folder', path: '/nowhere', format: 'none' }),
    );
    expect(found[0]).toMatch(/^\/sources\/0\/kind must be one of ebay-browse, /);
    expect(found[1]).toMatch(/^\/sources\/1\/fields\/cost is not a field of a sale: /);
    expect(found[2]).toMatch(/^\/sources\/1\/constants\/colour is not a field of a sale: /);
    expect(found[3]).toMatch(/^\/sources\/1\/url \{seed\} is not one of \{query\}, /);
    expect(found.slice(4, 6).sort()).toEqual([
      '/sources/2/fields/price must match pattern "^(/[^/]*)*$"',
      '/sources/2/method is not known',
    ]);
    expect(found[6]).toMatch(/^\/sources\/3\/format must be one of mintmark, /);
  });
});
