import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { boundPipelines } from '../../src/http/connection/pipeline.ts';
import { testApp } from '../support/app.ts';
import { freshDatabase } from '../support/database/database.ts';

const BOUNDS = { underWay: 3, waiting: 4 };

/** A server whose answers the test sends; `handled` has them by path, in the order in which they were begun. */
let server: Server;
const sockets: Socket[] = [];
let handled: Map<string, ServerResponse>;

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

async function start(atOnce = false): Promise<Socket> {
  handled = new Map();
  server = createServer(
    boundPipelines((request, response) => {
      handled.set(request.url!, response);
      if (atOnce) response.end(request.url);
    }, BOUNDS),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return open();
}

function open(): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

const requests = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `GET /${from + i} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');

const begun = () => [...handled.keys()];

describe('requests pipelined on one connection', () => {
  test('are handled a few at a time, in order; each answer lets the next one in', async () => {
    const socket = await start();
    socket.write(requests(1, 7));
    await expect.poll(begun).toEqual(['/1', '/2', '/3']);
    handled.get('/2')!.end();
    // The answer before it is still to be sent.
    handled.get('/1')!.end();
    await expect.poll(begun).toEqual(['/1', '/2', '/3', '/4', '/5']);
    for (let number = 3; number <= 7; number++) {
      await expect.poll(begun).toContain(`/${number}`);
      handled.get(`/${number}`)!.end();
    }
    socket.write(requests(8, 8));
    await expect.poll(begun).toContain('/8');
  });

  test('over what may wait end the connection, and of those sent in one piece only the first is handled', async () => {
    const socket = await start();
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.write(requests(1, 8));
    await closed;
    expect(begun()).toEqual(['/1']);
  });

  test('over what may wait in a later piece end the connection, and none that waited is handled', async () => {
    const socket = await start();
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.write(requests(1, 7));
    await expect.poll(begun).toEqual(['/1', '/2', '/3']);
    socket.write(requests(8, 8));
    await closed;
    expect(begun()).toEqual(['/1', '/2', '/3']);
  });

  test('do not count once their answers are sent: a thousand pass, seven at a time', async () => {
    const socket = await start(true);
    let answered = 0;
    socket.on('data', (chunk) => {
      const answers = chunk.toString().split('HTTP/1.1 200').length - 1;
      answered += answers;
      if (answered + 7 <= 1000) socket.write(requests(answered + 7, answered + 6 + answers));
    });
    socket.write(requests(1, 7));
    await expect.poll(() => answered).toBeGreaterThanOrEqual(994);
  });

  test('count until their answers are sent: cached responses of one write wait too', async () => {
    const socket = await start(true);
    const closed = new Promise<void>((resolve) => socket.resume().on('close', () => resolve()));
    socket.write(requests(1, 8));
    await closed;
    expect(begun()).toEqual(['/1']);
  });

  test('are all closed with their connection, once each, and may be answered afterwards', async () => {
    const socket = await start();
    socket.write(requests(1, 5));
    await expect.poll(begun).toEqual(['/1', '/2', '/3']);
    handled.get('/1')!.end();
    await expect.poll(begun).toEqual(['/1', '/2', '/3', '/4']);
    const closed: string[] = [];
    for (const [path, response] of handled) response.on('close', () => closed.push(path));
    handled.get('/4')!.end();
    socket.destroy();
    await expect.poll(() => closed.length).toBe(3);
    expect(['/3', '/2'].map((path) => handled.get(path)!.destroyed)).toEqual([true, true]);
    for (const path of ['/3', '/2']) handled.get(path)!.end('late');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([closed.sort(), begun().length]).toEqual([['/2', '/3', '/4'], 4]);
  });

  test('of one connection do not hold up another', async () => {
    const socket = await start();
    socket.write(requests(1, 7));
    await expect.poll(begun).toEqual(['/1', '/2', '/3']);
    open().write(requests(100, 100));
    await expect.poll(begun).toEqual(['/1', '/2', '/3', '/100']);
  });
});

test('the server handles sixteen requests of a connection at a time; 48 more wait, and another one ends it', async () => {
  const { db, close } = await freshDatabase();
  const { app } = await testApp(db);
  server = app.server;
  let begun = 0;
  app.get('/held', () => new Promise(() => begun++));
  app.get('/other', () => 'answered');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = open();
  const held = (count: number) => 'GET /held HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count);
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve('closed')));
  socket.write(held(64));
  await expect.poll(() => begun).toBe(16);
  const { port } = server.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/other`)).text()).toBe('answered');
  expect([begun, socket.closed]).toEqual([16, false]);
  socket.write(held(1));
  expect(await closed).toBe('closed');
  expect(begun).toBe(16);
  app.server.closeAllConnections();
  await app.close();
  await close();
});
