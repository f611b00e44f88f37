import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minorDigits, parseAmount, percent, roundHalfUp, toUsdCents } from '../../src/lib/money.ts';

describe('parseAmount', () => {
  test.each([
    ['1234.5', 'USD', 123450],
    ['0.07', 'USD', 7],
    ['16500', 'JPY', 16500],
    ['12.00', 'JPY', 12],
    ['1.230', 'EUR', 123],
  ])('reads %s %s exactly', (text, currency, minor) => {
    expect(parseAmount(text, currency)).toBe(minor);
  });

  test.each(['-1', '+1', '1e3', '1,234.50', '￥16500', '$5', '.5', '5.', '1.234', 'NaN', '', ' ', '1 000', '0x10'])(
    'rejects %j',
    (text) => expect(parseAmount(text, 'USD')).toBeNull(),
  );

  test('knows only its currencies, whatever every object has', () => {
    for (const currency of ['XXX', 'usd', 'constructor', '__proto__', 'toString', ''])
      expect([minorDigits(currency), parseAmount('1', currency)]).toEqual([null, null]);
  });

  test('reads back every amount of cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 12 }), (cents) => {
        const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
        return parseAmount(text, 'USD') === cents;
      }),
    );
  });
});

test('halves are rounded up, also of a conversion', () => {
  expect([roundHalfUp(0.5), roundHalfUp(1.5), roundHalfUp(2.4999), roundHalfUp(-0.5)]).toEqual([1, 2, 2, 0]);
  expect(toUsdCents(1000, 'JPY', 0.00655)).toBe(655);
  expect(toUsdCents(12345, 'EUR', 1.1)).toBe(13580);
});

test('percents have two decimals', () => {
  expect([percent(-0.05333), percent(0.1), percent(1.5)]).toEqual([-5.33, 10, 150]);
});
