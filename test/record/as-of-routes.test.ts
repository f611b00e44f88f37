import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayStartMs, formatDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from '../pricing/ledger.ts';
import { syntheticMarket } from '../pricing/model/synthetic-market.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const market = syntheticMarket({ seed: 7, days: 60, cards: 12, sales: 600 });
const CUT = FIRST_DAY + 40;
const LAST_DAY = FIRST_DAY + 59;
const before = market.filter(({ day }) => FIRST_DAY + day <= CUT);
const after = market.filter(({ day }) => FIRST_DAY + day > CUT);
const item = itemIdOf(before[0]!.card);
const open: FreshDatabase[] = [];
let whole: TestApp;
let cut: TestApp;
let setPath: string;

/** Prices are computed when their day ends, so that two runs state the same moments. */
async function serving(sales: typeof market, through: number): Promise<TestApp> {
  const fresh = await freshDatabase();
  open.push(fresh);
  await catalogCards(fresh.db, market);
  await recordSales(fresh.db, before);
  if (sales !== before) await recordSales(fresh.db, after);
  for (const day of [CUT, through]) await reprice(fresh.db, { through: day, clock: () => dayStartMs(day + 1) });
  return await testApp(fresh.db);
}

beforeAll(async () => {
  whole = await serving(market, LAST_DAY);
  cut = await serving(before, CUT);
  setPath = (await whole.get(`/v1/items/by-id/${item}/overview`)).json.href.replace(
    /^\/card(\/[^/]+\/[^/]+).*/,
    '/v1/sets$1',
  );
}, 60_000);
afterAll(async () => {
  await whole.app.close();
  await cut.app.close();
  for (const fresh of open) await fresh.close();
});

const ids = [...new Set(before.map(({ card }) => itemIdOf(card)))].join(',');
const asOf = formatDay(CUT);
const withoutDay = (json: unknown) =>
  JSON.stringify(json).replaceAll(`"asOf":"${asOf}",`, '').replaceAll(`,"asOf":"${asOf}"`, '');

test.each([
  ['detail', () => `/v1/items/by-id/${item}`],
  ['overview', () => `/v1/items/by-id/${item}/overview`],
  ['fmv-series', () => `/v1/items/by-id/${item}/fmv-series?window=30`],
  ['set', () => setPath],
  ['summaries', () => `/v1/items/summaries?ids=${ids}`],
])(
  '%s as of a day is what a service published that knew nothing later, and may be kept for good',
  async (_name, pathOf) => {
    const path = pathOf();
    const past = await whole.get(`${path}${path.includes('?') ? '&' : '?'}asOf=${asOf}`);
    expect(past.status).toBe(200);
    expect(past.text).toContain(`"asOf":"${asOf}"`);
    expect(past.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const published = await cut.get(path);
    expect(withoutDay(past.json)).toBe(withoutDay(published.json));
    // The cut is in the past: what is published now differs.
    expect(withoutDay((await whole.get(path)).json)).not.toBe(withoutDay(published.json));
  },
);

test('a day that is not closed is 404 and names those that are; another text is 400', async () => {
  const path = `/v1/items/by-id/${item}/overview`;
  const early = await whole.get(`${path}?asOf=2023-12-31`);
  expect(early.status).toBe(404);
  expect(early.json.detail).toBe(`Prices were published from ${formatDay(FIRST_DAY)} through ${formatDay(LAST_DAY)}.`);
  expect((await whole.get(`${path}?asOf=${formatDay(LAST_DAY + 1)}`)).status).toBe(404);
  expect((await whole.get(`${path}?asOf=yesterday`)).status).toBe(400);
});

test('a detail names the receipt of its price', async () => {
  const { json } = await whole.get(`/v1/items/by-id/${item}?asOf=${asOf}`);
  const receipt = await whole.get(new URL(json.receiptUrl).pathname);
  expect(receipt.json.day).toBe(asOf);
  expect(receipt.json.published.priceUsdCents).toBe(json.priceUsdCents);
});
