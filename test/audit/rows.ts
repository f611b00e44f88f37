import {
  type AuditedItem,
  type GameBook,
  type GameRows,
  openGameBook,
  type PriceCell,
  spellingOf,
  type TitleCell,
} from '../../src/audit/game-book.ts';
import type { FoundSuspect } from '../../src/audit/suspect.ts';
import { type TitleEvidence, titleEvidence } from '../../src/audit/title-evidence.ts';

/** An item of set 1; its id is its number and kind. */
export function auditedItem(details: Partial<AuditedItem> & { number: string }): AuditedItem {
  const { number, name = `Card ${number}`, variation = null, language = 'English', setId = 1 } = details;
  return {
    itemId: `${setId}/${number}/${language}/${variation ?? 'plain'}`,
    setId,
    numberKey: number.padStart(4, '0'),
    name,
    spelling: spellingOf(name),
    language,
    variation,
    rarity: null,
    ...details,
  };
}

/** Sales of an item at a grade by one source, at a price in dollars. */
export function priceCell(
  { itemId }: Pick<AuditedItem, 'itemId'>,
  usd: number,
  details: Partial<Omit<PriceCell, 'itemId' | 'logPrice'>> = {},
): PriceCell {
  return {
    itemId,
    gradeKey: 'psa-10',
    source: 'ebay',
    sales: 6,
    deviation: 0.1,
    lastDay: 20_000,
    ...details,
    logPrice: Math.log(usd * 100),
  };
}

/** Rows of a game from items with their cells, and what titles of their sales mean. */
export function gameRows(
  priced: readonly { item: AuditedItem; cells: readonly PriceCell[] }[],
  titles: readonly TitleCell[] = [],
): GameRows {
  return { items: priced.map(({ item }) => item), cells: priced.flatMap(({ cells }) => cells), titles };
}

/** Titles of sales of an item by one source, which mean another one or the item itself. */
export function titleCell(
  item: AuditedItem,
  means: AuditedItem,
  titles: number,
  { source = 'ebay', gradeKey = 'psa-10' } = {},
): TitleCell {
  return { itemId: item.itemId, gradeKey, source, means: means.itemId, titles };
}

/** What a detector that reads titles finds in the rows of a game. */
export function foundBy(
  detect: (book: GameBook, titles: TitleEvidence) => FoundSuspect[],
  rows: GameRows,
): FoundSuspect[] {
  const book = openGameBook(rows);
  return detect(book, titleEvidence(book));
}

/** A pattern of small differences between cards, the same each time: in ±0.1. */
export function jitter(at: number): number {
  return (((at * 37) % 21) - 10) / 100;
}

/** The score of the first suspect whose subject has `part`, else 0. */
export const scoreOf = (found: readonly { subject: string; score: number }[], part: string) =>
  found.find(({ subject }) => subject.includes(part))?.score ?? 0;
