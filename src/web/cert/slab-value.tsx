import type { VNode } from 'preact';
import { readDetail } from '../../items/detail.ts';
import type { CardSummary } from '../../items/summary.ts';
import { dayOf } from '../../lib/day.ts';
import { readItemPrices } from '../../pricing/read/item-prices.ts';
import { newestTrades } from '../../sales/ledger.ts';
import { locateCard } from '../card/card.tsx';
import { PriceBlock } from '../card/card-price.tsx';
import type { WebContext } from '../context.ts';
import { ago } from '../format.ts';

/** Days without a sale after which a price is called old. */
const OLD_DAYS = 365;
/** Enough to find the newest accepted one. */
const SALES = 20;

/** The price of a slab's card as its own page shows it; null without a price at its grade. */
export async function slabValue(context: WebContext, card: CardSummary): Promise<VNode | null> {
  if (card.priceUsdCents === null) return null;
  const [game, set, slug] = card.href.split('/').slice(2);
  const located = await locateCard(context, { game: game!, set: set!, card: slug! });
  if ('movedTo' in located) return null;
  const { db, fingerprint } = context;
  const { item, gradeKey } = located;
  const prices = await readItemPrices(db, item.id);
  const [{ body: detail }, recorded] = await Promise.all([
    readDetail(context, located, prices),
    newestTrades(db, { itemId: item.id, gradeKey, limit: SALES }, fingerprint),
  ]);
  const nowMs = context.clock();
  const move = prices.quotes.find((quote) => quote.gradeKey === gradeKey)?.unconfirmedMove ?? null;
  const { lastSaleAt } = detail;
  const isOld = lastSaleAt !== null && dayOf(nowMs) - dayOf(Date.parse(lastSaleAt)) > OLD_DAYS;
  return (
    <>
      {isOld && (
        <p class="price-unconfirmed">
          The last sale at this grade was {ago(lastSaleAt, nowMs)}. The price follows the market since; the next sale
          may differ.
        </p>
      )}
      <PriceBlock card={detail} recorded={recorded} move={move} nowMs={nowMs} />
    </>
  );
}
