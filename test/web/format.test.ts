import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayIso } from '../../src/lib/day.ts';
import { langOf } from '../../src/web/card/script-language.ts';
import {
  briefDay,
  count,
  dayOfMonth,
  dayText,
  level,
  monthName,
  percentMove,
  percentOf,
  usd,
  usdToTheCent,
  wholePercent,
  wholePercents,
} from '../../src/web/format.ts';

test('a single price has cents below 10,000 dollars and whole dollars from there on', () => {
  expect([1, 99_950, 100_000, 123_456, 999_999].map(usd)).toEqual([
    '$0.01',
    '$999.50',
    '$1,000.00',
    '$1,234.56',
    '$9,999.99',
  ]);
  expect([1_000_000, 1_234_567].map(usd)).toEqual(['$10,000', '$12,346']);
});

test('shares are whole percents; one that rounds to none is under 1%', () => {
  expect([0, 0.004, 0.006, 0.924, 1].map(wholePercent)).toEqual(['0%', 'under 1%', '1%', '92%', '100%']);
  expect(wholePercent(-0.08)).toBe('−8%');
});

test('shares of one whole are percents that sum to 100', () => {
  expect(wholePercents([0.966, 0.032, 0.002])).toEqual([97, 3, 0]);
  expect(wholePercents([0.76, 0.27, -0.03])).toEqual([74, 26, 0]);
  expect(wholePercents([1 / 3, 1 / 3, 1 / 3])).toEqual([34, 33, 33]);
});

test('columns, Markdown and feeds write cents always', () => {
  expect([1, 999_999, 1_234_567_89].map(usdToTheCent)).toEqual(['$0.01', '$9,999.99', '$1,234,567.89']);
});

test('amounts, counts and levels are written as Intl writes them, fractions and negative ones too', () => {
  const intl = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat('en-US', options);
  const dollars = intl({ style: 'currency', currency: 'USD' });
  const whole = intl({ style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
  const points = intl({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const written = (n: number) => [usdToTheCent(n), usd(n), count(n), level(n), level(n / 100)];
  const expected = (n: number) => [
    dollars.format(n / 100),
    (n >= 1_000_000 ? whole : dollars).format(n / 100),
    intl({}).format(n),
    points.format(n),
    points.format(n / 100),
  ];
  const numbers = fc.oneof(
    fc.nat(20_000),
    fc.integer({ min: -1e12, max: 1e12 }),
    fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  );
  fc.assert(
    fc.property(numbers, (n) => {
      // Zero has no sign.
      fc.pre(Object.is(n, 0) || Math.abs(n) > 1e-9);
      expect(written(n)).toEqual(expected(n));
    }),
  );
  for (const n of [0, 999, 1000, 999_999, 1_000_049, 1_000_050, 1_000_051, 99_999_999])
    expect(written(n)).toEqual(expected(n));
});

test('a day number is written as its instant is', () => {
  for (const day of [0, 59, 20_000, 20_789]) expect(dayText(day)).toBe(briefDay(dayIso(day)));
});

test('a percent has no space before its sign', () => {
  expect([percentMove(5.26), percentMove(-0.44), percentMove(-0.04), percentOf(11.24)]).toEqual([
    '+5.3%',
    '−0.4%',
    '0.0%',
    '11.2%',
  ]);
});

test('every month has three letters', () => {
  const days = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 14)));
  const written = days.map((at) => briefDay(at.toISOString()));
  expect(written[8]).toBe('14 Sep 2026');
  for (const text of written) expect(text).toMatch(/^14 [A-Z][a-z]{2} 2026$/);
  expect([dayOfMonth(days[8]!.getTime()), monthName(days[8]!.getTime())]).toEqual(['14 Sep', 'Sep 2026']);
});

test('names in other scripts are marked with the language of their signs', () => {
  expect(['フシギダネ', '拡張パック', '리자몽', 'พิคาชู', 'Чаризард'].map((name) => langOf(name))).toEqual([
    'ja',
    'ja',
    'ko',
    'th',
    'ru',
  ]);
});

test('signs that Chinese and Japanese share are read in the language of the card', () => {
  expect(langOf('噴火龍', 'Chinese Traditional')).toBe('zh-Hant');
  expect(langOf('喷火龙', 'Chinese Simplified')).toBe('zh-Hans');
  expect(langOf('悪', 'Japanese')).toBe('ja');
});

test('Latin letters need no mark', () => {
  expect(langOf('Flabébé', 'French')).toBeUndefined();
});
