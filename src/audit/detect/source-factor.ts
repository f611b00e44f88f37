import { cardName, differenceOf, factorOf, type GameBook, type PriceCell, printingOf, salesIn } from '../game-book.ts';
import { logDensity, probabilityOf, type Sample, type Usual, usualOf } from '../likelihood.ts';
import type { FoundSuspect } from '../suspect.ts';

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
 * Items that one source prices by a factor unlike the others, at every grade that both have: the likelihood of the difference where
 * the source has another card, against the usual difference of the source.
 */
export function sourceFactors(book: GameBook): FoundSuspect[] {
  const all = [...book.items.keys()].flatMap((itemId) => apartOf(book, itemId));
  const usual = usualOf(all, FIRST_VARIANCE);
  const best = new Map<string, FoundSuspect>();
  for (const one of all) {
    const found = suspectOf(book, one, usual(one));
    const known = best.get(one.itemId);
    if (found !== null && (known === undefined || found.score > known.score)) best.set(one.itemId, found);
  }
  return [...best.values()];
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

function suspectOf(book: GameBook, apart: Apart, { centre, variance }: Usual): FoundSuspect | null {
  const { itemId, source, value, here, elsewhere } = apart;
  const off = value - centre;
  if (Math.abs(off) < Math.log(LEAST_FACTOR) || !isConstant(book, apart, centre, off)) return null;
  const right = Math.max(variance, LEAST_VARIANCE) + apart.noise;
  const logRatio = logDensity(value, centre, right + WRONG_VARIANCE) - logDensity(value, centre, right);
  const [factor, usualFactor] = [factorOf(value), factorOf(centre)];
  const item = book.items.get(itemId)!;
  return {
    kind: 'source_factor',
    subject: itemId,
    score: probabilityOf(logRatio, PRIOR),
    series: [...new Set(here.map(({ gradeKey }) => gradeKey))].sort().map((gradeKey) => ({ itemId, gradeKey })),
    evidence: [
      {
        text: `${cardName(item)}, ${printingOf(item)}: ${salesIn(here)} sales of ${source} are at ${factor} times the ${salesIn(elsewhere)} of other sources; the usual factor of ${source} is ${usualFactor}.`,
        data: { source, factor, usualFactor, sales: salesIn(here), salesElsewhere: salesIn(elsewhere) },
      },
    ],
  };
}

/** True where each shared grade is off in the same direction, by at least half. */
function isConstant(book: GameBook, { here, elsewhere }: Apart, centre: number, off: number): boolean {
  return [...new Set(here.map(({ gradeKey }) => gradeKey))].every((gradeKey) => {
    const ofGrade = (cells: readonly PriceCell[]) => cells.filter((cell) => cell.gradeKey === gradeKey);
    const { value } = differenceOf(book, ofGrade(here), ofGrade(elsewhere))!;
    return (value - centre) / off >= 0.5;
  });
}
