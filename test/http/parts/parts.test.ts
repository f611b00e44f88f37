import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PARTS, type ServedPart } from '../../../src/http/parts/parts.ts';
import { FORMS, MCP, PAGES, ROUTES, SITE_ROUTES } from '../../../src/routes.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

let database: FreshDatabase;
const apps = {} as Record<ServedPart, TestApp>;
beforeAll(async () => {
  database = await freshDatabase();
  for (const only of PARTS) apps[only] = await testApp(database.db, { only });
});
afterAll(async () => {
  for (const only of PARTS) await apps[only].app.close();
  await database.close();
});

/** The parts whose process does not say that another serves it. */
async function servedBy(method: 'GET' | 'POST', path: string): Promise<ServedPart[]> {
  const url = path.replaceAll(/:\w+/g, 'x');
  const served: ServedPart[] = [];
  for (const only of PARTS) {
    const { statusCode, body } = await apps[only].app.inject({ method, url });
    if (!(statusCode === 503 && body.includes(`This process serves ${only} only`))) served.push(only);
  }
  return served;
}

describe('a process that serves one part', () => {
  test.each([
    ['GET', '/health', PARTS],
    ['GET', '/v1/health', PARTS],
    ['GET', '/ready', PARTS],
    ['POST', '/v1/search/by-image', ['photos']],
    ['POST', '/v1/search/by-image/bulk', ['photos']],
    ['POST', '/v1/search/detect-items', ['photos']],
    ['POST', '/v1/search/detect-cards', ['photos']],
    ['POST', '/v1/graded/by-image', ['photos']],
    ['POST', '/scan', ['photos']],
    ['POST', '/scan/events', ['photos']],
    ['GET', '/scan', ['photos', 'pages']],
    ['GET', '/v1/games', ['api']],
    ['POST', '/v1/search/by-embedding', ['api']],
    ['POST', '/v1/report', ['api']],
    ['GET', '/v1/graded/PSA12345678', ['api']],
    ['POST', '/mcp', ['api']],
    ['GET', '/', ['pages']],
    ['GET', '/assets/x', ['pages']],
    ['GET', '/sitemap.xml', ['pages']],
    ['POST', '/report', ['pages']],
    ['GET', '/cert/PSA12345678/events', ['pages']],
  ] as const)('has %s %s where it should be: %j', async (method, path, parts) => {
    expect((await servedBy(method, path)).sort()).toEqual([...parts].sort());
  });

  test('leaves no route of the tables without a process', async () => {
    const addresses = [
      ...[...ROUTES, ...SITE_ROUTES].map(({ path, endpoint }) => [
        endpoint.body || endpoint.upload ? 'POST' : 'GET',
        path,
      ]),
      ...PAGES.map(({ path }) => ['GET', path]),
      ...FORMS.map(({ path }) => ['POST', path]),
      ['POST', MCP.path],
    ] as ['GET' | 'POST', string][];
    const unserved: string[] = [];
    for (const [method, path] of addresses) {
      const parts = await servedBy(method, path);
      if (parts.length === 0 || (parts.length === PARTS.length && !/health|ready/.test(path))) unserved.push(path);
    }
    expect(unserved).toEqual([]);
  });

  test('answers for the routes of others with when to try again, at no cost', async () => {
    const limited = await testApp(database.db, { only: 'pages', env: { LIMITS: 'on', DAILY_PUBLIC: '1' } });
    for (let n = 0; n < 3; n++) {
      const { status, headers, json } = await limited.get('/v1/games');
      expect(status).toBe(503);
      expect(headers['retry-after']).toBe('60');
      expect(json).toMatchObject({ detail: expect.stringContaining('pages only') });
    }
    await limited.app.close();
  });

  test('is ready without what it does not need', async () => {
    const readyOf = async (only: ServedPart) => (await apps[only].get('/ready')).json;
    for (const only of PARTS) await expect.poll(async () => (await readyOf(only)).ready).toBe(true);
    expect(await readyOf('photos')).toMatchObject({ search: false, vectors: true });
    expect(await readyOf('pages')).toMatchObject({ search: true, vectors: false });
    expect(await readyOf('api')).toMatchObject({ search: true, vectors: true });
  });
});
