import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lingerOn } from '../../src/http/linger.ts';
import { ProblemError } from '../../src/http/problem.ts';
import {
  admitUpload,
  MAX_PART_BYTES,
  onlyPart,
  openUploadRoom,
  readUpload,
  type UploadRoom,
  type UploadRules,
} from '../../src/http/upload.ts';
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
let whileWorking: () => Promise<void>;
let patience: { silenceMs: number; partMs: number };
let linger: { ms: number; bytes: number };

beforeEach(async () => {
  rules = ONE;
  taken = 0;
  patience = { silenceMs: 5000, partMs: 20_000 };
  linger = { ms: 20_000, bytes: 64 * 2 ** 20 };
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
          await whileWorking();
        }
      answer(200, sizes);
    } catch (error) {
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

  test('of 15 MB is taken, one byte more is upload_too_large, told or not', async () => {
    expect(await post(file(Buffer.alloc(MAX_PART_BYTES)))).toEqual([MAX_PART_BYTES]);
    const larger = file(Buffer.alloc(MAX_PART_BYTES + 1));
    expect((await post(larger)).error).toBe('upload_too_large');
    expect((await post(new Blob([new Uint8Array(larger)]).stream())).error).toBe('upload_too_large');
    expect(taken).toBe(0);
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
    ['text that is no multipart', 'hello', MULTIPART],
    ['another name', formOf({ name: 'photo', bytes: 'x' }), MULTIPART],
    ['two parts', formOf({ name: 'file', bytes: 'x' }, { name: 'file', bytes: 'y' }), MULTIPART],
    ['a part beside it', formOf({ name: 'file', bytes: 'x' }, { name: 'other', bytes: 'y' }), MULTIPART],
    ['a part without a name', Buffer.from(file('x').toString().replace(' name="file";', '')), MULTIPART],
    ['headers without an end', Buffer.from(`--${BOUNDARY}\r\nX: ${'y'.repeat(100_000)}`), MULTIPART],
  ])('with %s is upload_malformed', async (_what, body, headers) => {
    const { error, detail } = await post(body, headers);
    expect(error).toBe('upload_malformed');
    expect(detail).toMatch(/^[A-Z].+\.$/);
    expect(taken).toBe(0);
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
    ['stops in the middle', 10_000],
    ['comes in drops', 20],
  ])('that %s is left: upload_malformed', async (_what, everyMs) => {
    patience = { silenceMs: 200, partMs: 500 };
    const body = file(Buffer.alloc(1000));
    const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${MULTIPART['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`;
    let at = 0;
    let timer: NodeJS.Timeout | undefined;
    const answer = await sendRaw(port, (socket) => {
      socket.write(head);
      timer = setInterval(() => socket.write(body.subarray(at, ++at)), everyMs);
      socket.on('close', () => clearInterval(timer));
    });
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
    ['goes on without end', { ms: 60_000, bytes: 2 ** 20 }, 1],
    ['stops', { ms: 300, bytes: 2 ** 30 }, 60_000],
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

  test('finds no room when others have it: unavailable, and their photos stay whole', async () => {
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
    expect((await post(formOf(...parts))).error).toBe('upload_malformed');
  });

  test('is not read on while a part is worked on', async () => {
    const most: number[] = [];
    whileWorking = async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      most.push(taken);
    };
    const parts = Array.from({ length: 3 }, () => ({ name: 'items', bytes: Buffer.alloc(10 * 2 ** 20) }));
    await post(formOf(...parts));
    expect(most).toHaveLength(3);
    expect(Math.max(...most)).toBeLessThan(11 * 2 ** 20);
  });
});
