import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServerEvent, sendEvents } from '../../src/http/sse.ts';
import { openStream } from '../support/servers/sse-client.ts';

const KILOBYTES = 64;
const BULKY = 'x'.repeat(KILOBYTES * 1024 - 2);

let server: Server;
let port: number;
let shutdown: AbortController;
let drawn: number;
let ended: Promise<string>;

/** As many bulky events as anybody takes. */
async function* endless(signal: AbortSignal): AsyncGenerator<ServerEvent> {
  let end = (_how: string) => {};
  ended = new Promise((resolve) => {
    end = resolve;
  });
  try {
    while (!signal.aborted) {
      drawn++;
      yield { id: String(drawn), name: 'progress', data: `"${BULKY}"` };
    }
  } finally {
    end(signal.aborted ? 'left' : 'returned');
  }
}

beforeEach(async () => {
  drawn = 0;
  shutdown = new AbortController();
  server = createServer((request, response) => {
    const options = {
      headers: {},
      requestId: 'r1',
      shutdownSignal: shutdown.signal,
      imageBase: 'https://prices.example',
    };
    void sendEvents(request, response, { events: endless }, options);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('for a reader that takes nothing no more is drawn than its socket buffers; when it reads, the rest comes', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  let before = -1;
  const grown = () => {
    const more = drawn - before;
    before = drawn;
    return more;
  };
  await expect.poll(grown, { interval: 200, timeout: 10_000 }).toBe(0);
  // What the kernel buffers on both sides of a loopback connection, a few megabytes; the process keeps one event.
  expect(drawn * KILOBYTES).toBeLessThan(16 * 1024);
  socket.resume();
  await expect.poll(() => drawn).toBeGreaterThan(before + 50);
  socket.destroy();
});

test('when the reader disconnects, the producer of the events is notified and ends', async () => {
  const reader = await openStream(port, '/');
  await expect.poll(() => reader.events.length).toBeGreaterThan(2);
  reader.hangUp();
  expect(await ended).toBe('left');
});

test('when the server closes, the stream ends as an answer should', async () => {
  const reader = await openStream(port, '/');
  await expect.poll(() => reader.events.length).toBeGreaterThan(2);
  shutdown.abort();
  expect(await ended).toBe('left');
  expect(await reader.ended).toBe(true);
});

test('a connection that is kept does not outlive the stream that its server ended', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  socket.resume();
  await expect.poll(() => drawn).toBeGreaterThan(2);
  const hungUp = new Promise((resolve) => socket.once('close', resolve));
  shutdown.abort();
  await hungUp;
});
