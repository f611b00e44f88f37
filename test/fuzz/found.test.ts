import { afterAll, beforeAll, expect, test } from 'vitest';
import { checker } from '../support/fuzz/fuzz-check.ts';
import { openFuzzClient } from '../support/fuzz/fuzz-client.ts';
import { routesOf } from '../support/fuzz/fuzz-document.ts';
import type { FuzzRequest } from '../support/fuzz/fuzz-requests.ts';
import { type FuzzWorld, fuzzWorld } from './world.ts';

let world: FuzzWorld;
beforeAll(async () => {
  world = await fuzzWorld();
});
afterAll(() => world.close());

/** Requests that the fuzz found an undeclared answer to, as they were; seeds change their meaning with the document. */
const FOUND: readonly (Partial<FuzzRequest> & { was: string })[] = [
  { was: 'a preflight without a request id', method: 'OPTIONS', target: '/v1/items/featured' },
  {
    was: 'a method of no route with a body over the limit',
    method: 'QUERY',
    target: '/v1/resolve',
    headers: [
      ['host', '127.0.0.1'],
      ['content-type', 'application/json'],
      ['content-length', '70008'],
    ],
    body: JSON.stringify({ a: 'x'.repeat(70_000) }),
  },
  {
    was: 'a page where another method is a route',
    method: 'QUERY',
    target: '/ready',
    headers: [
      ['host', '127.0.0.1'],
      ['accept', 'text/html'],
    ],
  },
  { was: 'a source that every object has', target: '/v1/items/by-upstream-id/mtg-1/trades?source=constructor' },
];

test.each(FOUND)('$was: not again', async ({ was: _was, ...found }) => {
  const request: FuzzRequest = {
    seed: 0,
    method: 'GET',
    target: '/',
    headers: [['host', '127.0.0.1']],
    body: null,
    kind: 'hostile',
    route: routesOf(world.document)[0]!,
    ...found,
  };
  const client = openFuzzClient(world.port);
  const answer = await client.send(request);
  expect(checker(world.document)(request, answer, 0)).toBeNull();
  client.close();
});
