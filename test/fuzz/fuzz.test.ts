import { afterAll, beforeAll, expect, test } from 'vitest';
import { checker } from '../support/fuzz/fuzz-check.ts';
import { checkPage, pagesDocument } from '../support/fuzz/fuzz-pages.ts';
import { requestMaker } from '../support/fuzz/fuzz-requests.ts';
import { runFuzz } from '../support/fuzz/fuzz-run.ts';
import { type FuzzWorld, fuzzWorld } from './world.ts';

const REQUESTS = 2000;

let world: FuzzWorld;
beforeAll(async () => {
  world = await fuzzWorld();
});
afterAll(() => world.close());

test('two thousand requests from the OpenAPI document get declared statuses and bodies, and no 5xx but a 503 that says when to come again', async () => {
  const { port, document, pools } = world;
  const make = requestMaker(document, pools);
  const report = await runFuzz({
    port,
    make,
    check: checker(document),
    requests: REQUESTS,
    seed: 20_261_121,
    maxSeconds: 120,
  });
  expect(report.findings).toEqual([]);
  expect(report.requests).toBe(REQUESTS);
  // It gets past the door: every kind of answer is among them.
  expect([...report.byStatus.keys()]).toEqual(expect.arrayContaining([200, 204, 400, 401, 404, 405]));
  expect(report.successes.size).toBeGreaterThan(Object.keys(document.paths).length / 2);
});

test('five hundred requests to pages, feeds and forms get an answer of theirs with a content policy, and no 5xx but a 503 that says when to come again', async () => {
  const make = requestMaker(pagesDocument(), world.pools);
  const report = await runFuzz({
    port: world.port,
    make,
    check: checkPage,
    requests: 500,
    seed: 20_261_122,
    maxSeconds: 120,
  });
  expect(report.findings).toEqual([]);
  expect(report.requests).toBe(500);
  expect([...report.byStatus.keys()]).toEqual(expect.arrayContaining([200, 308, 400, 404, 405, 422]));
});

test('the request of a seed is always the same', () => {
  const [make, again] = [0, 1].map(() => requestMaker(world.document, world.pools));
  for (let seed = 0; seed < 200; seed++) expect(make!(seed)).toEqual(again!(seed));
});

test('what is wrong with an answer is seen', () => {
  const { document, pools } = world;
  const check = checker(document);
  const request = { ...requestMaker(document, pools)(1), method: 'GET', target: '/v1/items/featured' };
  const headers = {
    'x-request-id': 'x',
    'content-type': 'application/problem+json',
    'access-control-allow-origin': '*',
  };
  const problem = {
    type: 'https://x.example/p',
    title: 'x',
    status: 400,
    detail: 'x',
    error: 'invalid_parameter',
    requestId: 'x',
  };
  const seen = (status: number, body: unknown, more: Record<string, string> = {}) =>
    check(request, { status, headers: { ...headers, ...more }, body: JSON.stringify(body) }, 0);
  expect(seen(400, problem)).toBeNull();
  expect(seen(500, problem)).toBe('500');
  const busy = { ...problem, status: 503, error: 'unavailable' };
  expect(seen(503, busy)).toBe('503');
  expect(seen(503, busy, { 'retry-after': '2' })).toBeNull();
  expect(seen(503, 'busy', { 'retry-after': '2' })).toMatch('rejected by its schema');
  expect(seen(418, problem)).toMatch('not declared');
  expect(seen(400, { ...problem, error: 'surprise' })).toMatch('rejected by its schema');
  expect(seen(400, { ...problem, detail: 'syntax error at or near "x"' })).toMatch('reveals internals');
  expect(seen(400, problem, { 'content-type': 'text/plain' })).toMatch('content type');
  expect(seen(200, { cards: [{}] }, { 'content-type': 'application/json' })).toMatch('rejected by its schema');
  expect(seen(200, { cards: [] }, { 'content-type': 'application/json' })).toBeNull();
});
