import { describe, expect, test } from 'vitest';
import { quantilesFor, STRATA, widening, widthsOf } from '../../../src/pricing/model/calibration.ts';
import { gradeOfCard } from '../../../src/pricing/model/card.ts';
import type { Forecast } from '../../../src/pricing/model/forecast.ts';
import { DEFAULT_PARAMS } from '../../../src/pricing/model/params.ts';
import { newWorld } from '../world.ts';
import { syntheticMarket } from './synthetic-market.ts';

const DAYS = 900;
/** Ranges are learned from the first sales; the measure begins after them. */
const MEASURED_FROM = 300;
/** Fewer forecasts say little about a share. */
const ENOUGH = 500;
const Z80 = 1.2816;

const market = syntheticMarket({ seed: 1, days: DAYS, cards: 500, sales: 30_000 });

type Shares = { forecasts: number; half: number; eighty: number; most: number; quote: number };

/** By stratum, the share of sales in the 50, 80 and 95% range of their forecast, and of true values in that of the quote. */
function coverage(saleVariance: number): Shares[] {
  const world = newWorld({ ...DEFAULT_PARAMS, saleVariance });
  const counts = Array.from({ length: STRATA }, () => ({ forecasts: 0, half: 0, eighty: 0, most: 0, quote: 0 }));
  const note = (forecast: Forecast) => {
    const { sale, stratum, residual, total, noise, level, market: marketLevel, logPrice, ownSales } = forecast;
    const { calibration } = world.model;
    const [half, eighty, most] = quantilesFor(calibration, { stratum, logPrice });
    const count = counts[stratum]!;
    const distance = Math.abs(residual) / Math.sqrt(total);
    count.forecasts++;
    if (distance <= half!) count.half++;
    if (distance <= eighty!) count.eighty++;
    if (distance <= most!) count.most++;
    // The quote at day open: without the noise of the sale.
    const age = sale.card.day - (gradeOfCard(sale.card, sale.grade)?.lastDay ?? sale.card.day);
    const mean = level + marketLevel;
    const sd = widening(widthsOf(calibration), ownSales, age, mean).kappa * Math.sqrt(total - noise);
    if (Math.abs(Math.log(market[sale.id]!.trueUsd) - mean) <= Z80 * sd) count.quote++;
  };
  let next = 0;
  for (let day = 0; day < DAYS; day++) {
    const from = next;
    while (market[next]?.day === day) next++;
    const sales = market.slice(from, next).map(({ card, gradeKey, set, priceUsdCents, ...sale }, i) => {
      return { ...sale, id: from + i, card: String(card), grade: gradeKey, set: String(set), usd: priceUsdCents / 100 };
    });
    world.close(day, sales, (forecast) => {
      if (day >= MEASURED_FROM && forecast.cardSales > 0) note(forecast);
    });
    if (day % 28 === 27) world.refit();
  }
  return counts.map(({ forecasts, ...held }) => {
    const share = (count: number) => count / forecasts;
    const { half, eighty, most, quote } = held;
    return { forecasts, half: share(half), eighty: share(eighty), most: share(most), quote: share(quote) };
  });
}

describe.each([
  ['as it is', 1],
  ['that believes in a quarter of the noise', 0.25],
  ['that believes in four times the noise', 4],
])('a model %s', (_, factor) => {
  const shares = coverage(DEFAULT_PARAMS.saleVariance * factor);
  const measured = shares.map((share, stratum) => ({ stratum, ...share })).filter((one) => one.forecasts >= ENOUGH);

  test('holds what its ranges promise of sales, in every stratum with enough of them', () => {
    expect(measured.map(({ stratum }) => stratum)).toEqual([0, 3, 4, 5, 6, 7, 9, 10]);
    for (const { stratum, half, eighty, most } of measured) {
      expect(Math.abs(half - 0.5), `50% in stratum ${stratum}`).toBeLessThan(0.03);
      expect(Math.abs(eighty - 0.8), `80% in stratum ${stratum}`).toBeLessThan(0.03);
      expect(Math.abs(most - 0.95), `95% in stratum ${stratum}`).toBeLessThan(0.03);
    }
  });

  // The ranges are learned from sales, most of whose error is noise: those of the value are a little too narrow.
  test('has the true value in the 80% range of its quote nearly three times out of four, in no stratum less than two out of three', () => {
    const sum = (of: (one: Shares) => number) => measured.reduce((total, one) => total + of(one), 0);
    expect(sum((one) => one.quote * one.forecasts) / sum((one) => one.forecasts)).toBeGreaterThan(0.74);
    for (const { stratum, quote } of measured) expect(quote, `stratum ${stratum}`).toBeGreaterThan(0.67);
  });
});
