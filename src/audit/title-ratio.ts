import { groupBy } from '../lib/group-by.ts';
import { type AuditedItem, type GameBook, printingOf } from './game-book.ts';

/**
 * Of the titles that name one of two printings, the share that names the one that the sale is not of, before anything is known of
 * their kinds; and how many titles outweigh it.
 */
const [FIRST_RATE, FIRST_TITLES] = [0.02, 20];
/** The same share of two different cards: a seller rarely takes one for another. */
const CARD_RATE = 0.005;
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

function tally(
  { items, titlesOf }: GameBook,
  { itemId }: AuditedItem,
  source: string | null,
  sideOf: (meant: AuditedItem) => 'own' | 'other' | null,
): TitleTally {
  const sum = { titles: 0, other: 0 };
  for (const cell of titlesOf.get(itemId) ?? []) {
    const meant = items.get(cell.means);
    const side = (source !== null && cell.source !== source) || meant === undefined ? null : sideOf(meant);
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

/**
 * For two printings of a card, the log likelihood ratio of the titles of their sales, with those of a source (null: of every source)
 * exchanged against as they are recorded. How often titles of one kind of printing name another one is learned from the cards that
 * have both, of each source: sellers leave some words out.
 */
export function printingTitleRatio(book: GameBook, cards: readonly (readonly AuditedItem[])[]) {
  const tallies = talliesByKinds(book, cards);
  const sourcesOf = ({ itemId }: AuditedItem) => (book.titlesOf.get(itemId) ?? []).map(({ source }) => source);
  return (one: AuditedItem, other: AuditedItem, source: string | null): number => {
    const sources = source === null ? new Set([...sourcesOf(one), ...sourcesOf(other)]) : [source];
    let ratio = 0;
    for (const each of sources) {
      const ofOne = tallyOf(book, one, other, each);
      const ofOther = tallyOf(book, other, one, each);
      const rate = usualRate(tallies, kindsOf(one, other), each, ofOne);
      const otherRate = usualRate(tallies, kindsOf(other, one), each, ofOther);
      ratio += logShare(ofOne, 1 - otherRate) - logShare(ofOne, rate);
      ratio += logShare(ofOther, 1 - rate) - logShare(ofOther, otherRate);
    }
    return ratio;
  };
}

function kindsOf(one: AuditedItem, other: AuditedItem): string {
  return `${printingOf(one)} | ${printingOf(other)}`;
}

/** The titles of every two printings of a card, by their kinds, in one source and in all. */
function talliesByKinds(book: GameBook, cards: readonly (readonly AuditedItem[])[]): Map<string, TitleTally> {
  const tallies = new Map<string, TitleTally>();
  for (const card of cards)
    for (const one of card)
      for (const [source] of groupBy(book.titlesOf.get(one.itemId) ?? [], (cell) => cell.source))
        for (const other of card) {
          if (other === one) continue;
          const { titles, other: others } = tallyOf(book, one, other, source);
          for (const key of [kindsOf(one, other), `${kindsOf(one, other)} ${source}`]) {
            const sum = tallies.get(key) ?? { titles: 0, other: 0 };
            tallies.set(key, { titles: sum.titles + titles, other: sum.other + others });
          }
        }
  return tallies;
}

/** The share of titles that usually name the other kind, without the titles in question: of the source, shrunk towards all sources. */
function usualRate(tallies: ReadonlyMap<string, TitleTally>, kinds: string, source: string, own: TitleTally): number {
  return [kinds, `${kinds} ${source}`].reduce((towards, key) => {
    const all = tallies.get(key) ?? own;
    return (all.other - own.other + FIRST_TITLES * towards) / (all.titles - own.titles + FIRST_TITLES);
  }, FIRST_RATE);
}

/** The logarithm of the beta-binomial probability of a tally about a usual share, without its binomial coefficient. */
function logShare({ titles, other }: TitleTally, share: number): number {
  let sum = 0;
  for (let i = 0; i < other; i++) sum += Math.log(share * ALIKE_TITLES + i);
  for (let i = 0; i < titles - other; i++) sum += Math.log((1 - share) * ALIKE_TITLES + i);
  for (let i = 0; i < titles; i++) sum -= Math.log(ALIKE_TITLES + i);
  return sum;
}
