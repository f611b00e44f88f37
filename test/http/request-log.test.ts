import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openFaultLog, traceOf } from '../../src/http/request-log.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('traceOf', () => {
  const valid = { traceId: TRACE, parentSpanId: SPAN };
  test.each([
    ['version 00', `00-${TRACE}-${SPAN}-01`, valid],
    ['not sampled', `00-${TRACE}-${SPAN}-00`, valid],
    ['a later version with more fields', `cc-${TRACE}-${SPAN}-01-what-comes`, valid],
    ['a later version without', `cc-${TRACE}-${SPAN}-01`, valid],
    ['version 00 with more fields', `00-${TRACE}-${SPAN}-01-what-comes`, {}],
    ['version ff', `ff-${TRACE}-${SPAN}-01`, {}],
    ['a later version that goes on without a dash', `cc-${TRACE}-${SPAN}-01x`, {}],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`, {}],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`, {}],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`, {}],
    ['no flags', `00-${TRACE}-${SPAN}`, {}],
    ['a line break', `00-${TRACE}-${SPAN}-01\n`, {}],
    ['none', undefined, {}],
  ])('%s', (_what, traceparent, expected) => {
    expect(traceOf({ traceparent })).toEqual(expected);
  });
});

describe('LOG_REQUESTS=on', () => {
  let database: FreshDatabase;
  let api: TestApp;
  let address: string;
  let held = 0;
  const lines: Record<string, unknown>[] = [];

  beforeAll(async () => {
    database = await freshDatabase();
    const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
    api = await testApp(database.db, {
      cacheMb: 8,
      env: { LIMITS: 'on', LOG_REQUESTS: 'on', METRICS_TOKEN: 'a-long-token' },
      log,
    });
    api.app.get('/v1/held', () => {
      held++;
      return new Promise(() => {});
    });
    api.app.get('/v1/begun', (_request, reply) => void reply.hijack().raw.writeHead(200).write('a'));
    address = await api.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await api.app.close();
    await database.close();
  });

  /** The line of a request, which is written after the response was sent. */
  async function lineOf(path: string, headers: Record<string, string> = {}) {
    const response = await fetch(address + path, { headers });
    await response.arrayBuffer();
    const reqId = response.headers.get('x-request-id');
    const isIts = (line: Record<string, unknown>) => line.msg === 'request' && line.reqId === reqId;
    await expect.poll(() => lines.filter(isIts)).toHaveLength(1);
    return lines.find(isIts)!;
  }

  test('a request is a line with its route, status, caller and trace, and without its query', async () => {
    const line = await lineOf('/v1/search?q=secret', { traceparent: `00-${TRACE}-${SPAN}-01`, 'user-agent': 'till/1' });
    expect(line).toMatchObject({
      method: 'GET',
      path: '/v1/search',
      route: '/v1/search',
      status: expect.any(Number),
      ms: expect.any(Number),
      caller: 'address:127.0.0.1',
      agent: 'till/1',
      traceId: TRACE,
      parentSpanId: SPAN,
    });
    expect(JSON.stringify(line)).not.toContain('secret');
  });

  test('a partner is named by the id of the key, and the key itself is in no line', async () => {
    const { id, secret } = await api.issueKey();
    // A new key takes a moment to be known.
    await expect
      .poll(async () => (await lineOf('/v1/usage', { 'x-api-key': id, 'x-api-secret': secret })).caller)
      .toBe(`key:${id}`);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  test('a cached response, a wrong key and an unknown address have a line each', async () => {
    await lineOf('/v1/games');
    expect(api.context.cache.get('/v1/games')).toBeDefined();
    expect(await lineOf('/v1/games')).toMatchObject({ route: '/v1/games', status: 200 });
    const wrongKey = await lineOf('/v1/search?q=a', { 'x-api-key': `mk_${'A'.repeat(16)}`, 'x-api-secret': 'wrong' });
    expect(wrongKey).toMatchObject({ route: '/v1/search', status: 401 });
    expect(wrongKey).not.toHaveProperty('caller');
    expect(await lineOf('/v1/nothing')).toMatchObject({ route: null, status: 404, caller: 'address:127.0.0.1' });
  });

  test('a request whose client leaves before the answer is a line with status 499, and is measured', async () => {
    const leaving = new AbortController();
    const left = fetch(`${address}/v1/held`, { signal: leaving.signal }).catch(() => {});
    await expect.poll(() => held).toBe(1);
    leaving.abort();
    await left;
    const its = () => lines.filter(({ msg, route }) => msg === 'request' && route === '/v1/held');
    await expect.poll(its).toHaveLength(1);
    expect(its()[0]).toMatchObject({ status: 499, ms: expect.any(Number), caller: 'address:127.0.0.1' });
    const metrics = await fetch(`${address}/metrics`, { headers: { authorization: 'Bearer a-long-token' } });
    expect(await metrics.text()).toContain('_seconds_count{route="/v1/held",method="GET",status="499"} 1');
  });

  test('a request whose client leaves in the middle of the answer is a line with its status', async () => {
    const leaving = new AbortController();
    await fetch(`${address}/v1/begun`, { signal: leaving.signal });
    leaving.abort();
    const its = () => lines.filter(({ msg, route }) => msg === 'request' && route === '/v1/begun');
    await expect.poll(its).toMatchObject([{ status: 200 }]);
  });

  test('a long path is cut', async () => {
    const { path } = await lineOf(`/none/${'a/'.repeat(600)}`);
    expect(path).toHaveLength(500);
  });
});

test('without it requests are not logged, and a fault is, with its trace', async () => {
  const lines: Record<string, unknown>[] = [];
  const database = await freshDatabase();
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const api = await testApp(database.db, { log });
  await api.get('/v1/languages');
  await database.db.query('ALTER TABLE items RENAME TO items_away');
  const broken = await api.get('/v1/games', { traceparent: `00-${TRACE}-${SPAN}-01` });
  expect(broken.status).toBe(500);
  expect(lines.filter(({ msg }) => msg === 'request')).toEqual([]);
  expect(lines.find(({ msg }) => msg === 'fault')).toMatchObject({ reqId: broken.json.requestId, traceId: TRACE });
  await api.app.close();
  await database.close();
});

test('a fault that every request has while it lasts is logged every ten seconds, with how many were not', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const logFault = openFaultLog(log);
  const fail = (reqId: string) => logFault(new Error('connect ECONNREFUSED'), 'database unavailable', { reqId });
  for (const reqId of ['a', 'b', 'c']) fail(reqId);
  logFault(new Error('no room'), 'the database cannot do it now', { reqId: 'd' });
  vi.advanceTimersByTime(10_000);
  fail('e');
  vi.useRealTimers();
  expect(lines.map(({ msg, reqId, unlogged }) => [msg, reqId, unlogged])).toEqual([
    ['database unavailable', 'a', undefined],
    ['the database cannot do it now', 'd', undefined],
    ['database unavailable', 'e', 2],
  ]);
  expect(lines[0]).toMatchObject({ err: { message: 'connect ECONNREFUSED' } });
});
