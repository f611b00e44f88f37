import { foldWords } from '../catalog/words/fold.ts';
import { groupBy } from '../lib/group-by.ts';
import { mean, median } from '../lib/stats.ts';
import { robustMoments } from './likelihood.ts';

/** An item of the catalog as the audit compares it. */
export type AuditedItem = {
  itemId: string;
  setId: number;
  number: string | null;
  /** Sorts as the numbers do. */
  numberKey: string;
  name: string;
  /** See `spellingOf`. */
  spelling: string;
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

/** Different titles of sales that one source records on an item at a grade, which mean one item: the same or another one. */
export type TitleCell = { itemId: string; gradeKey: string; source: string; means: string; titles: number };

/** What an audit reads of a game. */
export type GameRows = {
  items: readonly AuditedItem[];
  cells: readonly PriceCell[];
  titles: readonly TitleCell[];
};

/** An estimate of a log price, and its variance by the noise of sales. */
export type LogEstimate = { value: number; variance: number };

/** How far a grade is from the level of its card: usual offset, and the variance between cards, with and without the noise of sales. */
type GradeOffset = { offset: number; variance: number; ownVariance: number };

/** How far each source is from the others at an item's grade, and the variance of that between items without the noise of sales. */
type SourceFactors = { factors: ReadonlyMap<string, number>; variance: number };

/** The rows of a game with what its detectors share. */
export type GameBook = {
  items: ReadonlyMap<string, AuditedItem>;
  cellsOf: ReadonlyMap<string, readonly PriceCell[]>;
  titlesOf: ReadonlyMap<string, readonly TitleCell[]>;
  /** The printings that sold of each card that has several such. */
  cards: readonly (readonly AuditedItem[])[];
  /** The same card by each of its items. */
  cardOf: ReadonlyMap<string, readonly AuditedItem[]>;
  offsets: ReadonlyMap<string, GradeOffset>;
  sources: SourceFactors;
  /** The variance of the log of one sale about the price of its series. */
  saleVariance: number;
  /** Medians of many sales still miss the price by so much. */
  floorVariance: number;
  /** The last day with a sale. */
  lastDay: number;
};

/** A card with more printings than this is not compared: its pairs are too many, and its printings too alike. */
const MAX_PRINTINGS = 12;
const LEAST_DEVIATION = 0.08;
const USUAL_DEVIATION = 0.2;
/** Medians of many sales still miss the price by so much: days and conditions differ. */
const FLOOR_VARIANCE = 0.03 ** 2;
const OFFSET_ROUNDS = 4;
const LEAST_OWN_VARIANCE = 0.05 ** 2;
const FIRST_OFFSET_VARIANCE = 0.3 ** 2;

/** Prepares the rows of a game for the detectors. */
export function openGameBook({ items, cells, titles }: GameRows): GameBook {
  const cellsOf = groupBy(cells, ({ itemId }) => itemId);
  const deviations = cells.flatMap(({ deviation, sales }) => (sales < 3 || deviation === null ? [] : [deviation]));
  const deviation = deviations.length === 0 ? USUAL_DEVIATION : Math.max(LEAST_DEVIATION, median(deviations));
  const saleVariance = deviation ** 2;
  const cards = cardsOf(items.filter(({ itemId, number }) => number !== null && cellsOf.has(itemId)));
  return {
    items: new Map(items.map((item) => [item.itemId, item])),
    cellsOf,
    titlesOf: groupBy(titles, ({ itemId }) => itemId),
    cards,
    cardOf: new Map(cards.flatMap((card) => card.map((one) => [one.itemId, card] as const))),
    offsets: offsetsOf(cellsOf, saleVariance),
    sources: sourceFactorsOf(cellsOf, saleVariance),
    saleVariance,
    floorVariance: FLOOR_VARIANCE,
    lastDay: cells.reduce((last, cell) => Math.max(last, cell.lastDay), 0),
  };
}

function cardsOf(items: readonly AuditedItem[]): AuditedItem[][] {
  return [...groupBy(items, cardKey).values()].filter(({ length }) => length > 1 && length <= MAX_PRINTINGS);
}

/** Offsets of grades from the levels of their cards, fitted in turns: levels, then offsets. */
function offsetsOf(cellsOf: ReadonlyMap<string, readonly PriceCell[]>, saleVariance: number): Map<string, GradeOffset> {
  const offsets = new Map<string, GradeOffset>();
  const several = [...cellsOf.values()].filter((cells) => new Set(cells.map(({ gradeKey }) => gradeKey)).size > 1);
  const grades = new Set(several.flatMap((cells) => cells.map(({ gradeKey }) => gradeKey)));
  for (let round = 0; round < OFFSET_ROUNDS; round++) {
    const apart = new Map([...grades].map((gradeKey) => [gradeKey, { values: [] as number[], noise: [] as number[] }]));
    for (const cells of several) {
      const level = median(cells.map(({ gradeKey, logPrice }) => logPrice - (offsets.get(gradeKey)?.offset ?? 0)));
      for (const { gradeKey, logPrice, sales } of cells) {
        apart.get(gradeKey)!.values.push(logPrice - level);
        apart.get(gradeKey)!.noise.push(saleVariance / sales);
      }
    }
    for (const [gradeKey, { values, noise }] of apart) {
      const { centre, variance } = robustMoments(values);
      const ownVariance = Math.max(variance - median(noise), LEAST_OWN_VARIANCE);
      offsets.set(gradeKey, { offset: centre, variance: Math.max(variance, FLOOR_VARIANCE), ownVariance });
    }
  }
  return offsets;
}

/** Of so many pairs of cells outweigh what is taken of sources before anything is known of them. */
const SOURCE_COUNT = 200;
const FIRST_SOURCE_VARIANCE = 0.075 ** 2;

/** Factors of sources, fitted in turns: the price of each series that several sources have, then their factors. */
function sourceFactorsOf(cellsOf: ReadonlyMap<string, readonly PriceCell[]>, saleVariance: number): SourceFactors {
  const series = [...cellsOf.values()]
    .flatMap((cells) => [...groupBy(cells, ({ gradeKey }) => gradeKey).values()])
    .filter((ofGrade) => ofGrade.length > 1);
  const factors = new Map<string, number>();
  let left: { source: string; value: number; loss: number; noise: number }[] = [];
  for (let round = 0; round < OFFSET_ROUNDS; round++) {
    left = series.flatMap((ofGrade) => {
      const price = mean(ofGrade.map(({ source, logPrice }) => logPrice - (factors.get(source) ?? 0)));
      const noise = mean(ofGrade.map(({ sales }) => saleVariance / sales));
      // About their own mean, values vary less.
      const loss = Math.sqrt(ofGrade.length / (ofGrade.length - 1));
      return ofGrade.map(({ source, logPrice }) => ({ source, value: logPrice - price, loss, noise }));
    });
    for (const [source, values] of groupBy(left, (one) => one.source))
      factors.set(source, median(values.map(({ value }) => value)));
  }
  if (left.length === 0) return { factors, variance: FIRST_SOURCE_VARIANCE };
  const apart = robustMoments(left.map(({ source, value, loss }) => loss * (value - factors.get(source)!)));
  const own = Math.max(0, apart.variance - median(left.map(({ noise }) => noise)));
  const share = left.length / (left.length + SOURCE_COUNT);
  return { factors, variance: share * own + (1 - share) * FIRST_SOURCE_VARIANCE };
}

/** The offset of a grade; one that no card has together with another counts as the level itself. */
export function offsetOf({ offsets }: GameBook, gradeKey: string): GradeOffset {
  return offsets.get(gradeKey) ?? { offset: 0, variance: FIRST_OFFSET_VARIANCE, ownVariance: FIRST_OFFSET_VARIANCE };
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

/** Letters that folding drops: of two names in such a script, the rest may be equal. */
const UNFOLDED = /[^\P{L}\p{Script=Latin}\p{Script=Greek}]/u;

/** The name as two catalogs may spell it: one has Nidoran♂ and Mew ☆ δ, another Nidoran ♂ and Mew ★ δ. */
export function spellingOf(name: string): string {
  return UNFOLDED.test(name) ? name.normalize('NFKC') : foldWords(name).join('') || name;
}

/** Equal for the printings of one card of a set. */
export function cardKey({ setId, number, spelling }: Pick<AuditedItem, 'setId' | 'number' | 'spelling'>): string {
  return `${setId} ${number} ${spelling}`;
}

/** What distinguishes a printing from those of its number: `English, Holo`. */
export function printingOf({ language, variation }: Pick<AuditedItem, 'language' | 'variation'>): string {
  return `${language}, ${variation ?? 'plain'}`;
}

/** `Charizard #4` */
export function cardName({ name, number }: Pick<AuditedItem, 'name' | 'number'>): string {
  return number === null ? name : `${name} #${number}`;
}

/** `Charizard #4, English, Holo` */
export function itemName(item: AuditedItem): string {
  return `${cardName(item)}, ${printingOf(item)}`;
}

/** A log ratio as a factor with two figures: 0.35, 2.9, 14. */
export function factorOf(logRatio: number): number {
  return Number(Math.exp(logRatio).toPrecision(2));
}
