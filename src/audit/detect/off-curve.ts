import {
  type AuditedItem,
  factorOf,
  type GameBook,
  itemName,
  type LogEstimate,
  levelIn,
  offsetOf,
  type PriceCell,
  priceIn,
  printingOf,
  salesIn,
} from '../game-book.ts';
import { logDensity, probabilityOf } from '../likelihood.ts';
import type { Evidence, FoundSuspect } from '../suspect.ts';
import { byTitles, type TitleEvidence } from '../title-evidence.ts';

/** How many series are taken to have the sales of another printing, before anything is known of their prices. */
const PRIOR = 0.001;
const LEAST_SALES = 3;
/** Cheaper cards sell for about the least that a sale is worth, at any grade. */
const LEAST_LOG_PRICE = Math.log(300);
/** A series is not far from its curve within so many standard deviations. */
const FAR = 3;
/** Sales of one printing on two items still differ by so much. */
const SAME_VARIANCE = 0.15 ** 2;

/**
 * Series whose sales are of another item: far from what the other grades of their item imply, and nearer to the price of another
 * printing of the card at that grade; or by their titles. Both are likelihood ratios; one that speaks against it counts too.
 */
export function offCurve(book: GameBook, { mistaken }: TitleEvidence): FoundSuspect[] {
  return [...book.cellsOf].flatMap(([itemId, cells]) => {
    const item = book.items.get(itemId)!;
    const printings = (book.cardOf.get(itemId) ?? []).filter((one) => one !== item);
    return [...new Set(cells.map(({ gradeKey }) => gradeKey))].flatMap((gradeKey) => {
      const titles = mistaken(item, { gradeKey });
      const prices = nearest(
        book,
        item,
        gradeKey,
        titles.ratio > 0 && titles.named !== null ? [titles.named] : printings,
      );
      if (prices === null && titles.named === null) return [];
      return [
        {
          kind: 'off_curve' as const,
          subject: `${itemId} ${gradeKey}`,
          score: probabilityOf((prices?.ratio ?? 0) + titles.ratio, PRIOR),
          series: [{ itemId, gradeKey }],
          evidence: [...byTitles(item, titles, ''), ...(prices === null ? [] : [prices.evidence])],
        },
      ];
    });
  });
}

/**
 * The log likelihood ratio of the sales of a series being at the price of the likeliest of other items, against their own curve; they
 * are for it only where they are far from the curve. Null where one of the prices is not known.
 */
function nearest(
  book: GameBook,
  item: AuditedItem,
  gradeKey: string,
  others: readonly AuditedItem[],
): { ratio: number; evidence: Evidence } | null {
  const cells = book.cellsOf.get(item.itemId)!;
  const [own, rest] = [
    cells.filter((cell) => cell.gradeKey === gradeKey),
    cells.filter((cell) => cell.gradeKey !== gradeKey),
  ];
  const curve = impliedBy(book, rest, gradeKey);
  if (curve === null || salesIn(own) < LEAST_SALES) return null;
  const { value, variance } = priceIn(book, own)!;
  const fits = others.flatMap((other) => {
    const at = expectedAt(book, other, gradeKey);
    return at === null ? [] : [{ other, at, density: logDensity(value, at.value, at.variance + variance) }];
  });
  const best = fits.sort((a, b) => b.density - a.density)[0];
  if (best === undefined) return null;
  const ratio = best.density - logDensity(value, curve.value, curve.variance + variance) - Math.log(fits.length);
  const isFar = (from: LogEstimate) => Math.abs(value - from.value) >= FAR * Math.sqrt(from.variance + variance);
  // Far from every printing, it is not another one's price either; cheap cards sell for the least that a sale is worth.
  const isFor = isFar(curve) && !isFar(best.at) && Math.min(value, curve.value) >= LEAST_LOG_PRICE;
  const [factor, factorThere] = [factorOf(value - curve.value), factorOf(value - best.at.value)];
  return {
    ratio: isFor ? ratio : Math.min(0, ratio),
    evidence: {
      text: `${itemName(item)}: ${salesIn(own)} sales are at ${factor} times what its other grades imply, and at ${factorThere} times the price of ${printingOf(best.other)}.`,
      data: { sales: salesIn(own), factor, factorThere, fits: best.other.itemId },
    },
  };
}

/** The log price of an item at a grade: of its sales there, or what those at other grades imply. */
function expectedAt(book: GameBook, { itemId }: AuditedItem, gradeKey: string): LogEstimate | null {
  const cells = book.cellsOf.get(itemId) ?? [];
  const same = priceIn(
    book,
    cells.filter((cell) => cell.gradeKey === gradeKey),
  );
  return same === null ? impliedBy(book, cells, gradeKey) : { ...same, variance: same.variance + SAME_VARIANCE };
}

/** What cells of other grades imply for a grade. */
function impliedBy(book: GameBook, cells: readonly PriceCell[], gradeKey: string): LogEstimate | null {
  const level = levelIn(book, cells);
  const { offset, variance } = offsetOf(book, gradeKey);
  return level && { value: level.value + offset, variance: level.variance + variance };
}
