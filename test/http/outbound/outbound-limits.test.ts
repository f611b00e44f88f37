import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { closeServers, errorOf, serving, servingRaw, to } from './outbound-servers.ts';

afterEach(closeServers);

/** How many listeners and signals (of `AbortSignal.any`) node keeps with a signal. */
function keptIn(signal: AbortSignal): number {
  const values = Object.getOwnPropertySymbols(signal).map(
    (symbol) => signal[symbol as never] as { size?: number } | null,
  );
  return values.reduce((count, value) => count + (value?.size ?? 0), 0);
}

describe('how long and how much', () => {
  test('a host that never answers, one that drips headers and one that drips a body are cut', async () => {
    const drip = (head: string) => (socket: Socket) => {
      socket.write(head);
      const timer = setInterval(() => socket.write('a'), 20);
      socket.on('close', () => clearInterval(timer));
    };
    for (const [what, talk] of [
      ['silence', () => {}],
      ['headers', drip('HTTP/1.1 200 OK\r\nX: ')],
      ['body', drip('HTTP/1.1 200 OK\r\n\r\n')],
      ['promised', drip('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')],
    ] as const) {
      const port = await servingRaw(talk);
      const begun = performance.now();
      expect(await errorOf(to(port, { timeoutMs: 200 })(`http://cards.test:${port}/`)), what).toBe('timeout');
      expect(performance.now() - begun, what).toBeLessThan(1000);
    }
  });

  test('a host that falls silent is cut before the whole time is over', async () => {
    const port = await servingRaw((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbut'));
    const answer = await to(port, { timeoutMs: 20_000, idleTimeoutMs: 100 })(`http://cards.test:${port}/`);
    expect(answer).toMatchObject({ ok: false, error: 'timeout', message: `cards.test:${port} was silent for 100 ms.` });
  });

  test('packed bytes count too: a body of empty gzip members is cut', async () => {
    const empty = gzipSync('');
    const members = (count: number) => Buffer.concat(Array(count).fill(empty));
    const port = await serving((request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(members(Number(request.url!.slice(1))));
    });
    const ask = to(port, { maxBytes: 10_000 });
    expect(await ask(`http://cards.test:${port}/100`)).toMatchObject({ ok: true });
    expect(await errorOf(ask(`http://cards.test:${port}/1000`))).toBe('too_large');
  });

  test('a resolver that never answers is cut', async () => {
    const ask = to(1, { timeoutMs: 50, lookup: () => new Promise(() => {}) });
    expect(await errorOf(ask('http://cards.test:1/'))).toBe('timeout');
  });

  test('a caller that gives up ends the call, before it begins and while it runs', async () => {
    const caller = new AbortController();
    const port = await serving(() => caller.abort());
    const ask = to(port);
    expect(await errorOf(ask(`http://cards.test:${port}/`, { signal: AbortSignal.abort() }))).toBe('aborted');
    expect(await errorOf(ask(`http://cards.test:${port}/`, { signal: caller.signal }))).toBe('aborted');
  });

  test('of an ended call nothing is kept: neither its body until the timeout, nor anything in the signal of the caller', async () => {
    const caller = new AbortController();
    const port = await serving((_request, response) => response.end(Buffer.alloc(100_000)));
    const ask = to(port, { timeoutMs: 60_000 });
    const bodies: WeakRef<Buffer>[] = [];
    for (let i = 0; i < 20; i++) {
      const answer = await ask(`http://cards.test:${port}/`, { signal: caller.signal });
      if (answer.ok) bodies.push(new WeakRef(answer.body));
    }
    expect(bodies).toHaveLength(20);
    expect(keptIn(caller.signal)).toBe(0);
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    await sleep(10);
    collectGarbage();
    expect(bodies.filter((body) => body.deref() !== undefined).length).toBeLessThan(5);
  });

  test('a body over the limit is rejected: declared, endless, and unpacked from gzip or brotli', async () => {
    const zeros = Buffer.alloc(20 * 2 ** 20);
    const packed = { gzip: gzipSync(zeros), br: brotliCompressSync(zeros) };
    let sent = 0;
    const port = await serving((request, response) => {
      const kind = request.url!.slice(1);
      if (kind === 'declared') response.writeHead(200, { 'content-length': 10 ** 12 }).write('a');
      else if (kind === 'endless') {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65536))) sent += 65536;
        };
        response.on('drain', more);
        more();
      } else response.writeHead(200, { 'content-encoding': kind }).end(packed[kind as 'gzip' | 'br']);
    });
    expect(packed.gzip.length).toBeLessThan(100_000);
    for (const kind of ['declared', 'endless', 'gzip', 'br']) {
      const answer = to(port, { maxBytes: 100_000 })(`http://cards.test:${port}/${kind}`);
      expect(await errorOf(answer), kind).toBe('too_large');
    }
    expect(sent).toBeLessThan(20 * 2 ** 20);
  });

  test('a packed body within the limit is unpacked; packings on top of each other and torn ones are rejected', async () => {
    const port = await serving((request, response) => {
      const kind = request.url!.slice(1);
      if (kind === 'gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'));
      else if (kind === 'torn')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'.repeat(99)).subarray(0, 20));
      else response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync('hello')));
    });
    const ask = to(port);
    const answer = await ask(`http://cards.test:${port}/gzip`);
    expect(answer.ok && answer.body.toString()).toBe('hello');
    expect(await errorOf(ask(`http://cards.test:${port}/torn`))).toBe('bad_answer');
    expect(await errorOf(ask(`http://cards.test:${port}/twice`))).toBe('bad_answer');
  });

  test('answers that are not HTTP, that switch protocols or end early are rejected', async () => {
    for (const [text, error] of [
      ['SSH-2.0-OpenSSH_9.2\r\n', 'bad_answer'],
      ['HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', 'bad_answer'],
      [`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`, 'bad_answer'],
      ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 'bad_answer'],
      ['HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort', 'unreachable'],
    ] as const) {
      const port = await servingRaw((socket) => socket.end(text));
      expect(await errorOf(to(port)(`http://cards.test:${port}/`)), text.slice(0, 30)).toBe(error);
    }
  });
});
