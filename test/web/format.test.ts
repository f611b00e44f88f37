import { expect, test } from 'vitest';
import { usd, usdToTheCent } from '../../src/web/format.ts';

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

test('Markdown and feeds write cents always', () => {
  expect([1, 999_999, 1_234_567_89].map(usdToTheCent)).toEqual(['$0.01', '$9,999.99', '$1,234,567.89']);
});
