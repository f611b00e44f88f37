import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHARIZARD, type LiveServers, liveServers, salesOf } from '../graded/live-world.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anItem, closeDays, manySales } from '../support/builders.ts';
import { aCert } from '../support/certs.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { openStream } from '../support/sse-client.ts';

const HTML = { accept: 'text/html' };
let database: FreshDatabase;
let servers: LiveServers;
let api: TestApp;
let port: number;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const charizard = await anItem(db, { number: '4', name: 'Charizard' });
  await manySales(db, { itemId: charizard });
  await closeDays(db);
  await aCert(db, { certNumber: '20000000', itemId: charizard });
  await aCert(db, { certNumber: '20000001', itemId: charizard, state: 'deactivated' });
  servers = await liveServers({}, salesOf);
  servers.grader.usual(() => ({ body: CHARIZARD, afterMs: 0 }));
  api = await testApp(db, {
    env: { ...servers.env, LIMITS: 'on', SITE_PUBLIC: '3', BURST_PUBLIC: '0', VISITS_PER_SECOND: '0' },
  });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  port = (api.app.server.address() as AddressInfo).port;
});

afterAll(async () => {
  await api.app.close();
  await servers.close();
  await database.close();
});

const valuations = async () =>
  (await database.db.query<{ n: number }>('select count(*)::int as n from valuations'))[0]!.n;

describe('the form', () => {
  test('leads from any spelling of a number to the one page of the slab', async () => {
    for (const query of ['cert=psa%2020000000', 'company=PSA&cert=20000000', 'company=BGS&cert=PSA-20000000']) {
      const { status, headers } = await api.get(`/cert?${query}`, HTML);
      expect([status, headers.location], query).toEqual([308, '/cert/PSA20000000']);
    }
    expect((await api.get('/cert/psa-20000000', HTML)).headers.location).toBe('/cert/PSA20000000');
  });

  test('says what a cert number is to who typed none', async () => {
    const { status, text } = await api.get('/cert?cert=%3Cb%3E12', HTML);
    expect(status).toBe(200);
    expect(text).toContain('<strong>&lt;b>12</strong> is no cert number');
  });
});

describe('the page of a slab', () => {
  test('tells price, range, date and card as the API does', async () => {
    const { card } = (await api.get('/v1/graded/20000000')).json;
    const { status, text } = await api.get('/cert/PSA20000000', HTML);
    expect(status).toBe(200);
    expect(text).toContain(`<dd class="cert-price">$${(card.priceUsdCents / 100).toFixed(2)}</dd>`);
    expect(text).toContain(`<time datetime="${card.updatedAt}">`);
    expect(text).toContain(`href="${card.href}"`);
    expect(text).toContain('noindex');
  });

  test('says why there is no price', async () => {
    const { text } = await api.get('/cert/PSA20000001', HTML);
    expect(text).toContain('The grader has voided this number.');
    expect(text).not.toContain('cert-price');
  });

  test('opened by whomever starts no valuation; its events neither, unless a script asks for them', async () => {
    const before = await valuations();
    const { text, headers } = await api.get('/cert/PSA30000000', HTML);
    expect(text).toContain('Look it up now');
    expect(headers['cache-control']).toBe('no-store');
    expect((await api.get('/cert/PSA30000000/events', HTML)).status).toBe(404);
    const script = { accept: 'text/event-stream', 'sec-fetch-site': 'cross-site' };
    expect((await api.get('/cert/PSA30000000/events', script)).status).toBe(400);
    expect(await valuations()).toBe(before);
  });
});

describe('looking up', () => {
  test('a script is told each stage and then the result; the page shows it from then on', async () => {
    const stream = await openStream(port, '/cert/PSA30000001/events', { headers: { accept: 'text/event-stream' } });
    expect(await stream.ended).toBe(true);
    const told = stream.events.map(({ event }) => event);
    expect(told).toEqual([...Array(told.length - 1).fill('progress'), 'result']);
    expect(told.length).toBeGreaterThan(3);
    expect((await api.get('/cert/PSA30000001', HTML)).text).toContain('Charizard');
  });

  test('without scripts the button waits and leads back to the page', async () => {
    const { status, headers } = await api.post('/cert/PSA30000002', '', {
      address: '127.0.0.1',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...HTML },
    });
    expect([status, headers.location]).toEqual([303, '/cert/PSA30000002']);
    expect((await api.get('/cert/PSA30000002', HTML)).text).toContain('cert-price');
  });

  test('takes from the budget of the site alone', async () => {
    const ask = (cert: string) =>
      api.post(`/cert/${cert}`, '', {
        address: '127.0.0.1',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...HTML },
      });
    const statuses = [];
    for (const cert of ['PSA30000003', 'PSA30000004']) statuses.push((await ask(cert)).status);
    expect(statuses).toEqual([303, 429]);
    const { json } = await api.get('/v1/usage');
    const daily = json.policies.find(({ policy }: { policy: string }) => policy === 'daily');
    // Only what this test file asked of the API itself.
    expect(daily.limit - daily.remaining).toBe(1);
  });
});
