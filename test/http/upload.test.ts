import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  admitUpload,
  MAX_PART_BYTES,
  onlyPart,
  openUploadRoom,
  readUpload,
  type UploadRoom,
  type UploadRules,
} from '../../src/http/body/upload.ts';
import { lingerOn } from '../../src/http/connection/linger.ts';
import { ProblemError } from '../../src/http/problem.ts';
import { BOUNDARY, formOf, MULTIPART } from '../support/multipart.ts';
import { sendRaw } from './raw.ts';

const ONE: UploadRules = { part: 'file', maxParts: 1 };
const SEVERAL: UploadRules = { part: 'items', aliases: ['cards'], maxParts: 3 };
const ROOM_MB = 40;

let server: Server;
let port: number;
let rules: UploadRules;
let room: UploadRoom;
/** Bytes of the room that are taken. */
let taken: number;
/** Bytes that were still taken when the last upload was refused. */
let takenWhenRefused: number | null;
let whileWorking: (request: IncomingMessage) => Promise<void>;
let patience: { silenceMs: number; partMs: number; bytesPerMs: number };
let linger: { ms: number; bytes: number; slowMs: number; bytesPerMs: number };

beforeEach(async () => {
  rules = ONE;
  taken = 0;
  takenWhenRefused = null;
  patience = { silenceMs: 5000, partMs: 20_000, bytesPerMs: 0.001 };
  linger = { ms: 20_000, bytes: 64 * 2 ** 20, slowMs: 20_000, bytesPerMs: 1 };
  whileWorking = async () => {};
  const real = openUploadRoom(ROOM_MB);
  room = {
    take(bytes) {
      const isTaken = real.take(bytes);
      if (isTaken) taken += bytes;
      return isTaken;
    },
    giveBack(bytes) {
      taken -= bytes;
      real.giveBack(bytes);
    },
  };
  server = createServer(async (request, response) => {
    lingerOn(request, response, linger);
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    try {
      admitUpload(request, rules);
      const upload = readUpload(request, response, rules, room, patience);
      const sizes: (number | string)[] = [];
      if (rules.maxParts === 1) sizes.push((await onlyPart(upload)).length);
      else
        for await (const part of upload) {
          sizes.push(part instanceof ProblemError ? part.code : part.length);
          await whileWorking(request);
        }
      answer(200, sizes);
    } catch (error) {
      takenWhenRefused = taken;
      if (error instanceof ProblemError) answer(400, { error: error.code, detail: error.message });
      else answer(500, String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function post(body: Buffer | string | ReadableStream, headers: Record<string, string> = MULTIPART) {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    body,
    headers,
    duplex: 'half',
  } as RequestInit);
  return (await response.json()) as (number | string)[] & { error?: string; detail?: string };
}

const file = (bytes: Buffer | string) => formOf({ name: 'file', bytes });

describe('an upload of one part', () => {
  test('arrives whole, with a file name or without', async () => {
    expect(await post(file('12345'))).toEqual([5]);
    expect(await post(Buffer.from(file('1').toString().replace('; filename="photo.jpg"', '')))).toEqual([1]);
  });

  test('of 15 MB is taken, one byte more is upload_too_large, declared or not', async () => {
    expect(await post(file(Buffer.alloc(MAX_PART_BYTES)))).toEqual([MAX_PART_BYTES]);
    const larger = file(Buffer.alloc(MAX_PART_BYTES + 1));
    expect((await post(larger)).error).toBe('upload_too_large');
    expect((await post(new Blob([new Uint8Array(larger)]).stream())).error).toBe('upload_too_large');
    expect(taken).toBe(0);
  });

  test.each([
    ['before', (around: string) => `${around}\r\n${file('1')}`],
    ['after', (around: string) => `${file('1')}${around}`],
  ])('may have text %s its part, up to 64 KB over the largest part: then it is upload_too_large', async (_, body) => {
    const send = (bytes: number) => post(new Blob([body('x'.repeat(bytes))]).stream());
    expect(await send(60_000)).toEqual([1]);
    expect((await send(MAX_PART_BYTES + 100_000)).error).toBe('upload_too_large');
  });

  test('that is rejected gives its memory back at once, not when the answer is sent', async () => {
    await post(formOf({ name: 'file', bytes: Buffer.alloc(2 ** 20) }, { name: 'file', bytes: 'x' }));
    expect(takenWhenRefused).toBe(0);
  });

  test('is refused by its Content-Length before its body comes', async () => {
    const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${MULTIPART['content-type']}\r\nContent-Length: 99000000\r\n\r\n`;
    const { status, body } = await sendRaw(port, head, 1000);
    expect(status).toBe(400);
    expect(body).toContain('upload_too_large');
  });

  test.each([
    ['another type', 'x', { 'content-type': 'application/json' }],
    ['no boundary', 'x', { 'content-type': 'multipart/form-data' }],
    ['a boundary of 71 characters', 'x', { 'content-type': `multipart/form-data; boundary=${'b'.repeat(71)}` }],
    ['an empty body', '', MULTIPART],
    ['no parts', `--${BOUNDARY}--\r\n`, MULTIPART],
    ['text that is not multipart', 'hello', MULTIPART],
    ['another name', formOf({ name: 'photo', bytes: 'x' }), MULTIPART],
    ['two files', formOf({ name: 'file', bytes: 'x' }, { name: 'file', bytes: 'y' }), MULTIPART],
    ['eighteen parts', formOf({ name: 'file', bytes: 'x' }, ...Array(17).fill({ name: 'a', bytes: '' })), MULTIPART],
    ['a part without a name', Buffer.from(file('x').toString().replace(' name="file";', '')), MULTIPART],
    ['headers without an end', Buffer.from(`--${BOUNDARY}\r\nX: ${'y'.repeat(100_000)}`), MULTIPART],
  ])('with %s is upload_malformed', async (_what, body, headers) => {
    const { error, detail } = await post(body, headers);
    expect(error).toBe('upload_malformed');
    expect(detail).toMatch(/^[A-Z].+\.$/);
    expect(taken).toBe(0);
  });

  test('says that one file is enough where there are two', async () => {
    const [one, other] = ['x', 'y'].map((bytes) => ({ name: 'file', bytes }));
    expect((await post(formOf(one!, { name: 'note', bytes: 'n' }, other!))).detail).toBe('Send one file only.');
  });

  test('ignores fields of other names, before it and behind it, and keeps nothing of them', async () => {
    const other = { name: 'note', bytes: Buffer.alloc(60_000) };
    expect(await post(formOf({ name: 'note', bytes: 'n' }, { name: 'file', bytes: '123' }, other))).toEqual([3]);
    const form = formOf({ name: 'file', bytes: '123' }, ...Array(16).fill({ name: 'a', bytes: '' }));
    expect(await post(form)).toEqual([3]);
    expect(taken).toBe(0);
  });

  test('with more around it than 64 kB over the largest photo is upload_too_large', async () => {
    const large = { name: 'note', bytes: Buffer.alloc(MAX_PART_BYTES + 70_000) };
    expect((await post(formOf(large, { name: 'file', bytes: 'x' }))).error).toBe('upload_too_large');
  });

  test('cut off at any byte is answered upload_malformed', async () => {
    const whole = file('12345');
    for (let length = 0; length < whole.length - 4; length++) {
      expect([length, (await post(whole.subarray(0, length))).error]).toEqual([length, 'upload_malformed']);
    }
  });

  test('that breaks off gives back what it took', async () => {
    const body = file(Buffer.alloc(8 * 2 ** 20));
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${MULTIPART['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`;
        socket.write(head);
        socket.write(body.subarray(0, 5 * 2 ** 20));
      });
      const timer = setInterval(() => {
        if (taken < 4 * 2 ** 20) return;
        clearInterval(timer);
        socket.destroy();
        resolve();
      }, 5);
    });
    await expect.poll(() => taken).toBe(0);
  });

  test.each([
    ['stops in the middle', 10_000, { silenceMs: 200, partMs: 60_000, bytesPerMs: 1e-9 }],
    ['takes too long', 20, { silenceMs: 10_000, partMs: 500, bytesPerMs: 1e-9 }],
    ['comes in drops', 20, { silenceMs: 500, partMs: 60_000, bytesPerMs: 8 }],
  ])('that %s is given up: upload_malformed', async (_what, everyMs, within) => {
    patience = within;
    linger.ms = 100;
    const body = file(Buffer.alloc(1000));
    const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${MULTIPART['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`;
    let at = 0;
    let timer: NodeJS.Timeout | undefined;
    const answer = await sendRaw(
      port,
      (socket) => {
        socket.write(head);
        socket.write(body.subarray(at, ++at));
        timer = setInterval(() => socket.write(body.subarray(at, ++at)), everyMs);
        socket.on('close', () => clearInterval(timer));
      },
      5000,
    );
    expect(answer.body).toContain('upload_malformed');
    expect(answer.body).toContain('in time');
  });

  test('that is refused while it arrives hears why, also where its connection is to be closed', async () => {
    const body = formOf({ name: 'wrong', bytes: Buffer.alloc(14 * 2 ** 20) });
    const head = `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${MULTIPART['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const bytes = Buffer.concat([Buffer.from(head), body]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendRaw(port, bytes, 20_000)));
    for (const { status, body, closed } of answers) {
      expect([status, closed]).toEqual([400, true]);
      expect(body).toContain('upload_malformed');
    }
  });

  test.each([
    ['goes on without end', { ms: 60_000, bytes: 2 ** 20, slowMs: 60_000, bytesPerMs: 1 }, 1],
    ['stops', { ms: 300, bytes: 2 ** 30, slowMs: 60_000, bytesPerMs: 1 }, 60_000],
    ['goes on in drops', { ms: 60_000, bytes: 2 ** 30, slowMs: 300, bytesPerMs: 1e6 }, 100],
  ])('that is refused and %s is left', async (_what, within, everyMs) => {
    linger = within;
    const left = new Promise((resolve) => {
      server.once('connection', (connection) => connection.once('close', resolve));
    });
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    // Half open, as one that goes on when the server has ended its side.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`);
    const timer = setInterval(() => socket.write(chunk), everyMs);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toContain('upload_malformed');
    await left;
    clearInterval(timer);
    socket.destroy();
  });

  test('finds no room where others have all of it: unavailable, until they give it back', async () => {
    const mine = file(Buffer.alloc(10 * 2 ** 20));
    const held = (ROOM_MB - 5) * 2 ** 20;
    expect(room.take(held)).toBe(true);
    expect((await post(mine)).error).toBe('unavailable');
    expect(taken).toBe(held);
    room.giveBack(held);
    expect(await post(mine)).toEqual([10 * 2 ** 20]);
  });

  test('that others crowd out is unavailable, and their photos stay whole', async () => {
    const size = 10 * 2 ** 20;
    let refused = 0;
    let whole = 0;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const answer = await post(file(Buffer.alloc(size)));
        if (answer.error === 'unavailable') refused++;
        else if (answer[0] === size) whole++;
      }),
    );
    expect(refused + whole).toBe(8);
    expect(whole).toBeGreaterThan(0);
    expect(taken).toBe(0);
  });
});

