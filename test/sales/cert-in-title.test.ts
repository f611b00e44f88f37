import { expect, test } from 'vitest';
import { certInTitle } from '../../src/sales/row-fields.ts';
import { parseSale } from '../../src/sales/sale.ts';

test.each<[string, string | null]>([
  ['1999 Pokemon Charizard PSA 10 cert 12345678', '12345678'],
  ['EVAN MOBLEY EQUINOX #EAEVM PSA GEM MT 10 CERT # 110664432', '110664432'],
  ['Charizard CGC 9.5 Certification No. 0012345678', '0012345678'],
  ['Charizard PSA 10 Certificate: 12345678 cert#12345678', '12345678'],
  ['Charizard PSA 10 12345678', null],
  ['Charizard cert 12345678', null],
  ['Charizard PSA 10 cert 12345678 crossed from BGS', null],
  ['PSA 10 pair cert 12345678 cert 12345679', null],
  ['Charizard PSA 10 cert 123456', null],
  ['Charizard PSA 10 cert 12345678901', null],
  ['concert 12345678 PSA 10', null],
])('%s', (title, cert) => {
  expect(certInTitle(title)).toBe(cert);
});

test('a stated number outranks the title, and ungraded cards have none', () => {
  const row = {
    title: 'Charizard PSA 10 cert 12345678',
    price: '10',
    currency: 'USD',
    source: 'ebay',
    sold_at: '2026-05-01',
  };
  expect(parseSale(row)).toMatchObject({ cert: '12345678' });
  expect(parseSale({ ...row, cert: 'PSA 87654321' })).toMatchObject({ cert: '87654321' });
  expect(parseSale({ ...row, company: 'RAW' })).toMatchObject({ cert: null });
});
