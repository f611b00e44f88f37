import { groupBy } from '../lib/group-by.ts';
import { type AuditedItem, cardKey, type GameBook, printingOf } from './game-book.ts';
import { CARD_RATE, type TitleTally, tally } from './title-tally.ts';

/** So many titles outweigh what is taken of a share before anything is known of it. */
const FIRST_TITLES = 20;
/** Of titles of an item, the share that names another one by other words; and by fewer: 16 of 92 labeled titles leave the language out. */
const [OTHER_WORDS_RATE, LEFT_OUT_RATE] = [0.02, 0.17];

/** What another item is to one, and the coarser group of it that shares are first learned of, which begin at `first`. */
type Relation = { key: string; group: string; first: number };

const OTHER_CARD = { key: 'other card', group: 'other card', first: CARD_RATE };
/** A card of the same name at another number. */
const SAME_NAME = { key: 'same name', group: 'same name', first: CARD_RATE };
/** The same number of another set; and a number of the set that differs in a sign, as 27 and 27†. */
const REPRINT = { key: 'reprint', group: 'reprint', first: LEFT_OUT_RATE };
const OTHER_SIGN = { key: 'other sign', group: 'left out: variation', first: LEFT_OUT_RATE };

/** For printings of a card, the kinds of both; they are grouped by what a title leaves out that names the other, if that is all. */
function relationOf(one: AuditedItem, other: AuditedItem): Relation {
  if (cardKey(one) === cardKey(other)) {
    const group = leftOut(one, other);
    const first = group === null ? OTHER_WORDS_RATE : LEFT_OUT_RATE;
    return { key: `${printingOf(one)} | ${printingOf(other)}`, group: group ?? 'other words', first };
  }
  if (one.spelling !== other.spelling) return OTHER_CARD;
  if (plainNumber(one) !== plainNumber(other)) return SAME_NAME;
  return one.setId === other.setId ? OTHER_SIGN : REPRINT;
}

/** Null where the other printing has words of its own. */
function leftOut(one: AuditedItem, other: AuditedItem): string | null {
  const isSameLanguage = one.language === other.language;
  const words = new Set(wordsOf(one.variation));
  if (!isSameLanguage && other.language !== 'English') return null;
  if (!wordsOf(other.variation).every((word) => words.has(word))) return null;
  const parts = [...(isSameLanguage ? [] : ['language']), ...(one.variation === other.variation ? [] : ['variation'])];
  return `left out: ${parts.join(', ')}`;
}

function wordsOf(variation: string | null): string[] {
  return (variation ?? '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** As titles write it: 27 for 27† and 27★. */
function plainNumber({ number }: AuditedItem): string {
  return (number ?? '').replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

function relationTally(book: GameBook, one: AuditedItem, { key }: Relation, source: string): TitleTally {
  return tally(book, one, source, (meant) =>
    meant === one ? 'own' : relationOf(one, meant).key === key ? 'other' : null,
  );
}

/**
 * How often titles of an item in a source name another one (null: any other card), the titles in question left out: learned by what
 * the other is to the item, of each source. Of two printings of a card it depends on their kinds, since sellers leave words out.
 */
export function usualTitles(book: GameBook): (one: AuditedItem, other: AuditedItem | null, source: string) => number {
  const tallies = talliesByRelation(book);
  return (one, other, source) => {
    const relation = other === null ? OTHER_CARD : relationOf(one, other);
    return usualRate(tallies, relation, source, relationTally(book, one, relation, source));
  };
}

/** The titles of all items, by what the item that they name is to their own, in one source and in all. */
function talliesByRelation(book: GameBook): Map<string, TitleTally> {
  const tallies = new Map<string, TitleTally>();
  const ofName = groupBy(book.items.values(), ({ spelling }) => spelling);
  for (const [itemId, cells] of book.titlesOf) {
    const one = book.items.get(itemId);
    if (one === undefined) continue;
    const others = (book.cardOf.get(itemId) ?? []).filter((other) => other !== one);
    // A share is of the items that have such another one.
    const sameName = new Set(ofName.get(one.spelling)!.map((other) => relationOf(one, other)));
    const relations = [
      ...others.map((other) => relationOf(one, other)),
      ...[REPRINT, OTHER_SIGN, SAME_NAME].filter((relation) => sameName.has(relation)),
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
function keysOf({ key, group }: Relation, source: string): Set<string> {
  return new Set([group, key, `${key} ${source}`]);
}

/** The share of titles that usually name such an item, without the titles in question: of the source, shrunk towards all sources. */
function usualRate(
  tallies: ReadonlyMap<string, TitleTally>,
  relation: Relation,
  source: string,
  own: TitleTally,
): number {
  return [...keysOf(relation, source)].reduce((towards, key) => {
    const all = tallies.get(key) ?? own;
    return (all.other - own.other + FIRST_TITLES * towards) / (all.titles - own.titles + FIRST_TITLES);
  }, relation.first);
}
