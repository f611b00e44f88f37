import { cardsOfMovers } from '../../items/featured.ts';
import { setAt } from '../../items/sets/sets.ts';
import { marketTrades } from '../../items/trades/market-trades.ts';
import { moversOfSet } from '../../pricing/read/movers.ts';
import { canonicalSegment, type Page } from '../page.ts';
import { atom, newestOf } from './atom.ts';
import { moverEntries, newestEntries, saleEntries } from './market-entries.ts';

const ENTRIES = 40;
const MOVE_WINDOW_DAYS = 7;
const MAX_MOVERS = 20;

/** `/card/{game}/{set}/feed.xml`: new sales of a set, and what moved in it on recorded sales. */
export const setFeed: Page = {
  path: '/card/:game/:set/feed.xml',
  type: 'application/atom+xml',
  maxAgeSeconds: 300,
  async answer(context, { params }) {
    const { db, config } = context;
    const [game, segment] = [canonicalSegment(params.game!), canonicalSegment(params.set!)];
    if (game !== params.game || segment !== params.set) return { movedTo: `/card/${game}/${segment}/feed.xml` };
    const set = await setAt(db, game, segment);
    const [sales, moved] = await Promise.all([
      marketTrades(context, { setId: set.id, limit: ENTRIES }),
      moversOfSet(db, set.id, MOVE_WINDOW_DAYS),
    ]);
    const movers = await cardsOfMovers(db, moved.slice(0, MAX_MOVERS), { withTags: false });
    const all = [...saleEntries(config.baseUrl, sales), ...moverEntries(config.baseUrl, movers)];
    const entries = newestEntries(all, ENTRIES);
    const updated = newestOf(entries.map((entry) => entry.updated));
    const feed = { title: set.setName, path: `${set.href}/feed.xml`, page: set.href, updated, entries };
    return { body: atom(context, feed) };
  },
};
