import type { AuditedItem, GameBook, TitleCell } from './game-book.ts';

/** Of the titles that name one of two cards, the share that names the one that the sale is not of: a seller rarely takes one for another. */
export const CARD_RATE = 0.005;
/**
 * Titles of one item resemble each other: sellers copy them, and a name that is misread once is misread again. So their share is
 * itself drawn about the usual one, as widely as a share of so many titles would be.
 */
const ALIKE_TITLES = 8;

/** Of the titles of an item that name it or another one, how many name the other. */
export type TitleTally = { titles: number; other: number };

/** The titles of sales on an item, by one source or (null) by all, that name the item itself or `other`. */
export function tallyOf(book: GameBook, one: AuditedItem, other: AuditedItem, source: string | null): TitleTally {
  return tally(book, one, source, (meant) => (meant === one ? 'own' : meant === other ? 'other' : null));
}

/** The same of the numbers of both in their set: whichever printing of them is named. */
export function numberTallyOf(book: GameBook, one: AuditedItem, other: AuditedItem, source: string | null): TitleTally {
  return tally(book, one, source, ({ setId, number }) =>
    setId !== one.setId ? null : number === one.number ? 'own' : number === other.number ? 'other' : null,
  );
}

/** The same of what `sideOf` says of each item that is named; null: it does not count. */
export function tally(
  book: GameBook,
  { itemId }: AuditedItem,
  source: string | null,
  sideOf: (meant: AuditedItem) => 'own' | 'other' | null,
): TitleTally {
  const cells = book.titlesOf.get(itemId) ?? [];
  return tallyCells(book, source === null ? cells : cells.filter((cell) => cell.source === source), sideOf);
}

/** The same of some titles. */
export function tallyCells(
  { items }: GameBook,
  cells: readonly TitleCell[],
  sideOf: (meant: AuditedItem) => 'own' | 'other' | null,
): TitleTally {
  const sum = { titles: 0, other: 0 };
  for (const cell of cells) {
    const meant = items.get(cell.means);
    const side = meant === undefined ? null : sideOf(meant);
    if (side === null) continue;
    sum.titles += cell.titles;
    if (side === 'other') sum.other += cell.titles;
  }
  return sum;
}

/**
 * The log likelihood ratio of the titles of sales recorded on one card, were they of another card of the set, against as they are
 * recorded. 0 without titles.
 */
export function cardTitleRatio(tally: TitleTally): number {
  return logShare(tally, 1 - CARD_RATE) - logShare(tally, CARD_RATE);
}

/** The logarithm of the beta-binomial probability of a tally about a usual share of other names, without its binomial coefficient. */
export function logShare({ titles, other }: TitleTally, share: number): number {
  let sum = 0;
  for (let i = 0; i < other; i++) sum += Math.log(share * ALIKE_TITLES + i);
  for (let i = 0; i < titles - other; i++) sum += Math.log((1 - share) * ALIKE_TITLES + i);
  for (let i = 0; i < titles; i++) sum -= Math.log(ALIKE_TITLES + i);
  return sum;
}
