import fc from 'fast-check';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';
import { RangePicture } from '../../../src/web/card/price-range.tsx';

type Ranges = Parameters<typeof RangePicture>[0];

const draw = (ranges: Ranges): string => renderToString(RangePicture(ranges));
const USUAL: Ranges = {
  price: 424_00,
  value: { low: 300_00, high: 600_00 },
  next: { low: 200_00, high: 800_00 },
  lastSale: 435_00,
};

/** A number of an attribute of the first element of a class, in percent of the width. */
const at = (svg: string, classes: string, attribute: string): number =>
  Number(new RegExp(`class="${classes}"[^>]* ${attribute}="(-?[\\d.]+)%?"`).exec(svg)![1]);
/** Each amount and note with the percentages from and to which it reaches in a picture of 280 pixels. */
const textsOf = (svg: string) =>
  [...svg.matchAll(/<text class="(range-[a-z-]+)"([^>]*)>([^<]+)</g)].map(([, classes, attributes, text]) => {
    const of = (name: string, or: string) => new RegExp(` ${name}="([^"%]+)`).exec(attributes!)?.[1] ?? or;
    const from = Number(of('x', '0')) + Number(of('dx', '0')) / 2.8;
    const width = (text!.length * 7.2) / 2.8;
    const anchor = of('text-anchor', 'start');
    const start = anchor === 'end' ? from - width : anchor === 'middle' ? from - width / 2 : from;
    return { classes, text: text!, y: Number(of('y', '0')), start, end: start + width };
  });

const cents = fc.integer({ min: 1, max: 9_999_999 });
const anyRanges = fc
  .tuple(fc.array(cents, { minLength: 5, maxLength: 5 }), fc.option(cents), fc.boolean())
  .map(([five, lastSale, hasNext]): Ranges => {
    const [low, valueLow, price, valueHigh, high] = five.sort((a, b) => a - b) as [
      number,
      number,
      number,
      number,
      number,
    ];
    return { price, value: { low: valueLow, high: valueHigh }, next: hasNext ? { low, high } : null, lastSale };
  });

describe('the picture of a price', () => {
  test('has the ranges, the price and the last sale on one scale', () => {
    const svg = draw(USUAL);
    const value = at(svg, 'range-value', 'x');
    const valueEnd = value + at(svg, 'range-value', 'width');
    const [next, nextEnd] = [at(svg, 'range-next', 'x1'), at(svg, 'range-next', 'x2')];
    const dollar = (nextEnd - next) / 600;
    expect(value).toBeCloseTo(next + 100 * dollar, 0);
    expect(valueEnd).toBeCloseTo(next + 400 * dollar, 0);
    expect(at(svg, 'range-price', 'x1')).toBeCloseTo(next + 224 * dollar, 0);
    expect(at(svg, 'range-sale', 'cx')).toBeCloseTo(next + 235 * dollar, 0);
  });

  test('states every amount in words for a reader who does not see it', () => {
    const [, title, words] = /<title[^>]*>([^<]+)<.*<desc[^>]*>([^<]+)</.exec(draw(USUAL))!;
    expect(title).toBe('Reference price $424.00 and its ranges');
    expect(words).toBe(
      'With a chance of 80% the value is between $300.00 and $600.00. With a chance of 80% the next sale is between $200.00 and $800.00. The last sale was $435.00.',
    );
  });

  test('draws what is known alone', () => {
    const svg = draw({ ...USUAL, next: null, lastSale: null });
    expect(svg).not.toMatch(/range-next|range-sale|next sale|last sale/);
    expect(at(svg, 'range', 'height')).toBeLessThan(at(draw(USUAL), 'range', 'height') - 40);
  });

  test.each([
    [5_000_00, 'last sale $5,000.00, far above'],
    [1_400_00, 'last sale $1,400.00'],
    [10, 'last sale $0.10'],
  ])('draws a last sale beyond twice the range at the edge and says so: %i', (lastSale, words) => {
    const svg = draw({ ...USUAL, lastSale });
    expect(svg).toContain(`>${words}<`);
    const width = at(svg, 'range-next', 'x2') - at(svg, 'range-next', 'x1');
    expect(width).toBeGreaterThan(20);
  });

  test('keeps every text within it and free of the others at 280 pixels, whatever the amounts', () => {
    fc.assert(
      fc.property(anyRanges, (ranges) => {
        const svg = draw(ranges);
        expect(svg).not.toMatch(/NaN|Infinity/);
        const texts = textsOf(svg);
        for (const { start, end, text } of texts) {
          // The longest words about a last sale in the middle reach a few pixels into the margin of the page.
          const margin = text.startsWith('last sale') ? 35 : 0.1;
          expect(start, text).toBeGreaterThanOrEqual(-margin);
          expect(end, text).toBeLessThanOrEqual(100 + margin);
        }
        for (const one of texts)
          for (const other of texts)
            if (one !== other && one.y === other.y)
              expect(one.start >= other.end || other.start >= one.end, `${one.text} | ${other.text}`).toBe(true);
        const bar = [at(svg, 'range-value', 'x'), at(svg, 'range-value', 'width')];
        expect(bar[1]).toBeGreaterThanOrEqual(0);
        expect(bar[0]! + bar[1]!).toBeLessThanOrEqual(100);
      }),
    );
  });
});
