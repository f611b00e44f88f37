import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { MintmarkProblem, openClient, pages } from '../../packages/client/src/index.ts';

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string };
type Answer = (response: ServerResponse, seen: Seen, nth: number) => void;

const open: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections();
});

/** A server that answers each request by `answer`, and what it was asked. */
async function serving(answer: Answer): Promise<{ baseUrl: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url, headers } = request;
    seen.push({ method: method!, url: url!, headers, body: Buffer.concat(chunks).toString() });
    answer(response, seen.at(-1)!, seen.length);
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
}

function json(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'content-type': type, ...headers }).end(JSON.stringify(body));
}

const BUSY = { error: 'unavailable', detail: 'The search is being prepared; try again shortly.', status: 503 };

test('parameters fill in the path, the rest goes into the query, a list as one parameter for each', async () => {
  const { baseUrl, seen } = await serving((response) => json(response, { results: [] }));
  const client = openClient({ baseUrl, apiKey: 'mk_1', apiSecret: 'mks_1' });
  await client.search({ q: 'a & b', tag: ['mood:calm', 'color:red'], game: undefined });
  await client.detailByExternalId({ space: 'tcgplayer', id: '1/2', asOf: '2026-11-21' });
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /v1/search?q=a+%26+b&tag=mood%3Acalm&tag=color%3Ared',
    'GET /v1/items/by-external-id/tcgplayer/1%2F2/detail?asOf=2026-11-21',
  ]);
  expect(seen[0]!.headers).toMatchObject({ 'x-api-key': 'mk_1', 'x-api-secret': 'mks_1' });
});

test('a problem is thrown with its status, code and sentence; another error page without them', async () => {
  const problem = {
    type: 'p',
    title: 'Not found',
    status: 404,
    detail: 'No such card.',
    error: 'not_found',
    requestId: 'r',
  };
  const { baseUrl } = await serving((response, { url }) =>
    url === '/v1/games' ? json(response, problem, 404) : response.writeHead(418).end('tea'),
  );
  const client = openClient({ baseUrl });
  const known = await client.games().catch((error: unknown) => error);
  expect(known).toBeInstanceOf(MintmarkProblem);
  expect(known).toMatchObject({ status: 404, code: 'not_found', message: 'No such card.', problem });
  await expect(client.health()).rejects.toMatchObject({ status: 418, code: 'unknown', problem: null });
});

test.each([
  ['busy, 503', 503],
  ['over its budget, 429', 429],
])('a service that is %s is asked again after the time that it says', async (_, status) => {
  const { baseUrl, seen } = await serving((response, __, nth) =>
    nth < 3 ? json(response, BUSY, status, { 'retry-after': '0' }) : json(response, { games: [] }),
  );
  expect(await openClient({ baseUrl }).games()).toEqual({ games: [] });
  expect(seen.length).toBe(3);
});

test('no more often than it may, and not where the wait is too long', async () => {
  const { baseUrl, seen } = await serving((response, { url }) =>
    json(response, BUSY, 503, { 'retry-after': url === '/v1/games' ? '0' : '3600' }),
  );
  const client = openClient({ baseUrl, retries: 2 });
  await expect(client.games()).rejects.toMatchObject({ status: 503 });
  expect(seen.length).toBe(3);
  await expect(client.health()).rejects.toMatchObject({ retryAfter: 3600 });
  expect(seen.length).toBe(4);
});

test('what is wrong with a request is not sent again', async () => {
  const { baseUrl, seen } = await serving((response) => json(response, { ...BUSY, error: 'invalid_parameter' }, 400));
  await expect(openClient({ baseUrl }).search({ q: '' })).rejects.toMatchObject({ code: 'invalid_parameter' });
  expect(seen.length).toBe(1);
});

test('a connection that breaks is opened again; what would be done twice carries the same key each time', async () => {
  const { baseUrl, seen } = await serving((response, _, nth) =>
    nth === 1 ? response.destroy() : json(response, { ok: true, id: 'i' }, 201),
  );
  const client = openClient({ baseUrl, patience: 1 });
  expect(await client.reportIssue({ body: { message: 'wrong' } })).toEqual({ ok: true, id: 'i' });
  const [first, second] = seen.map(({ headers }) => headers['idempotency-key']);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toBe(first);
  await client.reportIssue({ body: { message: 'wrong' } });
  expect(seen[2]!.headers['idempotency-key']).not.toBe(first);
});

test('the budget is what the last answer said', async () => {
  const { baseUrl } = await serving((response) =>
    json(response, { games: [] }, 200, {
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '7',
      'x-ratelimit-reset': '60',
    }),
  );
  const client = openClient({ baseUrl });
  expect(client.quota()).toBeNull();
  await client.games();
  expect(client.quota()).toEqual({ limit: 10, remaining: 7, resetSeconds: 60 });
});

