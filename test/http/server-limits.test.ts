import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { SERVER_LIMITS } from '../../src/http/connection/server-limits.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { expectProblem, HUGE, type LimitedServer, limitedServer } from './limited-server.ts';
import { sendRaw } from './raw.ts';

/** Longer than any limit of these servers, on a busy machine too: a connection that lasts as long was not cut. */
const LONG_MS = 15_000;

let database: FreshDatabase;
let limited: LimitedServer;
let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  database = await freshDatabase();
  limited = await limitedServer(database.db);
  ({ app, port } = limited);
});
afterAll(async () => {
  await limited.close();
  await database.close();
});

const connections = (of = app) => new Promise((resolve) => of.server.getConnections((_error, count) => resolve(count)));
const get: LimitedServer['get'] = (target, headers) => limited.get(target, headers);

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
    limited.paused = new Promise((resolve) => {
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
    app.server.maxConnections = limited.api.context.config.maxConnections;
  });
});

describe('how long', () => {
  const drip = (head: string, piece: string) => (socket: Socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(piece), 30);
    socket.on('close', () => clearInterval(timer));
  };

  test('a client that opens a connection and says nothing is cut without an answer, as browsers do in advance', async () => {
    const { closed, status } = await sendRaw(port, '', LONG_MS);
    expect([closed, status]).toEqual([true, 0]);
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
    expect(limited.served).toBe(0);
  });

  test('others are answered while two hundred connections drip their headers', async () => {
    // So patient that a slow machine cuts none of them meanwhile.
    const patient = buildApp(limited.api.context, {
      ...SERVER_LIMITS,
      headersTimeoutMs: 60_000,
      requestTimeoutMs: 60_000,
    });
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

test('a connection that is kept alive does not hold up a server that closes, once its answer is sent', async () => {
  const own = await limitedServer(database.db);
  let answer = (_text: string) => {};
  own.paused = new Promise((resolve) => (answer = resolve));
  const answered = sendRaw(own.port, 'GET /pause HTTP/1.1\r\nHost: a\r\n\r\n', LONG_MS);
  await expect.poll(() => connections(own.app)).toBe(1);
  await sendRaw(own.port, 'GET /v1/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const closed = own.app.close();
  await new Promise((resolve) => setTimeout(resolve, 100));
  answer('done');
  expect(await answered).toMatchObject({ status: 200, body: 'done', closed: true });
  await closed;
  await own.api.app.close();
});
