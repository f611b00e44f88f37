import { dayStartMs } from '../../lib/day.ts';
import type { VenueClass } from '../../pricing/model/params.ts';
import type { RawSale } from '../../sales/sale.ts';
import { DEMO_DAYS, type DemoMarket, type DemoValue, firstOffset, gradesOf, SALES_PER_DAY } from './demo-market.ts';
import type { DemoItem } from './items.ts';
import { saleError } from './price-process.ts';
import { PROCESS } from './process-params.ts';
import { type Chance, chanceOf } from './random.ts';
import { demoRatesOf, START_RATES } from './rates.ts';
import { disturb, unreadableRows } from './rejected-sales.ts';

/** A place and a way of selling; `shift` is what the place adds to the effect of the way, in log units. */
type Venue = { source: string; saleType: VenueClass; shift?: number };

const AUCTION: Venue = { source: 'simulated-auctions', saleType: 'auction' };
const FIXED: Venue = { source: 'simulated-marketplace', saleType: 'fixed' };
const OFFER: Venue = { source: 'simulated-marketplace', saleType: 'offer' };
const SHOP: Venue = { source: 'simulated-shop', saleType: 'shop' };
const HOUSE: Venue = { source: 'simulated-auction-house', saleType: 'house_auction' };
const JAPAN: Venue = { source: 'simulated-japan', saleType: 'fixed', shift: -0.1 };

/** US dollars for one unit of a currency by day of the window. */
type DemoRates = Map<string, number[]>;

/**
 * Simulated sales of three years ending on `endDay` (a UTC day number), as rows of the own sales format, in order of
 * their time. The same items and day give the same rows. About a fiftieth are mistaken records; some are rejected on purpose.
 */
export function generateDemoSales({ endDay, items, values }: DemoMarket): RawSale[] {
  const firstDay = endDay - DEMO_DAYS + 1;
  const rates: DemoRates = new Map(Object.keys(START_RATES).map((currency) => [currency, demoRatesOf(currency)]));
  const totals = new Map<string, number>();
  for (const item of items) totals.set(item.game, (totals.get(item.game) ?? 0) + popularityOf(item));
  const timed = items.flatMap((item) => {
    const perDay = (SALES_PER_DAY[item.game] * popularityOf(item)) / totals.get(item.game)!;
    return perDay > 0 ? salesOf(item, perDay, firstDay, values(item), rates) : [];
  });
  timed.sort((a, b) => a.atMs - b.atMs);
  return [...timed.map(({ row }) => row), ...unreadableRows(items, endDay)];
}

/** How much a card sells compared with the others of its game; one in twenty-five never sells. */
function popularityOf(item: DemoItem): number {
  const chance = chanceOf(`popularity ${item.demoId}`);
  return chance.happens(0.04) ? 0 : Math.exp(0.9 * chance.normal());
}

function salesOf(
  item: DemoItem,
  perDay: number,
  firstDay: number,
  value: DemoValue,
  rates: DemoRates,
): { atMs: number; row: RawSale }[] {
  const chance = chanceOf(`sales ${item.demoId}`);
  const grades = gradesOf(item).map((grade) => [grade, grade.weight] as const);
  const sales: { atMs: number; row: RawSale }[] = [];
  let at = firstOffset(item, firstDay);
  for (let n = 1; ; n++) {
    at -= Math.log(1 - chance.uniform()) / perDay;
    if (at >= DEMO_DAYS) return sales;
    const offset = Math.floor(at);
    const grade = chance.pick(grades);
    const usd = value(grade, offset);
    const venue = venueOf(item, usd, chance);
    const error = saleError(item.game, grade.company !== 'RAW', chance);
    const price = usd * Math.exp(PROCESS.venues[venue.saleType] + (venue.shift ?? 0) + error);
    const atMs = dayStartMs(firstDay) + Math.floor(at * 86_400) * 1000;
    const row: RawSale = {
      item_id: item.itemId,
      company: grade.company,
      grade: grade.grade,
      ...priceIn(currencyOf(item, venue, chance), price, offset, rates),
      sold_at: new Date(atMs).toISOString(),
      source: venue.source,
      sale_id: `${item.demoId}#${n}`,
      sale_type: venue.saleType,
      detail: 'simulated sale',
    };
    if (grade.company !== 'RAW' && chance.happens(0.15))
      row.cert = String(100_000_000 + Math.floor(chance.uniform() * 9e8));
    for (const reported of disturb(row, chance, offset)) sales.push({ atMs, row: reported });
  }
}

function venueOf(item: DemoItem, usd: number, chance: Chance): Venue {
  if (item.language === 'Japanese' && chance.happens(0.6)) return JAPAN;
  return chance.pick([
    [AUCTION, 46],
    [FIXED, 26],
    [OFFER, 14],
    [SHOP, usd < 300 ? 9 : 2],
    [HOUSE, usd > 2000 ? 30 : 0],
  ]);
}

function currencyOf(item: DemoItem, venue: Venue, chance: Chance): string {
  if (venue === JAPAN) return 'JPY';
  const european = item.language === 'French' || item.language === 'German' || item.language === 'Italian';
  return european && chance.happens(0.7) ? 'EUR' : chance.happens(0.02) ? 'GBP' : 'USD';
}

function priceIn(currency: string, usd: number, offset: number, rates: DemoRates): { price: string; currency: string } {
  const amount = usd / (rates.get(currency)?.[offset] ?? 1);
  // Prices in yen are round.
  if (currency === 'JPY') return { currency, price: String(Math.max(100, Math.round(amount / 100) * 100)) };
  return { currency, price: Math.max(0.5, amount).toFixed(2) };
}
