import { LRUCache } from 'lru-cache';
import type { Language } from '../catalog/languages.ts';
import type { Sql } from '../db/client.ts';
import { closedDay, quotesOf } from '../pricing/read.ts';
import { itemsByIds } from './item-row.ts';
import { newestOf, representative, representativeSummaryOf } from './summary.ts';

export const SET_SORTS = ['price', 'number', 'name', 'move'] as const;
export type SetSort = (typeof SET_SORTS)[number];

type SetItem = { id: string; number: string | null; name: string; language: Language };
/** What cards are ordered by: US cents and plain percent over seven days, as of a close. */
type Standing = { priceUsdCents: number; deltaPct: number };

export type SetCards = Awaited<ReturnType<typeof cardsOfSet>>;

/**
 * `count` cards of a set from `offset` on, in an order: dearest, largest seven-day move, by number or by name; and how
 * many there are in each language. The order is that of the last close, so that a page of a large set does not price
 * every card of it; what a card is shown with is what its own page tells.
 */
export async function cardsOfSet(
  db: Sql,
  setId: number,
  { sort, language, offset, count }: { sort: SetSort; language: Language | null; offset: number; count: number },
) {
  const all = await db.prepared<SetItem>(
    'set_cards',
    'select id, number, name, language from items where set_id = $1 and removed_at is null',
    [setId],
  );
  const chosen = language === null ? all : all.filter((one) => one.language === language);
  const standing = sort === 'price' || sort === 'move' ? await standingsOf(db, setId, all) : NO_STANDINGS;
  const shown = inOrder(chosen, sort, standing).slice(offset, offset + count);
  const ids = shown.map(({ id }) => id);
  const [items, quotes] = await Promise.all([itemsByIds(db, ids), quotesOf(db, ids)]);
  const cards = items.map((item) => representativeSummaryOf(item, quotes.get(item.id) ?? [], undefined));
  if (sort === 'price') cards.sort((a, b) => (b.priceUsdCents ?? 0) - (a.priceUsdCents ?? 0));
  const languages = new Map<Language, number>();
  for (const one of all) languages.set(one.language, (languages.get(one.language) ?? 0) + 1);
  return { cards, cardCount: chosen.length, languages, lastModifiedMs: newestOf(items, cards) };
}

function inOrder(items: readonly SetItem[], sort: SetSort, standings: ReadonlyMap<string, Standing>): SetItem[] {
  const keyed = items.map((item) => ({
    item,
    number: naturalKey(item.number ?? ''),
    name: naturalKey(item.name),
    price: standings.get(item.id)?.priceUsdCents ?? 0,
    move: Math.abs(standings.get(item.id)?.deltaPct ?? 0),
  }));
  type Keyed = (typeof keyed)[number];
  const byText = (key: 'number' | 'name') => (a: Keyed, b: Keyed) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0);
  const first: Record<SetSort, (a: Keyed, b: Keyed) => number> = {
    price: (a, b) => b.price - a.price,
    move: (a, b) => b.move - a.move,
    number: () => 0,
    name: byText('name'),
  };
  const byNumber = byText('number');
  const last = byText('name');
  keyed.sort((a, b) => first[sort](a, b) || byNumber(a, b) || last(a, b) || (a.item.id < b.item.id ? -1 : 1));
  return keyed.map(({ item }) => item);
}

/** Text whose order is the natural one: 9 before 10. */
function naturalKey(text: string): string {
  return text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(8, '0'));
}

const NO_STANDINGS: ReadonlyMap<string, Standing> = new Map();
const MAX_STANDINGS_HELD = 200_000;
/** Items priced at a time: others are served in between. */
const STANDINGS_PAGE = 100;

type Held = { key: string; standings: Promise<Map<string, Standing>>; size: number };
const heldBy = new WeakMap<Sql, LRUCache<number, Held>>();

/** How the cards of a set stood at the last close; computed once for a close. */
async function standingsOf(db: Sql, setId: number, items: readonly SetItem[]): Promise<Map<string, Standing>> {
  const key = `${await closedDay(db)} ${items.length}`;
  let held = heldBy.get(db);
  if (held === undefined) {
    held = new LRUCache<number, Held>({ maxSize: MAX_STANDINGS_HELD, sizeCalculation: ({ size }) => size });
    heldBy.set(db, held);
  }
  const known = held.get(setId);
  if (known?.key === key) return known.standings;
  const standings = computeStandings(db, setId);
  held.set(setId, { key, standings, size: items.length + 1 });
  standings.catch(() => held.delete(setId));
  return standings;
}

async function computeStandings(db: Sql, setId: number): Promise<Map<string, Standing>> {
  const sold = await db.prepared<{ id: string }>(
    'set_cards_sold',
    'select i.id from items i join card_states c on c.item_id = i.id where i.set_id = $1 and i.removed_at is null',
    [setId],
  );
  const standings = new Map<string, Standing>();
  for (let i = 0; i < sold.length; i += STANDINGS_PAGE) {
    const ids = sold.slice(i, i + STANDINGS_PAGE).map(({ id }) => id);
    for (const [id, quotes] of await quotesOf(db, ids)) {
      const quote = representative(quotes);
      if (quote !== undefined && quote.priceUsdCents !== null)
        standings.set(id, { priceUsdCents: quote.priceUsdCents, deltaPct: quote.delta7Pct ?? 0 });
    }
  }
  return standings;
}
