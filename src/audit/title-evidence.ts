import { groupBy } from '../lib/group-by.ts';
import { type AuditedItem, cardKey, cardName, type GameBook, itemName, type TitleCell } from './game-book.ts';
import type { Evidence } from './suspect.ts';
import { logShare, type TitleTally, tallyCells, tallyOf } from './title-tally.ts';
import { usualTitles } from './usual-titles.ts';

/** Fewer titles are sellers' mistakes: of an item in a source, and of one of its grades, which are more. */
const [LEAST_OF_SOURCE, LEAST_OF_GRADE] = [2, 3];

/** What the titles of some sales of an item say of their being of another one. */
export type Mistaken = TitleTally & {
  /** What they name most but the item itself, `other` times: a printing of its card, or one of another card; null: nothing. */
  named: AuditedItem | null;
  /** The log likelihood ratio of their being of it (or of any other item) against as they are recorded. 0 without titles. */
  ratio: number;
};

/** What titles of sales say of where the sales belong. */
export type TitleEvidence = {
  /** The log likelihood ratio of two items with their sales of a source (null: of every source) exchanged against as they are recorded. */
  exchanged(one: AuditedItem, other: AuditedItem, source: string | null): number;
  /** Of the sales of an item by one source, or at one grade. */
  mistaken(item: AuditedItem, of: { source: string } | { gradeKey: string }): Mistaken;
};

/** Judges titles by what is usual of them (usual-titles.ts). */
export function titleEvidence(book: GameBook): TitleEvidence {
  const usual = usualTitles(book);
  const movedRatio = (said: TitleTally, one: AuditedItem, other: AuditedItem | null, source: string) => {
    const rate = usual(one, other, source);
    const back = other === null ? rate : usual(other, one, source);
    return logShare(said, 1 - back) - logShare(said, rate);
  };
  const sourcesOf = ({ itemId }: AuditedItem) => (book.titlesOf.get(itemId) ?? []).map(({ source }) => source);
  return {
    exchanged(one, other, source) {
      const sources = source === null ? new Set([...sourcesOf(one), ...sourcesOf(other)]) : [source];
      return [...sources].reduce((sum, each) => {
        const [ofOne, ofOther] = [tallyOf(book, one, other, each), tallyOf(book, other, one, each)];
        return sum + movedRatio(ofOne, one, other, each) + movedRatio(ofOther, other, one, each);
      }, 0);
    },
    mistaken(item, of) {
      const cells = (book.titlesOf.get(item.itemId) ?? []).filter((cell) =>
        'source' in of ? cell.source === of.source : cell.gradeKey === of.gradeKey,
      );
      const named = mostNamed(book, item, cells);
      const card = book.cardOf.get(item.itemId);
      // Each of the other printings could be the one.
      const choice = named !== null && card?.includes(named) ? -Math.log(card.length - 1) : 0;
      const sum = { named, titles: 0, other: 0, ratio: choice };
      for (const [source, ofSource] of groupBy(cells, (cell) => cell.source)) {
        const said = tallyCells(book, ofSource, (meant) =>
          meant === item ? 'own' : named !== null && subjectOf(item, meant) === subjectOf(item, named) ? 'other' : null,
        );
        sum.titles += said.titles;
        sum.other += said.other;
        sum.ratio += movedRatio(said, item, named, source);
      }
      if (sum.other < ('source' in of ? LEAST_OF_SOURCE : LEAST_OF_GRADE)) sum.ratio = Math.min(0, sum.ratio);
      return sum;
    },
  };
}

/** What speaks for another item, in words; nothing where nothing does. `of`: whose titles they are. */
export function byTitles(item: AuditedItem, { named, titles, other, ratio }: Mistaken, of: string): Evidence[] {
  if (named === null || ratio <= 0) return [];
  const isSameCard = cardKey(named) === cardKey(item);
  const name = isSameCard ? itemName(named) : cardName(named) + (named.setId === item.setId ? '' : ' of another set');
  return [
    {
      text: `${itemName(item)}: ${other} titles${of} name ${name}, ${ownWords(titles - other)} this one.`,
      data: { titles, titlesOfOther: other, fits: named.itemId },
    },
  ];
}

function ownWords(own: number): string {
  if (own === 0) return 'none names';
  return own === 1 ? 'one names' : `${own} name`;
}

/** The item that titles of an item name most, but itself; printings of another card count together. */
function mostNamed(book: GameBook, item: AuditedItem, cells: readonly TitleCell[]): AuditedItem | null {
  const counts = new Map<string, { one: AuditedItem; titles: number }>();
  for (const { means, titles } of cells) {
    const meant = book.items.get(means);
    if (meant === undefined || meant === item) continue;
    const key = subjectOf(item, meant);
    counts.set(key, { one: counts.get(key)?.one ?? meant, titles: (counts.get(key)?.titles ?? 0) + titles });
  }
  const [most] = [...counts].sort(([a, one], [b, other]) => other.titles - one.titles || (a < b ? -1 : 1));
  return most?.[1].one ?? null;
}

/** What is meant next to an item: a printing of its card, or another card. */
function subjectOf(item: AuditedItem, meant: AuditedItem): string {
  return cardKey(meant) === cardKey(item) ? meant.itemId : cardKey(meant);
}
