import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../../src/routes.ts';
import { apiChanges, parseApiChanges } from '../../../src/web/changelog/api-changes.ts';
import { BASE_URL, type TestApp, testApp } from '../../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

let fresh: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  fresh = await freshDatabase();
  api = await testApp(fresh.db);
});

afterAll(async () => {
  await api.app.close();
  await fresh.close();
});

const days = () => apiChanges().days.map(({ day }) => day);

test('the page has a part for each day, newest first, with its feed and its Markdown', async () => {
  const { status, text } = await api.get('/changelog', { accept: 'text/html' });
  expect(status).toBe(200);
  expect([...text.matchAll(/<h2 id="(\d{4}-\d\d-\d\d)">/g)].map(([, day]) => day)).toEqual(days());
  expect(days()).toEqual(days().toSorted().reverse());
  expect(text).toContain('type="application/atom+xml" href="/changelog.xml"');
  const twin = await api.get('/changelog.md');
  expect([twin.headers['content-type'], twin.headers.link]).toEqual([
    'text/markdown; charset=utf-8',
    `<${BASE_URL}/changelog>; rel="canonical"`,
  ]);
});

test('the feed has an entry a day that links to its part, dated, in plain words', async () => {
  const { headers, text } = await api.get('/changelog.xml');
  expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8');
  const ids = [...text.matchAll(/<entry><id>([^<]+)<\/id>/g)].map(([, id]) => id);
  expect(ids).toEqual(days().map((day) => `${BASE_URL}/changelog#${day}`));
  expect(text).toContain(`<updated>${days()[0]}T00:00:00.000Z</updated>`);
  expect(text).not.toMatch(/`|<summary>- /);
});

test('every route of the API that it names is served', () => {
  const named = apiChanges().markdown.matchAll(/(?:GET|POST) (\/v1\/[\w./-]+)|`(\/v1\/[\w-]+)`/g);
  const paths = [...named].map(([, called, alone]) => (called ?? alone)!);
  expect(paths.length).toBeGreaterThan(6);
  for (const path of paths)
    expect(
      ROUTES.some((route) => route.path.startsWith(path)),
      path,
    ).toBe(true);
});

test('the reference, llms.txt and the API catalog lead to it', async () => {
  expect((await api.get('/api', { accept: 'text/html' })).text).toContain('href="/changelog"');
  expect((await api.get('/llms.txt')).text).toContain(`${BASE_URL}/changelog.xml`);
  const { linkset } = (await api.get('/.well-known/api-catalog')).json;
  expect(linkset[0].alternate).toEqual([{ href: `${BASE_URL}/changelog.xml`, type: 'application/atom+xml' }]);
});

test('a heading that is not a day, or not before the one above it, is an error', () => {
  expect(parseApiChanges('# X\n\n## 2026-02-02\n\n- b\n\n## 2026-02-01\n\n- a\n').days).toEqual([
    { day: '2026-02-02', markdown: '- b' },
    { day: '2026-02-01', markdown: '- a' },
  ]);
  expect(() => parseApiChanges('## Unreleased\n')).toThrow('"Unreleased" is not a day');
  expect(() => parseApiChanges('## 2026-02-01\n\n## 2026-02-02\n')).toThrow('"2026-02-02" is not a day before');
});
