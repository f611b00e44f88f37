import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { FILES, PAGES, ROUTES, SITE_ROUTES } from '../../src/routes.ts';
import { BASE_URL, PATIENT_LIMITS, type TestApp, testApp } from '../support/app.ts';
import { anExternalId } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { pageWorld } from '../web/world.ts';

let database: FreshDatabase;
let api: TestApp;
/** As the demo is served, with a contact: every file that there can be. */
let app: FastifyInstance;
let fill: (path: string, name: string) => string;

beforeAll(async () => {
  database = await freshDatabase();
  const { items } = await pageWorld(database.db);
  await database.db.query(`update items set upstream_item_id = 'INV-1' where id = $1`, [items.priced]);
  await anExternalId(database.db, { itemId: items.priced! });
  api = await testApp(database.db, { env: { SECURITY_CONTACT: 'mailto:security@prices.example', METRICS_TOKEN: 'x' } });
  app = buildApp({ ...api.context, config: { ...api.context.config, isDemo: true } }, PATIENT_LIMITS);
  await Promise.all([api.context.liveIndex.built(), api.context.nearest.warm()]);
  const { href } = (await api.get(`/v1/items/by-id/${items.priced}`)).json;
  const [game, set, card] = href.split('/').slice(2);
  const asset = [...api.context.assets.files.keys()][0]!;
  const article = /href="\/research\/([\w-]+)"/.exec((await api.get('/research')).text)![1]!;
  const sitemap = /\/sitemaps\/([^<]+)</.exec((await api.get('/sitemap.xml')).text)![1]!;
  const values: Record<string, string> = {
    game,
    set,
    card,
    item: card,
    id: items.priced!,
    rid: 'INV-1',
    space: 'tcgdex',
    cert: '20000000',
    certs: '20000000',
    date: '2026-06-01',
    kind: 'character',
    q: 'charizard',
    code: 'not-found',
    slug: article,
    '*': 'pokemon/4-charizard.svg',
    '/assets/:file': asset.split('/').at(-1)!,
    '/sitemaps/:file': sitemap,
    '/images/:file': `${'0'.repeat(32)}-600.webp`,
  };
  fill = (path, name) => values[path] ?? values[name]!;
});
afterAll(async () => {
  await app.close();
  await api.app.close();
  await database.close();
});

const GETS = [
  ...[...ROUTES, ...SITE_ROUTES].flatMap(({ path, endpoint }) =>
    endpoint.body || endpoint.upload
      ? []
      : [{ path, required: path === '/v1/search' ? ['q'] : ((endpoint.query?.required ?? []) as string[]) }],
  ),
  ...[...PAGES, ...FILES].map(({ path }) => ({ path, required: [] as string[] })),
];

/** Headers that are of one answer; Content-Digest is of the bytes sent. */
const OWN = ['content-digest', 'date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding'];

describe('HEAD', () => {
  test('is answered on every address that GET is, with its status and headers, and without a body', async () => {
    const missing: string[] = [];
    for (const { path, required } of GETS) {
      const query = new URLSearchParams(required.map((name) => [name, fill(path, name)]));
      const url = `${path.replace(/:(\w+)|\*/g, (all, name) => fill(path, name ?? all))}?${query}`;
      const [get, head] = await Promise.all(
        (['GET', 'HEAD'] as const).map((method) =>
          app.inject({
            method,
            url,
            headers: { 'accept-encoding': 'identity', accept: 'text/html', 'sec-fetch-site': 'same-origin' },
          }),
        ),
      );
      const of = (response: typeof get) => {
        // The length of a stream is not known before it is read, and a move has none; the samples of /api may be made between the two.
        const hasLength = get!.statusCode === 200 && 'content-length' in get!.headers && path !== '/api';
        const own = hasLength ? OWN : [...OWN, 'content-length'];
        const headers = Object.entries(response!.headers).filter(([name]) => !own.includes(name));
        return { status: response!.statusCode, headers: Object.fromEntries(headers) };
      };
      if (get!.statusCode >= 400) missing.push(`${get!.statusCode} ${path}`);
      expect(head!.body, url).toBe('');
      expect(of(head!), url).toEqual(of(get!));
    }
    // There is no model, no picture, no file, no quote, no valuation under way, no level of an index and no sample photo; no token is sent.
    expect(missing).toEqual([
      '404 /v1/search/embedding-model',
      '400 /v1/record/:day',
      '400 /v1/receipts/:item/:grade/:day',
      '404 /v1/bulk',
      '404 /v1/bulk/:name',
      '404 /cert/:cert/events',
      '404 /quote/:id/:grade',
      '404 /quote/:id/:grade.csv',
      '404 /embed/indices/:game',
      '404 /embed/indices/:game.svg',
      '404 /embed/indices/:game.png',
      '404 /embed/indices/:game.csv',
      '404 /images/:file',
      '401 /metrics',
      '404 /demo/photos/:file',
    ]);
  });

  test('of a sitemap does not keep its turn', async () => {
    const url = `/sitemaps/${fill('/sitemaps/:file', '')}`;
    for (let i = 0; i < 5; i++) expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(200);
    expect((await app.inject({ url })).statusCode).toBe(200);
  });
});

describe('files of some installations', () => {
  test('a demo has its drawings, another installation has none', async () => {
    const url = '/demo/art/pokemon/4-charizard.svg';
    expect((await app.inject({ url })).headers['content-type']).toBe('image/svg+xml; charset=utf-8');
    expect((await api.get(url)).status).toBe(404);
  });

  test('a contact has a security.txt', async () => {
    const { text } = await api.get('/.well-known/security.txt');
    expect(text).toContain('Contact: mailto:security@prices.example\n');
  });
});

describe('the address that a problem names as its type', () => {
  test('is a page and a Markdown twin for every code, with its meaning and what to do', async () => {
    const { PROBLEMS } = await import('../../src/http/problem.ts');
    for (const [code, { title, status, meaning, remedy }] of Object.entries(PROBLEMS)) {
      const path = `/problems/${code.replaceAll('_', '-')}`;
      const page = await api.get(path);
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.text, code).toContain(`<h1>${title}</h1>`);
      const twin = await api.get(`${path}.md`);
      expect([twin.status, twin.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
      for (const words of [`# ${title}`, `Status ${status}, error \`${code}\``, meaning, remedy, `${BASE_URL}${path}`])
        expect(twin.text, code).toContain(words);
      expect((await api.get('/api')).text).toContain(`href="${path}"`);
    }
  });

  test('leads there from a real error, also by the code’s own spelling, and unknown ones are 404', async () => {
    const { type } = (await api.get('/v1/nowhere')).json;
    expect((await api.get(type.slice(BASE_URL.length))).status).toBe(200);
    const moved = await api.get('/problems/not_found');
    expect([moved.status, moved.headers.location]).toEqual([308, '/problems/not-found']);
    expect((await api.get('/problems/constructor')).status).toBe(404);
  });
});
