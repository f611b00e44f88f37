import { invalidValue } from '../../http/problem.ts';
import { cardsOfMovers } from '../../items/featured.ts';
import { itemHref, itemsByIds, numbersOf } from '../../items/item-row.ts';
import { type LastSale, withLastSales } from '../../items/last-sales.ts';
import { entriesOfSet, type SetEntry, type SetSort } from '../../items/sets/set-entries.ts';
import { overviewOfSet, type SetOverview } from '../../items/sets/set-overview.ts';
import { setAt } from '../../items/sets/sets.ts';
import type { WebContext } from '../context.ts';
import { type SetChoice, type SetLayout, wordsOf } from './set-choice.ts';

export const ENTRIES_A_PAGE = 100;
/** Below this share of priced cards a set is ordered by number unless the address says otherwise. */
const FEW_PRICED = 0.05;

/** An entry as shown: without a price the card has its last sale. */
export type ShownEntry = SetEntry & { card: SetEntry['card'] & { lastSale?: LastSale } };

/** A page of a set as a choice shows it. Throws the problems of its address. */
export async function readSet(context: WebContext, address: { game: string; segment: string }, choice: SetChoice) {
  const { db, config } = context;
  const set = await setAt(db, address.game, address.segment);
  const overview = await overviewOfSet(context, set.id, [...config.imageHosts, new URL(config.baseUrl).host]);
  const { rarity, language, pricedOnly, isUnfolded, filter, page } = choice;
  if (rarity !== null && !overview.rarities.has(rarity))
    throw invalidValue('rarity', `one of ${[...overview.rarities.keys()].join(', ')}`, rarity);
  const sort = choice.sort ?? defaultSort(overview);
  const [{ entries, entryCount }, movers, lastSale] = await Promise.all([
    entriesOfSet(
      db,
      { setId: set.id, sort, language, rarity, words: wordsOf(filter), pricedOnly, isUnfolded },
      overview,
      { offset: (page - 1) * ENTRIES_A_PAGE, count: ENTRIES_A_PAGE },
    ),
    cardsOfMovers(db, overview.movers, { withTags: false }),
    lastSaleOf(context, overview),
  ]);
  const cards = await withLastSales(
    db,
    entries.map(({ card }) => card),
  );
  const view = choice.view ?? defaultView(overview);
  return {
    set,
    overview,
    movers,
    lastSale,
    entries: entries.map((entry, at) => ({ ...entry, card: cards[at]! })),
    entryCount,
    sort,
    view,
  };
}

async function lastSaleOf({ db }: WebContext, { lastSale }: SetOverview) {
  const [item] = lastSale === null ? [] : await itemsByIds(db, [lastSale.itemId]);
  if (item === undefined) return null;
  const { name, variation, language } = item;
  const { gradeKey } = lastSale!;
  return { name, variation, language, ...numbersOf(item), gradeKey, href: itemHref(item, gradeKey) };
}

function defaultSort({ pricedCardCount, cardCount }: SetOverview): SetSort {
  return pricedCardCount > 0 && pricedCardCount >= cardCount * FEW_PRICED ? 'price' : 'number';
}

function defaultView({ picturedCount, itemCount }: SetOverview): SetLayout {
  return picturedCount * 2 >= itemCount ? 'pictures' : 'list';
}
