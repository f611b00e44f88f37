import { EventEmitter, once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openDb } from '../../../src/db/client.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import type { Reply } from '../../support/servers/market-server.ts';
import { eventsOf } from '../../support/servers/sse-client.ts';
import { expectDocumented } from '../documented-events.ts';
import { CHARIZARD, type LiveServers, liveServers, salesOf } from '../live-world.ts';

let database: FreshDatabase;
let charizard: string;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await manySales(db, { itemId: await anItem(db, { number: '15', name: 'Venusaur' }) });
  await closeDays(db);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => database.close());

let certs = 10_000_000;

/** A card of its own (each crawl is of another series), its slab, and an app whose whole valuation may take `seconds`. */
async function aWorld({
  slab = {},
  reply = salesOf,
  seconds = 5,
  ...patience
}: {
  slab?: object;
  reply?: Parameters<typeof liveServers>[1];
  seconds?: number;
  timeoutMs?: number;
} = {}): Promise<{ cert: number; servers: LiveServers; api: TestApp; catalogChanged: () => Promise<void> }> {
  const cert = ++certs;
  const set = await aSet(database.db, { name: `Set ${cert}`, code: `s${cert}` });
  charizard = await anItem(database.db, { set, number: '4', name: 'Charizard' });
  const own = { ...CHARIZARD, set: `POKEMON SET ${cert}`, ...slab };
  const servers = await liveServers({ [cert]: own }, reply, { tries: 1, timeoutMs: 400, ...patience });
  // A process of its own: what it listens on ends with it.
  const db = openDb({ connection: database.connection, poolSize: 4 });
  const api = await testApp(db, { env: { ...servers.env, VALUATION_SECONDS: String(seconds) }, cacheMb: 8 });
  closing.push(
    servers.close,
    () => db.close(),
    () => api.app.close(),
  );
  /** Notifies of a change of the catalog, and waits until the app has heard it: callbacks run in the order they were added. */
  async function catalogChanged(): Promise<void> {
    const heard = new EventEmitter();
    await db.listen('catalog', () => heard.emit('change'));
    await Promise.all([once(heard, 'change'), db.query(`select pg_notify('catalog', '')`)]);
  }
  return { cert, servers, api, catalogChanged };
}

/** The stages that a stream reported, each with how it ended, and the terminal event. */
async function watched(api: TestApp, cert: number | string) {
  const events = eventsOf((await api.get(`/v1/graded/${cert}/stream`)).text);
  expectDocumented(events);
  const ended = events.filter(({ data }) => data.done === true).map(({ data }) => [data.stage, data.status]);
  return { stages: Object.fromEntries(ended), result: events.at(-1)!.data, events };
}

const WHOLE = 'cert_lookup identify enrich find_item cache_check match crawl fmv done'.split(' ');
/** How a service can fail. */
const FAILURES: [string, Reply, string][] = [
  ['hangs', null, 'timeout'],
  ['answers garbage', { body: '<html>oops</html>' }, 'bad_answer'],
  ['says that it is too often', { status: 429, headers: { 'retry-after': '60' } }, 'rate_limited'],
  ['drips', { body: { rows: [] }, dripMs: 200 }, 'timeout'],
  ['fails', { status: 503 }, 'server_error'],
];

