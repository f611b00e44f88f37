import { describe, expect, test } from 'vitest';
import { stratumOf } from '../../../src/pricing/model/calibration.ts';
import { newCard } from '../../../src/pricing/model/card.ts';
import { forecastSale, saleNoise } from '../../../src/pricing/model/forecast.ts';
import { type Market, newMarket, updateMarket } from '../../../src/pricing/model/market.ts';
import { gameOf, gradeIndexOf, newModel, setOf } from '../../../src/pricing/model/model.ts';
import { DEFAULT_PARAMS as PARAMS } from '../../../src/pricing/model/params.ts';

const aMarket = (more: Partial<Market> = {}): Market => ({
  ...newMarket(PARAMS),
  p00: 0.01,
  p01: 0.001,
  p11: 0.002,
  ...more,
});

/** The mean residual at which a day of this precision is a shock. */
const LIMIT = Math.sqrt(PARAMS.shockChiSquare * (0.01 + 1 / 200));

describe('a day’s sales', () => {
  test('begin at nothing', () => {
    expect(newMarket(PARAMS)).toEqual({
      level: 0,
      drift: 0,
      p00: 0,
      p01: 0,
      p11: PARAMS.firstDriftVariance,
      firstDay: -1,
      levels: [],
      variances: [],
    });
  });

  test('move the market by their mean, as far as it is unsure', () => {
    const market = aMarket();
    updateMarket(market, { precision: 200, weighted: 200 * 0.1 }, PARAMS);
    const total = 0.01 + 1 / 200;
    expect(market.level).toBeCloseTo((0.01 / total) * 0.1, 12);
    expect(market.drift).toBeCloseTo((0.001 / total) * 0.1, 12);
    expect(market.p00).toBeCloseTo(0.01 - 0.01 ** 2 / total, 12);
    expect(market.p01).toBeCloseTo(0.001 - (0.01 * 0.001) / total, 12);
    expect(market.p11).toBeCloseTo(0.002 - 0.001 ** 2 / total, 12);
  });

  test('that the market finds impossible are believed', () => {
    for (const side of [-1, 1]) {
      const residual = side * (LIMIT + 1e-6);
      const market = aMarket();
      updateMarket(market, { precision: 200, weighted: 200 * residual }, PARAMS);
      const opened = 0.01 + residual ** 2 - (0.01 + 1 / 200);
      expect(market.level).toBeCloseTo((opened / residual ** 2) * residual, 12);
      expect(market.p00).toBeCloseTo(opened - opened ** 2 / residual ** 2, 12);
      const usual = aMarket();
      updateMarket(usual, { precision: 200, weighted: 200 * side * (LIMIT - 1e-6) }, PARAMS);
      expect(Math.abs(usual.level)).toBeLessThan(Math.abs(market.level) * 0.75);
    }
  });

  test('that are too few to measure the market are never a shock', () => {
    const precision = 1 / PARAMS.shockNoiseMax;
    const moved = (precision: number) => {
      const market = aMarket();
      updateMarket(market, { precision, weighted: precision * 2 }, PARAMS);
      return market.level;
    };
    expect(moved(precision * 1.001)).toBeGreaterThan(1.9);
    const thin = precision * 0.999;
    expect(moved(thin)).toBeCloseTo((0.01 / (0.01 + 1 / thin)) * 2, 12);
  });

  test('without any that speak change nothing', () => {
    const market = aMarket();
    updateMarket(market, { precision: 0, weighted: 0 }, PARAMS);
    expect(market).toEqual(aMarket());
  });
});

describe('a forecast', () => {
  test('of a series that never sold is in the first stratum, of one that sold in that of its sales and their age', () => {
    const model = newModel(PARAMS);
    const grade = gradeIndexOf(model, 'psa-10');
    const card = newCard('card', gameOf(model, 'pokemon'), setOf(model, 'pokemon', 's1'), 0, PARAMS);
    const sale = {
      id: 1,
      card,
      grade,
      soldDay: 100,
      soldAtMs: 0,
      priceUsdCents: 50_00,
      venue: 'shop',
      source: 0,
    } as const;
    expect(forecastSale(model, sale, 100)).toMatchObject({
      ownSales: 0,
      cardSales: 0,
      stratum: 0,
      lagDays: 0,
      market: 0,
    });
    card.grades.push({ grade, slot: 0, sales: 4, lastDay: 60 } as (typeof card.grades)[number]);
    const later = forecastSale(model, { ...sale, soldDay: 90 }, 100);
    expect(later).toMatchObject({ ownSales: 4, stratum: stratumOf(4, 40), lagDays: 10, market: 0 });
    expect(later.price).toBeCloseTo(Math.log(50), 12);
    expect(later.residual).toBeCloseTo(Math.log(50) - model.venues.shop.effect - later.level, 12);
    expect(later.total).toBeCloseTo(later.variance + later.noise, 12);
  });

  test('counts the chance of a mistaken record while its series is uncertain, the lag and the venue', () => {
    const model = newModel(PARAMS);
    gradeIndexOf(model, 'psa-9');
    const card = newCard('card', gameOf(model, 'pokemon'), setOf(model, 'pokemon', 's1'), 0, PARAMS);
    const noise = (variance: number, lag = 0, venue = 0) => saleNoise(card, 0, variance, lag, venue, PARAMS);
    const usual = PARAMS.saleVariance;
    expect(noise(PARAMS.junkAboveVariance)).toBeCloseTo(usual, 12);
    expect(noise(PARAMS.junkAboveVariance + 1e-9)).toBeCloseTo(usual + PARAMS.junkShare * PARAMS.junkVariance, 12);
    expect(noise(0, 10, 0.02)).toBeCloseTo(usual + 10 * PARAMS.levelVariancePerDay + 0.02, 12);
  });
});
