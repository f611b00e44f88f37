import type { PublishedCorrection } from '../../items/corrections/correction-shape.ts';
import { correctionsPage } from '../../items/corrections/corrections-page.ts';
import { featuredCards } from '../../items/featured.ts';
import { lineOf } from '../card/card-facts.ts';
import type { WebContext } from '../context.ts';
import { causeOf, restatedOf, subjectOf } from '../corrections/correction-words.ts';
import { CORRECTIONS_A_PAGE } from '../corrections/corrections.tsx';
import { percentMove, usdToTheCent } from '../format.ts';
import type { Page } from '../page.ts';
import { articles } from '../research/articles.ts';

const MOVERS = 24;

type FeedEntry = { id: string; url: string; title: string; summary: string; updated: string };
type Feed = { title: string; path: string; page: string; updated: string; entries: readonly FeedEntry[] };

/** `/movers.xml`: cards that moved on their own sales, one entry a card and close (Atom, RFC 4287). */
export const moversFeed: Page = {
  path: '/movers.xml',
  type: 'application/atom+xml',
  maxAgeSeconds: 300,
  async answer(context) {
    const { baseUrl } = context.config;
    const { body } = await featuredCards(context.db, MOVERS);
    const updated = newestOf(body.cards.map((card) => card.updatedAt!));
    const entries = body.cards.map((card) => ({
      // A card that moves again is news again.
      id: `${baseUrl}${card.href}#${updated.slice(0, 10)}`,
      url: baseUrl + card.href,
      title: `${lineOf(card)}, ${card.gradeLabel}: ${percentMove(card.movePct)} in ${card.moveWindowDays} days`,
      summary: `${card.saleCount === 1 ? 'One sale' : `${card.saleCount} sales`}, last ${usdToTheCent(card.lastSaleUsdCents)}. Reference price ${usdToTheCent(card.priceUsdCents!)} on ${card.updatedAt!.slice(0, 10)}.`,
      updated,
    }));
    const feed = { title: 'Biggest moves on recent sales', path: '/movers.xml', page: '/', updated, entries };
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
      summary: [one.note ?? causeOf(one), ...figuresOf(one)].join(' '),
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

/** The newest of some moments in ISO 8601; the epoch of none. */
function newestOf(moments: readonly string[]): string {
  return moments.toSorted().at(-1) ?? new Date(0).toISOString();
}

function atom(
  { config: { baseUrl, serviceName } }: Pick<WebContext, 'config'>,
  { title, path, page, updated, entries }: Feed,
): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${escaped(baseUrl + path)}</id>`,
    `<title>${escaped(`${title} · ${serviceName}`)}</title>`,
    `<updated>${updated}</updated>`,
    `<author><name>${escaped(serviceName)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escaped(baseUrl + path)}"/>`,
    `<link rel="alternate" type="text/html" href="${escaped(baseUrl + page)}"/>`,
    ...entries.map(
      (entry) =>
        `<entry><id>${escaped(entry.id)}</id><title>${escaped(entry.title)}</title><updated>${entry.updated}</updated>` +
        `<link rel="alternate" type="text/html" href="${escaped(entry.url)}"/><summary>${escaped(entry.summary)}</summary></entry>`,
    ),
    '</feed>',
    '',
  ].join('\n');
}

/** Text in XML, escaped and without the characters that XML 1.0 does not allow. */
function escaped(text: string): string {
  const allowed = text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
  return allowed.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
