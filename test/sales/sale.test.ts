import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitCsvLine } from '../../src/catalog/formats/csv.ts';
import { parseDay } from '../../src/lib/day.ts';
import { isUnreadable, parseInstant } from '../../src/sales/row-fields.ts';
import { parseSale, type RawSale } from '../../src/sales/sale.ts';

const GOOD: RawSale = {
  item_id: '11111111-1111-4111-8111-111111111111',
  company: 'PSA',
  grade: '10',
  price: '1234.50',
  currency: 'USD',
  sold_at: '2026-05-01',
  source: 'ebay',
  sale_id: '123',
};

function reasonOf(over: RawSale): string | null {
  const result = parseSale({ ...GOOD, ...over });
  return isUnreadable(result) ? result.reason : null;
}

describe('a row of a sales file', () => {
  test('is read exactly', () => {
    expect(parseSale({ ...GOOD, sale_type: 'offer', cert: 'PSA 00123456', title: ' A\t\u202eB ' })).toEqual({
      item: { by: 'id', value: GOOD.item_id },
      company: 'PSA',
      grade: '10',
      priceMinor: 123450,
      currency: 'USD',
      soldAtMs: Date.UTC(2026, 4, 1),
      knownAtMs: null,
      source: 'ebay',
      sourceSaleId: '123',
      saleType: 'offer',
      status: 'sold',
      priceHidden: false,
      quantity: 1,
      cert: '00123456',
      url: null,
      title: 'A B',
      detail: null,
    });
  });

  test.each([
    '-1',
    '+1',
    '1e300',
    'NaN',
    'Infinity',
    '1,234.50',
    '￥16500',
    '$5',
    '',
    '0x10',
    '1.234',
    '1 000',
    '12345678901234',
  ])('the price %j is rejected', (price) => expect(reasonOf({ price })).toBe('bad_price'));

  test.each(['', 'usd', 'XXX', 'US', "USD'; drop table sales"])('the currency %j is rejected', (currency) =>
    expect(reasonOf({ currency })).toBe('bad_currency'),
  );

  test.each([
    '',
    '1899-12-31',
    '2026-02-30',
    '2026-1-1',
    '05/01/2026',
    'yesterday',
    '2026-05-01T10:00:00',
    '2026-05-01 10:00',
    '2026-05-01T25:00:00Z',
    '2026-05-01T10:00:00+99:00',
    '20260501',
    '1746057600',
  ])('the date %j is rejected', (sold_at) => expect(reasonOf({ sold_at })).toBe('bad_date'));

  test.each([
    ['2026-05-01T23:30:00-05:00', Date.UTC(2026, 4, 2, 4, 30)],
    ['2026-05-01T00:00Z', Date.UTC(2026, 4, 1)],
    ['2026-05-01T00:00:00.123+09:00', Date.UTC(2026, 3, 30, 15, 0, 0, 123)],
  ])('the time %s is read with its zone', (text, ms) => expect(parseInstant(text)).toBe(ms));

  test.each<[RawSale, string]>([
    [{ item_id: "1'; drop table items; --" }, 'bad_id'],
    [{ item_id: undefined, upstream_id: 'a\u0000b' }, 'bad_id'],
    [{ sale_id: 'x'.repeat(10_000) }, 'bad_id'],
    [{ sale_id: 'a\nb' }, 'bad_id'],
    [{ item_id: undefined, href: 'https://elsewhere/card/pokemon/a/b' }, 'bad_id'],
    [{ item_id: undefined }, 'no_item'],
    [{ source: 'eBay' }, 'bad_source'],
    [{ company: undefined }, 'bad_company'],
    [{ company: 'P S A' }, 'bad_company'],
    [{ grade: undefined }, 'bad_grade'],
    [{ url: 'javascript:alert(1)' }, 'bad_url'],
    [{ quantity: '0' }, 'bad_quantity'],
    [{ status: 'cancelled' }, 'bad_status'],
    [{ sale_type: 'raffle' }, 'bad_sale_type'],
    [{ cert: '12 34' }, 'bad_cert'],
    [{ known_at: '2026-04-30' }, 'bad_date'],
  ])('%j is rejected as %s', (over, reason) => expect(reasonOf(over)).toBe(reason));

  test('without an id gets one from what it says', () => {
    const idOf = (over: RawSale) => {
      const sale = parseSale({ ...GOOD, sale_id: '', ...over });
      return isUnreadable(sale) ? sale : sale.sourceSaleId;
    };
    expect(idOf({})).toBe(idOf({}));
    expect(idOf({ price: '1234.51' })).not.toBe(idOf({}));
  });

  test('never throws and answers within the limits, whatever its content', () => {
    const field = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom(...Object.values(GOOD)));
    fc.assert(
      fc.property(
        fc.record({
          price: field,
          currency: field,
          sold_at: field,
          source: field,
          title: field,
          sale_id: field,
          cert: field,
          url: field,
        }),
        (over) => {
          const result = parseSale({ ...GOOD, item_id: undefined, ...over });
          if (isUnreadable(result)) return result.message.length < 400 && !/[\p{Cc}]/u.test(result.message);
          return Number.isSafeInteger(result.priceMinor) && result.soldAtMs >= parseDay('1995-01-01')! * 86_400_000;
        },
      ),
    );
  });
});

describe('a line of CSV', () => {
  test('gives back any fields that were quoted by the rules', () => {
    const quote = (text: string) =>
      /[",]/.test(text) || text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text;
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', ' ') }), { minLength: 1 }), (fields) => {
        expect(splitCsvLine(fields.map(quote).join(','))).toEqual(fields);
      }),
    );
  });

  test.each(['"a', '"a"b,c', 'x,"y'])('%j is rejected', (line) => expect(splitCsvLine(line)).toBeNull());
});
