import type { MarketTrade } from '../../items/trades/market-trades.ts';
import { gradeName, lineOf } from '../card/card-facts.ts';
import { amountOf } from '../card/card-words.ts';
import { briefDay, percentMove, usdToTheCent } from '../format.ts';
import type { MoverCard } from '../movers/read-movers.ts';
import type { FeedEntry } from './atom.ts';

/** Sales as entries of a feed: one each, for good. */
export function saleEntries(baseUrl: string, sales: readonly MarketTrade[]): FeedEntry[] {
  return sales.map(({ trade, card }) => ({
    id: `${baseUrl}/sales#${trade.id}`,
    url: baseUrl + card.href,
    title: `${lineOf(card)}, ${gradeName(trade.gradeLabel)} sold for ${amountOf(trade, usdToTheCent)}`,
    summary: `${trade.displayName}, ${briefDay(trade.observedAt)}.`,
    updated: trade.observedAt,
  }));
}

/** Moves as entries: one a card and close. */
export function moverEntries(baseUrl: string, cards: readonly MoverCard[]): FeedEntry[] {
  return cards.map((card) => ({
    id: `${baseUrl}${card.href}#moved-${card.updatedAt!.slice(0, 10)}`,
    url: baseUrl + card.href,
    title: `${lineOf(card)}, ${gradeName(card.gradeLabel!)}: ${percentMove(card.movePct)} in ${card.moveWindowDays} days`,
    summary: `${card.saleCount === 1 ? 'One sale' : `${card.saleCount} sales`}, last ${usdToTheCent(card.lastSaleUsdCents)}. Reference price ${usdToTheCent(card.priceUsdCents!)}.`,
    updated: card.updatedAt!,
  }));
}

/** The newest entries first, as many as a feed has. */
export function newestEntries(entries: readonly FeedEntry[], count: number): FeedEntry[] {
  return entries.toSorted((a, b) => (a.updated < b.updated ? 1 : -1)).slice(0, count);
}
