import type { PublishedCorrection } from '../../items/corrections/correction-shape.ts';
import { correctionsPage } from '../../items/corrections/corrections-page.ts';
import { featuredCards } from '../../items/featured.ts';
import { lastCloseMs } from '../../pricing/read/last-close.ts';
import { gradeName, lineOf } from '../card/card-facts.ts';
import { causeOf, noteOf, restatedOf, subjectOf } from '../corrections/correction-words.ts';
import { CORRECTIONS_A_PAGE } from '../corrections/corrections.tsx';
import { percentMove, priceDayText, usdToTheCent } from '../format.ts';
import type { Page } from '../page.ts';
import { articles } from '../research/articles.ts';
import { atom, newestOf } from './atom.ts';

const MOVERS = 24;

/** `/movers.xml`: cards that moved on their own sales, one entry a card and close (Atom, RFC 4287). */
export const moversFeed: Page = {
  path: '/movers.xml',
  type: 'application/atom+xml',
  maxAgeSeconds: 300,
  async answer(context) {
    const { baseUrl } = context.config;
    const [{ body }, closedAtMs] = await Promise.all([featuredCards(context.db, MOVERS), lastCloseMs(context.db)]);
    const updated = newestOf(body.cards.map((card) => card.updatedAt!));
    const entries = body.cards.map((card) => ({
      // A card that moves again is news again.
      id: `${baseUrl}${card.href}#${updated.slice(0, 10)}`,
      url: baseUrl + card.href,
      title: `${lineOf(card)}, ${gradeName(card.gradeLabel!)}: ${percentMove(card.movePct)} in ${card.moveWindowDays} days`,
      summary: `${card.saleCount === 1 ? 'One sale' : `${card.saleCount} sales`}, last ${usdToTheCent(card.lastSaleUsdCents)}. Reference price ${usdToTheCent(card.priceUsdCents!)}, ${priceDayText(card, closedAtMs)}.`,
      updated,
    }));
    const feed = { title: 'Biggest moves on recent sales', path: '/movers.xml', page: '/movers', updated, entries };
    return { body: atom(context, feed) };
  },
};

/** `/research/feed.xml` */
export const researchFeed: Page = {
  path: '/research/feed.xml',
  type: 'application/atom+xml',
  maxAgeSeconds: 3600,
  answer(context) {
    const { baseUrl } = context.config;
    const entries = articles().map(({ slug, title, description, modified }) => ({
      id: `${baseUrl}/research/${slug}`,
      url: `${baseUrl}/research/${slug}`,
      title,
      summary: description,
      updated: `${modified}T00:00:00.000Z`,
    }));
    const updated = newestOf(entries.map((entry) => entry.updated));
    const feed = { title: 'Research', path: '/research/feed.xml', page: '/research', updated, entries };
    return { body: atom(context, feed) };
  },
};

/** `/corrections.xml`: one entry each. */
export const correctionsFeed: Page = {
  path: '/corrections.xml',
  type: 'application/atom+xml',
  maxAgeSeconds: 300,
  async answer(context) {
    const { baseUrl } = context.config;
    const { corrections } = await correctionsPage(context, { item: null, limit: CORRECTIONS_A_PAGE });
    const entries = corrections.map((one) => ({
      id: `${baseUrl}/corrections#${one.id}`,
      url: baseUrl + one.href,
      title: `${causeOf(one)}: ${subjectOf(one)}`,
      summary: [noteOf(one) ?? causeOf(one), ...figuresOf(one)].join(' '),
      updated: one.at,
    }));
    const updated = newestOf(entries.map((entry) => entry.updated));
    const feed = { title: 'Corrections', path: '/corrections.xml', page: '/corrections', updated, entries };
    return { body: atom(context, feed) };
  },
};

/** The prices around a correction and its restated days, in sentences. */
function figuresOf(one: PublishedCorrection): string[] {
  const [before, after] = [one.priceBeforeUsdCents, one.priceAfterUsdCents].map((cents) =>
    cents === null ? null : usdToTheCent(cents),
  );
  const restated = restatedOf(one);
  return [
    ...(before == null ? [] : [`Price before: ${before}.`]),
    ...(after == null ? [] : [`At the next close: ${after}.`]),
    ...(restated === null ? [] : [`Days that would differ today: ${restated}.`]),
  ];
}
