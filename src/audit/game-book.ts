import { groupBy } from '../lib/group-by.ts';
import { median } from '../lib/stats.ts';
import { robustMoments } from './likelihood.ts';

/** An item of the catalog as the audit compares it. */
export type AuditedItem = {
  itemId: string;
  setId: number;
  number: string | null;
  /** Sorts as the numbers do. */
  numberKey: string;
  name: string;
  language: string;
  variation: string | null;
  rarity: string | null;
};

/** The accepted sales of a series by one source: the median of the logs of their prices in US cents. */
export type PriceCell = {
  itemId: string;
  gradeKey: string;
  source: string;
  sales: number;
  logPrice: number;
  /** The standard deviation of the logs; null for one sale. */
  deviation: number | null;
  lastDay: number;
};

/** What an audit reads of a game. */
export type GameRows = { items: readonly AuditedItem[]; cells: readonly PriceCell[] };

/** An estimate of a log price, and its variance by the noise of sales. */
export type LogEstimate = { value: number; variance: number };

/** How far a grade is from the level of its card: usual offset, and the variance between cards. */
type GradeOffset = { offset: number; variance: number };

/** The rows of a game with what its detectors share. */
export type GameBook = {
  items: ReadonlyMap<string, AuditedItem>;
  cellsOf: ReadonlyMap<string, readonly PriceCell[]>;
  offsets: ReadonlyMap<string, GradeOffset>;
  /** The variance of the log of one sale about the price of its series. */
  saleVariance: number;
  /** The last day with a sale. */
  lastDay: number;
};

const LEAST_DEVIATION = 0.08;
const USUAL_DEVIATION = 0.2;
/** Medians of many sales still miss the price by so much: days and conditions differ. */
const FLOOR_VARIANCE = 0.03 ** 2;
const OFFSET_ROUNDS = 4;
const FIRST_OFFSET_VARIANCE = 0.3 ** 2;

/** Prepares the rows of a game for the detectors. */
export function openGameBook({ items, cells }: GameRows): GameBook {
  const cellsOf = groupBy(cells, ({ itemId }) => itemId);
  const deviations = cells.flatMap(({ deviation, sales }) => (sales < 3 || deviation === null ? [] : [deviation]));
  const deviation = deviations.length === 0 ? USUAL_DEVIATION : Math.max(LEAST_DEVIATION, median(deviations));
  return {
    items: new Map(items.map((item) => [item.itemId, item])),
    cellsOf,
    offsets: offsetsOf(cellsOf),
    saleVariance: deviation ** 2,
    lastDay: cells.reduce((last, cell) => Math.max(last, cell.lastDay), 0),
  };
}

/** Offsets of grades from the levels of their cards, fitted in turns: levels, then offsets. */
function offsetsOf(cellsOf: ReadonlyMap<string, readonly PriceCell[]>): Map<string, GradeOffset> {
  const offsets = new Map<string, GradeOffset>();
  const several = [...cellsOf.values()].filter((cells) => new Set(cells.map(({ gradeKey }) => gradeKey)).size > 1);
  const grades = new Set(several.flatMap((cells) => cells.map(({ gradeKey }) => gradeKey)));
  for (let round = 0; round < OFFSET_ROUNDS; round++) {
    const apart = new Map<string, number[]>([...grades].map((gradeKey) => [gradeKey, []]));
    for (const cells of several) {
      const level = median(cells.map(({ gradeKey, logPrice }) => logPrice - (offsets.get(gradeKey)?.offset ?? 0)));
      for (const { gradeKey, logPrice } of cells) apart.get(gradeKey)!.push(logPrice - level);
    }
    for (const [gradeKey, values] of apart) {
      const { centre, variance } = robustMoments(values);
      offsets.set(gradeKey, { offset: centre, variance: Math.max(variance, FLOOR_VARIANCE) });
    }
  }
  return offsets;
}

/** The offset of a grade; one that no card has together with another counts as the level itself. */
export function offsetOf({ offsets }: GameBook, gradeKey: string): GradeOffset {
  return offsets.get(gradeKey) ?? { offset: 0, variance: FIRST_OFFSET_VARIANCE };
}

/** The log price of a series in cells of one grade; null without any. */
export function priceIn({ saleVariance }: GameBook, cells: readonly PriceCell[]): LogEstimate | null {
  let [sales, sum] = [0, 0];
  for (const cell of cells) {
    sales += cell.sales;
    sum += cell.sales * cell.logPrice;
  }
  return sales === 0 ? null : { value: sum / sales, variance: saleVariance / sales + FLOOR_VARIANCE };
}

/** The level of a card in cells of any grades: its log price where the offset of a grade is 0. Null without any. */
export function levelIn(book: GameBook, cells: readonly PriceCell[]): LogEstimate | null {
  let [weights, sum] = [0, 0];
  for (const [gradeKey, ofGrade] of groupBy(cells, (cell) => cell.gradeKey)) {
    const { offset, variance } = offsetOf(book, gradeKey);
    const price = priceIn(book, ofGrade)!;
    const weight = 1 / (price.variance + variance);
    weights += weight;
    sum += weight * (price.value - offset);
  }
  return weights === 0 ? null : { value: sum / weights, variance: 1 / weights };
}

/** By how much the log prices of one item are above those of another: at the grades that both sold at, else of their levels. */
export function differenceOf(book: GameBook, of: readonly PriceCell[], from: readonly PriceCell[]): LogEstimate | null {
  const others = groupBy(from, ({ gradeKey }) => gradeKey);
  let [weights, sum] = [0, 0];
  for (const [gradeKey, ofGrade] of groupBy(of, (cell) => cell.gradeKey)) {
    const other = priceIn(book, others.get(gradeKey) ?? []);
    if (other === null) continue;
    const one = priceIn(book, ofGrade)!;
    const weight = 1 / (one.variance + other.variance);
    weights += weight;
    sum += weight * (one.value - other.value);
  }
  if (weights > 0) return { value: sum / weights, variance: 1 / weights };
  const [one, other] = [levelIn(book, of), levelIn(book, from)];
  return one && other && { value: one.value - other.value, variance: one.variance + other.variance };
}

/** The sales in cells. */
export function salesIn(cells: readonly PriceCell[]): number {
  return cells.reduce((sum, { sales }) => sum + sales, 0);
}

/** What distinguishes a printing from those of its number: `English, Holo`. */
export function printingOf({ language, variation }: Pick<AuditedItem, 'language' | 'variation'>): string {
  return `${language}, ${variation ?? 'plain'}`;
}

/** `Charizard #4` */
export function cardName({ name, number }: Pick<AuditedItem, 'name' | 'number'>): string {
  return number === null ? name : `${name} #${number}`;
}

/** A log ratio as a factor with two figures: 0.35, 2.9, 14. */
export function factorOf(logRatio: number): number {
  return Number(Math.exp(logRatio).toPrecision(2));
}
