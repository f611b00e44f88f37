import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { openStream } from '../support/servers/sse-client.ts';
import { KNOWN, portOf, type StreamWorld, streamWorld } from './stream-world.ts';

let database: FreshDatabase;
let world: StreamWorld;
let servers: StreamWorld['servers'];
let one: StreamWorld['one'];
let ports: number[];
let anApp: StreamWorld['anApp'];
let slowCert: StreamWorld['slowCert'];
let stream: StreamWorld['stream'];

beforeAll(async () => {
  database = await freshDatabase();
  world = await streamWorld(database);
  ({ servers, one, ports, anApp, slowCert, stream } = world);
});
afterAll(async () => {
  await world.close();
  await database.close();
});

describe('events', () => {
  test('a stream is no-store, not buffered by proxies, open to every page, and says when to come back', async () => {
    const { status, headers, ended, text } = await stream(slowCert(0));
    expect([status, headers['content-type'], headers['cache-control'], headers['x-accel-buffering']]).toEqual([
      200,
      'text/event-stream',
      'no-store',
      'no',
    ]);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['x-request-id']).toBeTruthy();
    expect(await ended).toBe(true);
    expect(text()).toMatch(/^retry: \d+\n\n/);
  });

  test('every event has an id of its own, and exactly one is terminal: the last', async () => {
    const { events, ended } = await stream(slowCert(0));
    await ended;
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(events.map(({ event }) => event).filter((name) => name !== 'progress')).toEqual(['result']);
    expect(events.at(-1)!.event).toBe('result');
  });

  test('a cert that is stored has its result alone', async () => {
    const { events, ended } = await stream(KNOWN);
    await ended;
    expect(events.map(({ event }) => event)).toEqual(['result']);
    const { json } = await one.get(`/v1/graded/${KNOWN}`);
    expect(events[0]!.data).toEqual(json);
  });

  test.each(['1234', 'nonsense', '1.40102E+12', 'PSA%20TEAM'])(
    'what is not a cert fails on the stream: %s',
    async (cert) => {
      const { status, events, ended } = await stream(cert);
      await ended;
      expect(status).toBe(200);
      expect(events.map(({ event, data }) => [event, data.error])).toEqual([['failed', 'invalid_cert']]);
      expect(typeof events[0]!.data.detail).toBe('string');
    },
  );

  test('while a stage takes its time there is a heartbeat at least every 3 s', async () => {
    const { commentsMs, ended } = await stream(slowCert(6000));
    expect(await ended).toBe(true);
    const gaps = commentsMs.map((ms, i) => ms - (commentsMs[i - 1] ?? 0));
    expect(commentsMs.length).toBeGreaterThanOrEqual(2);
    expect(Math.max(...gaps)).toBeLessThan(3000);
  });

  test('the connection is kept: the next request on it is answered', async () => {
    const text = await new Promise<string>((resolve) => {
      let got = '';
      const socket = connect(ports[0]!, '127.0.0.1', () => {
        socket.write(`GET /v1/graded/${KNOWN}/stream HTTP/1.1\r\nHost: a\r\n\r\n`);
      });
      let received = false;
      socket.on('data', (chunk) => {
        got += chunk;
        if (!received && got.includes('\r\n0\r\n\r\n')) {
          received = true;
          socket.write('GET /v1/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
        }
      });
      socket.once('close', () => resolve(got));
    });
    expect(text.match(/HTTP\/1\.1 200/g)?.length).toBe(2);
  });
});

describe('methods', () => {
  test('HEAD has the headers and begins nothing', async () => {
    const cert = slowCert(0);
    const { status, headers, text, ended } = await stream(cert, { method: 'HEAD' });
    await ended;
    expect([status, headers['content-type'], text()]).toEqual([200, 'text/event-stream', '']);
    expect(
      await database.db.query('select 1 from graphile_worker.jobs where key = $1', [`valuation PSA ${cert}`]),
    ).toEqual([]);
  });

  test('OPTIONS is a preflight that allows Last-Event-ID, others are 405', async () => {
    const preflight = await one.app.inject({ method: 'OPTIONS', url: `/v1/graded/${KNOWN}/stream` });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toContain('Last-Event-ID');
    const { status, json } = await one.post(`/v1/graded/${KNOWN}/stream`, {});
    expect([status, json.error]).toEqual([405, 'method_not_allowed']);
  });
});

