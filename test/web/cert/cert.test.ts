import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reason } from '../../../src/graded/shapes.ts';
import { CHARIZARD, type LiveServers, liveServers, salesOf } from '../../graded/live-world.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { aCert, aCertMiss } from '../../support/servers/certs.ts';
import { openStream } from '../../support/servers/sse-client.ts';

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
  database.db.query('select run_id from valuation_events union select id from graphile_worker.jobs order by run_id');

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
    expect(text).toContain('<strong>&lt;b>12</strong> is not a valid cert number');
  });
});

describe('the page of a slab', () => {
  test('shows price, range, date and card as the API does', async () => {
    const { card } = (await api.get('/v1/graded/20000000')).json;
    const { status, text } = await api.get('/cert/PSA20000000', HTML);
    expect(status).toBe(200);
    const cents = card.priceUsdCents;
    expect(text).toContain(`<data value="${cents / 100}">$${(cents / 100).toFixed(2)}</data>`);
    expect(text).toContain('<h1><bdi>Charizard, PSA 10</bdi></h1>');
    // The same block as on the card's page.
    const block = /<section class="price".*?<\/section>/s;
    expect(block.exec(text)![0]).toBe(block.exec((await api.get(card.href, HTML)).text)![0]);
    expect(text).toContain(`href="${card.href}"`);
    expect(text).toContain('noindex');
  });

  test('warns of a number that the grader has deactivated, before anything else', async () => {
    const { text } = await api.get('/cert/PSA20000001', HTML);
    expect(text).toMatch(/role="alert"><strong>PSA deactivated this number\.<\/strong> Do not buy on the label/);
    const [{ day }] = (await database.db.query(
      `select to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD') as day from certs where cert_number = '20000001'`,
    )) as [{ day: string }];
    expect(text).toMatch(new RegExp(`Recorded here on <time datetime="${day}T`));
    expect(text.indexOf('cert-voided')).toBeLessThan(text.indexOf('cert-body'));
    expect(text).not.toContain('class="price"');
  });

  test('of a text that is not a number is 400, with the form', async () => {
    const { status, text } = await api.get('/cert/abc', HTML);
    expect(status).toBe(400);
    expect(text).toContain('<strong>abc</strong> is not a valid cert number');
    expect(text).toMatch(/<form action="\/cert".*value="abc"/s);
  });

  test('of a number unknown to its grader says so and what to try, with the form', async () => {
    const since = '2026-06-30T12:00:00Z';
    const warning = 'PSA has no record of this cert.';
    await aCertMiss(database.db, { certKey: '30009011', reason: 'not_ingested', since, warning });
    const { text } = await api.get('/cert/PSA30009011', HTML);
    expect(text).toContain('<h1>PSA has no record of 30009011</h1>');
    expect(text).toContain('Check the digits, or try another grader.');
    expect(text).toMatch(/<form action="\/cert".*value="30009011"/s);
  });

  const H1 = /<h1>(.*?)<\/h1>/;
  test.each<[string, Reason, string | null, string, string]>([
    [
      '30009001',
      'not_ingested',
      'Loopback grader has no record of this cert.',
      'PSA has no record of 30009001',
      'Loopback grader has no record of this cert.',
    ],
    [
      '30009002',
      'needs_photo',
      null,
      'Several cards fit',
      'The label fits several cards; a photo of the slab can decide.',
    ],
    [
      '30009003',
      'compute_incomplete',
      'No market could be reached. Try again in some minutes.',
      'The valuation is not finished',
      'No market could be reached. Try again in some minutes.',
    ],
    [
      '30009004',
      'compute_incomplete',
      null,
      'The valuation is not finished',
      'The valuation is not finished. Try again in a minute.',
    ],
    ['30009005', 'game_unsupported', null, 'A game without prices', 'Cards of this game are not priced here.'],
  ])(
    '%s, looked up and %s, is headed by that and keeps its warning',
    async (certNumber, reason, warning, heading, sentence) => {
      const since = '2026-06-30T12:00:00Z';
      await aCertMiss(database.db, { certKey: certNumber, reason, since, ...(warning === null ? {} : { warning }) });
      const { text } = await api.get(`/cert/PSA${certNumber}`, HTML);
      expect(H1.exec(text)![1]).toBe(heading);
      expect(text).toContain(sentence);
      expect(text).not.toContain(reason);
    },
  );

  test('of a grader without prices says that; one that was not looked up says so', async () => {
    const heading = async (cert: string) => H1.exec((await api.get(`/cert/${cert}`, HTML)).text)![1];
    expect(await heading('SGC30009006')).toBe('A grader without prices');
    expect(await heading('PSA30009007')).toBe('Not looked up yet');
    // No grader of this company is connected: looking it up would not help.
    expect(await heading('BGS30009008')).toBe('An unknown cert');
  });

  test('opening it starts no valuation; its events only when a script requests them', async () => {
    const before = await valuations();
    const { text, headers } = await api.get('/cert/PSA30000000', HTML);
    expect(text).toContain('Look it up now');
    expect(headers['cache-control']).toBe('no-store');
    expect((await api.get('/cert/PSA30000000/events', HTML)).status).toBe(404);
    const script = { accept: 'text/event-stream', 'sec-fetch-site': 'cross-site' };
    expect((await api.get('/cert/PSA30000000/events', script)).status).toBe(400);
    expect(await valuations()).toEqual(before);
  });
});

describe('looking up', () => {
  test('a script receives each stage and then the result; the page shows it from then on', async () => {
    const stream = await openStream(port, '/cert/PSA30000001/events', { headers: { accept: 'text/event-stream' } });
    expect(await stream.ended).toBe(true);
    const names = stream.events.map(({ event }) => event);
    expect(names).toEqual([...Array(names.length - 1).fill('progress'), 'result']);
    expect(names.length).toBeGreaterThan(3);
    expect((await api.get('/cert/PSA30000001', HTML)).text).toContain('Charizard');
  });

  test('without scripts the button waits and leads back to the page', async () => {
    const { status, headers } = await api.post('/cert/PSA30000002', '', {
      address: '127.0.0.1',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...HTML },
    });
    expect([status, headers.location]).toEqual([303, '/cert/PSA30000002']);
    expect((await api.get('/cert/PSA30000002', HTML)).text).toContain('class="price"');
  });

  test('takes from the budget of the site alone', async () => {
    const lookUp = (cert: string) =>
      api.post(`/cert/${cert}`, '', {
        address: '127.0.0.1',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...HTML },
      });
    const statuses = [];
    for (const cert of ['PSA30000003', 'PSA30000004']) statuses.push((await lookUp(cert)).status);
    expect(statuses).toEqual([303, 429]);
    const { json } = await api.get('/v1/usage');
    const daily = json.policies.find(({ policy }: { policy: string }) => policy === 'daily');
    // Only the requests of this file to the API itself.
    expect(daily.limit - daily.remaining).toBe(1);
  });
});
