import { Type } from 'typebox';
import { INDEXED_GAMES } from '../catalog/games.ts';
import type { Sql } from '../db/client.ts';
import { endpoint } from '../http/endpoint.ts';
import { movers, quotesOf } from '../pricing/read.ts';
import { itemsByIds } from './item-row.ts';
import { cardSummary } from './shapes.ts';
import { newestMs, readTags, summaryOf } from './summary.ts';

const MAX_CARDS = 48;
const DEFAULT_CARDS = '12';

export const featured = endpoint({
  id: 'featured',
  summary: 'Top movers of the indexed games, by largest 7-day price move',
  query: Type.Object({
    limit: Type.Optional(
      Type.String({
        pattern: '^([1-9]|[1-3][0-9]|4[0-8])$',
        description: `1 to ${MAX_CARDS}, default ${DEFAULT_CARDS}.`,
      }),
    ),
  }),
  response: Type.Object({ cards: Type.Array(cardSummary) }),
  maxAgeSeconds: 60,
  handle: ({ db }, { query }) => featuredCards(db, Number(query.limit ?? DEFAULT_CARDS)),
});

/** The `limit` largest movers of the indexed games. */
export async function featuredCards(db: Sql, limit: number) {
  const quotes = await movers(db, INDEXED_GAMES, limit);
  const ids = quotes.map((quote) => quote.itemId);
  const [items, tagsOf, now] = await Promise.all([itemsByIds(db, ids), readTags(db, ids), quotesOf(db, ids)]);
  const itemById = new Map(items.map((item) => [item.id, item]));
  const cards = quotes.flatMap((quote) => {
    const item = itemById.get(quote.itemId);
    // It moved by the last close; its price is the one that its own page tells.
    const shown = now.get(quote.itemId)?.find(({ gradeKey }) => gradeKey === quote.gradeKey) ?? quote;
    return item ? [summaryOf(item, quote.gradeKey, shown, tagsOf(item))] : [];
  });
  return { body: { cards }, lastModifiedMs: newestMs(items, quotes) };
}