describe('an unknown cert', () => {
  test('HEAD answers from what is stored, of the lookup and of the stream, and starts nothing', async () => {
    const { api, cert, servers } = await aWorld();
    for (const path of [`/v1/graded/${cert}`, `/v1/graded/${cert}/stream`]) {
      const head = await api.app.inject({ method: 'HEAD', url: path });
      expect([head.statusCode, head.body, head.headers['cache-control']], path).toEqual([200, '', 'no-store']);
    }
    const [runs] = await database.db.query<{ count: number }>(
      'select count(*)::int as count from graphile_worker.jobs where key = $1',
      [`valuation PSA ${cert}`],
    );
    expect([runs!.count, servers.grader.received.length]).toEqual([0, 0]);
    // A HEAD at the same time is not answered instead of a GET.
    const head = api.app.inject({ method: 'HEAD', url: `/v1/graded/${cert}` });
    const [{ json }, { statusCode }] = await Promise.all([api.get(`/v1/graded/${cert}`), head]);
    expect([json.found, statusCode]).toEqual([true, 200]);
  });

  test('is identified, found, crawled, priced, reported by stages, and stored', async () => {
    const { api, cert, servers } = await aWorld();
    const { stages, result } = await watched(api, cert);
    expect(Object.keys(stages)).toEqual(WHOLE);
    expect(new Set(Object.values(stages))).toEqual(new Set(['ok']));
    expect(result).toMatchObject({ found: true, grade: '10 Gem Mint', card: { id: charizard } });
    const { json } = await api.get(`/v1/graded/PSA-000${cert}`);
    expect(json.card).toEqual(result.card);
    expect([servers.grader.received.length, servers.market.received.length]).toEqual([1, 1]);
  });

  test('comes from one request as from a stream', async () => {
    const { api, cert } = await aWorld();
    const { status, json, headers } = await api.get(`/v1/graded/${cert}`);
    expect([status, json.found, json.card.id]).toEqual([200, true, charizard]);
    expect(headers['cache-control']).toBe('no-store');
  });

  test('that no grader knows is not found, and not requested again for hours', async () => {
    const { api, servers } = await aWorld();
    const cert = ++certs;
    const first = await watched(api, cert);
    expect(first.stages).toMatchObject({ identify: 'error', done: 'ok' });
    expect(first.result).toMatchObject({ found: false, reason: 'not_ingested' });
    const { json } = await api.get(`/v1/graded/${cert}`);
    expect(json).toEqual(first.result);
    expect(servers.grader.received.length).toBe(1);
    const [miss] = await database.db.query<{ known_until: Date }>(
      'select known_until from cert_misses where cert_key = $1',
      [String(cert)],
    );
    expect(miss!.known_until).toEqual(new Date('2026-06-30T18:00:00Z'));
  });

  test('of a company whose grader is not connected is not found, and that is said', async () => {
    const { api } = await aWorld();
    const { json } = await api.get(`/v1/graded/BGS${++certs}`);
    expect(json).toMatchObject({ found: false, company: 'BGS', reason: 'not_ingested' });
    expect(json.warning).toContain('No grader is connected for BGS');
  });

  test('with a label that several cards fit takes none, and says so', async () => {
    const { api, cert, servers, catalogChanged } = await aWorld();
    const { db } = database;
    const set = await aSet(db, { name: `Set ${cert}`, code: `s${cert}` });
    await anItem(db, { set, number: '4', name: 'Charizard', year: 2001 });
    await catalogChanged();
    const { json } = await api.get(`/v1/graded/${cert}`);
    expect(json).toMatchObject({ found: false, reason: 'needs_photo', gradeLabel: 'PSA 10' });
    expect(json).not.toHaveProperty('card');
    expect(json.warning).toMatch(/several cards fit/);
    expect(servers.market.received).toEqual([]);
  });

  test('with a label of no card is kept, and found when the catalog has the card and the negative answer is over', async () => {
    const { api, cert, servers, catalogChanged } = await aWorld({ slab: { number: '77' } });
    const before = await api.get(`/v1/graded/${cert}`);
    expect(before.json).toMatchObject({ found: false, reason: 'not_ingested' });
    const { db } = database;
    const set = await aSet(db, { name: `Set ${cert}`, code: `s${cert}` });
    const late = await anItem(db, { set, number: '77', name: 'Charizard' });
    await catalogChanged();
    await db.query('delete from cert_misses');
    const after = await api.get(`/v1/graded/${cert}`);
    expect(after.json).toMatchObject({ found: true, card: { id: late } });
    expect(servers.grader.received.length).toBe(1);
  });

  test.each([
    ['outside the scale', { grade: 'AUTHENTIC' }, 'no_grade_price'],
    ['voided by its grader', { status: 'void' }, 'deactivated'],
  ])('%s has its card and no price, and no market is queried', async (_, slab, reason) => {
    const { api, cert, servers } = await aWorld({ slab });
    const { json } = await api.get(`/v1/graded/${cert}`);
    expect(json).toMatchObject({ found: false, reason, grade: null, card: { id: charizard, priceUsdCents: null } });
    expect(servers.market.received).toEqual([]);
  });

  test('whose card has a price already is not crawled', async () => {
    const { api, cert, servers } = await aWorld();
    // Not closed yet: provisional, and a price.
    await manySales(database.db, { itemId: charizard, from: '2026-06-30', to: '2026-06-30' });
    const { stages, result } = await watched(api, cert);
    expect(result).toMatchObject({ found: true });
    expect(Object.keys(stages)).toEqual(['cert_lookup', 'identify', 'enrich', 'find_item', 'cache_check', 'done']);
    expect(servers.market.received).toEqual([]);
  });

  test('that no market has a sale of keeps its card, and is crawled again when the negative answer is over', async () => {
    const { api, cert, servers } = await aWorld({ reply: () => [] });
    const { result } = await watched(api, cert);
    expect(result).toMatchObject({ found: false, reason: 'no_grade_price', card: { id: charizard } });
    await api.get(`/v1/graded/${cert}`);
    expect(servers.market.received.length).toBe(1);
    await database.db.query('delete from cert_misses');
    servers.market.usual((received) => ({ body: { rows: salesOf(received) } }));
    const { json } = await api.get(`/v1/graded/${cert}`);
    expect(json).toMatchObject({ found: true, card: { id: charizard } });
    expect([servers.grader.received.length, servers.market.received.length]).toEqual([1, 2]);
  });
});

