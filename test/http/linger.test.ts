import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { formOf, MULTIPART } from '../support/multipart.ts';
import { sendRaw, writeThenRead } from './raw.ts';

const LARGE = formOf({ name: 'wrong', bytes: Buffer.alloc(14 * 2 ** 20) });
const PHOTO = `Content-Type: ${MULTIPART['content-type']}\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';
const SENDERS = 8;

let database: FreshDatabase;
let api: TestApp;
let port: number;

beforeAll(async () => {
  database = await freshDatabase();
  api = await testApp(database.db);
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  port = (api.app.server.address() as AddressInfo).port;
});
afterAll(async () => {
  api.app.server.closeAllConnections();
  await api.app.close();
  await database.close();
});

function requestOf(line: string, headers: string): Buffer {
  const head = `${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}Content-Length: ${LARGE.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), LARGE]);
}

describe('a large body that is rejected before it has arrived', () => {
  test.each([
    ['by the gate', 401, 'POST /v1/search/by-image', `${PHOTO}X-Api-Key: mk_half\r\n`],
    ['by a limit of every request', 400, 'POST /v1/search/by-image', `${PHOTO}${'X: a\r\n'.repeat(101)}`],
    ['by its headers', 400, 'POST /v1/search/by-image', JSON_TYPE],
    ['while it is read', 400, 'POST /v1/search/by-image', PHOTO],
    ['where nothing takes a body', 405, 'POST /v1/sets', PHOTO],
    ['where nothing is served', 404, 'POST /v1/certs/bulk', JSON_TYPE],
    ['as too large', 413, 'POST /v1/resolve', JSON_TYPE],
    ['as no HTTP', 400, 'POST /v1/search/by-image', `${PHOTO}Content-Length: 1\r\n`],
  ])('%s is answered to a client that writes it all before reading', async (_how, status, line, headers) => {
    const bytes = requestOf(line, headers);
    const answers = await Promise.all(
      Array.from({ length: SENDERS }, () => sendRaw(port, writeThenRead(bytes), 20_000)),
    );
    for (const answer of answers) {
      expect([answer.status, answer.closed]).toEqual([status, true]);
      expect(JSON.parse(answer.body)).toMatchObject({ status, requestId: answer.headers['x-request-id'] });
    }
  });
});
