import { groupBy } from '../../lib/group-by.ts';
import { median } from '../../lib/stats.ts';
import { type AuditedItem, factorOf, type GameBook, levelIn, type PriceCell, printingOf } from '../game-book.ts';
import { logDensity, probabilityOf, robustMoments } from '../likelihood.ts';
import type { Evidence, FoundSuspect } from '../suspect.ts';
import { cardTitleRatio, numberTallyOf, type TitleTally } from '../title-tally.ts';
import { expectedLevels } from './expected-levels.ts';

/** How many sets are taken to be shifted, before anything is known of their prices. */
const PRIOR = 0.005;
/** Of what the catalog implies; of prices of other sources fewer suffice. */
const LEAST_PLACES = { catalog: 8, source: 6 };
/** So many more numbers must fit clearly better than clearly worse, each by a factor of e to this power. */
const [LEAST_CLEAR, CLEAR] = [5, 0.5];
/** Of a level about what its card is expected to cost; and of a source about the others. */
const LEAST_VARIANCE = 0.1 ** 2;
const SOURCE_VARIANCE = 0.15 ** 2;

/** A printing at its place among those of its kind: its level, null without a sale. */
type NumberPlace = {
  item: AuditedItem;
  level: number | null;
  variance: number;
  /** What is expected at the place, by everything but the level of an item; null where that is not known. */
  expected(without: AuditedItem): number | null;
};

/** The printings of a set in one language, by kind, each in the order of numbers; and the ids of those with a sale in any source. */
type Unit = { setId: number; language: string; rows: AuditedItem[][]; priced: string[] };

/**
 * Sets of which each number has the sales of the next or the one before. 1. What each card is expected to cost, without its own
 * sales: by its rarity and kind, its name in other sets, its other languages. 2. The likelihood of all levels of the set, and of the
 * titles of its sales, at their places and one place on. 3. The same for one source against the others, which need no expectation.
 */
export function shiftedSets(book: GameBook): FoundSuspect[] {
  const expected = expectedLevels(book);
  const variance = Math.max(LEAST_VARIANCE, robustMoments([...expected.residuals.values()]).variance || LEAST_VARIANCE);
  return unitsOf(book).flatMap((unit) => {
    const shifts = [shiftOf(book, unit, placesByCatalog(unit, expected), variance, null)];
    for (const source of sourcesOf(book, unit))
      shifts.push(shiftOf(book, unit, placesBySource(book, unit, source), SOURCE_VARIANCE, source));
    const best = shifts.filter((one) => one !== null).sort((a, b) => b.score - a.score)[0];
    return best === undefined ? [] : [best];
  });
}

function unitsOf({ items, cellsOf }: GameBook): Unit[] {
  const numbered = [...items.values()].filter(({ number }) => number !== null);
  return [...groupBy(numbered, ({ setId, language }) => `${setId} ${language}`).values()].flatMap((ofSet) => {
    const rows = [...groupBy(ofSet, printingOf).values()]
      .map((row) => row.toSorted((a, b) => (a.numberKey < b.numberKey ? -1 : 1)))
      .filter((row) => row.some(({ itemId }) => cellsOf.has(itemId)));
    const { setId, language } = ofSet[0]!;
    const priced = rows.flat().flatMap(({ itemId }) => (cellsOf.has(itemId) ? [itemId] : []));
    return rows.length === 0 ? [] : [{ setId, language, rows, priced: priced.sort() }];
  });
}

function sourcesOf({ cellsOf }: GameBook, { rows }: Unit): Set<string> {
  return new Set(rows.flat().flatMap(({ itemId }) => (cellsOf.get(itemId) ?? []).map(({ source }) => source)));
}

function placesByCatalog({ rows }: Unit, { levelOf, expectedOf }: ReturnType<typeof expectedLevels>) {
  return rows.map((row) =>
    row.map((item): NumberPlace => {
      const level = levelOf(item);
      const expected = (without: AuditedItem) => expectedOf(item, without);
      return { item, level: level?.value ?? null, variance: level?.variance ?? 0, expected };
    }),
  );
}

/**
 * Levels by one source, expected as the other sources have them. What is usual of a source is of the whole game: numbers of a shifted
 * set are compared with other cards, and say nothing of it.
 */
function placesBySource(book: GameBook, { rows }: Unit, source: string): NumberPlace[][] {
  const level = (item: AuditedItem, is: (cell: PriceCell) => boolean) =>
    levelIn(book, (book.cellsOf.get(item.itemId) ?? []).filter(is).map(asUsual));
  const asUsual = (cell: PriceCell) => ({
    ...cell,
    logPrice: cell.logPrice - (book.sources.factors.get(cell.source) ?? 0),
  });
  return rows.map((row) =>
    row.map((item): NumberPlace => {
      const here = level(item, (cell) => cell.source === source);
      const elsewhere = level(item, (cell) => cell.source !== source);
      const variance = (here?.variance ?? 0) + (elsewhere?.variance ?? 0);
      return { item, level: here?.value ?? null, variance, expected: () => elsewhere?.value ?? null };
    }),
  );
}

