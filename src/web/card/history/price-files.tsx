import sharp from 'sharp';
import { gradeByKey } from '../../../catalog/grades.ts';
import { notFound } from '../../../http/problem.ts';
import { closedDaysOf, fmvPoints } from '../../../items/fmv-series.ts';
import { itemHref } from '../../../items/item-row.ts';
import { identityOf } from '../../../items/summary.ts';
import { assertInCatalog } from '../../../items/withdrawn.ts';
import { csvOf } from '../../../lib/csv.ts';
import { type ItemPrices, readItemPrices } from '../../../pricing/read/item-prices.ts';
import { documentPolicy } from '../../chart/chart-document.tsx';
import type { FilesOf } from '../../chart/chart-files.tsx';
import { type ChartWindow, daysOf, WINDOWS } from '../../chart/chart-window.ts';
import { type EmbeddedChart, embedText } from '../../chart/embed-page.tsx';
import type { WebContext } from '../../context.ts';
import { plainUsd } from '../../format.ts';
import type { Page, PageAnswer, PageRequest } from '../../page.ts';
import { drawInTurn } from '../../share/share-drawing.ts';
import { framedPolicy, type Site, siteOf } from '../../site/site.ts';
import { locateCard } from '../card.tsx';
import { gradeName, lineOf } from '../card-facts.ts';
import { historyOf, isEmpty } from './card-history.ts';
import { priceDrawing } from './price-chart.tsx';
import { seriesPlot } from './series-plot.tsx';

/** The chart of a card in other forms: a page for the frame of another site, SVG, PNG, and its days as CSV. */

const PATH = '/embed/card/:game/:set/:card';
/** Pixels an inch: a picture of 1,000 pixels at 72 is drawn twice as large. */
const PNG_DENSITY = 144;
const AGE = { maxAgeSeconds: 300 } as const;

/** Where the forms of a card's chart are. */
export function priceFilesOf({ baseUrl }: Site, href: string, title: string, window: ChartWindow): FilesOf {
  const path = `/embed${href}`;
  return { file: path, query: `?window=${window}`, embed: { baseUrl, path, title } };
}

const priceEmbed: Page = {
  path: PATH,
  ...AGE,
  policy: framedPolicy,
  answer: (context, request) =>
    ofCard(context, request, '', async (card) => {
      const site = siteOf(context);
      const { chart, window, recorded } = await historyOf(
        context,
        { itemId: card.prices.itemId, gradeKey: card.gradeKey },
        card.window,
        card.prices,
      );
      const salesLeftOut = recorded.total - recorded.trades.length;
      const content: EmbeddedChart = {
        title: card.title,
        href: card.href,
        drawing: priceDrawing({ name: card.title, window, data: chart, salesLeftOut }),
      };
      return { body: embedText(site, content), canonical: site.baseUrl + card.href };
    }),
};

const priceSvg: Page = {
  path: `${PATH}.svg`,
  type: 'image/svg+xml',
  ...AGE,
  policy: documentPolicy,
  answer: (context, request) =>
    ofCard(context, request, '.svg', async (card) => ({ body: await svgOf(context, card) })),
};

const pricePng: Page = {
  path: `${PATH}.png`,
  type: 'image/png',
  ...AGE,
  answer: (context, request) =>
    ofCard(context, request, '.png', async (card) => {
      const svg = Buffer.from(await svgOf(context, card));
      return { body: await drawInTurn(() => sharp(svg, { density: PNG_DENSITY }).png().toBuffer()) };
    }),
};

const COLUMNS = [
  'date',
  'price_usd',
  'low_usd',
  'high_usd',
  'next_sale_low_usd',
  'next_sale_high_usd',
  'sales',
] as const;

const priceCsv: Page = {
  path: `${PATH}.csv`,
  type: 'text/csv',
  ...AGE,
  answer: (context, request) =>
    ofCard(context, request, '.csv', async ({ prices, gradeKey, window }) => {
      const days = await closedDaysOf(context.db, prices, daysOf(window ?? 'all'));
      const points = days === null ? [] : await fmvPoints(context.db, prices, gradeKey, days);
      const rows = points.map(({ t, usdCents, lowUsdCents, highUsdCents, nextSaleRangeUsdCents: next, n }) => ({
        date: t.slice(0, 10),
        price_usd: amountOf(usdCents),
        low_usd: amountOf(lowUsdCents),
        high_usd: amountOf(highUsdCents),
        next_sale_low_usd: amountOf(next?.low ?? null),
        next_sale_high_usd: amountOf(next?.high ?? null),
        sales: n,
      }));
      return { body: csvOf(COLUMNS, rows) };
    }),
};

function amountOf(cents: number | null): string {
  return cents === null ? '' : plainUsd(cents);
}

type GradedCard = {
  prices: ItemPrices;
  gradeKey: string;
  href: string;
  card: string;
  grade: string;
  title: string;
  window: ChartWindow | null;
};
/** Answers for a card at one grade; an address in another spelling is redirected. */
async function ofCard(
  context: WebContext,
  { params, query }: PageRequest,
  suffix: string,
  answer: (card: GradedCard) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const located = await locateCard(context, params);
  if ('movedTo' in located) return { movedTo: `/embed${located.movedTo}${suffix}` };
  const { item, gradeKey } = located;
  await assertInCatalog(context.db, item);
  if (gradeKey === null) throw notFound('A chart is of one grade: name it in the address.');
  const card = lineOf(identityOf(item));
  const grade = gradeName(gradeByKey(gradeKey)!.label);
  const window = WINDOWS.find((one) => one === query.get('window')) ?? null;
  const prices = await readItemPrices(context.db, item.id);
  const href = itemHref(item, gradeKey);
  return answer({ prices, gradeKey, href, card, grade, title: `${card}, ${grade}`, window });
}

async function svgOf(context: WebContext, { prices, gradeKey, card, grade, window }: GradedCard): Promise<string> {
  const { chart } = await historyOf(context, { itemId: prices.itemId, gradeKey }, window, prices);
  if (isEmpty(chart)) throw notFound('Nothing is recorded in this window.');
  return seriesPlot({ card, grade, data: chart });
}

/** The chart of a price in each of its forms. */
export const priceFiles: Page[] = [priceEmbed, priceSvg, pricePng, priceCsv];
