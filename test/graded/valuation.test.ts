import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { CHARIZARD, eventsOf, type LiveServers, liveServers, salesOf } from './live-world.ts';

let database: FreshDatabase;
let servers: LiveServers;
let api: TestApp;
let charizard: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  charizard = await anItem(db, { number: '4', name: 'Charizard' });
  await manySales(db, { itemId: await anItem(db, { number: '15', name: 'Venusaur' }) });
  await closeDays(db);
  servers = await liveServers({ 10000001: CHARIZARD }, salesOf);
  api = await testApp(db, { env: servers.env });
});
afterAll(async () => {
  await api.app.close();
  await servers.close();
  await database.close();
});

test('a cert that nobody has told of is identified, found, crawled, priced, told of by stages and stored', async () => {
  const events = eventsOf((await api.get('/v1/graded/10000001/stream')).text);
  const { event, data } = events.at(-1)!;
  expect(event).toBe('result');
  expect(data).toMatchObject({ found: true, grade: '10 Gem Mint', card: { id: charizard } });
  const stages = events.filter((one) => one.event === 'progress').map((one) => one.data.stage);
  expect([...new Set(stages)]).toEqual(
    'cert_lookup identify enrich find_item cache_check match crawl fmv done'.split(' '),
  );
  const { json } = await api.get('/v1/graded/10000001');
  expect(json).toEqual(data);
  expect([servers.grader.asked.length, servers.market.asked.length]).toEqual([1, 1]);
});
