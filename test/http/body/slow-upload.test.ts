import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formOf, MULTIPART } from '../../support/multipart.ts';
import { sendRaw } from '../raw.ts';
import { file, ROOM_MB, type UploadServer, uploadServer } from './upload-server.ts';

let uploads: UploadServer;

beforeEach(async () => {
  uploads = await uploadServer();
});
afterEach(() => uploads.close());

const post: UploadServer['post'] = (body, headers) => uploads.post(body, headers);

describe('an upload of one part', () => {
  test('that breaks off gives back what it took', async () => {
    const body = file(Buffer.alloc(8 * 2 ** 20));
    await new Promise<void>((resolve) => {
      const socket = connect(uploads.port, '127.0.0.1', () => {
        const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${MULTIPART['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`;
        socket.write(head);
        socket.write(body.subarray(0, 5 * 2 ** 20));
      });
      const timer = setInterval(() => {
        if (uploads.taken < 4 * 2 ** 20) return;
        clearInterval(timer);
        socket.destroy();
        resolve();
      }, 5);
    });
    await expect.poll(() => uploads.taken).toBe(0);
  });

  test('that waits behind another request gives back what it took when the connection breaks off', async () => {
    const sent = (body: Buffer) => {
      const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${MULTIPART['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`;
      return Buffer.concat([Buffer.from(head), body]);
    };
    const socket = connect(uploads.port, '127.0.0.1');
    uploads.rules = { part: 'file', maxParts: 2 };
    let isWorking = false;
    uploads.whileWorking = () => {
      isWorking = true;
      return new Promise(() => {});
    };
    socket.write(sent(file('a')));
    await expect.poll(() => isWorking).toBe(true);
    uploads.rules = { part: 'file', maxParts: 1 };
    socket.write(sent(file(Buffer.alloc(8 * 2 ** 20))));
    await expect.poll(() => uploads.answered).toBe(1);
    expect(uploads.taken).toBeGreaterThan(8 * 2 ** 20);
    socket.destroy();
    await expect.poll(() => uploads.taken).toBe(0);
  });

  test.each([
    ['stops in the middle', 10_000, { silenceMs: 200, partMs: 60_000, bytesPerMs: 1e-9 }],
    ['takes too long', 20, { silenceMs: 10_000, partMs: 500, bytesPerMs: 1e-9 }],
    ['comes in drops', 20, { silenceMs: 500, partMs: 60_000, bytesPerMs: 8 }],
  ])('that %s is given up: upload_malformed', async (_what, everyMs, within) => {
    uploads.patience = within;
    uploads.linger.ms = 100;
    const body = file(Buffer.alloc(1000));
    const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${MULTIPART['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`;
    let at = 0;
    let timer: NodeJS.Timeout | undefined;
    const answer = await sendRaw(
      uploads.port,
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

  test('that is rejected while it arrives is answered why, also where its connection is to be closed', async () => {
    const body = formOf({ name: 'wrong', bytes: Buffer.alloc(14 * 2 ** 20) });
    const head = `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${MULTIPART['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const bytes = Buffer.concat([Buffer.from(head), body]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendRaw(uploads.port, bytes, 20_000)));
    for (const { status, body, closed } of answers) {
      expect([status, closed]).toEqual([400, true]);
      expect(body).toContain('upload_malformed');
    }
  });

  test.each([
    ['goes on without end', { ms: 60_000, bytes: 2 ** 20, slowMs: 60_000, bytesPerMs: 1 }, 1],
    ['stops', { ms: 300, bytes: 2 ** 30, slowMs: 60_000, bytesPerMs: 1 }, 60_000],
    ['goes on in drops', { ms: 60_000, bytes: 2 ** 30, slowMs: 300, bytesPerMs: 1e6 }, 100],
  ])('that is rejected and %s is cut off', async (_what, within, everyMs) => {
    uploads.linger = within;
    const left = new Promise((resolve) => {
      uploads.server.once('connection', (connection) => connection.once('close', resolve));
    });
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    // Half open, as one that goes on when the server has ended its side.
    const socket = connect({ port: uploads.port, host: '127.0.0.1', allowHalfOpen: true });
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
    expect(uploads.room.take(held)).toBe(true);
    expect((await post(mine)).error).toBe('unavailable');
    expect(uploads.taken).toBe(held);
    uploads.room.giveBack(held);
    expect(await post(mine)).toEqual([10 * 2 ** 20]);
  });

  test('that others crowd out is unavailable, and their photos stay whole', async () => {
    const size = 10 * 2 ** 20;
    let rejected = 0;
    let whole = 0;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const answer = await post(file(Buffer.alloc(size)));
        if (answer.error === 'unavailable') rejected++;
        else if (answer[0] === size) whole++;
      }),
    );
    expect(rejected + whole).toBe(8);
    expect(whole).toBeGreaterThan(0);
    expect(uploads.taken).toBe(0);
  });
});
