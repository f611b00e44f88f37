import { LRUCache } from 'lru-cache';
import type { Language } from '../../catalog/languages.ts';
import type { Sql } from '../../db/client.ts';
import type { PricedSql } from '../../pricing/read/published.ts';
import { closedDay, quotesOf } from '../../pricing/read/quotes.ts';
import { itemsByIds } from '../item-row.ts';
import { representative, representativeSummaryOf } from '../summary.ts';

export const SET_SORTS = ['price', 'number', 'name', 'move'] as const;
export type SetSort = (typeof SET_SORTS)[number];

/** Which of a set's cards, and in which order; `language` null for all. */
type SetOrder = { setId: number; sort: SetSort; language: Language | null };

/**
 * `count` cards of a set from `offset` on: highest price first, or by number, by name, by how far they moved in seven days; and
 * how many there are in each language. The order is that of the last close, so that a page of a set of thousands does not
 * price them all; each card is shown as on its own page.
 */
export async function cardsOfSet(
  { db, setOrders }: { db: PricedSql; setOrders: SetOrders },
  order: SetOrder,
  { offset, count }: { offset: number; count: number },
) {
  const languages = await languagesOf(db, order.setId);
  const ids = (await idsInOrder(db, setOrders, order, languages)).slice(offset, offset + count);
  const [items, quotes] = await Promise.all([itemsByIds(db, ids), quotesOf(db, ids)]);
  const cards = items
    .filter(({ removed_at }) => removed_at === null)
    .map((item) => representativeSummaryOf(item, quotes.get(item.id) ?? [], undefined));
  if (order.sort === 'price') cards.sort((a, b) => (b.priceUsdCents ?? 0) - (a.priceUsdCents ?? 0));
  const cardCount = order.language === null ? sumOf(languages) : (languages.get(order.language) ?? 0);
  return { cards, cardCount, languages };
}

/** Number of cards by language. */
async function languagesOf(db: Sql, setId: number): Promise<Map<Language, number>> {
  const rows = await db.prepared<{ language: Language; cards: number }>(
    'set_languages',
    'select language, count(*) as cards from items where set_id = $1 and removed_at is null group by language',
    [setId],
  );
  return new Map(rows.map(({ language, cards }) => [language, cards]));
}

function sumOf(languages: ReadonlyMap<Language, number>): number {
  return [...languages.values()].reduce((sum, cards) => sum + cards, 0);
}

const MAX_IDS = 200_000;

/** Orders of sets that a server keeps: the ids of each, with the close and the number of cards that they were made for. */
export type SetOrders = LRUCache<string, { madeFor: string; ids: Promise<string[]>; size: number }>;

export function openSetOrders(): SetOrders {
  return new LRUCache({ maxSize: MAX_IDS, sizeCalculation: ({ size }) => size });
}

/** An order of cards by id; made once for a close, and again when the set has more or fewer cards. */
async function idsInOrder(
  db: PricedSql,
  setOrders: SetOrders,
  order: SetOrder,
  languages: ReadonlyMap<Language, number>,
): Promise<string[]> {
  const size = sumOf(languages) + 1;
  const key = Object.values(order).join(' ');
  const madeFor = `${await closedDay(db)} ${size}`;
  const known = setOrders.get(key);
  if (known?.madeFor === madeFor) return known.ids;
  const ids = makeOrder(db, order);
  setOrders.set(key, { madeFor, ids, size });
  ids.catch(() => setOrders.delete(key));
  return ids;
}

type Ordered = { id: string; number: string; name: string; rank: number };

async function makeOrder(db: PricedSql, { setId, sort, language }: SetOrder): Promise<string[]> {
  const rows = await db.prepared<{ id: string; number: string | null; name: string }>(
    'set_cards',
    `select id, number, name from items
     where set_id = $1 and removed_at is null and ($2::text is null or language = $2)`,
    [setId, language],
  );
  const ranks = sort === 'price' || sort === 'move' ? await ranksOf(db, setId, sort) : new Map<string, number>();
  const cards = rows.map(({ id, number, name }): Ordered => {
    return { id, number: naturalKey(number ?? ''), name: naturalKey(name), rank: ranks.get(id) ?? 0 };
  });
  const first = sort === 'name' ? byName : byNumber;
  const second = sort === 'name' ? byNumber : byName;
  cards.sort((a, b) => b.rank - a.rank || first(a, b) || second(a, b) || compare(a.id, b.id));
  return cards.map(({ id }) => id);
}

const byNumber = (a: Ordered, b: Ordered) => compare(a.number, b.number);
const byName = (a: Ordered, b: Ordered) => compare(a.name, b.name);

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Text whose order is the natural one: 9 before 10. */
function naturalKey(text: string): string {
  return text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(8, '0'));
}

/** Items priced at a time: others are served in between. */
const RANKED_AT_ONCE = 100;

/** Of each card that is priced, the price or the size of its seven-day move. */
async function ranksOf(db: PricedSql, setId: number, sort: 'price' | 'move'): Promise<Map<string, number>> {
  const sold = await db.prepared<{ id: string }>(
    'set_cards_sold',
    'select i.id from items i join card_states c on c.item_id = i.id where i.set_id = $1 and i.removed_at is null',
    [setId],
  );
  const ranks = new Map<string, number>();
  for (let i = 0; i < sold.length; i += RANKED_AT_ONCE) {
    const ids = sold.slice(i, i + RANKED_AT_ONCE).map(({ id }) => id);
    for (const [id, quotes] of await quotesOf(db, ids)) {
      const quote = representative(quotes);
      ranks.set(id, (sort === 'price' ? quote?.priceUsdCents : Math.abs(quote?.delta7Pct ?? 0)) ?? 0);
    }
  }
  return ranks;
}
