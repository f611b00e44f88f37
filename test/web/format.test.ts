import { expect, test } from 'vitest';
import { usd, usdToTheCent, wholePercent } from '../../src/web/format.ts';

test('pages write cents below 10,000 dollars and whole dollars from there on', () => {
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
});

test('Markdown and feeds write cents always', () => {
  expect([1, 999_999, 1_234_567_89].map(usdToTheCent)).toEqual(['$0.01', '$9,999.99', '$1,234,567.89']);
});
