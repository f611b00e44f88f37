import { cardName, factorOf, type GameBook, type PriceCell, priceIn, printingOf, salesIn } from '../game-book.ts';
import { probabilityOf } from '../likelihood.ts';
import type { FoundSuspect } from '../suspect.ts';

/** How many cards are taken to have a PSA 9 above their PSA 10, before anything is known of their prices. */
const PRIOR = 0.01;
const LEAST_SALES = 3;
const RECENT_DAYS = 180;
/** A smaller inversion is not worth a decision. */
const LEAST_FACTOR = 1.1;

/**
 * Cards whose PSA 9 sells above their PSA 10, beyond the noise of their sales: the likelihood ratio of the difference that was
 * observed against equal prices, which is the least that grades imply.
 */
export function gradeInversions(book: GameBook): FoundSuspect[] {
  return [...book.items.values()].flatMap((item) => {
    const cells = book.cellsOf.get(item.itemId) ?? [];
    const [nine, ten] = ['psa-9', 'psa-10'].map((gradeKey) => recent(book, cells, gradeKey));
    const [low, high] = [estimate(book, nine!), estimate(book, ten!)];
    if (low === null || high === null || low.value - high.value < Math.log(LEAST_FACTOR)) return [];
    const factor = factorOf(low.value - high.value);
    const [sales9, sales10] = [salesIn(nine!), salesIn(ten!)];
    const logRatio = (low.value - high.value) ** 2 / (low.variance + high.variance) / 2;
    return [
      {
        kind: 'grade_inversion' as const,
        subject: item.itemId,
        score: probabilityOf(logRatio, PRIOR),
        series: ['psa-9', 'psa-10'].map((gradeKey) => ({ itemId: item.itemId, gradeKey })),
        evidence: [
          {
            text: `${cardName(item)}, ${printingOf(item)}: PSA 9 sells for ${factor} times the price of PSA 10, in ${sales9} and ${sales10} sales of the last ${RECENT_DAYS} days.`,
            data: { factor, sales9, sales10 },
          },
        ],
      },
    ];
  });
}

function recent({ lastDay }: GameBook, cells: readonly PriceCell[], gradeKey: string): PriceCell[] {
  return cells.filter((cell) => cell.gradeKey === gradeKey && cell.lastDay > lastDay - RECENT_DAYS);
}

/** The price in cells, at least as uncertain as their own sales are apart; null for too few sales. */
function estimate(book: GameBook, cells: readonly PriceCell[]) {
  const sales = salesIn(cells);
  if (sales < LEAST_SALES) return null;
  const { value, variance } = priceIn(book, cells)!;
  const own = Math.max(0, ...cells.map(({ deviation }) => deviation ?? 0)) ** 2 / sales;
  return { value, variance: Math.max(variance, own) };
}
