import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  await aSet(database.db);
  api = await testApp(database.db, { cacheMb: 4 });
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

test.each([
  '/card/%CE%A9/x',
  '/card/pokemon/%CE%A9',
  '/card/pokemon/Ba%20se',
  '/indices/%CE%A9',
  '/card/pokemon/%CE%A9/X',
])('%s is not an address of the site: 404 with security headers, as a page and in Markdown', async (path) => {
  for (const target of [path, `${path}.md`]) {
    const answer = await api.get(target, { accept: 'text/html' });
    expect([target, answer.status]).toEqual([target, 404]);
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'/);
  }
});

test('an address in capitals leads to the canonical one, with security headers and without a body', async () => {
  for (const [path, location] of [
    ['/card/POKEMON/Base-Base1', '/card/pokemon/base-base1'],
    ['/card/POKEMON/Base-Base1.md', '/card/pokemon/base-base1.md'],
    ['/indices/Pokemon', '/indices/pokemon'],
  ]) {
    const { status, headers, text } = await api.get(path!);
    expect([path, status, headers.location, text]).toEqual([path, 308, location, '']);
    expect(headers['content-security-policy']).toMatch(/default-src 'none'/);
  }
});
