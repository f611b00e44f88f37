import type { VNode } from 'preact';
import { readDetail } from '../../items/detail.ts';
import type { CardSummary } from '../../items/summary.ts';
import { newestTrades } from '../../items/trades/trades.ts';
import { dayOf } from '../../lib/day.ts';
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
  const [{ answer, quotes }, recorded] = await Promise.all([
    readDetail(context, located, { isWhole: false }),
    newestTrades(context, located, 'grade', SALES),
  ]);
  const nowMs = context.clock();
  const move = quotes.find(({ gradeKey }) => gradeKey === located.gradeKey)?.unconfirmedMove ?? null;
  const { lastSaleAt } = answer.body;
  const isOld = lastSaleAt !== null && dayOf(nowMs) - dayOf(Date.parse(lastSaleAt)) > OLD_DAYS;
  return (
    <>
      {isOld && (
        <p class="price-unconfirmed">
          The last sale at this grade was {ago(lastSaleAt, nowMs)}. The price follows the market since; the next sale
          may differ.
        </p>
      )}
      <PriceBlock card={answer.body} recorded={recorded} move={move} nowMs={nowMs} />
    </>
  );
}
