import sharp from 'sharp';
import { notFound } from '../../http/problem.ts';
import { type IndexRow, indexBySlug } from '../../indices/rows.ts';
import { indexPoints } from '../../indices/series.ts';
import { csvOf } from '../../lib/csv.ts';
import { chartDocument, documentPolicy } from '../chart/chart-document.tsx';
import type { FilesOf } from '../chart/chart-files.tsx';
import { type ChartWindow, chartWindowOf, daysOf, USUAL_WINDOW } from '../chart/chart-window.ts';
import { embedText } from '../chart/embed-page.tsx';
import type { WebContext } from '../context.ts';
import { briefDay, plainUsd } from '../format.ts';
import { canonicalSegment, type Page, type PageAnswer } from '../page.ts';
import { drawInTurn } from '../share/share-drawing.ts';
import { framedPolicy, type Site, siteOf } from '../site/site.ts';
import { type IndexPoint, indexDrawing } from './index-chart.tsx';

/** The chart of an index in other forms: a page for the frame of another site, SVG, PNG, and its days as CSV. */

const PATH = '/embed/indices/:game';
/** Pixels an inch: a picture of 1,000 pixels at 72 is drawn twice as large. */
const PNG_DENSITY = 144;
const AGE = { maxAgeSeconds: 300 } as const;

/** Where the forms of an index's chart are. */
export function indexFilesOf({ baseUrl }: Site, slug: string, label: string, window: ChartWindow): FilesOf {
  const path = `/embed/indices/${slug}`;
  return { file: path, query: `?window=${window}`, embed: { baseUrl, path, title: `${label} index` } };
}

const indexEmbed: Page = {
  path: PATH,
  ...AGE,
  policy: framedPolicy,
  answer: (context, request) =>
    ofIndex(context, request, '', ({ label, slug }, points) => {
      const site = siteOf(context);
      const href = `/indices/${slug}`;
      const body = embedText(site, { title: `${label} index`, href, drawing: indexDrawing({ label, points }) });
      return { body, canonical: site.baseUrl + href };
    }),
};

const indexSvg: Page = {
  path: `${PATH}.svg`,
  type: 'image/svg+xml',
  ...AGE,
  policy: documentPolicy,
  answer: (context, request) => ofIndex(context, request, '.svg', (index, points) => ({ body: svgOf(index, points) })),
};

const indexPng: Page = {
  path: `${PATH}.png`,
  type: 'image/png',
  ...AGE,
  answer: (context, request) =>
    ofIndex(context, request, '.png', async (index, points) => {
      const svg = Buffer.from(svgOf(index, points));
      return { body: await drawInTurn(() => sharp(svg, { density: PNG_DENSITY }).png().toBuffer()) };
    }),
};

const indexCsv: Page = {
  path: `${PATH}.csv`,
  type: 'text/csv',
  ...AGE,
  answer: (context, request) =>
    ofIndex(context, request, '.csv', (_index, points) => {
      const rows = points.map(({ t, value, volUsdCents, n, rebalanced }) => ({
        date: t.slice(0, 10),
        level: value.toFixed(2),
        sold_usd: plainUsd(volUsdCents),
        sales: n,
        rebalanced: rebalanced === true,
      }));
      return { body: csvOf(['date', 'level', 'sold_usd', 'sales', 'rebalanced'], rows) };
    }),
};

type IndexAnswer = (index: IndexRow, points: readonly IndexPoint[]) => PageAnswer | Promise<PageAnswer>;

/** Answers for a live index in the window of the request; an address in another spelling is redirected. */
async function ofIndex(
  { db }: WebContext,
  { params, query }: Parameters<Page['answer']>[1],
  suffix: string,
  answer: IndexAnswer,
): Promise<PageAnswer> {
  const slug = canonicalSegment(params.game!);
  if (slug !== params.game) return { movedTo: `/embed/indices/${slug}${suffix}` };
  const index = await indexBySlug(db, slug);
  const points = await indexPoints(db, index, daysOf(chartWindowOf(query) ?? USUAL_WINDOW));
  if (points.length === 0) throw notFound('This index has no level yet.');
  return answer(index, points);
}

function svgOf({ label }: IndexRow, points: readonly IndexPoint[]): string {
  const period = `${briefDay(points[0]!.t)} to ${briefDay(points.at(-1)!.t)} (UTC)`;
  return chartDocument(indexDrawing({ label, points }), {
    title: `${label} index`,
    notes: [
      `Level at the close of each day, ${period}.`,
      'Bars: sales value of the basket, US dollars a day. Triangles: the basket was rebalanced.',
    ],
  });
}

/** The chart of an index in each of its forms. */
export const indexFiles: Page[] = [indexEmbed, indexSvg, indexPng, indexCsv];
