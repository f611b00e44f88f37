import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { openDb } from '../../src/db/client.ts';
import { ProblemError } from '../../src/http/problem.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const SECRET = 'hunter2 select * from api_keys where /srv/mintmark/key-pepper';
/** Stacks, SQL, paths of files, names of packages and classes, codes of inner layers. */
const INSIDE =
  /hunter2|key-pepper|[Ss]elect |api_keys|\bat .*\.[tj]s:|node_modules|\/src\/|\/srv\/|node:|(?<!Internal )Error\b|FST_|ERR_|ECONN|ENOENT|nonexistent|[Pp]ostgres|syntax|UTF8/;

let database: FreshDatabase;
let api: TestApp;
let app: ReturnType<typeof buildApp>;
const logged: string[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  api = await testApp(database.db);
  const log = pino({ level: 'error' }, { write: (line: string) => logged.push(line) });
  app = buildApp({ ...api.context, log });
  const thrown: Record<string, () => unknown> = {
    error: () => new Error(SECRET),
    text: () => SECRET,
    nothing: () => undefined,
    null: () => null,
    number: () => 7,
    object: () => ({ message: SECRET, statusCode: 418, code: SECRET }),
    status: () => Object.assign(new Error(SECRET), { statusCode: 404 }),
    strange: () => Object.assign(new Error(SECRET), { statusCode: 999, code: 'FST_ERR_BAD' }),
    cause: () => new Error('outer', { cause: new Error(SECRET) }),
  };
  for (const [name, make] of Object.entries(thrown)) {
    app.get(`/throw/${name}`, () => Promise.reject(make()));
    app.get(`/throw-now/${name}`, () => {
      throw make();
    });
  }
  app.get('/sql', () => database.db.query(`select '${SECRET}'::integer`));
  app.get('/constraint', () => database.db.query(`insert into api_keys (id) values ($1)`, [SECRET]));
  app.get('/utf8', () => database.db.query('select $1::text', ['a\0b']));
  app.get('/lost', async () => {
    const client = new pg.Client(database.connection);
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query('select pg_backend_pid() as pid');
    await Promise.all([
      new Promise((resolve) => client.once('end', resolve)),
      database.db.query('select pg_terminate_backend($1)', [rows[0].pid]),
    ]);
    return client.query('select 1');
  });
  app.get('/circle', () => {
    const circle: Record<string, unknown> = { secret: SECRET };
    circle.self = circle;
    return circle;
  });
  app.get('/problem', () => {
    throw new ProblemError('not_found', 'A sentence of ours.');
  });
  app.post('/echo', (request) => ({ body: request.body }));
});
afterAll(async () => {
  await app.close();
  await api.app.close();
  await database.close();
});

type Sent = { statusCode: number; body: string; headers: Record<string, unknown> };

function expectClosedMouth(answer: Sent, what: string): void {
  expect(answer.headers['content-type'], what).toBe('application/problem+json; charset=utf-8');
  expect(answer.body, what).not.toMatch(INSIDE);
  expect(JSON.stringify(answer.headers), what).not.toMatch(INSIDE);
  expect(JSON.parse(answer.body).requestId, what).toBe(answer.headers['x-request-id']);
}

describe('nothing of the inside leaves', () => {
  test('when a handler throws whatever it likes', async () => {
    for (const kind of ['error', 'text', 'nothing', 'null', 'number', 'object', 'strange', 'cause', 'status'])
      for (const how of ['throw', 'throw-now']) {
        const answer = await app.inject(`/${how}/${kind}`);
        expectClosedMouth(answer, `${how} ${kind}`);
        expect([400, 500], `${how} ${kind}`).toContain(answer.statusCode);
      }
  });

  test('when SQL fails, a constraint is broken, a text is rejected, a body cannot be written', async () => {
    for (const path of ['/sql', '/constraint', '/utf8', '/circle']) {
      const answer = await app.inject(path);
      expectClosedMouth(answer, path);
      expect(answer.statusCode, path).toBe(500);
    }
  });

  test('when a request cannot be understood', async () => {
    const requests = [
      { url: '/v1/sets/pokemon/%ff' },
      { url: '/v1/sets/pokemon/%00' },
      { url: "/v1/sets/pokemon/';drop table items;--" },
      // What was sent is repeated, and nothing else.
      { url: '/v1/trades/recent?limit=seven' },
      { url: '/../../srv/mintmark' },
      { url: '/.env' },
      { url: '/v1/items/by-id/hunter2' },
      { method: 'POST', url: '/echo', body: '{"hunter2', headers: { 'content-type': 'application/json' } },
      { method: 'POST', url: '/echo', body: 'hunter2', headers: { 'content-type': 'text/hunter2' } },
    ] as const;
    for (const request of requests) {
      const answer = await app.inject(request);
      expectClosedMouth(answer, request.url);
      expect(answer.statusCode, request.url).toBeLessThan(500);
    }
  });

  test('while the operator finds the fault in the log by the request id', async () => {
    logged.length = 0;
    const answer = await app.inject('/throw/error');
    const line = logged.map((one) => JSON.parse(one)).find((one) => one.reqId === answer.headers['x-request-id']);
    expect(line?.err.message).toBe(SECRET);
  });

  test('while our own sentences are sent', async () => {
    expect((await app.inject('/problem')).json().detail).toBe('A sentence of ours.');
  });
});

test('a database that is lost, rejects us or was never there is 503 and says no more', async () => {
  const { port } = database.connection;
  for (const connection of [
    { host: '/nonexistent', user: 'nobody' },
    { host: '127.0.0.1', port: 1, user: 'hunter2', password: 'hunter2' },
    { host: 'nonexistent.invalid', port, user: 'hunter2', password: 'hunter2' },
  ]) {
    const lost = openDb({ connection, poolSize: 1 });
    const dead = buildApp({ ...api.context, db: lost });
    for (const path of ['/v1/health', '/v1/sets/pokemon/base-base1', '/v1/items/featured']) {
      const answer = await dead.inject(path);
      expectClosedMouth(answer, `${connection.host} ${path}`);
      expect(answer.statusCode, `${connection.host} ${path}`).toBe(503);
    }
    await dead.close();
    await lost.close();
  }
});

test('a statement on a connection that was lost before it is 503, as one whose connection is lost meanwhile', async () => {
  const { statusCode, headers } = await app.inject('/lost');
  expect([statusCode, headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
});
