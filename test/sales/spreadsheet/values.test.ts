import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../../src/sales/formats/spreadsheet/columns.ts';
import {
  dayOrderOf,
  decimalMarkOf,
  isNoDay,
  isoDay,
  needsDayOrder,
  plainPrice,
} from '../../../src/sales/formats/spreadsheet/values.ts';

describe('the decimal mark that a price shows', () => {
  test.each([
    ['1234', null],
    ['1,234', null],
    ['1.234', null],
    ['$1,234', 'point'],
    ['US$1,234', 'point'],
    ['€1.234', null],
    ['12,5', 'comma'],
    ['12.50', 'point'],
    ['2.450,00', 'comma'],
    ['2,450.00', 'point'],
    ['1.234.567', 'comma'],
    ['1,234,567', 'point'],
    ["1'234.5", 'point'],
    ['1 234,50 €', 'comma'],
    ['12.3456', 'point'],
    ['free', null],
    ['', null],
  ])('%s: %s', (text, mark) => expect(decimalMarkOf(text)).toBe(mark));
});

describe('a price as a plain number', () => {
  test.each([
    ['2.450,00', 'comma', { price: '2450.00', currency: null }],
    ['$24,500', 'point', { price: '24500', currency: null }],
    ['€ 1.234,5', 'comma', { price: '1234.5', currency: 'EUR' }],
    ['1 234,50 €', 'comma', { price: '1234.50', currency: 'EUR' }],
    ['1\u00a0234,50', 'comma', { price: '1234.50', currency: null }],
    ["CHF 1'234.50", 'point', { price: '1234.50', currency: 'CHF' }],
    ['12 USD', 'point', { price: '12', currency: 'USD' }],
    ['CA$10', 'point', { price: '10', currency: 'CAD' }],
    ['2.450,00', 'point', null],
    ['2,450.00', 'comma', null],
    ['12,34', 'point', null],
    ['1,2345', 'point', null],
    ['12,345,6', 'point', null],
    ['1.2.3', 'point', null],
    ['-5', 'point', null],
    ['$5 USD', 'point', null],
    ['5-10', 'point', null],
    ['1e3', 'point', null],
    ['.5', 'point', null],
    ['5.', 'point', null],
  ] as const)('%s with a decimal %s', (text, mark, plain) => expect(plainPrice(text, mark)).toEqual(plain));
});

describe('days', () => {
  test.each([
    ['2026-11-18', null, '2026-11-18'],
    ['2026-11-18 14:05:00', null, '2026-11-18'],
    ['2026-11-18T14:05:00Z', null, '2026-11-18T14:05:00Z'],
    ['02.11.2026', null, '2026-11-02'],
    ['2.11.26', 'mdy', '2026-11-02'],
    ['02/11/2026', 'dmy', '2026-11-02'],
    ['02/11/2026', 'mdy', '2026-02-11'],
    ['02/11/2026', null, '02/11/2026'],
    ['11/18/2026 2:05 PM', 'mdy', '2026-11-18'],
    ['11-18-26', 'mdy', '2026-11-18'],
    ['Nov-18-26', null, '2026-11-18'],
    ['Nov 18, 2026', null, '2026-11-18'],
    ['18 November 2026', null, '2026-11-18'],
    ['18th Nov. 2026', null, '2026-11-18'],
    ['Novvember', null, 'Novvember'],
    ['Foo 18, 2026', null, 'Foo 18, 2026'],
    ['1/2/3', 'dmy', '1/2/3'],
    ['18/18/2026', 'mdy', '18/18/2026'],
    ['31.02.2026', null, '31.02.2026'],
    ['Feb 30, 2026', null, 'Feb 30, 2026'],
    ['2026-13-01 14:05', null, '2026-13-01 14:05'],
  ] as const)('%s, %s: %s', (text, order, iso) => expect(isoDay(text, order)).toBe(iso));

  test.each([
    ['31.11.2026', true],
    ['Feb 30, 2026', true],
    ['31/11/2026', true],
    ['2026-11-31', true],
    ['18/11/2026', false],
    ['30.11.2026', false],
    ['2026-11-18T14:05:00Z', false],
    ['soon', false],
  ])('%s is a day that no calendar has: %s', (text, isAbsent) => expect(isNoDay(text)).toBe(isAbsent));

  test.each([
    ['13/02/2026', 'dmy'],
    ['02/13/2026', 'mdy'],
    ['02/11/2026', null],
    ['13.02.2026', null],
    ['2026-11-18', null],
  ])('%s shows the order %s', (text, order) => expect(dayOrderOf(text)).toBe(order));

  test('only numbers with slashes or hyphens leave the order open', () => {
    expect(['02/11/2026', '2-11-26', '02.11.2026', '2026-11-18', 'Nov-18-26'].map(needsDayOrder)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('columns', () => {
  const FIELDS = ['title', 'price', 'sold_at', 'source', 'quantity'] as const;
  const of = (header: string[], map: [string, string | string[]][] = []) => columnsOf(header, FIELDS, new Map(map));

  test('are found by name, whatever its case and punctuation; others are ignored and named', () => {
    expect(of(['Sold For', ' SOLD-AT ', 'Notes', 'Item Title', ''])).toEqual({
      fields: ['price', 'sold_at', null, 'title', null],
      joined: [],
      renamed: [
        ['price', ['Sold For']],
        ['title', ['Item Title']],
      ],
      ignored: ['Notes'],
      header: ['Sold For', ' SOLD-AT ', 'Notes', 'Item Title', ''],
    });
  });

  test('a mapping wins over a name, and a name over what is usual', () => {
    expect(of(['price', 'Sold for'], [['price', 'sold for']])).toMatchObject({ fields: [null, 'price'] });
    expect(of(['price', 'Sold for'], [['price', 'price']])).toMatchObject({ fields: ['price', null] });
    expect(of(['Card', 'title'])).toMatchObject({ fields: [null, 'title'] });
    expect(of(['Card', 'Item title'])).toMatchObject({ fields: [null, 'title'] });
  });

  test('a field may be several, of which the first has to be there', () => {
    const title = ['title', ['Name', 'Number', 'Set']] as [string, string[]];
    expect(of(['Set', 'Price', 'Name', 'Notes'], [title])).toMatchObject({
      fields: [null, 'price', 'title', null],
      joined: [['title', [2, 0]]],
      renamed: [['title', ['Name', 'Set']]],
      ignored: ['Notes'],
    });
    expect(of(['Set', 'Price'], [title])).toBe('there is no column "Name" for title; the columns are "Set", "Price"');
  });

  test('no price is chosen from two; a mapped column must exist', () => {
    expect(of(['Sale price', 'Sold for'])).toBe(
      '"Sale price", "Sold for" may be price: choose with --map price="Sale price"',
    );
    expect(of(['Sold for', 'Price'])).toBe('"Price", "Sold for" may be price: choose with --map price="Price"');
    expect(of(['A', 'B'], [['price', 'C']])).toBe('there is no column "C" for price; the columns are "A", "B"');
  });
});
