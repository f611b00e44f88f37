import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_PART_BYTES, type UploadRules } from '../../../src/http/body/upload.ts';
import { BOUNDARY, formOf, MULTIPART } from '../../support/multipart.ts';
import { sendRaw } from '../raw.ts';
import { file, type UploadServer, uploadServer } from './upload-server.ts';

const SEVERAL: UploadRules = { part: 'items', aliases: ['cards'], maxParts: 3 };

let uploads: UploadServer;

beforeEach(async () => {
  uploads = await uploadServer();
});
afterEach(() => uploads.close());

const post: UploadServer['post'] = (body, headers) => uploads.post(body, headers);

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
    expect(uploads.taken).toBe(0);
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
    expect(uploads.takenWhenRejected).toBe(0);
  });

  test('is rejected by its Content-Length before its body comes', async () => {
    const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${MULTIPART['content-type']}\r\nContent-Length: 99000000\r\n\r\n`;
    const { status, body } = await sendRaw(uploads.port, head, 1000);
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
    expect(uploads.taken).toBe(0);
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
    expect(uploads.taken).toBe(0);
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
});

describe('an upload of several parts', () => {
  beforeEach(() => {
    uploads.rules = SEVERAL;
  });

  test('arrives in order, under either name', async () => {
    const parts = ['a', 'bb', 'ccc'].map((bytes, i) => ({ name: i === 1 ? 'cards' : 'items', bytes }));
    expect(await post(formOf(...parts))).toEqual([1, 2, 3]);
  });

  test('says of one part that it is too large, and goes on', async () => {
    const [small, large] = [Buffer.alloc(10), Buffer.alloc(MAX_PART_BYTES + 1)];
    const parts = [small, large, small].map((bytes) => ({ name: 'items', bytes }));
    expect(await post(formOf(...parts))).toEqual([10, 'upload_too_large', 10]);
    expect(uploads.taken).toBe(0);
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
    uploads.whileWorking = async (request) => {
      // Until more has arrived than the request takes in without being read: all the rest waits with the sender.
      if (most.length < 2)
        await expect.poll(() => request.readableLength).toBeGreaterThanOrEqual(request.readableHighWaterMark);
      most.push(uploads.taken);
    };
    const parts = Array.from({ length: 3 }, () => ({ name: 'items', bytes: Buffer.alloc(10 * 2 ** 20) }));
    await post(formOf(...parts));
    expect(most).toHaveLength(3);
    expect(Math.max(...most)).toBeLessThan(11 * 2 ** 20);
  });
});
