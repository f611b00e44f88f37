import {
  type AuditedItem,
  differenceOf,
  factorOf,
  type GameBook,
  itemName,
  type PriceCell,
  salesIn,
} from '../game-book.ts';
import { logDensity, probabilityOf, type Sample, type Usual, usualOf } from '../likelihood.ts';
import type { Evidence, FoundSuspect } from '../suspect.ts';
import { byTitles, type Mistaken, type TitleEvidence } from '../title-evidence.ts';

/** How many cards are taken to be another one in some source, before anything is known of their prices. */
const PRIOR = 0.002;
const LEAST_SALES = 4;
const LEAST_FACTOR = 1.5;
/** Of the difference of two sources: where both are right, and where one has another card. */
const [FIRST_VARIANCE, WRONG_VARIANCE] = [0.2 ** 2, 1];
const LEAST_VARIANCE = 0.1 ** 2;

/** A source on an item, with how far its log prices are from those of the other sources. */
type Apart = Sample & { itemId: string; source: string; here: PriceCell[]; elsewhere: PriceCell[] };

/**
 * Items of which one source has another card: its sales are at a factor unlike those of other sources, at every grade that both have,
 * or their titles name the other card. Both are likelihood ratios; one that speaks against it counts too.
 */
export function sourceFactors(book: GameBook, { mistaken }: TitleEvidence): FoundSuspect[] {
  const compared = new Map(
    [...book.items.keys()].flatMap((itemId) => apartOf(book, itemId)).map((one) => [keyOf(one), one]),
  );
  const usual = usualOf([...compared.values()], FIRST_VARIANCE);
  return [...book.items.values()].flatMap((item) => {
    const sources = new Set((book.cellsOf.get(item.itemId) ?? []).map(({ source }) => source));
    const found = [...sources].sort().flatMap((source) => {
      const apart = compared.get(keyOf({ itemId: item.itemId, source }));
      const prices = apart === undefined ? null : priceEvidence(book, apart, usual(apart));
      return suspectOf(book, item, source, prices, mistaken(item, { source }));
    });
    const [most] = found.sort((a, b) => b.score - a.score);
    return most === undefined ? [] : [most];
  });
}

function keyOf({ itemId, source }: Pick<Apart, 'itemId' | 'source'>): string {
  return `${itemId} ${source}`;
}

function apartOf(book: GameBook, itemId: string): Apart[] {
  const cells = book.cellsOf.get(itemId) ?? [];
  const sources = [...new Set(cells.map(({ source }) => source))].sort();
  if (sources.length < 2) return [];
  return sources.flatMap((source) => {
    const grades = new Set(cells.filter((cell) => cell.source !== source).map(({ gradeKey }) => gradeKey));
    const here = cells.filter((cell) => cell.source === source && grades.has(cell.gradeKey));
    const shared = new Set(here.map(({ gradeKey }) => gradeKey));
    const elsewhere = cells.filter((cell) => cell.source !== source && shared.has(cell.gradeKey));
    if (salesIn(here) < LEAST_SALES || salesIn(elsewhere) < LEAST_SALES) return [];
    const { value, variance } = differenceOf(book, here, elsewhere)!;
    return [{ itemId, source, value, noise: variance, here, elsewhere, groups: [source] }];
  });
}

/** What the prices of a source say, as a log likelihood ratio; they are for another card only where each grade is far off. */
function priceEvidence(
  book: GameBook,
  apart: Apart,
  { centre, variance }: Usual,
): { ratio: number; evidence: Evidence } {
  const { itemId, source, value, here, elsewhere } = apart;
  const off = value - centre;
  const isFar = Math.abs(off) >= Math.log(LEAST_FACTOR) && isConstant(book, apart, centre, off);
  const right = Math.max(variance, LEAST_VARIANCE) + apart.noise;
  const ratio = logDensity(value, centre, right + WRONG_VARIANCE) - logDensity(value, centre, right);
  const [factor, usualFactor] = [factorOf(value), factorOf(centre)];
  return {
    ratio: isFar ? ratio : Math.min(0, ratio),
    evidence: {
      text: `${itemName(book.items.get(itemId)!)}: ${salesIn(here)} sales from ${source} are at ${factor} times the price of ${salesIn(elsewhere)} from other sources; usually it is ${usualFactor} times.`,
      data: { source, factor, usualFactor, sales: salesIn(here), salesElsewhere: salesIn(elsewhere) },
    },
  };
}

function suspectOf(
  book: GameBook,
  item: AuditedItem,
  source: string,
  prices: ReturnType<typeof priceEvidence> | null,
  titles: Mistaken,
): FoundSuspect[] {
  if (titles.named === null && prices === null) return [];
  const { itemId } = item;
  const cells = book.cellsOf.get(itemId)!.filter((cell) => cell.source === source);
  const grades = [...new Set(cells.map(({ gradeKey }) => gradeKey))].sort();
  return [
    {
      kind: 'source_factor',
      subject: itemId,
      score: probabilityOf((prices?.ratio ?? 0) + titles.ratio, PRIOR),
      series: grades.map((gradeKey) => ({ itemId, gradeKey })),
      evidence: [...byTitles(item, titles, ` from ${source}`), ...(prices === null ? [] : [prices.evidence])],
    },
  ];
}

/** True where each shared grade is off in the same direction, by at least half. */
function isConstant(book: GameBook, { here, elsewhere }: Apart, centre: number, off: number): boolean {
  return [...new Set(here.map(({ gradeKey }) => gradeKey))].every((gradeKey) => {
    const ofGrade = (cells: readonly PriceCell[]) => cells.filter((cell) => cell.gradeKey === gradeKey);
    const { value } = differenceOf(book, ofGrade(here), ofGrade(elsewhere))!;
    return (value - centre) / off >= 0.5;
  });
}