describe('an upload of several parts', () => {
  beforeEach(() => {
    rules = SEVERAL;
  });

  test('arrives in order, under either name', async () => {
    const parts = ['a', 'bb', 'ccc'].map((bytes, i) => ({ name: i === 1 ? 'cards' : 'items', bytes }));
    expect(await post(formOf(...parts))).toEqual([1, 2, 3]);
  });

  test('says of one part that it is too large, and goes on', async () => {
    const [small, large] = [Buffer.alloc(10), Buffer.alloc(MAX_PART_BYTES + 1)];
    const parts = [small, large, small].map((bytes) => ({ name: 'items', bytes }));
    expect(await post(formOf(...parts))).toEqual([10, 'upload_too_large', 10]);
    expect(taken).toBe(0);
  });

  test('of one part more than it may have is upload_malformed', async () => {
    const parts = ['a', 'b', 'c', 'd'].map((bytes) => ({ name: 'items', bytes }));
    expect(await post(formOf(...parts))).toMatchObject({
      error: 'upload_malformed',
      detail: 'Send at most 3 parts named items.',
    });
  });

  test('ignores fields of other names', async () => {
    const parts = ['items', 'note', 'items'].map((name, i) => ({ name, bytes: 'x'.repeat(i) }));
    expect(await post(formOf(...parts))).toEqual([0, 2]);
  });

  test('is not read on while a part is worked on', async () => {
    const most: number[] = [];
    whileWorking = async (request) => {
      // Until more has arrived than the request takes in without being read: all the rest waits with the sender.
      if (most.length < 2)
        await expect.poll(() => request.readableLength).toBeGreaterThanOrEqual(request.readableHighWaterMark);
      most.push(taken);
    };
    const parts = Array.from({ length: 3 }, () => ({ name: 'items', bytes: Buffer.alloc(10 * 2 ** 20) }));
    await post(formOf(...parts));
    expect(most).toHaveLength(3);
    expect(Math.max(...most)).toBeLessThan(11 * 2 ** 20);
  });
});
