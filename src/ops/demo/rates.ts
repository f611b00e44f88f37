import { formatDay } from '../../lib/day.ts';
import { DEMO_DAYS } from './demo-market.ts';
import { chanceOf } from './random.ts';

/** A simulated reference rate, in the columns of `mintmark import rates`. */
type DemoRate = { date: string; currency: string; usd_per_unit: number };

const START: Record<string, number> = { JPY: 0.0067, EUR: 1.08, GBP: 1.27 };

/** Daily simulated rates of three currencies over the window that ends on `endDay` (a UTC day number). */
export function generateDemoRates({ endDay }: { endDay: number }): DemoRate[] {
  const rates: DemoRate[] = [];
  for (const [currency, start] of Object.entries(START)) {
    const chance = chanceOf(`rate ${currency}`);
    let level = 0;
    for (let offset = 0; offset < DEMO_DAYS; offset++) {
      level = level * 0.998 + 0.004 * chance.normal();
      const rate = Number((start * Math.exp(level)).toPrecision(6));
      rates.push({ date: formatDay(endDay - DEMO_DAYS + 1 + offset), currency, usd_per_unit: rate });
    }
  }
  return rates;
}
