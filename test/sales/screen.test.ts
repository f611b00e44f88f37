import { describe, expect, test } from 'vitest';
import { dayStartMs, parseDay } from '../../src/lib/day.ts';
import { rateOn } from '../../src/sales/currency.ts';
import { isUnreadable } from '../../src/sales/row-fields.ts';
import { parseSale, type RawSale, type Sale } from '../../src/sales/sale.ts';
import { isHeld, type ScreenContext, screen } from '../../src/sales/screen.ts';

const TODAY = parseDay('2026-11-21')!;
const CONTEXT: ScreenContext = {
  today: TODAY,
  firstCloseDay: parseDay('2024-01-01'),
  usdPerUnit: 1,
  scale: 'priced',
  itemName: 'Charizard',
};

function sale(over: RawSale = {}): Sale {
  const result = parseSale({
    item_id: '11111111-1111-4111-8111-111111111111',
    company: 'PSA',
    grade: '10',
    price: '100',
    currency: 'USD',
    sold_at: '2026-11-01',
    source: 'ebay',
    sale_id: '1',
    ...over,
  });
  if (isUnreadable(result)) throw new Error(result.message);
  return result;
}

const rejection = (over: RawSale, context: Partial<ScreenContext> = {}) =>
  screen(sale(over), { ...CONTEXT, ...context }).rejection;

describe('screening', () => {
  test.each<[string, RawSale, Partial<ScreenContext>, string | null]>([
    ['an ordinary sale is accepted', {}, {}, null],
    ['a surprising price is accepted', { price: '1' }, {}, null],
    ['50 cents is accepted', { price: '0.50' }, {}, null],
    ['49 cents is absurd', { price: '0.49' }, {}, 'absurd_price'],
    ['$50 M is accepted', { price: '50000000' }, {}, null],
    ['above $50 M is absurd', { price: '50000000.01' }, {}, 'absurd_price'],
    ['today is accepted', { sold_at: '2026-11-21T23:59:59Z' }, {}, null],
    ['tomorrow is not', { sold_at: '2026-11-22' }, {}, 'future'],
    ['a sale known since today is accepted', { known_at: '2026-11-21T23:59:59Z' }, {}, null],
    ['a sale that is known from tomorrow on is not', { known_at: '2026-11-22' }, {}, 'future'],
    ['two copies are a lot', { quantity: '2' }, {}, 'lot'],
    ['a title of a lot is a lot', { title: 'Charizard lot of 5 PSA 10' }, {}, 'lot'],
    ['a bundle is a lot', { title: 'Charizard bundle' }, {}, 'lot'],
    ['choose your card is a lot', { title: 'Base set choose your card' }, {}, 'lot'],
    ['a proxy is not a card', { title: 'Charizard proxy' }, {}, 'not_card'],
    ['a custom card is not a card', { title: 'custom Charizard' }, {}, 'not_card'],
    ['a digital card is not a card', { title: 'Charizard digital card' }, {}, 'not_card'],
    ['a reprint is not a card', { title: 'Charizard reprint' }, {}, 'not_card'],
    ['a card called so is one', { title: 'Digital Hazard 2021' }, { itemName: 'Digital Hazard' }, null],
    ['no rate', {}, { usdPerUnit: null }, 'fx_missing'],
    ['another company', {}, { scale: 'company_unsupported' }, 'company_unsupported'],
    ['off the scale', {}, { scale: 'grade_unsupported' }, 'grade_unsupported'],
    ['a struck-through price', { price_hidden: 'true', sale_type: 'offer' }, {}, 'hidden_price'],
    ['an accepted offer is accepted', { sale_type: 'offer' }, {}, null],
    ['a voided sale', { status: 'voided' }, {}, 'voided'],
    ['365 days late is accepted', { sold_at: '2025-11-21' }, {}, null],
    ['366 days late is too late', { sold_at: '2025-11-20' }, {}, 'too_late'],
    ['a year late by its own column', { sold_at: '2025-01-01', known_at: '2026-05-01' }, {}, 'too_late'],
    [
      'a year late before the first close',
      { sold_at: '2025-01-01', known_at: '2026-05-01' },
      { firstCloseDay: null },
      null,
    ],
    ['older than the first close', { sold_at: '2023-12-31' }, {}, null],
    ['a year late, known before the first close', { sold_at: '2022-01-01', known_at: '2023-12-31' }, {}, null],
    ['a year late, known on the first close', { sold_at: '2022-01-01', known_at: '2024-01-01' }, {}, 'too_late'],
    ['a title that was read already is not read again', { title: 'lot of 5' }, { itemName: null }, null],
    ['years old where nothing is published', { sold_at: '2020-01-01' }, { firstCloseDay: null }, null],
  ])('%s', (_, over, context, expected) => expect(rejection(over, context)).toBe(expected));

  test('a sale is known when its file says, at its sale in a backfill, else on the day of its import', () => {
    const knownAt = (over: RawSale, context: Partial<ScreenContext> = {}) =>
      screen(sale(over), { ...CONTEXT, ...context }).knownAtMs;
    expect(knownAt({ known_at: '2026-11-05' })).toBe(Date.UTC(2026, 10, 5));
    expect(knownAt({ sold_at: '2023-06-01T10:00:00Z' })).toBe(Date.UTC(2023, 5, 1, 10));
    expect(knownAt({}, { firstCloseDay: null })).toBe(Date.UTC(2026, 10, 1));
    expect(knownAt({})).toBe(dayStartMs(TODAY));
    expect(knownAt({ sold_at: '2026-11-21T10:00:00Z' })).toBe(Date.UTC(2026, 10, 21, 10));
  });

  test('the first published close divides a backfill from news: its own day is news', () => {
    const knownAt = (sold_at: string) => screen(sale({ sold_at }), CONTEXT).knownAtMs;
    expect(knownAt('2023-12-31T23:59:59Z')).toBe(Date.UTC(2023, 11, 31, 23, 59, 59));
    expect(knownAt('2024-01-01T00:00:00Z')).toBe(dayStartMs(TODAY));
  });

  test('only a sale dated one day ahead is held', () => {
    expect(['2026-11-21', '2026-11-22', '2026-11-23'].map((sold_at) => isHeld(sale({ sold_at }), TODAY))).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('a sale that is known one day ahead is held too', () => {
    const held = (known_at: string) => isHeld(sale({ sold_at: '2026-11-20', known_at }), TODAY);
    expect(['2026-11-21', '2026-11-22', '2026-11-23'].map(held)).toEqual([false, true, false]);
  });

  test('prices are converted half up at the rate of their day', () => {
    const yen = screen(sale({ price: '16500', currency: 'JPY' }), { ...CONTEXT, usdPerUnit: 0.0064 });
    expect(yen.priceUsdCents).toBe(10560);
    expect(screen(sale({ price: '1.00', currency: 'EUR' }), { ...CONTEXT, usdPerUnit: 1.125 }).priceUsdCents).toBe(113);
  });
});

describe('the rate of a day', () => {
  const rates = new Map([
    [10, 1],
    [11, 2],
    [20, 3],
  ]);
  test.each([
    [9, null],
    [10, 1],
    [11, 2],
    [18, 2],
    [19, null],
    [20, 3],
    [27, 3],
    [28, null],
  ])('day %i: its own, else the last one at most seven days older', (day, rate) =>
    expect(rateOn(rates, day)).toBe(rate),
  );
});