test('an aborted signal ends a request and the wait for its repetition', async () => {
  const { baseUrl, seen } = await serving((response) => json(response, BUSY, 503, { 'retry-after': '20' }));
  const signal = AbortSignal.timeout(200);
  await expect(openClient({ baseUrl }).games({}, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(seen.length).toBe(1);
});

test('pages of changes end with the last one there is, whose cursor is for the next close', async () => {
  const { baseUrl, seen } = await serving((response, _, nth) =>
    json(response, { changes: [], hasMore: nth === 1, nextCursor: `2026-06-2${nth}` }),
  );
  let last: string | null = null;
  for await (const { nextCursor } of pages(openClient({ baseUrl }).changes, { after: '2026-06-20' })) {
    last = nextCursor;
    if (seen.length > 2) break;
  }
  expect([last, seen.map(({ url }) => url.split('=')[1])]).toEqual(['2026-06-22', ['2026-06-20', '2026-06-21']]);
});

test('pages follow the cursor to the last one', async () => {
  const { baseUrl, seen } = await serving((response, _, nth) =>
    json(response, { results: [{ id: `${nth}` }], nextCursor: nth < 3 ? `c${nth}` : null }),
  );
  const ids: string[] = [];
  for await (const { results } of pages(openClient({ baseUrl }).search, { tag: 'mood:calm' }))
    for (const { id } of results) ids.push(id);
  expect(ids).toEqual(['1', '2', '3']);
  expect(seen.map(({ url }) => url)).toEqual(
    ['', '&after=c1', '&after=c2'].map((after) => `/v1/search?tag=mood%3Acalm${after}`),
  );
});

const EVENTS = [
  'retry: 10\n\nid: 1\nevent: progress\ndata: {"stage":"identify"}\n\n: still here\n\n',
  'id: 2\nevent: progress\ndata: {"stage":"price"}\n\n',
  'id: 3\nevent: result\ndata: {"cert":"PSA1"}\n\n',
];

/** Sends one event of a stream, that behind the last one which was seen, and breaks off. */
const oneAtATime: Answer = (response, { headers }) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(EVENTS[Number(headers['last-event-id'] ?? 0)], () => response.destroy());
};

test('a stream that breaks off goes on behind the last event, however often', async () => {
  const { baseUrl, seen } = await serving(oneAtATime);
  const events: unknown[] = [];
  for await (const { event, data } of openClient({ baseUrl, retries: 1 }).gradedCertStream({ cert: '1' }))
    events.push([event, data]);
  expect(events).toEqual([
    ['progress', { stage: 'identify' }],
    ['progress', { stage: 'price' }],
    ['result', { cert: 'PSA1' }],
  ]);
  expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1', '2']);
});

test('the stream of a photo goes on too, with the photo, and no more often than a request is repeated', async () => {
  const { baseUrl, seen } = await serving(oneAtATime);
  const photo = new Blob(['photo'], { type: 'image/png' });
  const read = async (retries: number) => {
    const events: string[] = [];
    for await (const one of openClient({ baseUrl, retries }).gradedByImage({ body: { file: photo } }))
      events.push(one.event);
    return events;
  };
  expect(await read(2)).toEqual(['progress', 'progress', 'result']);
  expect(seen.map(({ method, headers }) => [method, headers['last-event-id']])).toEqual([
    ['POST', undefined],
    ['POST', '1'],
    ['POST', '2'],
  ]);
  await expect(read(1)).rejects.toThrow();
  expect(seen).toHaveLength(5);
  expect(seen.every(({ body }) => body.includes('photo'))).toBe(true);
});

test('an event may arrive in pieces; 204 says that nothing is left', async () => {
  const { baseUrl } = await serving((response, _, nth) => {
    if (nth > 1) return response.writeHead(204).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('id: 1\r\nevent: progress\r\ndata: {"a":');
    setTimeout(() => response.end('1}\r\n\r\nretry: 1\n\n'), 50);
  });
  const events: unknown[] = [];
  for await (const one of openClient({ baseUrl }).gradedCertStream({ cert: '1' })) events.push(one);
  expect(events).toEqual([{ id: '1', event: 'progress', data: { a: 1 } }]);
});

test('a stream that broke off before its body is asked for goes on, as in Bun', async () => {
  const { baseUrl } = await serving((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('retry: 1\n\nid: 1\nevent: result\ndata: {}\n\n');
  });
  let asked = 0;
  const client = openClient({
    baseUrl,
    async fetch(url, init) {
      const response = await fetch(url, init);
      const broken = () => {
        throw new TypeError('ECONNRESET');
      };
      return asked++ === 0 ? Object.defineProperty(response, 'body', { get: broken }) : response;
    },
  });
  const events: string[] = [];
  for await (const { event } of client.gradedCertStream({ cert: '1' })) events.push(event);
  expect([events, asked]).toEqual([['result'], 2]);
});

test('a stream that brings nothing new is given up', async () => {
  const { baseUrl, seen } = await serving((response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 1\n\n'),
  );
  const stream = openClient({ baseUrl, retries: 2 }).gradedCertStream({ cert: '1' });
  await expect(stream.next()).rejects.toThrow('before its last event');
  expect(seen.length).toBe(3);
});

test('a wait may be stated as a date, and one in the past counts as over', async () => {
  const dates = [Date.now() - 60_000, Date.now() + 3_600_000].map((ms) => new Date(ms).toUTCString());
  const { baseUrl, seen } = await serving((response, _, nth) =>
    json(response, BUSY, 503, { 'retry-after': dates[Math.min(nth - 1, 1)]! }),
  );
  const { retryAfter } = (await openClient({ baseUrl })
    .games()
    .catch((error: unknown) => error)) as MintmarkProblem;
  expect(seen).toHaveLength(2);
  expect(retryAfter).toBeGreaterThan(3590);
  expect(retryAfter).toBeLessThanOrEqual(3600);
});

test('without a stated wait, the waits double, and are up to half shorter by chance', async () => {
  vi.useFakeTimers();
  const chance = vi.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(0.5);
  const fetching = vi.fn(async () => Promise.reject(new TypeError('no connection')));
  try {
    const games = openClient({ baseUrl: 'http://localhost/', retries: 2, fetch: fetching }).games();
    const outcome = expect(games).rejects.toThrow('no connection');
    const calls: number[] = [];
    for (const ms of [0, 499, 1, 1499, 1]) {
      await vi.advanceTimersByTimeAsync(ms);
      calls.push(fetching.mock.calls.length);
    }
    expect(calls).toEqual([1, 1, 2, 2, 3]);
    await outcome;
  } finally {
    chance.mockRestore();
    vi.useRealTimers();
  }
});
