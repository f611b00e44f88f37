import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { gradeByKey } from '../../../src/catalog/grades.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { anEbaySale, type EBAY_ENV, type EbayServer, ebayServer } from '../../support/servers/ebay-server.ts';
import { ebayMarket, search } from './ebay-world.ts';
import { aQuery, patience } from './world.ts';

let database: FreshDatabase;
let ebay: EbayServer;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  ebay = await ebayServer();
  return () => ebay.close();
});

const market = (kind: 'ebay-browse' | 'ebay-insights', more: object = {}, env?: typeof EBAY_ENV) =>
  ebayMarket(database.db, ebay, kind, more, env);
const searches = () => ebay.received.filter(({ path }) => path.endsWith('/search'));

describe('a request', () => {
  test('slabs of the series by keywords, in the single-card category, in every buying option', async () => {
    await search(market('ebay-browse'));
    const [received] = searches();
    expect(received!.path).toBe('/buy/browse/v1/item_summary/search');
    expect(Object.fromEntries(received!.query)).toEqual({
      q: 'Charizard 4 PSA 10 Base',
      category_ids: '183454',
      filter: 'buyingOptions:{FIXED_PRICE|AUCTION|BEST_OFFER},conditionIds:{2750}',
      limit: '200',
      offset: '0',
    });
    expect(received!.headers['x-ebay-c-marketplace-id']).toBe('EBAY_US');
  });

  test('ungraded cards without a grade; sports cards in their own category', async () => {
    const grade = gradeByKey('raw-A')!;
    await search(market('ebay-insights'), aQuery({ game: 'sports', company: 'RAW', grade, setName: 'Topps Chrome' }));
    const { query } = searches()[0]!;
    expect(query.get('q')).toBe('Charizard 4 1999 Topps Chrome');
    expect(query.get('category_ids')).toBe('261328');
    expect(query.get('filter')).toContain('conditionIds:{4000}');
  });

  test('pages until all is read, or as many rows as configured', async () => {
    ebay.sales = Array.from({ length: 450 }, (_, n) => anEbaySale({ itemId: `v1|${1000 + n}|0` }));
    const all = await search(market('ebay-insights', { maxRows: 1000 }));
    expect(all).toMatchObject({ complete: true, problem: null });
    expect(new Set(all.sales.map(({ sale }) => sale?.sourceSaleId)).size).toBe(450);
    const some = await search(market('ebay-insights', { maxRows: 400 }));
    expect(some).toMatchObject({ complete: false, problem: null });
    expect(some.sales).toHaveLength(400);
  });

  test('nothing beyond the 10,000 rows that a search has', async () => {
    ebay.sales = Array.from({ length: 10_050 }, (_, n) => anEbaySale({ itemId: `v1|${1000 + n}|0` }));
    const found = await search(
      market('ebay-insights', { maxRows: 10_000, budgetPerDay: 100 }),
      aQuery(),
      patience(20_000),
    );
    expect(found).toMatchObject({ complete: false, problem: null });
    expect(found.sales).toHaveLength(10_000);
  });
});

describe('tokens', () => {
  test('one serves all searches until it ends', async () => {
    const one = market('ebay-browse');
    await Promise.all([search(one), search(one), search(one)]);
    await search(one);
    expect(ebay.tokens()).toBe(1);
  });

  test('is renewed once when it is denied', async () => {
    const one = market('ebay-browse');
    await search(one);
    ebay.revoke();
    expect(await search(one)).toMatchObject({ complete: true, problem: null });
    expect(ebay.tokens()).toBe(2);
  });

  test('wrong credentials are reported, without them or a token', async () => {
    const one = market('ebay-browse', {}, { EBAY_ID: 'wrong-id', EBAY_SECRET: 'wrong-secret' });
    const { problem } = await search(one);
    expect(problem).toMatchObject({ reason: 'unauthorized', message: 'No token: It answered 401.' });
    ebay.revoke();
    ebay.next({ body: { access_token: 'x y', expires_in: 7200 } });
    expect((await search(market('ebay-browse'))).problem?.reason).toBe('bad_answer');
  });

  test('an application that may not use the API is reported, without a second token', async () => {
    ebay.next({ body: { access_token: 'no-such', expires_in: 7200 } }, { status: 403, body: {} });
    expect((await search(market('ebay-insights'))).problem).toMatchObject({ reason: 'unauthorized' });
    expect(ebay.received).toHaveLength(2);
  });
});

describe('what goes wrong', () => {
  const failing = async (more: object) => {
    const one = market('ebay-insights', more);
    await search(one);
    return one;
  };

  test('an error is reported by its number and message', async () => {
    ebay.next(
      { body: { access_token: 't', expires_in: 7200 } },
      { status: 400, body: { errors: [{ errorId: 12001, message: 'The call must have a valid q.' }] } },
    );
    expect((await search(market('ebay-insights'))).problem).toEqual({
      reason: 'refused',
      message: 'It answered 400. 12001: The call must have a valid q.',
    });
  });

  test.each([
    ['garbage', { body: '{"itemSales": [' }, 'bad_answer'],
    ['a page for people', { headers: { 'content-type': 'text/html' }, body: '<html>' }, 'bad_answer'],
    ['JSON of another shape', { body: { results: [] } }, 'bad_answer'],
    ['a value that is not a list', { body: { total: 1, itemSales: {} } }, 'bad_answer'],
    ['500', { status: 500 }, 'server_error'],
    ['429', { status: 429, headers: { 'retry-after': '30' } }, 'rate_limited'],
    ['a redirect elsewhere', { status: 302, headers: { location: 'https://other.example/' } }, 'refused'],
    ['nothing', null, 'timeout'],
    ['a byte now and then', { body: 'x'.repeat(500), dripMs: 50 }, 'timeout'],
    ['too much', { body: Buffer.alloc(9 * 2 ** 20, 32) }, 'too_large'],
  ])('%s is said and costs no exception', async (_, reply, reason) => {
    // Only what is slow needs a short try: a busy machine takes a while to send nine megabytes.
    const one = await failing(reason === 'timeout' ? {} : { tryTimeoutMs: 20_000 });
    ebay.next(reply);
    expect((await search(one, aQuery(), patience(20_000))).problem).toMatchObject({ reason });
  });

  test('what was found before a fault is kept', async () => {
    ebay.sales = Array.from({ length: 300 }, (_, n) => anEbaySale({ itemId: `v1|${1000 + n}|0` }));
    const one = market('ebay-insights', { maxRows: 1000 });
    const token = { body: { access_token: 'v^1.1#i^1#token-0', expires_in: 7200 } };
    ebay.next(token, { body: { total: 300, itemSales: ebay.sales.slice(0, 200) } }, { status: 500 });
    const found = await search(one);
    expect(found).toMatchObject({ complete: false, problem: { reason: 'server_error' } });
    expect(found.sales).toHaveLength(200);
  });

  test('rows that are not objects are passed over', async () => {
    ebay.next(
      { body: { access_token: 't', expires_in: 7200 } },
      { body: { total: 3, itemSales: [null, 5, anEbaySale()] } },
    );
    expect((await search(market('ebay-insights'))).sales).toHaveLength(1);
  });
});
