import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDay } from '../../../src/lib/day.ts';
import { type PlottedSeries, seriesPlot } from '../../../src/web/card/history/series-plot.tsx';
import { chromiumPath, launchBrowser } from '../../support/browser.ts';

const FROM = parseDay('2025-09-28')!;
const TO = parseDay('2026-09-28')!;
const CARD = '2024-25 Upper Deck Series 2 - [Base] #499 - Young Guns - Macklin Celebrini, 2024-25 Upper Deck Series 2';

/** A series whose every sentence is drawn: sales far away and down-weighted, days without a price, the longest dates. */
function aSeries(card: string): PlottedSeries {
  const next = { low: 70_000_00, high: 140_000_00 };
  const line = [FROM, FROM + 1].map((day) => ({ day, value: 100_000_00, low: 80_000_00, high: 120_000_00, next }));
  const sales = Array.from({ length: 12_000 }, (_, at) => ({
    day: FROM + 1,
    value: at % 10 === 0 ? 1_000_000_00 : 100_000_00,
    disposition: at % 10 === 0 ? ('downweighted' as const) : ('used' as const),
  }));
  const data = { line, stepDays: 1, sales, listings: [], events: [], fromDay: FROM, toDay: TO };
  return { card, grade: 'BGS 10 Black Label', data };
}

const titleOf = (svg: string) => /<text class="title"[^>]*>([^<]*)</.exec(svg)![1]!;

test('a long title keeps the grade, and the whole of it is the name of the picture', () => {
  const svg = seriesPlot(aSeries(CARD));
  expect(titleOf(svg)).toMatch(/^2024-25 Upper Deck Series 2 .*…, BGS 10 Black Label$/);
  expect(svg).toContain(`<title>${CARD}, BGS 10 Black Label</title>`);
  expect(titleOf(seriesPlot(aSeries('Mew, Promos #8')))).toBe('Mew, Promos #8, BGS 10 Black Label');
});

test('down-weighted sales that overlap stay separate circles', () => {
  const series = aSeries('Mew');
  const sales = [100_000_00, 101_000_00].map((value) => ({ day: FROM, value, disposition: 'downweighted' as const }));
  expect(
    seriesPlot({ ...series, data: { ...series.data, sales } }).match(/<path class="chart-downweighted"/g),
  ).toHaveLength(2);
});

describe.skipIf(chromiumPath === null)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test.each([
    ['Latin', CARD],
    ['Japanese', 'リザードンex、ポケモンカード151 スペシャルアートレア'.repeat(3)],
  ])('every text fits into the picture: %s', async (_, card) => {
    const page = await browser.newPage({ viewport: { width: 1100, height: 500 } });
    await page.setContent(`<body style="margin:0">${seriesPlot(aSeries(card))}`);
    const [picture, ...texts] = await page.evaluate(() =>
      [...document.querySelectorAll('body > svg, text')].map((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return { text: one.tagName === 'text' ? one.textContent : '', left, right, top, bottom };
      }),
    );
    await page.close();
    expect(texts.length).toBeGreaterThan(10);
    for (const { text, left, right, top, bottom } of texts) {
      expect(left, text!).toBeGreaterThanOrEqual(picture!.left);
      expect(right, text!).toBeLessThanOrEqual(picture!.right);
      expect(top, text!).toBeGreaterThanOrEqual(picture!.top);
      expect(bottom, text!).toBeLessThanOrEqual(picture!.bottom);
    }
  });
});
