import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { anEbayAsk, anEbaySale, type EbayServer, ebayServer } from '../../support/servers/ebay-server.ts';
import { ebayMarket, search } from './ebay-world.ts';
import { aQuery, NOW_MS } from './world.ts';

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

const market = (kind: 'ebay-browse' | 'ebay-insights', more: object = {}) => ebayMarket(database.db, ebay, kind, more);

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

  test('a cert may be in the additional information', async () => {
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
    expect(ebay.received.filter(({ path }) => path.includes('/item/'))).toHaveLength(2);
  });
});
