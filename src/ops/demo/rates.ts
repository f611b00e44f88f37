import { formatDay } from '../../lib/day.ts';
import { DEMO_DAYS } from './demo-market.ts';
import { chanceOf } from './random.ts';

/** A simulated reference rate, in the columns of `mintmark import rates`. */
type DemoRate = { date: string; currency: string; usd_per_unit: number };

/** The currencies, each with its rate at the beginning. */
export const START_RATES: Record<string, number> = { JPY: 0.0067, EUR: 1.08, GBP: 1.27 };

/** US dollars for one unit of a currency on each day of the window. */
export function demoRatesOf(currency: string): number[] {
  const chance = chanceOf(`rate ${currency}`);
  let level = 0;
  return Array.from({ length: DEMO_DAYS }, () => {
    level = level * 0.998 + 0.004 * chance.normal();
    return Number((START_RATES[currency]! * Math.exp(level)).toPrecision(6));
  });
}

/** Daily simulated rates of three currencies over the window that ends on `endDay` (a UTC day number). */
export function generateDemoRates({ endDay }: { endDay: number }): DemoRate[] {
  return Object.keys(START_RATES).flatMap((currency) =>
    demoRatesOf(currency).map((usd_per_unit, offset) => ({
      date: formatDay(endDay - DEMO_DAYS + 1 + offset),
      currency,
      usd_per_unit,
    })),
  );
}
