import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let base: string;
const open = (databaseUrl: string | null) =>
  openDatabase({
    databaseUrl,
    folder: join(base, 'postgres'),
    poolSize: 2,
    name: 'mintmark test',
    log: { info: () => {}, warn: () => {} },
  });

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'mintmark-open-'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('DATABASE_URL', () => {
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.close());

  test('is the server used, and nothing embedded is made', async () => {
    const { connectionString, host, user, database: name } = database.connection;
    const url = connectionString ?? `postgresql://${user}@/${name}?host=${encodeURIComponent(host!)}`;
    const { db, stop } = await open(url);
    expect(await db.query('select count(*) as sales from sales')).toEqual([{ sales: 0 }]);
    expect(await db.query('show application_name')).toEqual([{ application_name: 'mintmark test' }]);
    await stop();
    const named = await open(`${url}${url.includes('?') ? '&' : '?'}application_name=mine`);
    expect(await named.db.query('show application_name')).toEqual([{ application_name: 'mine' }]);
    await named.stop();
    expect(existsSync(join(base, 'postgres'))).toBe(false);
  });

  test('of a server that does not answer, or that is not a URL, is reported in a sentence without the password', async () => {
    for (const url of [
      'postgresql://me:s3cret@127.0.0.1:1/cards',
      'postgresql://me:s3cret@host.invalid/cards',
      'x:s3cret',
    ]) {
      const error = await open(url).then(
        () => null,
        (caught: Error) => caught,
      );
      expect(error?.name, url).toBe('DatabaseUrlError');
      expect(error?.message).toMatch(
        /^The server of DATABASE_URL cannot be used \(.+\): start it or correct the URL\.$/,
      );
      expect(error?.message).not.toContain('s3cret');
    }
  });

  test('of a server older than 15 is rejected', async () => {
    const server = await serverThatAnswers('140011');
    const { port } = server.address() as AddressInfo;
    await expect(open(`postgresql://me@127.0.0.1:${port}/cards?sslmode=disable`)).rejects.toThrow(
      'The server of DATABASE_URL is PostgreSQL 14 and 15 or newer is needed: upgrade it',
    );
    server.close();
  });
});

/** A server that speaks just enough of the protocol to answer every query with one number. */
async function serverThatAnswers(number: string): Promise<Server> {
  const message = (type: string, ...parts: (string | number[])[]) => {
    const body = Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : Buffer.from(part))),
    );
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const ready = message('Z', [0x49]);
  const integerColumn = [0, 0, 0, 0, 0, 0, 0, 0, 0, 23, 0, 4, 255, 255, 255, 255, 0, 0];
  const row = message('D', [0, 1, 0, 0, 0, number.length, ...Buffer.from(number)]);
  const answer = [message('T', [0, 1], 'number', integerColumn), row, message('C', 'SELECT 1'), ready];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      if (data.readInt32BE(0) === data.length) socket.write(Buffer.concat([message('R', [0, 0, 0, 0]), ready]));
      else if (data[0] === 'Q'.charCodeAt(0)) socket.write(Buffer.concat(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
