import { type AddressInfo, connect } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { formOf, MULTIPART } from '../support/multipart.ts';
import { sendRaw } from './raw.ts';

let database: FreshDatabase;
let api: TestApp;
let port: number;
let app: ReturnType<typeof buildApp>;
const lines: { level: number; msg: string }[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  api = await testApp(database.db);
  const sink = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(line.toString()));
      done();
    },
  });
  app = buildApp({ ...api.context, log: pino({ level: 'debug' }, sink) });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await app.close();
  await api.app.close();
  await database.close();
});

test.each([
  ['a photo', '/v1/search/by-image', MULTIPART['content-type'], formOf({ name: 'file', bytes: Buffer.alloc(1000) })],
  [
    'several photos',
    '/v1/search/by-image/bulk',
    MULTIPART['content-type'],
    formOf({ name: 'items', bytes: Buffer.alloc(1000) }),
  ],
  ['a slab', '/v1/graded/by-image', MULTIPART['content-type'], formOf({ name: 'file', bytes: Buffer.alloc(1000) })],
  ['a form', '/v1/report', 'application/json', Buffer.from('{"message":"'.padEnd(900, 'x'))],
  ['a form of a page', '/report', 'application/x-www-form-urlencoded', Buffer.from('message='.padEnd(900, 'x'))],
])('%s that is broken off is not a fault: nothing above debug is logged', async (_what, path, type, body) => {
  lines.length = 0;
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${body.length + 500}\r\n\r\n`;
  const closed = new Promise<void>((resolve) => {
    app.server.once('connection', (connection) => connection.once('close', () => resolve()));
  });
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, 500)]), () => socket.resetAndDestroy());
  });
  socket.on('error', () => {});
  await closed;
  // A request behind it has been handled: what the broken one led to is over.
  const { status } = await sendRaw(port, 'GET /v1/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(status).toBe(200);
  expect(lines.filter(({ level }) => level > 20)).toEqual([]);
});
