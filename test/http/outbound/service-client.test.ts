import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  openServiceClient,
  retryAfter,
  type ServiceAnswer,
  type ServiceClient,
  type ServiceClientOptions,
} from '../../../src/http/outbound/service-client.ts';
import { type ServiceHealth, serviceHealth } from '../../../src/http/outbound/service-client-state.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { type MarketServer, marketServer } from '../../support/servers/market-server.ts';

let database: FreshDatabase;
let server: MarketServer;
let nowMs = Date.parse('2026-06-30T12:00:00Z');
let count = 0;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  server = await marketServer(() => ({ body: { fine: true } }));
  return () => server.close();
});

/** A client of the server, of an id of its own by default; it waits no longer than 1 ms between tries. */
function clientOf(options: Partial<ServiceClientOptions> = {}): ServiceClient {
  return openServiceClient(
    { db: database.db, clock: () => nowMs, random: () => 1 },
    { id: `c${count++}`, hosts: [server.origin], privateHosts: [server.origin], backoffMs: 1, ...options },
  );
}

const ask = (one: ServiceClient, more = {}) => one.ask({ url: `${server.origin}/x`, ...more });
/** Null before the first call. */
async function healthOf({ id }: ServiceClient): Promise<ServiceHealth | null> {
  return (await serviceHealth(database.db, [id], nowMs)).get(id) ?? null;
}

const reasonOf = (answer: ServiceAnswer) => (answer.ok ? answer.status : answer.reason);

describe('what comes back', () => {
  test('an answer of a status that says something is handed on with its headers and body', async () => {
    server.next({ status: 404, headers: { 'x-why': 'none' }, body: 'no such cert' });
    const answer = await ask(clientOf());
    expect(answer).toMatchObject({ ok: true, status: 404, headers: { 'x-why': 'none' } });
    expect(answer.ok && answer.body.toString()).toBe('no such cert');
  });

  test.each([401, 403])('%i is unauthorized and not tried again', async (status) => {
    server.usual(() => ({ status }));
    expect(await ask(clientOf())).toMatchObject({ ok: false, reason: 'unauthorized', status });
    expect(server.received).toHaveLength(1);
  });

  test('an answer that leads elsewhere, is packed wrongly or is too large fails at once', async () => {
    server.next({ status: 302, headers: { location: 'http://127.0.0.2:9/' } });
    expect(reasonOf(await ask(clientOf()))).toBe('refused');
    server.next({ headers: { 'content-encoding': 'zstd' }, body: 'x' });
    expect(reasonOf(await ask(clientOf()))).toBe('refused');
    server.next({ body: 'x'.repeat(2000) });
    expect(reasonOf(await ask(clientOf({ maxBytes: 1000 })))).toBe('too_large');
    expect(server.received).toHaveLength(3);
  });

  test('a message names no address but the host, and no header', async () => {
    server.usual(() => null);
    const answer = await ask(clientOf({ tryTimeoutMs: 30, tries: 1 }), {
      url: `${server.origin}/secret-path?token=secret-query`,
      headers: { authorization: 'Bearer secret-header' },
    });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });
});

describe('tries', () => {
  test('a fault that passes is tried again', async () => {
    server.next({ status: 500 }, { status: 503 });
    expect(reasonOf(await ask(clientOf()))).toBe(200);
    expect(server.received).toHaveLength(3);
  });

  test('no more often than configured', async () => {
    server.usual(() => ({ status: 500 }));
    expect(await ask(clientOf({ tries: 2 }))).toMatchObject({ reason: 'server_error', status: 500 });
    expect(server.received).toHaveLength(2);
  });

  test('a POST is sent once unless it may be repeated', async () => {
    server.usual(() => ({ status: 500 }));
    await ask(clientOf(), { method: 'POST', body: 'x' });
    expect(server.received).toHaveLength(1);
    await ask(clientOf(), { method: 'POST', body: 'x', repeatable: true });
    expect(server.received).toHaveLength(4);
  });

  test('a hang costs the time of its try, and the next try may succeed', async () => {
    server.next(null);
    expect(reasonOf(await ask(clientOf({ tryTimeoutMs: 50 })))).toBe(200);
  });

  test('a byte now and then ends at the time of the try all the same', async () => {
    server.usual(() => ({ body: 'x'.repeat(1000), dripMs: 20 }));
    const startedMs = performance.now();
    expect(reasonOf(await ask(clientOf({ tryTimeoutMs: 100, tries: 2 })))).toBe('timeout');
    expect(performance.now() - startedMs).toBeLessThan(1000);
  });

  test('all tries together end at the time of the call', async () => {
    server.usual(() => null);
    const startedMs = performance.now();
    expect(reasonOf(await ask(clientOf({ tryTimeoutMs: 200, tries: 10 }), { timeoutMs: 300 }))).toBe('timeout');
    expect(performance.now() - startedMs).toBeLessThan(1000);
  });

  test('a caller that gives up is answered at once, and the service is not blamed', async () => {
    const given = new AbortController();
    server.usual(() => {
      given.abort();
      return null;
    });
    const one = clientOf();
    expect(reasonOf(await ask(one, { signal: given.signal }))).toBe('timeout');
    expect((await healthOf(one))?.lastFaultReason).toBeNull();
  });
});

