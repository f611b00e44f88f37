import sharp from 'sharp';
import { expect } from 'vitest';
import { gradeOf } from '../../src/catalog/grades.ts';
import { PAGES } from '../../src/routes.ts';
import { formOf, MULTIPART } from '../support/multipart.ts';

/** Requests every page and a route of each group from a running program with the demo's data. */
export async function expectAnswers(base: string): Promise<void> {
  // The search index is built behind the start.
  await expect
    .poll(async () => (await fetch(`${base}/v1/search?q=charizard`)).status, { timeout: 60_000, interval: 200 })
    .toBe(200);
  const { cards } = (await (await fetch(`${base}/v1/items/featured?limit=1`)).json()) as {
    cards: { id: string; href: string; company: string; grade: string }[];
  };
  const { id, href, company, grade } = cards[0]!;
  // /card/<game>/<set>/<card>
  const [game = '', set = '', card = ''] = new URL(href, base).pathname.split('/').slice(2);
  const parts: Record<string, string> = {
    game,
    set,
    card,
    id,
    grade: gradeOf(company, grade)!.key,
    cert: '90000012',
    slug: 'how-a-price-is-checked',
    code: 'not-found',
  };
  const pages = PAGES.map(({ path }) => path.replace(/:(\w+)/g, (_, name: string) => parts[name] ?? `no ${name}`));
  const routes = [
    '/health',
    '/ready',
    '/v1/status',
    '/v1/usage',
    '/v1/openapi.json',
    '/v1/openapi-3.2.json',
    '/v1/changes',
    '/v1/games',
    `/v1/sets?game=${game}`,
    `/v1/sets/${game}/${set}`,
    `/v1/items/by-id/${id}/overview`,
    `/v1/items/summaries?ids=${id}`,
    `/v1/items/${game}/${set}/${card}/similar`,
    '/v1/tags?kind=artist',
    '/v1/trades/recent',
    '/v1/graded/90000012',
    '/v1/indices',
    `/v1/indices/${game}/levels.csv`,
    '/sitemap.xml',
  ];
  const answers: Record<string, number> = {};
  for (const path of [...pages, ...routes]) {
    const answer = await fetch(base + path);
    await answer.arrayBuffer();
    answers[path] = answer.status;
  }
  answers['a photo'] = await photoStatus(base);
  answers['a script of the pages'] = await scriptStatus(base);
  expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((path) => [path, 200])));
}

/** Photos are processed in threads or processes of their own, which a build starts in another way. */
async function photoStatus(base: string): Promise<number> {
  const photo = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#357' } })
    .jpeg()
    .toBuffer();
  const body = new Uint8Array(formOf({ name: 'file', bytes: photo }));
  return (await fetch(`${base}/v1/search/detect-items`, { method: 'POST', headers: MULTIPART, body })).status;
}

async function scriptStatus(base: string): Promise<number> {
  const page = await (await fetch(base)).text();
  const address = /src="([^"]+\.js)"/.exec(page)?.[1];
  return address === undefined ? 0 : (await fetch(new URL(address, base))).status;
}
