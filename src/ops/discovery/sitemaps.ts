import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FileRoute } from '../../http/file-route.ts';
import { notFound } from '../../http/problem.ts';
import type { Page } from '../../web/page.ts';
import { openTurns } from '../../web/turns.ts';
import { entriesOf, type SitemapEntry } from './sitemap-entries.ts';
import { fileOf, nameOf, sitemapFiles } from './sitemap-files.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const HEADERS = {
  'cache-control': 'public, max-age=3600, s-maxage=3600',
  'content-type': 'application/xml; charset=utf-8',
  vary: 'accept-encoding',
};

const gzipped = promisify(gzip);

/** `/sitemap.xml` (sitemaps.org 0.9): the list of the files below. */
export const sitemapIndex: Page = {
  path: '/sitemap.xml',
  type: 'application/xml',
  maxAgeSeconds: 3600,
  async answer({ db, config: { baseUrl } }) {
    const files = await sitemapFiles(db);
    const lines = files.map((file) => `<sitemap><loc>${baseUrl}/sitemaps/${nameOf(file)}</loc></sitemap>`);
    return { body: `${HEAD}<sitemapindex ${SPACE}>\n${lines.join('\n')}\n</sitemapindex>\n` };
  },
};

/** In a process. Each reads thousands of rows; crawlers come again. */
const inTurn = openTurns({
  atOnce: 2,
  mayWait: 0,
  message: 'Other sitemaps are being written; try again shortly.',
  retryAfterSeconds: 10,
});

/** A sitemap: not a page, whose answers are cached, since crawlers read each of hundreds of large files once. */
export const sitemap: FileRoute = {
  path: '/sitemaps/:file',
  answer(context, { params, acceptEncoding }) {
    const { baseUrl } = context.config;
    const file = fileOf(params.file!);
    if (file === null) throw notFound(`There is no such sitemap; ${baseUrl}/sitemap.xml lists them.`);
    return inTurn(async () => {
      const entries = await entriesOf(context, file);
      const lines = entries.map((entry) => lineOf(baseUrl, entry)).join('');
      const body = `${HEAD}<urlset ${SPACE}>\n${lines}</urlset>\n`;
      if (!/\bgzip\b/.test(acceptEncoding)) return { body, headers: HEADERS };
      return { body: await gzipped(body), headers: { ...HEADERS, 'content-encoding': 'gzip' } };
    });
  },
};

/** Addresses consist of slugs, which need no escaping in XML. */
function lineOf(baseUrl: string, { href, changed }: SitemapEntry): string {
  const lastmod = changed === null ? '' : `<lastmod>${changed.toISOString().slice(0, 10)}</lastmod>`;
  return `<url><loc>${baseUrl}${href}</loc>${lastmod}</url>\n`;
}
