import { gradeByKey } from '../../catalog/grades.ts';
import { itemHref } from '../../items/item-row.ts';
import { bySlug } from '../../items/locate/locate.ts';
import { marketTrades } from '../../items/trades/market-trades.ts';
import { dayIso } from '../../lib/day.ts';
import { lineOfPrices, readItemPrices } from '../../pricing/read/item-prices.ts';
import { gradeName } from '../card/card-facts.ts';
import type { WebContext } from '../context.ts';
import { briefDay, usdToTheCent } from '../format.ts';
import type { Page } from '../page.ts';
import { atom, type FeedEntry, newestOf } from './atom.ts';
import { newestEntries, saleEntries } from './market-entries.ts';

const ENTRIES = 30;
const MOVED_WITHIN_DAYS = 30;
/** Of a card with more grades, those that sold most. */
const MAX_GRADES = 8;

/** `/card/{game}/{set}/{card}/feed.xml`: new sales of a card, and days on which a price left the range of the day before. */
export const cardFeed: Page = {
  path: '/card/:game/:set/:card/feed.xml',
  type: 'application/atom+xml',
  maxAgeSeconds: 300,
  async answer(context, { params }) {
    const { item } = await bySlug.locate(context, { ...params, item: params.card! }, {});
    const href = itemHref(item, null);
    const [sales, moves] = await Promise.all([
      marketTrades(context, { itemIds: [item.id], limit: ENTRIES }),
      movesOf(context, item.id, (gradeKey) => itemHref(item, gradeKey)),
    ]);
    const entries = newestEntries([...saleEntries(context.config.baseUrl, sales), ...moves], ENTRIES);
    const updated = newestOf(entries.map((entry) => entry.updated));
    const feed = { title: `${item.name}, ${item.set_name}`, path: `${href}/feed.xml`, page: href, updated, entries };
    return { body: atom(context, feed) };
  },
};

async function movesOf(
  { db, config }: WebContext,
  itemId: string,
  hrefOf: (gradeKey: string) => string,
): Promise<FeedEntry[]> {
  const prices = await readItemPrices(db, itemId);
  const { day } = prices;
  if (day === null) return [];
  const sold = prices.quotes.filter(({ totalObservationCount }) => totalObservationCount > 0);
  const graded = sold.toSorted((a, b) => b.observationCount - a.observationCount).slice(0, MAX_GRADES);
  const found = await Promise.all(
    graded.map(async ({ gradeKey }) => {
      const line = await lineOfPrices(db, prices, gradeKey, day - MOVED_WITHIN_DAYS, day);
      return line.flatMap((point, at) => {
        const before = line[at - 1];
        const { usdCents: cents } = point;
        if (cents === null || before === undefined || before.usdCents === null) return [];
        if (cents >= before.lowUsdCents! && cents <= before.highUsdCents!) return [];
        const iso = dayIso(point.day);
        const label = gradeName(gradeByKey(gradeKey)!.label);
        const url = config.baseUrl + hrefOf(gradeKey);
        return [
          {
            id: `${url}#moved-${iso.slice(0, 10)}`,
            url,
            title: `${label} moved from ${usdToTheCent(before.usdCents)} to ${usdToTheCent(cents)}`,
            summary: `At the close of ${briefDay(iso)} the reference price left its 80% range of the day before, ${usdToTheCent(before.lowUsdCents!)} to ${usdToTheCent(before.highUsdCents!)}.`,
            updated: iso,
          },
        ];
      });
    }),
  );
  return found.flat();
}
