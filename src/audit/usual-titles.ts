import { groupBy } from '../lib/group-by.ts';
import { type AuditedItem, cardKey, type GameBook, printingOf, spelled } from './game-book.ts';
import { CARD_RATE, type TitleTally, tally } from './title-tally.ts';

/** The same share of two printings of a card, before anything is known of their kinds; and how many titles outweigh it. */
const [FIRST_RATE, FIRST_TITLES] = [0.02, 20];
/** Other cards than that of an item: of the same name and number (reprints, and numbers with a sign), of the same name, of another. */
const [SAME_NUMBER, SAME_NAME, OTHER_CARD] = ['same number', 'same name', 'other card'];
/** Other printings of a card: those that a title names when it leaves words out, and the others. */
const [FEWER_WORDS, OTHER_WORDS] = ['fewer words', 'other words'];

/** What another item is to one: for printings of a card, the kinds of both. */
function relationOf(one: AuditedItem, other: AuditedItem): string {
  if (cardKey(one) === cardKey(other)) return `${printingOf(one)} | ${printingOf(other)}`;
  if (spelled(one) !== spelled(other)) return OTHER_CARD;
  return plainNumber(one) === plainNumber(other) ? SAME_NUMBER : SAME_NAME;
}

/** As titles write it: 27 for 27† and 27★. */
function plainNumber({ number }: AuditedItem): string {
  return (number ?? '').replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** What relations have in common: a seller leaves words out more often than writing others. */
function classOf(relation: string): string {
  if (relation === SAME_NUMBER) return FEWER_WORDS;
  const [one, other] = relation.split(' | ');
  if (other === undefined) return relation;
  const words = new Set(one!.split(', '));
  return other.split(', ').every((word) => words.has(word) || word === 'plain' || word === 'English')
    ? FEWER_WORDS
    : OTHER_WORDS;
}

function relationTally(book: GameBook, one: AuditedItem, relation: string, source: string): TitleTally {
  return tally(book, one, source, (meant) =>
    meant === one ? 'own' : relationOf(one, meant) === relation ? 'other' : null,
  );
}

/**
 * How often titles of an item in a source name another one (null: any other card), the titles in question left out: learned by what
 * the other is to the item, of each source. Of two printings of a card it depends on their kinds, since sellers leave words out.
 */
export function usualTitles(
  book: GameBook,
  siblings: ReadonlyMap<string, readonly AuditedItem[]>,
): (one: AuditedItem, other: AuditedItem | null, source: string) => number {
  const tallies = talliesByRelation(book, siblings);
  return (one, other, source) => {
    const relation = other === null ? OTHER_CARD : relationOf(one, other);
    return usualRate(tallies, relation, source, relationTally(book, one, relation, source));
  };
}

/** The titles of all items, by what the item that they name is to their own, in one source and in all. */
function talliesByRelation(
  book: GameBook,
  siblings: ReadonlyMap<string, readonly AuditedItem[]>,
): Map<string, TitleTally> {
  const tallies = new Map<string, TitleTally>();
  const ofName = groupBy(book.items.values(), spelled);
  for (const [itemId, cells] of book.titlesOf) {
    const one = book.items.get(itemId);
    if (one === undefined) continue;
    const others = (siblings.get(itemId) ?? []).filter((other) => other !== one);
    // A share is of the items that have such another one.
    const named = new Set(ofName.get(spelled(one))!.map((other) => relationOf(one, other)));
    const relations = [
      ...others.map((other) => relationOf(one, other)),
      ...[SAME_NUMBER, SAME_NAME].filter((relation) => named.has(relation)),
      OTHER_CARD,
    ];
    for (const source of new Set(cells.map((cell) => cell.source)))
      for (const relation of relations) {
        const { titles, other } = relationTally(book, one, relation, source);
        for (const key of keysOf(relation, source)) {
          const sum = tallies.get(key) ?? { titles: 0, other: 0 };
          tallies.set(key, { titles: sum.titles + titles, other: sum.other + other });
        }
      }
  }
  return tallies;
}

/** From the coarsest to the finest. */
function keysOf(relation: string, source: string): Set<string> {
  return new Set([classOf(relation), relation, `${relation} ${source}`]);
}

/** The share of titles that usually name such an item, without the titles in question: of the source, shrunk towards all sources. */
function usualRate(
  tallies: ReadonlyMap<string, TitleTally>,
  relation: string,
  source: string,
  own: TitleTally,
): number {
  const first = relation === SAME_NAME || relation === OTHER_CARD ? CARD_RATE : FIRST_RATE;
  return [...keysOf(relation, source)].reduce((towards, key) => {
    const all = tallies.get(key) ?? own;
    return (all.other - own.other + FIRST_TITLES * towards) / (all.titles - own.titles + FIRST_TITLES);
  }, first);
}
