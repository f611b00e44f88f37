import { Type } from 'typebox';
import { endpoint } from '../http/endpoint.ts';
import { upTo } from '../http/parameters.ts';
import { MAX_MOVERS, type Mover, moverSince, movers } from '../pricing/read/movers.ts';
import type { PricedSql } from '../pricing/read/published.ts';
import { seriesPricesOf } from '../pricing/read/quotes.ts';
import { itemMap } from './item-row.ts';
import { cardSummary, percentNumber, usdCents } from './shapes.ts';
import { readTags, summaryOf } from './summary.ts';

const DEFAULT_CARDS = 12;

/** A card with its move and the sales behind it. */
const moverCard = Type.Object({
  ...cardSummary.properties,
  moveWindowDays: Type.Integer({
    description: '7; 14 or 30 where fewer cards moved in seven days than were requested.',
  }),
  movePct: percentNumber,
  saleCount: Type.Integer({
    minimum: 1,
    description: 'Sales at this grade in the window that count with full weight.',
  }),
  lastSaleUsdCents: usdCents,
});

export const featured = endpoint({
  id: 'featured',
  summary: 'Top movers of the indexed games, by largest 7-day price move that rests on sales of its own',
  query: Type.Object({
    limit: Type.Optional(upTo(MAX_MOVERS, DEFAULT_CARDS, 'Cards at most')),
  }),
  response: Type.Object({ cards: Type.Array(moverCard) }),
  maxAgeSeconds: 60,
  handle: ({ db }, { query }) => featuredCards(db, query.limit ?? DEFAULT_CARDS),
});

/** The `limit` largest movers of the indexed games, those of the shortest window first. */
export async function featuredCards(db: PricedSql, limit: number, options: { withTags?: boolean } = {}) {
  return { body: { cards: await cardsOfMovers(db, await movers(db, limit), options) } };
}

/**
 * Movers as cards, each with its move and the sales behind it, those since the close too: the price is the one on its own page.
 * The largest first within a window. Pages show them without their tags.
 */
export async function cardsOfMovers(db: PricedSql, moved: readonly Mover[], { withTags = true } = {}) {
  const ids = moved.map(({ itemId }) => itemId);
  const [itemById, tagsOf, now] = await Promise.all([
    itemMap(db, ids),
    withTags ? readTags(db, ids) : () => undefined,
    seriesPricesOf(db, ids),
  ]);
  const still = moved.flatMap((mover) => {
    const priced = now.get(mover.itemId)?.find(({ gradeKey }) => gradeKey === mover.gradeKey);
    return (priced && moverSince(mover, priced)) ?? [];
  });
  still.sort((a, b) => a.moveWindowDays - b.moveWindowDays || Math.abs(b.movePct) - Math.abs(a.movePct));
  return still.flatMap((mover) => {
    const { itemId, gradeKey, quote, moveWindowDays, movePct, saleCount, lastSaleUsdCents, lastSoldAtMs } = mover;
    const item = itemById.get(itemId);
    if (item === undefined) return [];
    const lastSaleAt = new Date(lastSoldAtMs).toISOString();
    const summary = summaryOf(item, gradeKey, quote, tagsOf(item));
    return [{ ...summary, moveWindowDays, movePct, saleCount, lastSaleUsdCents, lastSaleAt }];
  });
}
