import type { AuditedItem } from '../../src/audit/game-book.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import { mean } from '../../src/lib/stats.ts';
import { GRADES, LEAST_CENTS, ONE_SOURCE, type SimulatedSale, SOURCES, SPREAD } from './audit-market.ts';
import { ALL, cardsOf, hasSeveral } from './audit-plants.ts';

/** The sales of a series by one source as they are recorded. */
type BoundCell = { itemId: string; gradeKey: string; source: string; sales: number; meanLog: number };

type Game = {
  items: readonly AuditedItem[];
  /** `on`: the item that a sale is recorded on. */
  sales: readonly (SimulatedSale & { on: string })[];
  /** What is usual of the kind of an item in its set, as it was drawn. */
  kindLevelOf(item: AuditedItem): number;
  /** Pairs of ids that were swapped, sorted and joined by a space. */
  swapped: ReadonlySet<string>;
};

/** Each pair of printings with the probability that it is swapped. */
export type JudgedPair = { probability: number; isSwapped: boolean };

const OFFSETS = new Map(GRADES.map(([gradeKey, offset]) => [gradeKey, offset]));
const FACTORS = new Map(SOURCES.map(([source, factor]) => [source, Math.log(factor)]));
/** The level of a card may be anything. */
const LEVEL_VARIANCE = 2;

/**
 * The judgment of an audit that is given every number that the market was drawn with, and how many swaps were planted, but no price of a
 * card; items with another fault are left out. Bayes' rule over no swap and each swap of two printings, in every source or in one.
 */
export function judgedPairs({ items, sales, kindLevelOf, swapped }: Game): JudgedPair[] {
  const cellsOf = groupBy(cellsIn(sales), ({ itemId }) => itemId);
  const sold = items.filter(({ itemId, number }) => number !== null && cellsOf.has(itemId));
  const cards = cardsOf(sold).filter(hasSeveral);
  const pairs = cards.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);
  const prior = swapped.size / pairs / 2;
  return cards.flatMap((card) => {
    const recorded = card.flatMap(({ itemId }) => cellsOf.get(itemId)!);
    const kinds = new Map(card.map((item) => [item.itemId, kindLevelOf(item)]));
    const right = densityOf(recorded, kinds, ({ itemId }) => itemId);
    const odds = card.flatMap(({ itemId: one }, at) =>
      card.slice(at + 1).map(({ itemId: other }) => {
        const sum = [ALL, ONE_SOURCE].reduce((sum, source) => {
          const placeOf = (cell: BoundCell) =>
            source !== ALL && cell.source !== source
              ? cell.itemId
              : cell.itemId === one
                ? other
                : cell.itemId === other
                  ? one
                  : cell.itemId;
          return sum + prior * Math.exp(Math.min(500, densityOf(recorded, kinds, placeOf) - right));
        }, 0);
        return { odds: sum, isSwapped: swapped.has([one, other].sort().join(' ')) };
      }),
    );
    const all = odds.reduce((sum, one) => sum + one.odds, 1);
    return odds.map((one) => ({ probability: one.odds / all, isSwapped: one.isSwapped }));
  });
}

function cellsIn(sales: Game['sales']): BoundCell[] {
  // At the least that a sale is worth, a price does not say what was drawn; the item's other prices are those that happened to be above.
  const atLeast = new Set(sales.flatMap(({ on, usdCents }) => (usdCents <= LEAST_CENTS ? [on] : [])));
  const drawn = sales.filter(({ on }) => !atLeast.has(on));
  return [...groupBy(drawn, ({ on, gradeKey, source }) => `${on} ${gradeKey} ${source}`).values()].map((ofCell) => ({
    itemId: ofCell[0]!.on,
    gradeKey: ofCell[0]!.gradeKey,
    source: ofCell[0]!.source,
    sales: ofCell.length,
    meanLog: mean(ofCell.map(({ usdCents }) => Math.log(usdCents))),
  }));
}

/** The most swaps that are found while so many of those named are right. */
export function bestRecall(judged: readonly JudgedPair[], precision: number): number {
  const planted = judged.filter(({ isSwapped }) => isSwapped).length;
  let [right, best] = [0, 0];
  for (const [at, { isSwapped }] of judged.toSorted((a, b) => b.probability - a.probability).entries()) {
    if (isSwapped) right++;
    if (right / (at + 1) >= precision) best = right;
  }
  return best / planted;
}

/** The logarithm of the normal density of the prices of a card, where each cell is of the printing `placeOf`. */
function densityOf(
  recorded: readonly BoundCell[],
  kinds: ReadonlyMap<string, number>,
  placeOf: (cell: BoundCell) => string,
): number {
  const own = recorded.map(placeOf);
  const size = recorded.length;
  const factor = new Float64Array(size * size);
  const solved = new Float64Array(size);
  let density = 0;
  for (const [a, cell] of recorded.entries()) {
    const usual = kinds.get(own[a]!)! + OFFSETS.get(cell.gradeKey)! + FACTORS.get(cell.source)!;
    let value = cell.meanLog - Math.log(2000) - usual;
    for (let b = 0; b <= a; b++) {
      let sum = LEVEL_VARIANCE;
      if (own[a] === own[b])
        sum += SPREAD.kindOfCard ** 2 + (cell.gradeKey === recorded[b]!.gradeKey ? SPREAD.gradeOfCard ** 2 : 0);
      if (a === b) sum += SPREAD.sale ** 2 / cell.sales;
      for (let k = 0; k < b; k++) sum -= factor[a * size + k]! * factor[b * size + k]!;
      factor[a * size + b] = a === b ? Math.sqrt(sum) : sum / factor[b * size + b]!;
    }
    for (let k = 0; k < a; k++) value -= factor[a * size + k]! * solved[k]!;
    solved[a] = value / factor[a * size + a]!;
    density -= solved[a]! ** 2 / 2 + Math.log(factor[a * size + a]!);
  }
  return density;
}
