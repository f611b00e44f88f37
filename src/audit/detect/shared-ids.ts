import { externalIdOf } from '../../catalog/external-ids.ts';
import { counted } from '../../lib/counted.ts';
import { groupBy } from '../../lib/group-by.ts';
import { type AuditedItem, cardName } from '../game-book.ts';
import type { FoundSuspect } from '../suspect.ts';

/** An external id that several items have, as it is stored. */
export type SharedId = { stored: string; itemIds: readonly string[] };

/** One id that is on two cards, in a space that has no other, is wrong with this probability. */
const MOST = 0.99;
/**
 * In a space where this share of the ids is on several cards, an id is of more than a printing. A product of a market is soon of two
 * numbers of one name, such as a holo and its plain printing; of two names it is not.
 */
const USUAL_SHARE = { name: 0.25, number: 0.02 };

/**
 * Ids that are on items of different cards. Printings of one card often share an id, and in some spaces cards do too: what
 * counts is how many other ids of the space are on cards that differ in the same way. `idsOf`: how many ids a space has.
 */
export function sharedIds(
  shared: readonly SharedId[],
  items: ReadonlyMap<string, AuditedItem>,
  idsOf: ReadonlyMap<string, number>,
): FoundSuspect[] {
  const crossing = shared.flatMap(({ stored, itemIds }) => {
    const cards = itemIds.flatMap((itemId) => items.get(itemId) ?? []);
    const differ = howCardsDiffer(cards);
    return differ === null ? [] : [{ stored, cards, space: externalIdOf(stored)[0], differ }];
  });
  return [...groupBy(crossing, ({ space, differ }) => `${space} ${differ}`).values()].flatMap((alike) => {
    const ids = Math.max(idsOf.get(alike[0]!.space) ?? 0, alike.length);
    // The id itself says nothing of its space.
    const share = (alike.length - 1) / ids;
    const score = MOST * Math.max(0, 1 - share / USUAL_SHARE[alike[0]!.differ]);
    return alike.map(({ stored, cards, space }) =>
      suspectOf(stored, cards, { score, space, ids, shared: alike.length }),
    );
  });
}

/** `name` or `number` where items are not printings of one card of a set; null where they are. */
function howCardsDiffer(cards: readonly AuditedItem[]): 'name' | 'number' | null {
  const areSeveral = (keys: readonly string[]) => new Set(keys).size > 1;
  const isOnePlace = !areSeveral(cards.map(({ setId, number }) => `${setId} ${number}`));
  // The names of one place in two languages may be in two scripts.
  const compared = isOnePlace ? groupBy(cards, ({ language }) => language).values() : [cards];
  if ([...compared].some((alike) => areSeveral(alike.map(({ spelling }) => spelling)))) return 'name';
  return isOnePlace ? null : 'number';
}

const SHOWN = 4;

function suspectOf(
  stored: string,
  cards: readonly AuditedItem[],
  { score, space, ids, shared }: { score: number; space: string; ids: number; shared: number },
): FoundSuspect {
  const names = [...new Set(cards.map(cardName))];
  const listed =
    names.slice(0, SHOWN).join(' and ') + (names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '');
  return {
    kind: 'shared_id',
    subject: stored,
    score,
    series: cards.map(({ itemId }) => ({ itemId, gradeKey: null })).sort((a, b) => (a.itemId < b.itemId ? -1 : 1)),
    evidence: [
      {
        text: `${stored.replace(' ', ' id ')} is on ${cards.length} items: ${listed}. Of ${counted(ids, 'id')} of ${space}, ${shared} ${shared === 1 ? 'is' : 'are'} on different cards in this way.`,
        data: { space, id: externalIdOf(stored)[1], items: cards.length, idsOfSpace: ids, sharedOfSpace: shared },
      },
    ],
  };
}