describe('coming back', () => {
  const back = (cert: string, id: string, at = 0) => stream(cert, { headers: { 'last-event-id': id } }, at);

  test('with the id of the terminal event there is nothing left: 204, whatever it was', async () => {
    for (const cert of [slowCert(0), KNOWN, 'nonsense']) {
      const first = await stream(cert);
      await first.ended;
      const again = await back(cert, first.events.at(-1)!.id);
      await again.ended;
      expect([again.status, again.text()], cert).toEqual([204, '']);
    }
  });

  test('with an earlier id the rest is sent again, from whichever process', async () => {
    const cert = slowCert(0);
    const first = await stream(cert);
    await first.ended;
    const again = await back(cert, first.events[3]!.id, 1);
    await again.ended;
    expect(again.events).toEqual(first.events.slice(4));
  });

  test('in the middle of a valuation it goes on where it was', async () => {
    const cert = slowCert(800);
    const first = await stream(cert);
    await expect.poll(() => first.events.length).toBe(3);
    first.hangUp();
    const again = await back(cert, first.events[1]!.id, 1);
    await again.ended;
    expect(again.events[0]).toEqual(first.events[2]);
    expect(again.events.at(-1)!.event).toBe('result');
    expect(servers.grader.received.filter(({ path }) => path.endsWith(cert)).length).toBe(1);
  });

  test('an id that is not ours, or of another cert, opens a fresh stream', async () => {
    const other = await stream(KNOWN);
    await other.ended;
    const cert = slowCert(0);
    const first = await stream(cert);
    await first.ended;
    const ofCompany = await stream(`CGC${cert}`);
    await ofCompany.ended;
    const forged = first.events[3]!.id.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const id of [
      other.events[0]!.id,
      ofCompany.events[0]!.id,
      forged,
      '17',
      '',
      'x'.repeat(200),
      `${first.events[3]!.id}.`,
    ]) {
      const again = await back(cert, id);
      await again.ended;
      expect([again.status, again.events.map(({ event }) => event)], id).toEqual([200, ['result']]);
    }
  });
});

describe('quota', () => {
  test('a stream is one unit; coming back with an id of ours is free, even when the budget is spent', async () => {
    const limited = await anApp({ LIMITS: 'on', DAILY_PUBLIC: '2', BURST_PUBLIC: '0' });
    const port = portOf(limited);
    const open = (cert: string, id?: string) =>
      openStream(port, `/v1/graded/${cert}/stream`, { headers: id === undefined ? {} : { 'last-event-id': id } });
    const cert = slowCert(0);
    const first = await open(cert);
    await first.ended;
    expect([first.status, first.headers['x-ratelimit-remaining']]).toEqual([200, '1']);
    const foreign = await open(cert, '1-0~AAAAAAAAAAAAAAAA');
    await foreign.ended;
    expect([foreign.status, foreign.headers['x-ratelimit-remaining']]).toEqual([200, '0']);
    const rejected = await open(cert);
    await rejected.ended;
    expect(rejected.status).toBe(429);
    const again = await open(cert, first.events[2]!.id);
    await again.ended;
    expect([again.status, again.headers['x-ratelimit-remaining']]).toEqual([200, undefined]);
    expect(again.events).toEqual(first.events.slice(3));
    const over = await open(cert, first.events.at(-1)!.id);
    await over.ended;
    expect(over.status).toBe(204);
    // A run that is forgotten has no rest: that would be a stream of its own.
    // Its job ends shortly after its last event; until then it is under way.
    await expect.poll(() => database.db.query('select from graphile_worker.jobs')).toEqual([]);
    await database.db.query('delete from valuation_events');
    const forgotten = await open(cert, first.events[2]!.id);
    await forgotten.ended;
    expect(forgotten.status).toBe(429);
    await limited.app.close();
  });
});
