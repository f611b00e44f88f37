import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { SERVER_LIMITS } from '../../src/http/connection/server-limits.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { type RawAnswer, sendRaw } from './raw.ts';

/** Longer than any limit of these servers, on a busy machine too: a connection that lasts as long was not cut. */
const LONG_MS = 15_000;
const HUGE = Buffer.alloc(32 * 2 ** 20, 'a');

let database: FreshDatabase;
let api: TestApp;
let app: FastifyInstance;
let port: number;
let served = 0;
/** What a request to /pause waits for. */
let paused: Promise<string>;

const connections = (of = app) => new Promise((resolve) => of.server.getConnections((_error, count) => resolve(count)));

beforeAll(async () => {
  database = await freshDatabase();
  api = await testApp(database.db);
  const limits = {
    ...SERVER_LIMITS,
    headersTimeoutMs: 200,
    requestTimeoutMs: 400,
    checkEveryMs: 50,
    idleTimeoutMs: 300,
  };
  app = buildApp(api.context, limits);
  app.post('/echo', (request) => ({ body: request.body }));
  app.get('/huge', (_request, reply) => reply.type('text/plain').send(HUGE));
  app.post('/late', () => {
    served++;
    return {};
  });
  app.get('/work', () => new Promise((resolve) => setTimeout(resolve, 900, 'done')));
  app.get('/pause', () => paused);
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(async () => {
  app.server.closeAllConnections();
  await app.close();
  await api.app.close();
  await database.close();
});

/** A 400 as every 400 is: a problem document with CORS, hardened, without internals. */
function expectProblem(answer: RawAnswer, status: number, what: string): void {
  expect([answer.status, answer.headers['content-type']], what).toEqual([
    status,
    'application/problem+json; charset=utf-8',
  ]);
  expect(answer.headers['access-control-allow-origin'], what).toBe('*');
  expect(answer.headers['x-content-type-options'], what).toBe('nosniff');
  expect(JSON.parse(answer.body), what).toMatchObject({ status, requestId: answer.headers['x-request-id'] });
  expect(answer.body, what).not.toMatch(/HPE_|ERR_|FST_|node_modules|Error:/);
  expect([answer.headers.server, answer.headers['x-powered-by']], what).toEqual([undefined, undefined]);
}

const get = (target: string, headers = '') =>
  sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`);

const post = (body: string | Buffer, type = 'application/json', target = '/echo') =>
  app.inject({ method: 'POST', url: target, headers: { 'content-type': type }, body });

describe('what is not HTTP', () => {
  test.each([
    ['noise', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
    ['a bare line', 'hello\r\n\r\n'],
    ['an unknown method', 'STEAL /v1/health HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a wrong version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['two lengths', 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a negative length', 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
    [
      'length and chunks',
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['chunked not last', 'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
    ['disguised chunks', 'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a space before the colon', 'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n'],
    ['a bare CR', 'GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n'],
    ['a bad chunk size', 'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n'],
    ['no Host', 'GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two hosts', 'GET /v1/health HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n'],
    ['one host twice', 'GET /v1/health HTTP/1.1\r\nHost: a\r\nHOST: a\r\n\r\n'],
    [
      'chunks in HTTP/1.0',
      'POST /echo HTTP/1.0\r\nConnection: keep-alive\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    ],
    ['a target of all', 'GET * HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an impossible expectation', 'GET /v1/health HTTP/1.1\r\nHost: a\r\nExpect: magic\r\nConnection: close\r\n\r\n'],
  ])('%s is 400 and hangs up', async (what, bytes) => {
    const answer = await sendRaw(port, bytes);
    expectProblem(answer, 400, what);
    expect(answer.closed, what).toBe(true);
  });

  test('a second request hidden behind a refused one is not answered', async () => {
    const answer = await sendRaw(
      port,
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/health HTTP/1.1\r\nHost: a\r\n\r\n',
    );
    expectProblem(answer, 400, 'smuggled');
    expect(answer.body).not.toContain('uptime');
  });

  test('noise behind a whole request ends the connection, with no half of two answers', async () => {
    const answer = await sendRaw(port, 'GET /pause HTTP/1.1\r\nHost: a\r\n\r\n\x16\x03\x01');
    expect([answer.closed, answer.afterMs < 1000]).toEqual([true, true]);
    if (answer.status !== 0) expectProblem(answer, 400, 'noise behind');
  });
});

describe('a wrong Content-Length', () => {
  const form = JSON.stringify({ message: 'The price of this card is of another one.' });
  const sendForm = (length: string, body = form) =>
    sendRaw(
      port,
      `POST /v1/report HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`,
      3000,
    );

  test.each(['+59', '-59', '0x3b', '5e1', '59 59', '59, 59', '99999999999999999999', '59;', 'many', '1.0'])(
    '%s is not a number: 400, and the connection is closed',
    async (length) => {
      const answer = await sendForm(length);
      expectProblem(answer, 400, length);
      expect(answer.closed).toBe(true);
    },
  );

  test('too small: what it cuts off is not taken, and the rest is read as a request of its own, which it is not', async () => {
    const answer = await sendForm('20');
    expectProblem(answer, 400, 'too small');
    expect(answer.closed).toBe(true);
  });

  test('too large: the rest is waited for, so long as a request may take, and no longer', async () => {
    const answer = await sendForm('500');
    expectProblem(answer, 400, 'too large');
    expect([answer.closed, answer.body.includes('in time')]).toEqual([true, true]);
  });

  test('over what the route takes is 413 before the body is read', async () => {
    const answer = await sendForm('70000000');
    expectProblem(answer, 413, 'over the limit');
  });
});

describe('a client that closes its side', () => {
  test('before its answer has begun gets a 400 that says so', async () => {
    const answer = await sendRaw(port, (socket) => socket.end('GET /work HTTP/1.1\r\nHost: a\r\n\r\n'));
    expectProblem(answer, 400, 'half closed');
    expect(answer.body).toContain('keep it open');
    expect(answer.closed).toBe(true);
  });

  test('after its answer has begun gets the rest of it, and between two requests none', async () => {
    const idle = await sendRaw(port, (socket) => {
      socket.write('GET /v1/health HTTP/1.1\r\nHost: a\r\n\r\n');
      socket.once('data', () => socket.end());
    });
    expect([idle.status, idle.closed]).toEqual([200, true]);
  });
});

describe('unusual but well-formed', () => {
  test('HTTP/1.0 without Host is answered and the connection closed', async () => {
    const answer = await sendRaw(port, 'GET /v1/health HTTP/1.0\r\n\r\n');
    expect([answer.status, answer.closed]).toEqual([200, true]);
  });

  test('a target in absolute form and one escaped without need are the plain one', async () => {
    for (const target of ['http://elsewhere.test/v1/health', '/%761/he%61lth', 'HTTP://x/v1/health?'])
      expect((await get(target)).status, target).toBe(200);
    // The home page.
    expect((await get('http://elsewhere.test')).status).toBe(200);
    expect((await get('http://elsewhere.test/nowhere')).status).toBe(404);
  });

  test('no spelling of a path under /v1 goes around the gate', async () => {
    for (const target of [
      '/v1/sets/pokemon/x',
      'http://h/v1/sets/pokemon/x',
      '/%761/sets/pokemon/x',
      '/v%31/nowhere',
    ]) {
      const answer = await get(target, 'X-Api-Key: mk_half\r\n');
      expect(answer.status, target).toBe(401);
    }
  });

  test('OPTIONS *, TRACE, CONNECT and methods nobody serves are refused, and echo nothing', async () => {
    expectProblem(await sendRaw(port, 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), 404, 'OPTIONS');
    for (const method of ['TRACE', 'PROPFIND', 'PURGE']) {
      const request = `${method} /v1/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: hunter2\r\n\r\n`;
      const answer = await sendRaw(port, request);
      expectProblem(answer, 405, method);
      expect(answer.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
      expect(answer.body).not.toContain('hunter2');
    }
    const tunnel = await sendRaw(port, 'CONNECT db.internal:5432 HTTP/1.1\r\nHost: a\r\n\r\n');
    expect([tunnel.status, tunnel.closed]).toEqual([0, true]);
  });

  test('an offer to upgrade is not taken up', async () => {
    const answer = await get('/v1/health', 'Upgrade: websocket\r\n');
    expect(answer.status).toBe(200);
  });
});

describe('how much', () => {
  test('addresses, headers, their number and parameters over their limits are 400', async () => {
    expect((await get(`/v1/health?${'a'.repeat(15_000)}`)).status).toBe(200);
    expectProblem(await get(`/v1/health?${'a'.repeat(16_000)}`), 400, 'target');
    expectProblem(await get('/v1/health', `X: ${'a'.repeat(40_000)}\r\n`), 400, 'header');
    expectProblem(await get('/v1/health', `X: ${'a'.repeat(2_000_000)}\r\n`), 400, 'a header far over');
    expect((await get('/v1/health', 'X: a\r\n'.repeat(90))).status).toBe(200);
    expectProblem(await get('/v1/health', 'X: a\r\n'.repeat(101)), 400, 'headers');
    expectProblem(await get('/v1/health', 'X:a\r\n'.repeat(4000)), 400, 'thousands of headers');
    expectProblem(await get(`/v1/health?${'a&'.repeat(64)}a`), 400, 'parameters');
    expectProblem(await get(`/v1/sets/pokemon/${'a'.repeat(401)}`), 400, 'a part of the path');
  });

  test('a body over the limit is 413, declared or sent in chunks, without being read to its end', async () => {
    const declared =
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n[';
    expectProblem(await sendRaw(port, declared), 413, 'declared');
    const chunk = `8000\r\n${'1'.repeat(0x8000)}\r\n`;
    const chunked = `POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(3)}`;
    expectProblem(await sendRaw(port, chunked), 413, 'chunked');
  });

  test('connections over the cap are closed at once, and there is room again when one leaves', async () => {
    await expect.poll(() => connections()).toBe(0);
    app.server.maxConnections = 1;
    let goOn = (_text: string) => {};
    paused = new Promise((resolve) => {
      goOn = resolve;
    });
    const held = sendRaw(port, 'GET /pause HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', LONG_MS);
    await expect.poll(() => connections()).toBe(1);
    const surplus = await get('/v1/health');
    expect([surplus.status, surplus.closed]).toEqual([0, true]);
    goOn('done');
    expect((await held).status).toBe(200);
    await expect.poll(() => connections()).toBe(0);
    expect((await get('/v1/health')).status).toBe(200);
    app.server.maxConnections = api.context.config.maxConnections;
  });
});

describe('how long', () => {
  const drip = (head: string, piece: string) => (socket: Socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(piece), 30);
    socket.on('close', () => clearInterval(timer));
  };

  test('a client that opens a connection and says nothing is cut', async () => {
    expect((await sendRaw(port, '', LONG_MS)).closed).toBe(true);
  });

  test.each([
    ['one that sends half a request line', 'GET /v1/hea'],
    ['one that stops in its headers', 'GET /v1/health HTTP/1.1\r\nHost: a\r\nX: '],
    [
      'one that stops in its body',
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n[',
    ],
  ])('%s is cut', async (what, bytes) => {
    const answer = await sendRaw(port, bytes, LONG_MS);
    expect(answer.closed, what).toBe(true);
    if (answer.status !== 0) expectProblem(answer, 400, what);
  });

  test.each([
    ['headers byte by byte', 'GET /v1/health HTTP/1.1\r\nHost: a\r\nX: ', 'a'],
    ['header after header', 'GET /v1/health HTTP/1.1\r\nHost: a\r\n', 'X: a\r\n'],
    [
      'a body byte by byte',
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n',
      '1',
    ],
    [
      'chunk by chunk',
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      '1\r\n1\r\n',
    ],
  ])('one that drips %s receives 400 and is cut', async (what, head, piece) => {
    const answer = await sendRaw(port, drip(head, piece), LONG_MS);
    expect(answer.closed, what).toBe(true);
    expectProblem(answer, 400, what);
  });

  test('a client that does not read its answer is cut', async () => {
    const read = (socket: Socket) => {
      socket.write('GET /huge HTTP/1.1\r\nHost: a\r\n\r\n');
      socket.pause();
      // The hang-up is noticed by reading on when the server has given up.
      void expect
        .poll(() => connections(), { timeout: LONG_MS })
        .toBe(0)
        .then(() => socket.resume());
    };
    const answer = await sendRaw(port, read, LONG_MS);
    expect(answer.closed).toBe(true);
    expect(answer.body.length).toBeLessThan(HUGE.length);
  });

  test('a request that is worked on for longer than connections may be idle is answered', async () => {
    expect((await get('/work')).status).toBe(200);
  });

  test('a request that completes after it was answered as late is not served', async () => {
    const head = 'POST /late HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\nX: ';
    const answer = await sendRaw(port, (socket) => {
      socket.write(head);
      socket.once('data', () => socket.write('a\r\n\r\n{}'));
    });
    expectProblem(answer, 400, 'late');
    expect(answer.closed).toBe(true);
    expect((await get('/v1/health')).status).toBe(200);
    expect(served).toBe(0);
  });

  test('others are answered while two hundred connections drip their headers', async () => {
    // So patient that a slow machine cuts none of them meanwhile.
    const patient = buildApp(api.context, { ...SERVER_LIMITS, headersTimeoutMs: 60_000, requestTimeoutMs: 60_000 });
    await patient.listen({ host: '127.0.0.1', port: 0 });
    const { port: at } = patient.server.address() as AddressInfo;
    const leave = new AbortController();
    const slow = Array.from({ length: 200 }, () => connect({ port: at, host: '127.0.0.1', signal: leave.signal }));
    let cut = 0;
    const head = 'GET /v1/health HTTP/1.1\r\nX: ';
    for (const socket of slow) {
      socket.on('error', () => {});
      socket.on('close', () => cut++);
      drip(head, 'a')(socket);
    }
    const allDrip = () => slow.every(({ bytesWritten }) => bytesWritten > head.length + 1);
    await expect.poll(async () => [await connections(patient), allDrip()], { timeout: LONG_MS }).toEqual([200, true]);
    // With and without the database, one after the other.
    for (const path of ['/v1/health', '/v1/games', '/', '/robots.txt']) {
      const answer = await sendRaw(at, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, LONG_MS);
      expect([path, answer.status]).toEqual([path, 200]);
    }
    const drippedBefore = slow.map(({ bytesWritten }) => bytesWritten);
    await expect
      .poll(() => slow.every(({ bytesWritten }, n) => bytesWritten > drippedBefore[n]!), { timeout: LONG_MS })
      .toBe(true);
    expect([await connections(patient), cut]).toEqual([200, 0]);
    leave.abort();
    await patient.close();
  });
});

describe('addresses', () => {
  test.each([
    '/v1/health?q=%',
    '/v1/health?q=%zz',
    '/%',
    '/v1/sets/pokemon/%c0%af',
    '/v1/health?q=%ff',
    '/v1/health?q=%c3',
  ])('a malformed escape, overlong form or byte that is not UTF-8 is 400: %s', async (target) =>
    expectProblem(await get(target), 400, target),
  );

  test('a NUL is 400 in the path and in the query, and reaches no database', async () => {
    for (const target of ['/v1/sets/pokemon/a%00', '/v1/items/summaries?ids=%00', '/v1/items/by-id/%00'])
      expectProblem(await get(target), 400, target);
  });

  test('parameters called like parts of objects are just unknown; a parameter given twice is 400', async () => {
    expect((await get('/v1/trades/recent?__proto__=1&constructor=2&__proto__[limit]=9')).status).toBe(200);
    expect(({} as Record<string, unknown>).limit).toBeUndefined();
    expectProblem(await get('/v1/trades/recent?limit=1&limit=2'), 400, 'twice');
  });
});

describe('bodies', () => {
  test('JSON is read whatever its charset parameter says, as UTF-8', async () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON'])
      expect((await post('{"name":"ポケモン"}', type)).json(), type).toEqual({ body: { name: 'ポケモン' } });
  });

  test('other types are 400 and say what to send', async () => {
    for (const type of [
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/json+x',
      'text/plain; application/json',
      'multipart/form-data; boundary=a',
      'nonsense',
    ]) {
      const answer = await post('{"a":1}', type);
      expect(answer.statusCode, type).toBe(400);
      expect(answer.json().detail, type).toMatch(/application\/json/);
    }
    const untyped = await sendRaw(
      port,
      'POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
    );
    expectProblem(untyped, 400, 'no type');
  });

  test.each([
    ['no JSON', '{"a":'],
    ['nothing', ''],
    ['a poisoned prototype', '{"__proto__":{"admin":true}}'],
    ['one in an escape', '{"\\u005f_proto__":{"admin":true}}'],
    ['a poisoned constructor', '{"constructor":{"prototype":{"admin":true}}}'],
    ['a poisoned prototype deep inside', '{"a":[{"b":{"__proto__":{"admin":true}}}]}'],
    ['a NUL', '{"a":"b\\u0000"}'],
    ['a NUL in a key', '{"a\\u0000":1}'],
    ['a lone surrogate', '{"a":"\\ud800"}'],
    ['a deep nest', '['.repeat(40) + ']'.repeat(40)],
    ['the deepest nest there is room for', '['.repeat(32_000) + ']'.repeat(32_000)],
    ['overlong UTF-8', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['UTF-8 of a surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['Latin-1', Buffer.from('"é"', 'latin1')],
    ['UTF-16', Buffer.from('\ufeff{"a":1}', 'utf16le')],
  ])('%s is 400', async (what, body) => {
    const answer = await post(body);
    expect([answer.statusCode, answer.json().error], what).toEqual([400, 'invalid_parameter']);
    expect(({} as Record<string, unknown>).admin, what).toBeUndefined();
  });

  test('a pair of surrogates is a character, and an escaped backslash before u0000 is not one', async () => {
    expect((await post('{"a":"\\ud83c\\udccf \\\\u0000"}')).json()).toEqual({ body: { a: '🃏 \\u0000' } });
  });
});
