import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSale, closeDays } from '../../support/builders.ts';
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

const reference = () => api.get('/api', { accept: 'text/html' });

test('the API reference has real answers a minute after the first sale or a failure, and is not cached before', async () => {
  const before = await reference();
  expect(before.text).toContain('5e216037-ae8b-478f-b53c-ee53961048cd');
  expect(before.headers['cache-control']).toBe('no-store');
  await samplesMade();
  expect((await reference()).headers['cache-control']).toBe('no-store');
  const itemId = await anItem(fresh.db, { number: '4', name: 'Charizard' });
  await aSale(fresh.db, { itemId, sold: '2026-06-20' });
  await closeDays(fresh.db);
  passMs(61_000);
  await expect.poll(async () => (await reference()).headers['cache-control']).toMatch(/max-age=3600/);
  expect((await reference()).text).toContain(itemId);

  // A route that fails is called again as soon.
  await fresh.db.query('alter table indices rename to lost');
  passMs(3_601_000);
  await samplesMade();
  expect((await reference()).headers['cache-control']).toBe('no-store');
  await fresh.db.query('alter table lost rename to indices');
  passMs(61_000);
  await expect.poll(async () => (await reference()).headers['cache-control']).toMatch(/max-age=3600/);
});

function passMs(ms: number): void {
  const now = api.context.clock();
  Object.assign(api.context, { clock: () => now + ms });
}

/** Resolves when the page has no more real answers than half a second before. */
async function samplesMade(): Promise<void> {
  const answers = async () => (await reference()).text.split('Answer of this installation').length;
  for (let before = -1, now = await answers(); before !== now; ) {
    before = now;
    await sleep(500);
    now = await answers();
  }
}
