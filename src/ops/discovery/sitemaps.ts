import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FileRoute } from '../../http/file-route.ts';
import { notFound, unavailable } from '../../http/problem.ts';
import { entriesOf, type SitemapEntry } from './sitemap-entries.ts';
import { fileOf, nameOf, sitemapFiles } from './sitemap-files.ts';

/** In a process. Each reads thousands of rows; crawlers come again. */
const MOST_AT_ONCE = 2;
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const HEADERS = {
  'cache-control': 'public, max-age=3600, s-maxage=3600',
  'content-type': 'application/xml; charset=utf-8',
};

/** `/sitemap.xml` (sitemaps.org 0.9): the list of the files below. */
export const sitemapIndex: FileRoute = {
  path: '/sitemap.xml',
  isVisit: true,
  async answer({ db, config: { baseUrl } }) {
    const files = await sitemapFiles(db);
    const lines = files.map((file) => `<sitemap><loc>${baseUrl}/sitemaps/${nameOf(file)}.xml</loc></sitemap>`);
    return {
      body: `${HEAD}<sitemapindex ${SPACE}>\n${lines.join('\n')}\n</sitemapindex>\n`,
      headers: HEADERS,
    };
  },
};

let running = 0;

/** A sitemap, written as it is read. */
export const sitemap: FileRoute = {
  path: '/sitemaps/:file',
  answer(context, { params, acceptEncoding }) {
    const { baseUrl } = context.config;
    const name = params.file!;
    const file = name.endsWith('.xml') ? fileOf(name.slice(0, -'.xml'.length)) : null;
    if (file === null) throw notFound(`There is no such sitemap; ${baseUrl}/sitemap.xml lists them.`);
    if (running >= MOST_AT_ONCE) throw unavailable('Other sitemaps are being written; try again shortly.', 10);
    running++;
    let isHeld = true;
    const release = () => {
      if (isHeld) running--;
      isHeld = false;
    };
    const text = Readable.from(linesOf(baseUrl, entriesOf(context, file), release));
    // A crawler that hangs up before the first line never starts the lines.
    text.once('close', release);
    if (!/\bgzip\b/.test(acceptEncoding)) return { body: text, headers: HEADERS };
    const packed = createGzip();
    text.once('error', (error) => packed.destroy(error));
    packed.once('close', () => text.destroy());
    return { body: text.pipe(packed), headers: { ...HEADERS, 'content-encoding': 'gzip', vary: 'accept-encoding' } };
  },
};

/** `onEnd` is called when the last line is written, or the database fails. */
async function* linesOf(
  baseUrl: string,
  batches: AsyncIterable<SitemapEntry[]>,
  onEnd: () => void,
): AsyncGenerator<string> {
  try {
    yield `${HEAD}<urlset ${SPACE}>\n`;
    for await (const entries of batches) yield entries.map((entry) => lineOf(baseUrl, entry)).join('');
    yield '</urlset>\n';
  } finally {
    onEnd();
  }
}

/** Addresses are made of slugs, which hold nothing that XML would have to escape. */
function lineOf(baseUrl: string, { href, changed }: SitemapEntry): string {
  const lastmod = changed === null ? '' : `<lastmod>${changed.toISOString().slice(0, 10)}</lastmod>`;
  return `<url><loc>${baseUrl}${href}</loc>${lastmod}</url>\n`;
}
