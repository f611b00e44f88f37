import { detailOf } from '../../indices/detail.ts';
import { rotationHistory } from '../../indices/history.ts';
import { indexBySlug } from '../../indices/rows.ts';
import { cardsOfMovers } from '../../items/featured.ts';
import { marketTrades } from '../../items/trades/market-trades.ts';
import { moversOver } from '../../pricing/read/movers.ts';
import { gradeName, lineOf } from '../card/card-facts.ts';
import { canonicalSegment, type Page } from '../page.ts';
import { atom, type FeedEntry, newestOf } from './atom.ts';
import { moverEntries, newestEntries, saleEntries } from './market-entries.ts';

const ENTRIES = 40;
const MOVE_WINDOW_DAYS = 7;

/** `/indices/{game}/feed.xml`: sales and moves of the cards in the basket, and each rebalance. */
export const indexFeed: Page = {
  path: '/indices/:game/feed.xml',
  type: 'application/atom+xml',
  maxAgeSeconds: 300,
  async answer(context, { params }) {
    const { db, config } = context;
    const slug = canonicalSegment(params.game!);
    const path = `/indices/${slug}`;
    if (slug !== params.game) return { movedTo: `${path}/feed.xml` };
    const index = await indexBySlug(db, slug);
    const [{ label, constituents }, history, moved] = await Promise.all([
      detailOf(db, index),
      rotationHistory(db, index),
      moversOver(db, MOVE_WINDOW_DAYS),
    ]);
    const hrefs = new Set(constituents.map(({ href }) => href));
    const itemIds = constituents.map(({ id }) => id);
    const [sales, movers] = await Promise.all([
      itemIds.length === 0 ? [] : marketTrades(context, { itemIds, limit: ENTRIES }),
      cardsOfMovers(
        db,
        moved.filter(({ itemId }) => itemIds.includes(itemId)),
      ),
    ]);
    const ofBasket = <One extends { href: string }>(card: One) => hrefs.has(card.href);
    const entries = newestEntries(
      [
        ...saleEntries(
          config.baseUrl,
          sales.filter(({ card }) => ofBasket(card)),
        ),
        ...moverEntries(config.baseUrl, movers.filter(ofBasket)),
        ...history.flatMap((rotation) => rebalanceOf(config.baseUrl + path, rotation)),
      ],
      ENTRIES,
    );
    const updated = newestOf(entries.map((entry) => entry.updated));
    const feed = { title: `${label} index`, path: `${path}/feed.xml`, page: path, updated, entries };
    return { body: atom(context, feed) };
  },
};

type Rotation = Awaited<ReturnType<typeof rotationHistory>>[number];

function rebalanceOf(url: string, { rotationSkipped, date, added, removed }: Rotation): FeedEntry[] {
  if (rotationSkipped) return [];
  const names = (cards: Rotation['added']) =>
    cards.map((card) => `${lineOf(card)}, ${gradeName(card.grade)}`).join(', ');
  return [
    {
      id: `${url}#rebalanced-${date}`,
      url,
      title: `Rebalanced: ${added.length} added, ${removed.length} removed`,
      summary: [added.length > 0 && `Added: ${names(added)}.`, removed.length > 0 && `Removed: ${names(removed)}.`]
        .filter(Boolean)
        .join(' '),
      updated: `${date}T00:00:00.000Z`,
    },
  ];
}