/** The better of the two shifts as a suspect; null where too few places can be compared. */
function shiftOf(
  book: GameBook,
  unit: Unit,
  rows: readonly (readonly NumberPlace[])[],
  variance: number,
  source: string | null,
): FoundSuspect | null {
  const titlesOf = (item: AuditedItem, next: AuditedItem) => numberTallyOf(book, item, next, source);
  const found = ([1, -1] as const)
    .map((by) => compare(rows, by, variance, titlesOf))
    .sort((a, b) => b.logRatio - a.logRatio)[0]!;
  const { numbers, logRatio, better, worse, titles } = found;
  if (numbers < LEAST_PLACES[source === null ? 'catalog' : 'source'] || better - worse < LEAST_CLEAR) return null;
  return {
    kind: 'shifted_set',
    subject: `${unit.setId} ${unit.language}`,
    score: probabilityOf(logRatio, PRIOR),
    // Of two sources it is not known which one is shifted: an item of either may have the sales of another.
    series: unit.priced.map((itemId) => ({ itemId, gradeKey: null })),
    evidence: [
      titles.other > 0 ? byTitles(found, source) : [],
      Number.isNaN(found.missBefore) ? [] : byPrices(found, source),
    ].flat(),
  };
}

type Shift = ReturnType<typeof compare>;

function byPrices({ by, numbers, better, worse, missBefore, missAfter }: Shift, source: string | null): Evidence {
  const [before, after] = [factorOf(missBefore), factorOf(missAfter)];
  const of = source === null ? 'The sales' : `The sales of ${source}`;
  const like = source === null ? 'what rarity, name and other languages imply' : 'the other sources';
  return {
    text: `${of} of ${numbers} numbers fit better one number ${placeOf(by)}: ${better} of them do clearly and ${worse} clearly do not. By ${like}, the median miss of their prices falls from a factor of ${before} to ${after}.`,
    data: {
      numbers,
      better,
      worse,
      shift: by,
      missBefore: before,
      missAfter: after,
      ...(source !== null && { source }),
    },
  };
}

function byTitles({ by, titles }: Shift, source: string | null): Evidence {
  const of = source === null ? '' : ` of ${source}`;
  return {
    text: `${titles.other} of ${titles.titles} titles${of} name the number ${placeOf(by)} than the one that their sale is recorded on.`,
    data: { titles: titles.titles, titlesOfNext: titles.other, shift: by, ...(source !== null && { source }) },
  };
}

function placeOf(by: 1 | -1): string {
  return by === 1 ? 'later' : 'earlier';
}

/**
 * The likelihood of levels and titles `by` places on against that at their own places; the printings of a number share its weight.
 * Misses are NaN where no price can be compared.
 */
function compare(
  rows: readonly (readonly NumberPlace[])[],
  by: 1 | -1,
  variance: number,
  titlesOf: (item: AuditedItem, next: AuditedItem) => TitleTally,
) {
  const titles = { titles: 0, other: 0 };
  const misses: { here: number; there: number }[] = [];
  const gains = rows.flatMap((row) =>
    row.flatMap((place, at) => {
      const next = row[at + by];
      if (place.level === null || next === undefined) return [];
      const named = titlesOf(place.item, next.item);
      titles.titles += named.titles;
      titles.other += named.other;
      // Neither place may know the level itself: the next one would fit for that alone.
      const [own, other] = [place.expected(place.item), next.expected(place.item)];
      const isPriced = own !== null && other !== null;
      if (!isPriced && named.titles === 0) return [];
      let gain = cardTitleRatio(named);
      if (isPriced) {
        const [here, there] = [place.level - own, place.level - other];
        misses.push({ here: Math.abs(here), there: Math.abs(there) });
        gain += logDensity(there, 0, variance + place.variance) - logDensity(here, 0, variance + place.variance);
      }
      return [{ number: place.item.number, gain }];
    }),
  );
  const byNumber = [...groupBy(gains, ({ number }) => number).values()].map(
    (ofNumber) => ofNumber.reduce((sum, { gain }) => sum + gain, 0) / ofNumber.length,
  );
  return {
    by,
    titles,
    numbers: byNumber.length,
    logRatio: byNumber.reduce((sum, gain) => sum + gain, 0),
    better: byNumber.filter((gain) => gain > CLEAR).length,
    worse: byNumber.filter((gain) => gain < -CLEAR).length,
    missBefore: median(misses.map(({ here }) => here)),
    missAfter: median(misses.map(({ there }) => there)),
  };
}
