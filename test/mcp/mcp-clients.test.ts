import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepFound } from '../../src/audit/suspect-store.ts';
import { BASE_URL, type TestApp, testApp } from '../support/app.ts';
import { anItem, aSale, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { databaseUrlOf } from '../support/program.ts';
import { scratchFolder } from '../support/scratch.ts';
import { aCert } from '../support/servers/certs.ts';
import { answerOf, overHttp, overStdio, REVISIONS, type Revision } from './mcp-client.ts';

const ID = '6e7fdc9a-0000-4000-8000-000000000001';
const FIRST_EDITION_ID = '0db0d045-0000-4000-8000-000000000002';
const NAMES = [
  'accuracy',
  'explain_price',
  'find_card',
  'index',
  'list_worth',
  'price',
  'price_history',
  'receipt',
  'slab',
];

let database: FreshDatabase;
let api: TestApp;
let origin: string;
let folder: string;
const logged: Record<string, unknown>[] = [];

/** An app that listens, over the database of this file. */
async function listening(env: Record<string, string> = {}): Promise<{ api: TestApp; origin: string }> {
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const api = await testApp(database.db, { env: { LOG_REQUESTS: 'on', ...env }, log });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  return { api, origin: `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  database = await freshDatabase();
  folder = scratchFolder();
  const { db } = database;
  await anItem(db, { id: ID });
  await anItem(db, { id: FIRST_EDITION_ID, variation: '1st Edition' });
  await manySales(db, { itemId: ID, gradeKey: 'psa-10', usdCents: 900_00 });
  await manySales(db, { itemId: FIRST_EDITION_ID, gradeKey: 'psa-10', usdCents: 9000_00 });
  await closeDays(db);
  ({ api, origin } = await listening());
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

/** What each client does, whatever its revision and transport. */
async function useClient(client: Awaited<ReturnType<typeof overHttp>>, revision: Revision): Promise<void> {
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  expect(client.getServerVersion()).toMatchObject({ name: 'mintmark', title: 'Mintmark' });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(NAMES);
  for (const { name, description, annotations, outputSchema } of tools) {
    expect(annotations, name).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(description!.length, name).toBeLessThan(400);
    expect(outputSchema, name).toMatchObject({ type: 'object' });
  }
  const found = await answerOf(client, 'find_card', { words: 'Charizard 4' });
  expect(found.status).toBe('several_fit');
  expect(found.candidates.map(({ id }: { id: string }) => id).sort()).toEqual([FIRST_EDITION_ID, ID]);
  const price = await answerOf(client, 'price', { card: ID, grade: 'PSA 10' });
  expect(price).toMatchObject({ status: 'priced', card: { id: ID }, prices: [{ gradeLabel: 'PSA 10' }] });
  const wrong = await client.callTool({ name: 'price', arguments: { card: ID, grade: 10 } });
  expect(wrong).toMatchObject({ isError: true });
  await client.close();
}

describe.each(REVISIONS)('the official client of revision %s', (revision) => {
  test('uses the tools over Streamable HTTP', async () => useClient(await overHttp(revision, origin), revision));

  test('uses the tools over stdio, of the own database', async () => {
    const env = { DATABASE_URL: databaseUrlOf(database.connection), MINTMARK_DATA: folder };
    await useClient(await overStdio(revision, env), revision);
  }, 60_000);

  test('uses the tools over stdio, of an installation elsewhere', async () => {
    const env = { MINTMARK_DATA: '/nonexistent' };
    await useClient(await overStdio(revision, env, ['--url', `${origin}/`]), revision);
  }, 60_000);
});

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

function send(message: unknown, headers: Record<string, string> = {}, at = origin): Promise<Response> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return fetch(`${at}/mcp`, { method: 'POST', headers: { ...HEADERS, ...headers }, body });
}

function calling(name: string, sent: object): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: sent } };
}

/** The result of a call that was answered as an event stream or as JSON. */
async function resultOf(response: Response): Promise<{ isError?: boolean; content: { text: string }[] }> {
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
}

describe('/mcp', () => {
  test('rejects pages of other origins, also by a name that leads here, and takes those of its own', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const evil = { origin: 'http://evil.example:8080', 'sec-fetch-site': 'same-origin', host: 'evil.example:8080' };
    for (const from of [evil, { origin: 'null' }, { origin: 'http://prices.example' }])
      expect((await send(list, from)).status, from.origin).toBe(403);
    expect((await send(list, { origin: 'https://prices.example' })).status).toBe(200);
    const preflight = await fetch(`${origin}/mcp`, { method: 'OPTIONS', headers: { origin: 'http://evil.example' } });
    expect(preflight.status).toBe(403);
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('has no sessions: other methods are 405', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      const response = await fetch(`${origin}/mcp`, { method });
      expect(response.status, method).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
    }
    expect((await send(calling('find_card', { words: 'Charizard' }))).headers.get('mcp-session-id')).toBeNull();
  });

  test('bounds what it reads', async () => {
    expect((await send('x'.repeat(300 * 1024))).status).toBe(413);
    expect((await send('{')).status).toBe(400);
    expect((await send([calling('find_card', { words: 'Charizard' })])).status).toBe(400);
    expect((await send('hello', { 'content-type': 'text/plain' })).status).toBe(400);
  });

  test.each([
    ['price', { card: ID, grade: 'PSA 10', colour: 'red' }, /no parameter "colour"; there are card, grade, on/],
    ['price', {}, /card is missing/],
    ['price', { card: 'x'.repeat(401) }, /card must have at most 400 characters/],
    ['price', { card: ID, on: '2026-02-31' }, /asOf must be a calendar day/],
    ['price', { card: '6e7fdc9a-0000-4000-8000-00000000dead' }, /No item has this id/],
    ['price', { card: 'https://other.example/card/pokemon/base-base1/4-nobody' }, /./],
    ['list_worth', { lines: Array.from({ length: 201 }, () => ({ id: ID })) }, /lines must be/],
    ['slab', { cert: 'not a cert' }, /cert must be a cert number/],
    ['index', { index: '../v1/usage' }, /index must be/],
    ['index', { index: 'nothing' }, /./],
  ])('%s says in words what does not fit (%#)', async (name, sent, words) => {
    const result = await resultOf(await send(calling(name, sent)));
    expect(result.isError).toBe(true);
    expect(result.content[0]!.text).toMatch(words);
    expect(result.content[0]!.text).not.toMatch(/ at \/|node_modules|select |Error:/);
  });

  test('shows nothing of a fault', async () => {
    const broken = await listening();
    broken.api.context.db.prepared = () => Promise.reject(new Error('select secret from api_keys'));
    const result = await resultOf(await send(calling('price', { card: ID }), {}, broken.origin));
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0]!.text).not.toMatch(/secret/);
    await broken.api.app.close();
  });

  test('logs each message, and each request of a tool with its route and caller', async () => {
    logged.length = 0;
    await (await send(calling('price', { card: ID }))).text();
    const lines = logged.filter(({ msg }) => msg === 'request');
    expect(lines.map(({ route, status }) => `${route} ${status}`).sort()).toEqual([
      '/mcp 200',
      '/v1/items/by-id/:id/overview 200',
      '/v1/items/by-id/:id/overview 200',
      '/v1/status 200',
    ]);
    expect(lines.find(({ route }) => route === '/v1/status')).toMatchObject({ caller: 'address:127.0.0.1' });
  });
});

test('figures are of the close, as their pages show them, also when a sale has moved the price since', async () => {
  const { db } = database;
  const id = '6e7fdc9a-0000-4000-8000-000000000003';
  const moved = await listening();
  await anItem(db, { id, number: '2', name: 'Blastoise' });
  await manySales(db, { itemId: id, gradeKey: 'psa-10', usdCents: 500_00 });
  await closeDays(db, '2026-06-30');
  const client = await overHttp('2026-07-28', moved.origin);
  const { closeOf, prices } = await answerOf(client, 'price', { card: id, grade: 'PSA 10' });
  for (const n of [1, 2, 3])
    await aSale(db, { itemId: id, gradeKey: 'psa-10', sold: '2026-07-01', usdCents: 700_00, saleId: `later-${n}` });
  const now = await moved.api.get(`/v1/items/by-id/${id}/overview`);
  expect(now.json.grades[0].priceUsdCents).not.toBe(prices[0].priceUsdCents);
  expect(await answerOf(client, 'price', { card: id, grade: 'PSA 10' })).toMatchObject({ closeOf, prices });
  const list = await answerOf(client, 'list_worth', { lines: [{ id, gradeLabel: 'PSA 10' }] });
  expect(list.lines[0]).toMatchObject({ priceUsdCents: prices[0].priceUsdCents, citeUrl: prices[0].citeUrl });
  const { text } = await moved.api.get(prices[0].citeUrl.slice(BASE_URL.length));
  const dollars = (prices[0].priceUsdCents / 100).toFixed(2).replace(/\.00$/, '');
  expect(text).toContain(`$${dollars}`);
  // The address of a day goes on to name that day, once another is closed.
  await closeDays(db, '2026-07-01');
  const card = prices[0].citeUrl;
  await expect.poll(() => answerOf(client, 'price', { card: id })).toMatchObject({ closeOf: '2026-07-01' });
  expect(await answerOf(client, 'price', { card })).toMatchObject({ closeOf, prices });
  expect(await answerOf(client, 'explain_price', { card, grade: 'PSA 10' })).toMatchObject({ price: prices[0] });
  const named = await answerOf(client, 'price', { card, on: '2026-07-01' });
  expect(named.closeOf).toBe('2026-07-01');
  await client.close();
  await moved.api.app.close();
});

test('a price that is withheld is stated only as of a day that was asked for', async () => {
  const { db } = database;
  const id = '6e7fdc9a-0000-4000-8000-000000000004';
  const here = await listening();
  await anItem(db, { id, number: '15', name: 'Venusaur' });
  await manySales(db, { itemId: id, gradeKey: 'psa-10', usdCents: 500_00 });
  await aCert(db, { certNumber: '88812345', itemId: id });
  await closeDays(db, '2026-07-02');
  const client = await overHttp('2026-07-28', here.origin);
  const { closeOf, prices } = await answerOf(client, 'price', { card: id });
  const suspect = { kind: 'grade_inversion' as const, subject: id, game: 'pokemon', score: 0.9, evidence: [] };
  const series = [{ itemId: id, gradeKey: 'psa-10' }];
  await db.transaction((session) => keepFound(session, [{ ...suspect, series }], ['pokemon']));
  const reasonNow = async () => (await here.api.get(`/v1/items/by-id/${id}/overview`)).json.grades[0].reason;
  await expect.poll(reasonNow).toBe('identity_suspect');
  const because = 'Its price is withheld: the sales may be those of another card.';
  for (const [tool, sent] of [
    ['price', { card: id }],
    ['price', { card: id, grade: 'PSA 10' }],
    ['explain_price', { card: id, grade: 'PSA 10' }],
    ['slab', { cert: 'PSA 88812345' }],
  ] as const)
    expect(await answerOf(client, tool, sent)).toMatchObject({ status: 'no_price', because });
  const list = await answerOf(client, 'list_worth', { lines: [{ id, gradeLabel: 'PSA 10' }] });
  expect(list.lines[0].priceUsdCents).toBeNull();
  expect(await answerOf(client, 'price', { card: id, on: closeOf })).toMatchObject({ status: 'priced', prices });
  await client.close();
  await here.api.app.close();
});

test('the caller is the client behind a trusted proxy; without one a header does not change it', async () => {
  const proxied = await listening({ TRUSTED_PROXIES: '127.0.0.1' });
  const callers: unknown[] = [];
  for (const at of [origin, proxied.origin]) {
    logged.length = 0;
    await (await send(calling('price', { card: ID }), { 'x-forwarded-for': '203.0.113.7' }, at)).text();
    callers.push(logged.find(({ route }) => route === '/v1/status')?.caller);
  }
  expect(callers).toEqual(['address:127.0.0.1', 'address:203.0.113.7']);
  await proxied.api.app.close();
});

describe('budgets', () => {
  const LIMITS = { LIMITS: 'on', DAILY_PUBLIC: '3', DAILY_PARTNER: '50', BURST_PUBLIC: '0', VISITS_PER_SECOND: '0' };
  let limited: Awaited<ReturnType<typeof listening>>;
  beforeAll(async () => {
    limited = await listening(LIMITS);
  });
  afterAll(() => limited.api.app.close());

  const left = async (headers: Record<string, string> = {}) => {
    const { json } = await limited.api.get('/v1/usage', headers);
    return json.policies.find(({ policy }: { policy: string }) => policy === 'daily')?.remaining;
  };

  test('a tool costs the units of its routes, of the key of the caller; listing tools costs nothing', async () => {
    const key = await limited.api.issueKey();
    const headers = { 'x-api-key': key.id, 'x-api-secret': key.secret };
    const client = await overHttp('2026-07-28', limited.origin, headers);
    await client.listTools();
    const before = await left(headers);
    await answerOf(client, 'price', { card: ID });
    expect(before - (await left(headers))).toBe(2);
    await answerOf(client, 'price_history', { card: 'Charizard 4 1st Edition', grade: 'PSA 10' });
    expect(before - (await left(headers))).toBe(6);
    const lines = Array.from({ length: 101 }, () => ({ id: ID }));
    await answerOf(client, 'list_worth', { lines });
    expect(before - (await left(headers))).toBe(12);
    await client.close();
  });

  test('without a key they are those of the address; a spent one is an error of the tool', async () => {
    const client = await overHttp('2025-11-25', limited.origin);
    await answerOf(client, 'price', { card: ID });
    await expect(answerOf(client, 'price', { card: ID })).rejects.toThrow(/daily budget of 3 requests is spent/);
    expect((await client.listTools()).tools.length).toBe(NAMES.length);
    await client.close();
  });

  test('a wrong key is an error of the tool', async () => {
    const client = await overHttp('2026-07-28', limited.origin, { 'x-api-key': 'mk_x', 'x-api-secret': 'mks_x' });
    await expect(answerOf(client, 'price', { card: ID })).rejects.toThrow(/key or its secret is wrong/);
    await client.close();
  });

  test('too many messages a second are 429', async () => {
    const strict = await listening({ ...LIMITS, VISITS_PER_SECOND: '2' });
    const statuses = [];
    for (let n = 0; n < 8; n++)
      statuses.push((await send({ jsonrpc: '2.0', id: n, method: 'tools/list' }, {}, strict.origin)).status);
    expect(statuses).toContain(429);
    expect(statuses[0]).toBe(200);
    await strict.api.app.close();
  });
});
