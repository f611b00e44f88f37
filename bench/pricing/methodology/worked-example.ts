import { widthsOf } from '../../../src/pricing/model/calibration.ts';
import { newCard } from '../../../src/pricing/model/card.ts';
import { termsOf } from '../../../src/pricing/model/curve/curve.ts';
import { closeDay } from '../../../src/pricing/model/fmv.ts';
import { gameOf, gradeIndexOf, newModel, setOf } from '../../../src/pricing/model/model.ts';
import { DEFAULT_PARAMS as PARAMS, REFERENCE_VENUE } from '../../../src/pricing/model/params.ts';
import {
  type CentsRange,
  centsOf,
  isPriced,
  logQuote,
  nextSaleRangeOf,
  rangeOf,
} from '../../../src/pricing/model/quote.ts';
import { snapshotOf } from '../../../src/pricing/model/snapshot.ts';

/** The worked example of the methodology: sales of one card in PSA 9, alone in its game, by day of the example. */
const SALES = [
  { day: 1, usd: 100 },
  { day: 8, usd: 112 },
  { day: 20, usd: 96 },
  { day: 33, usd: 290 },
  { day: 41, usd: 105 },
  { day: 49, usd: 118 },
];

/** What a sale did: price and ranges after its close; the price before it, null without one. */
export type ExampleRow = {
  day: number;
  usd: number;
  beforeCents: number | null;
  weight: number;
  cents: number;
  value: CentsRange;
  nextSale: CentsRange;
  isUnconfirmed: boolean;
};

export function workedExample(): ExampleRow[] {
  const model = newModel(PARAMS);
  const grade = gradeIndexOf(model, 'psa-9');
  const card = newCard('example', gameOf(model, 'pokemon'), setOf(model, 'pokemon', 'example'), 0, PARAMS);
  const rows: ExampleRow[] = [];
  let before: number | null = null;
  for (let day = 0; day <= SALES.at(-1)!.day; day++) {
    const sale = SALES.find((one) => one.day === day);
    const sold = { card, grade, soldDay: day, soldAtMs: 0, venue: REFERENCE_VENUE, source: 0 };
    const [use] = closeDay(model, day, sale ? [{ ...sold, id: day, priceUsdCents: sale.usd * 100 }] : []);
    if (card.sales === 0) continue;
    const { market, curve } = card.game;
    const on = { day, marketLevel: market.level, marketVariance: market.p00, widths: widthsOf(model.calibration) };
    const quote = logQuote(snapshotOf(card, grade, PARAMS), on, termsOf(curve, [], grade, card.x[0]!), PARAMS);
    if (sale) {
      rows.push({
        ...sale,
        beforeCents: before,
        weight: use!.weight,
        cents: centsOf(quote.mean),
        value: rangeOf(quote),
        nextSale: nextSaleRangeOf(quote)!,
        isUnconfirmed: quote.before !== null,
      });
    }
    before = isPriced(quote, PARAMS) ? centsOf(quote.mean) : null;
  }
  return rows;
}
