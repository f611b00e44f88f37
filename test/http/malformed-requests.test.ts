import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { expectProblem, type LimitedServer, limitedServer } from './limited-server.ts';
import { sendRaw } from './raw.ts';

let database: FreshDatabase;
let limited: LimitedServer;
let port: number;

beforeAll(async () => {
  database = await freshDatabase();
  limited = await limitedServer(database.db);
  ({ port } = limited);
});
afterAll(async () => {
  await limited.close();
  await database.close();
});

const get: LimitedServer['get'] = (target, headers) => limited.get(target, headers);

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
  ])('%s is 400 and closes the connection', async (what, bytes) => {
    const answer = await sendRaw(port, bytes);
    expectProblem(answer, 400, what);
    expect(answer.closed, what).toBe(true);
  });

  test('a second request hidden behind a rejected one is not answered', async () => {
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

  test('OPTIONS *, TRACE, CONNECT and methods without a route are rejected, and echo nothing', async () => {
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