describe('each stage fails for itself', () => {
  test.each(FAILURES)('a grader that %s: the cert stays unknown, to be retried soon', async (_, reply) => {
    const { api, cert, servers } = await aWorld({ seconds: 20 });
    servers.grader.usual(() => reply);
    const begun = performance.now();
    const { status, json } = await api.get(`/v1/graded/${cert}`);
    expect([status, json.found, json.reason]).toEqual([200, false, 'compute_incomplete']);
    expect(json.warning).toMatch(/Loopback grader/);
    expect(performance.now() - begun).toBeLessThan(10_000);
    const [miss] = await database.db.query<{ known_until: Date }>(
      'select known_until from cert_misses where cert_key = $1',
      [String(cert)],
    );
    expect(miss!.known_until).toEqual(new Date('2026-06-30T12:05:00Z'));
  });

  test.each(FAILURES)('a market that %s: the card is returned without a price', async (_, reply, problem) => {
    const { api, cert, servers } = await aWorld({ seconds: 20 });
    servers.market.usual(() => reply);
    const begun = performance.now();
    const { stages, result, events } = await watched(api, cert);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(stages).toMatchObject({ identify: 'ok', find_item: 'ok', crawl: 'error', done: 'ok' });
    expect(result).toMatchObject({ found: false, reason: 'compute_incomplete', card: { id: charizard } });
    const crawl = events.find(({ data }) => data.stage === 'crawl' && data.done)!.data.data;
    expect(crawl).toMatchObject({ sources: [{ problem }] });
  });

  test('a grader without a time limit of its own is abandoned when its stage is over', async () => {
    const { api, cert, servers } = await aWorld({ timeoutMs: 60_000, seconds: 4 });
    servers.grader.usual(() => null);
    const begun = performance.now();
    const { json } = await api.get(`/v1/graded/${cert}`);
    expect(json).toMatchObject({ found: false, reason: 'compute_incomplete' });
    expect(performance.now() - begun).toBeLessThan(3600);
  });
});

describe('a valuation that takes longer than a request waits', () => {
  test('ends the request with the card, goes on as a job, and the next request finds what it came to', async () => {
    const { api, cert, servers } = await aWorld({ seconds: 1 });
    let release = () => {};
    // What is found cannot be stored: the valuation is in the middle of its crawl when its time is over.
    const blocked = database.db.transaction(async (session) => {
      await session.query('lock table sales in share mode');
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    const { events } = await watched(api, cert);
    const { event, data } = events.at(-1)!;
    expect([event, data.found, data.reason]).toEqual(['result', false, 'compute_incomplete']);
    expect(data.card).toMatchObject({ id: charizard, priceUsdCents: null });
    release();
    await blocked;
    const { json } = await api.get(`/v1/graded/${cert}`);
    expect(json).toMatchObject({ found: true, card: { id: charizard } });
    expect([servers.grader.received.length, servers.market.received.length]).toEqual([1, 1]);
  });
});