describe('Retry-After', () => {
  test('is waited for when there is time', async () => {
    server.next({ status: 429, headers: { 'retry-after': '1' } });
    const startedMs = performance.now();
    expect(reasonOf(await ask(clientOf()))).toBe(200);
    expect(performance.now() - startedMs).toBeGreaterThan(990);
  });

  test('is handed on when no time is left, and every caller keeps to it', async () => {
    server.next({ status: 429, headers: { 'retry-after': '60' } });
    const id = `c${count++}`;
    expect(await ask(clientOf({ id }))).toMatchObject({ reason: 'rate_limited', status: 429, retryAfterMs: 60_000 });
    expect(await ask(clientOf({ id }))).toMatchObject({ reason: 'rate_limited', retryAfterMs: 60_000 });
    expect(server.received).toHaveLength(1);
    nowMs += 60_000;
    expect(reasonOf(await ask(clientOf({ id })))).toBe(200);
  });

  test('is seconds or a date; anything else is ignored', () => {
    expect(retryAfter('120', 0)).toBe(120_000);
    expect(retryAfter('Tue, 30 Jun 2026 12:00:05 GMT', Date.parse('2026-06-30T12:00:00Z'))).toBe(5000);
    expect(retryAfter('Tue, 30 Jun 2026 11:00:00 GMT', Date.parse('2026-06-30T12:00:00Z'))).toBe(0);
    for (const text of [undefined, '', 'soon', '-1', '1.5']) expect(retryAfter(text, 0)).toBeNull();
  });
});

describe('the budget of the day', () => {
  test('is never exceeded, however many callers ask at once, and counts every try', async () => {
    const id = `c${count++}`;
    const many = Array.from({ length: 20 }, () => ask(clientOf({ id, budgetPerDay: 7 })));
    const reasons = (await Promise.all(many)).map(reasonOf);
    expect(reasons.filter((reason) => reason === 200)).toHaveLength(7);
    expect(reasons.filter((reason) => reason === 'budget_spent')).toHaveLength(13);
    expect(server.received).toHaveLength(7);
    server.usual(() => ({ status: 500 }));
    const tries = clientOf({ budgetPerDay: 2, tries: 3 });
    expect(reasonOf(await ask(tries))).toBe('server_error');
    expect(await healthOf(tries)).toMatchObject({ callsToday: 2 });
  });

  test('may be left to others in part', async () => {
    const one = clientOf({ budgetPerDay: 3 });
    expect(reasonOf(await ask(one, { leaveUnits: 3 }))).toBe('budget_spent');
    expect(reasonOf(await ask(one, { leaveUnits: 2 }))).toBe(200);
    expect(reasonOf(await ask(one, { leaveUnits: 2 }))).toBe('budget_spent');
    expect(reasonOf(await ask(one))).toBe(200);
    expect(await healthOf(one)).toMatchObject({ callsToday: 2, budgetPerDay: 3 });
  });

  test('is whole again when the UTC day is over', async () => {
    const one = clientOf({ budgetPerDay: 2 });
    await ask(one);
    await ask(one);
    expect(await ask(one)).toMatchObject({ reason: 'budget_spent', retryAfterMs: expect.any(Number) });
    const spent = await ask(one);
    nowMs += spent.ok ? 0 : spent.retryAfterMs!;
    expect([await ask(one), await ask(one), await ask(one)].map(reasonOf)).toEqual([200, 200, 'budget_spent']);
  });
});

describe('the circuit', () => {
  test('opens after faults in a row, for every process, and one asks when it has cooled down', async () => {
    const options = { id: `c${count++}`, tries: 1, opensAfter: 3, coolDownMs: 10_000 };
    server.usual(() => ({ status: 500 }));
    for (let n = 0; n < 3; n++) expect(reasonOf(await ask(clientOf(options)))).toBe('server_error');
    expect(await ask(clientOf(options))).toMatchObject({ reason: 'circuit_open', retryAfterMs: 10_000 });
    expect(await healthOf(clientOf(options))).toMatchObject({ circuit: 'open', lastFaultReason: 'server_error' });
    expect(server.received).toHaveLength(3);

    nowMs += 10_000;
    server.usual(() => ({ status: 500, afterMs: 30 }));
    const together = await Promise.all([ask(clientOf(options)), ask(clientOf(options)), ask(clientOf(options))]);
    expect(together.map(reasonOf).sort()).toEqual(['circuit_open', 'circuit_open', 'server_error']);

    nowMs += 10_000;
    server.usual(() => ({ body: 'well again' }));
    expect(reasonOf(await ask(clientOf(options)))).toBe(200);
    expect(reasonOf(await ask(clientOf(options)))).toBe(200);
    expect(await healthOf(clientOf(options))).toMatchObject({ circuit: 'closed', lastFaultReason: 'server_error' });
  });

  test('a probe that was never heard of again does not leave it open for ever', async () => {
    const options = { id: `c${count++}`, tries: 1, opensAfter: 1, coolDownMs: 10_000, tryTimeoutMs: 1000 };
    server.next({ status: 500 });
    await ask(clientOf(options));
    nowMs += 10_000;
    const given = new AbortController();
    server.usual(() => {
      given.abort();
      return null;
    });
    await ask(clientOf(options), { signal: given.signal });
    server.usual(() => ({ body: 'well again' }));
    expect(reasonOf(await ask(clientOf(options)))).toBe('circuit_open');
    nowMs += 2000;
    expect(reasonOf(await ask(clientOf(options)))).toBe(200);
  });

  test('a request to wait does not open it', async () => {
    const one = clientOf({ opensAfter: 1, tries: 1 });
    server.next({ status: 429 });
    await ask(one);
    expect(reasonOf(await ask(one))).toBe(200);
  });
});

test('health has the last success, the calls of the day and the median of the time they took', async () => {
  const one = clientOf();
  expect(await healthOf(one)).toBeNull();
  server.next({ afterMs: 40 }, { afterMs: 40 }, {});
  for (let n = 0; n < 3; n++) await ask(one);
  const health = (await healthOf(one))!;
  expect(health).toMatchObject({ circuit: 'closed', callsToday: 3, lastSuccessAtMs: nowMs, lastFaultAtMs: null });
  expect(health.p50Ms).toBeGreaterThanOrEqual(39);
});
