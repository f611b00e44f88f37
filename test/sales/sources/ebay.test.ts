import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { gradeByKey } from '../../../src/catalog/grades.ts';
import type { SaleSource } from '../../../src/sales/sources/source.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { anEbayAsk, anEbaySale, EBAY_ENV, type EbayServer, ebayServer } from '../../support/servers/ebay-server.ts';
import { aQuery, NOW_MS, openMarket, patience } from './world.ts';

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

function market(kind: 'ebay-browse' | 'ebay-insights', more: object = {}, env = EBAY_ENV): SaleSource {
  const credentials = { clientId: { env: 'EBAY_ID' }, clientSecret: { env: 'EBAY_SECRET' } };
  return openMarket(database.db, { kind, apiUrl: ebay.origin, ...credentials, ...more }, env);
}

const search = (one: SaleSource, query = aQuery(), time = patience()) => one.search(query, time, NOW_MS);
const searches = () => ebay.asked.filter(({ path }) => path.endsWith('/search'));

describe('what is asked', () => {
  test('slabs of the series by keywords, in the single-card category, in every buying option', async () => {
    await search(market('ebay-browse'));
    const [asked] = searches();
    expect(asked!.path).toBe('/buy/browse/v1/item_summary/search');
    expect(Object.fromEntries(asked!.query)).toEqual({
      q: 'Charizard 4 PSA 10 Base',
      category_ids: '183454',
      filter: 'buyingOptions:{FIXED_PRICE|AUCTION|BEST_OFFER},conditionIds:{2750}',
      limit: '200',
      offset: '0',
    });
    expect(asked!.headers['x-ebay-c-marketplace-id']).toBe('EBAY_US');
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

  test('is renewed once when it is refused', async () => {
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
    expect(ebay.asked).toHaveLength(2);
  });
});

describe('a sold item', () => {
  const sold = async (more: object = {}, query = aQuery()) => {
    ebay.sales = [anEbaySale(more)];
    return (await search(market('ebay-insights'), query)).sales[0]!;
  };

  test('is a sale as a file of sold listings gives it', async () => {
    expect((await sold()).sale).toMatchObject({
      item: { by: 'title', value: 'Pokemon 1999 Base Charizard 4/102 PSA 10' },
      company: null,
      priceMinor: 125_000,
      currency: 'USD',
      soldAtMs: Date.parse('2026-06-20T18:30:00Z'),
      source: 'ebay',
      sourceSaleId: '110000000001',
      saleType: 'auction',
      quantity: 1,
      url: 'https://www.ebay.com/itm/110000000001',
    });
  });

  test('that sold several times is its last sale, distinguished from the others by its time', async () => {
    const { sale } = await sold({ totalSoldQuantity: 7, buyingOptions: ['FIXED_PRICE'] });
    expect(sale).toMatchObject({
      sourceSaleId: '110000000001/2026-06-20T18:30:00.000Z',
      saleType: 'fixed',
      quantity: 1,
      detail: 'the last of 7 sold',
    });
  });

  test.each([
    ['one of several that share a title', { itemGroupType: 'SELLER_DEFINED_VARIATIONS' }, 'variations'],
    ['a variation of an item', { itemId: 'v1|1|2' }, 'variations'],
    ['of another category', { categories: [{ categoryId: '9355' }] }, 'not_card'],
    ['a slab of nobody', { title: 'Charizard 4/102 Base' }, 'grade_untold'],
    ['without a price', { lastSoldPrice: undefined }, 'bad_currency'],
    ['with a price that is not a number', { lastSoldPrice: { value: '1,250', currency: 'USD' } }, 'bad_price'],
    ['without a day', { lastSoldDate: 'yesterday' }, 'bad_date'],
    ['with an id of another form', { itemId: 'x' }, 'bad_id'],
  ])('%s is not a sale, and kept with the reason', async (_, more, reason) => {
    expect(await sold(more)).toMatchObject({
      sale: null,
      unreadable: { reason },
      raw: expect.stringContaining('itemId'),
    });
  });

  test('that is ungraded is of a raw card, whatever its title leaves unsaid', async () => {
    const { sale } = await sold({ conditionId: '4000', title: 'Charizard 4/102 Base' });
    expect(sale).toMatchObject({ company: 'RAW', grade: null });
  });
});

describe('condition descriptors', () => {
  const graded = (grader: string, grade: string, cert?: string) => [
    { name: 'Professional Grader', values: [{ content: grader }] },
    { name: 'Grade', values: [{ content: grade }] },
    ...(cert ? [{ name: 'Certification Number', values: [{ content: cert }] }] : []),
  ];
  const read = async (more: object) => {
    ebay.sales = [anEbaySale({ title: 'Charizard 4/102 Base', ...more })];
    return (await search(market('ebay-insights'))).sales[0]!;
  };

  test('give grader, grade and cert', async () => {
    const conditionDescriptors = graded('Professional Sports Authenticator (PSA)', '10', '12345678');
    expect((await read({ conditionDescriptors })).sale).toMatchObject({
      company: 'PSA',
      grade: '10',
      cert: '12345678',
    });
  });

  test('a cert may stand in the additional information', async () => {
    const cert = { name: 'Certification Number', values: [{ additionalInfo: ['12345678'] }] };
    const conditionDescriptors = [...graded('Beckett Grading Services (BGS)', '9.5'), cert];
    expect((await read({ conditionDescriptors })).sale).toMatchObject({
      company: 'BGS',
      grade: '9.5',
      cert: '12345678',
    });
  });

  test('leave to the title what it says more exactly', async () => {
    const conditionDescriptors = graded('Certified Guaranty Company (CGC)', '10');
    const { sale } = await read({ conditionDescriptors, title: 'Charizard 4/102 Base CGC Pristine 10' });
    expect(sale).toMatchObject({ company: null, grade: null });
  });

  test('a ten of CGC or BGS of which the title does not say which it is has no grade', async () => {
    const conditionDescriptors = graded('Certified Guaranty Company (CGC)', '10');
    expect(await read({ conditionDescriptors })).toMatchObject({ sale: null, unreadable: { reason: 'grade_untold' } });
  });

  test('another company under a similar name stays another', async () => {
    const conditionDescriptors = graded('Beckett Collectors Club Grading (BCCG)', '9');
    expect((await read({ conditionDescriptors })).sale).toMatchObject({ company: 'BCCG' });
  });

  test('a grader without letters of its own is not a grade', async () => {
    const conditionDescriptors = graded('275019', '10');
    expect(await read({ conditionDescriptors })).toMatchObject({ sale: null, unreadable: { reason: 'grade_untold' } });
  });

  test('give the condition of an ungraded card', async () => {
    const conditionDescriptors = [{ name: 'Card Condition', values: [{ content: 'Lightly played (Excellent)' }] }];
    const { sale } = await read({ conditionId: '4000', conditionDescriptors });
    expect(sale).toMatchObject({ company: 'RAW', grade: 'Lightly played' });
  });
});

describe('an ask', () => {
  const asks = async (rows: object[], more: object = {}) => {
    ebay.summaries = rows;
    return (await search(market('ebay-browse', more))).listings;
  };

  test('is a listing from its creation until now', async () => {
    const [one] = await asks([anEbayAsk()]);
    expect(one!.listing).toMatchObject({
      source: 'ebay',
      sourceListingId: '220000000001',
      priceMinor: 140_000,
      firstSeenMs: Date.parse('2026-06-01T08:00:00Z'),
      lastSeenMs: NOW_MS,
      endedAtMs: null,
    });
  });

  test('is not the bid of an auction under way', async () => {
    const [one] = await asks([
      anEbayAsk({ buyingOptions: ['AUCTION'], currentBidPrice: { value: '5', currency: 'USD' } }),
    ]);
    expect(one).toMatchObject({ listing: null, unreadable: { reason: 'auction_bid' } });
  });

  test('of a slab whose title names no grader is looked up, the first few', async () => {
    const silent = (n: number) => anEbayAsk({ itemId: `v1|33${n}|0`, title: 'Charizard 4/102 Base' });
    const conditionDescriptors = [
      { name: 'Professional Grader', values: [{ content: 'Professional Sports Authenticator (PSA)' }] },
      { name: 'Grade', values: [{ content: '10' }] },
    ];
    ebay.items = { 'v1|330|0': { itemId: 'v1|330|0', conditionDescriptors } };
    const found = await asks([silent(0), silent(1), silent(2)], { lookups: 2 });
    expect(found.map(({ listing }) => listing?.company ?? null)).toEqual(['PSA', null, null]);
    expect(ebay.asked.filter(({ path }) => path.includes('/item/'))).toHaveLength(2);
  });
});

describe('what goes wrong', () => {
  const failing = async (kind: 'ebay-browse' | 'ebay-insights' = 'ebay-insights') => {
    const one = market(kind);
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
    const one = await failing();
    ebay.next(reply);
    expect((await search(one)).problem).toMatchObject({ reason });
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
