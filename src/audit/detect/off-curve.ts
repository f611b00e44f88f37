import { groupBy } from '../../lib/group-by.ts';
import {
  type AuditedItem,
  cardKey,
  cardName,
  factorOf,
  type GameBook,
  type LogEstimate,
  levelIn,
  offsetOf,
  type PriceCell,
  priceIn,
  printingOf,
  salesIn,
} from '../game-book.ts';
import { logDensity, probabilityOf } from '../likelihood.ts';
import type { FoundSuspect } from '../suspect.ts';

/** How many series are taken to have the sales of another printing, before anything is known of their prices. */
const PRIOR = 0.001;
const LEAST_SALES = 3;
/** Cheaper cards sell for about the least that a sale is worth, at any grade. */
const LEAST_LOG_PRICE = Math.log(300);
/** A series is not far from its curve within so many standard deviations. */
const FAR = 3;
/** Printings of a card are compared with each other: more than this are too alike. */
const MAX_PRINTINGS = 12;
/** Sales of one printing on two items still differ by so much. */
const SAME_VARIANCE = 0.15 ** 2;

/**
 * Series far from what the other grades of their item imply, whose sales fit another printing of the card better: the likelihood of
 * their price under the other printing's price at that grade, against that under their own curve.
 */
export function offCurve(book: GameBook): FoundSuspect[] {
  const priced = [...book.items.values()].filter(({ itemId, number }) => number !== null && book.cellsOf.has(itemId));
  const cards = groupBy(priced, cardKey);
  return [...cards.values()]
    .filter((card) => card.length > 1 && card.length <= MAX_PRINTINGS)
    .flatMap((card) =>
      card.flatMap((item) =>
        offCurveOf(
          book,
          item,
          card.filter((one) => one !== item),
        ),
      ),
    );
}

function offCurveOf(book: GameBook, item: AuditedItem, printings: readonly AuditedItem[]): FoundSuspect[] {
  const cells = book.cellsOf.get(item.itemId)!;
  return [...groupBy(cells, ({ gradeKey }) => gradeKey)].flatMap(([gradeKey, own]) => {
    const curve = impliedBy(
      book,
      cells.filter((cell) => cell.gradeKey !== gradeKey),
      gradeKey,
    );
    if (curve === null || salesIn(own) < LEAST_SALES) return [];
    const { value, variance } = priceIn(book, own)!;
    if (Math.min(value, curve.value) < LEAST_LOG_PRICE) return [];
    if (Math.abs(value - curve.value) < FAR * Math.sqrt(curve.variance + variance)) return [];
    const fits = printings.flatMap((printing) => {
      const others = book.cellsOf.get(printing.itemId)!;
      const same = priceIn(
        book,
        others.filter((cell) => cell.gradeKey === gradeKey),
      );
      const at =
        same === null ? impliedBy(book, others, gradeKey) : { ...same, variance: same.variance + SAME_VARIANCE };
      return at === null ? [] : [{ printing, at, density: logDensity(value, at.value, at.variance + variance) }];
    });
    const best = fits.sort((a, b) => b.density - a.density)[0];
    // Far from every printing, it is not another one's price either.
    if (best === undefined || Math.abs(value - best.at.value) > FAR * Math.sqrt(best.at.variance + variance)) return [];
    const logRatio = best.density - logDensity(value, curve.value, curve.variance + variance);
    const [factor, factorThere] = [factorOf(value - curve.value), factorOf(value - best.at.value)];
    return [
      {
        kind: 'off_curve' as const,
        subject: `${item.itemId} ${gradeKey}`,
        score: probabilityOf(logRatio - Math.log(fits.length), PRIOR),
        series: [{ itemId: item.itemId, gradeKey }],
        evidence: [
          {
            text: `${cardName(item)}, ${printingOf(item)}: ${salesIn(own)} sales are at ${factor} times what its other grades imply, and at ${factorThere} times the price of ${printingOf(best.printing)}.`,
            data: { sales: salesIn(own), factor, factorThere, fits: best.printing.itemId },
          },
        ],
      },
    ];
  });
}

/** What cells of other grades imply for a grade. */
function impliedBy(book: GameBook, cells: readonly PriceCell[], gradeKey: string): LogEstimate | null {
  const level = levelIn(book, cells);
  const { offset, variance } = offsetOf(book, gradeKey);
  return level && { value: level.value + offset, variance: level.variance + variance };
}
