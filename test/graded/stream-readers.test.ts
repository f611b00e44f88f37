import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { openStream } from '../support/servers/sse-client.ts';
import { portOf, type StreamWorld, streamWorld } from './stream-world.ts';

let database: FreshDatabase;
let world: StreamWorld;
let servers: StreamWorld['servers'];
let one: StreamWorld['one'];
let ports: number[];
let anApp: StreamWorld['anApp'];
let slowCerts: StreamWorld['slowCerts'];
let slowCert: StreamWorld['slowCert'];
let stream: StreamWorld['stream'];

beforeAll(async () => {
  database = await freshDatabase();
  world = await streamWorld(database);
  ({ servers, one, ports, anApp, slowCerts, slowCert, stream } = world);
});
afterAll(async () => {
  await world.close();
  await database.close();
});

describe('streams in several processes', () => {
  test('one valuation serves all, and all see the same events', async () => {
    const cert = slowCert(500);
    const readers = await Promise.all(Array.from({ length: 30 }, (_, n) => stream(cert, {}, n % 2)));
    await Promise.all(readers.map(({ ended }) => ended));
    for (const { events } of readers) expect(events).toEqual(readers[0]!.events);
    expect(servers.grader.received.filter(({ path }) => path.endsWith(cert)).length).toBe(1);
  });

  test('a reader that leaves does not stop it for the others', async () => {
    const cert = slowCert(600);
    const [here, there] = [await stream(cert), await stream(cert, {}, 1)];
    here.hangUp();
    await there.ended;
    expect(there.events.at(-1)!.event).toBe('result');
  });

  test('500 at once in one process', async () => {
    const certs = slowCerts(20, 300);
    const readers = await Promise.all(Array.from({ length: 500 }, (_, n) => stream(certs[n % 20]!)));
    expect(await Promise.all(readers.map(({ ended }) => ended))).not.toContain(false);
    expect(new Set(readers.map(({ events }) => events.at(-1)!.event))).toEqual(new Set(['result']));
  });
});

test('a reader that takes nothing delays no other, and uses no memory beyond its socket', async () => {
  const cert = slowCert(300);
  const socket = connect(ports[0]!, '127.0.0.1');
  socket.pause();
  socket.write(`GET /v1/graded/${cert}/stream HTTP/1.1\r\nHost: a\r\n\r\n`);
  const reader = await stream(cert);
  await reader.ended;
  expect(reader.events.at(-1)!.event).toBe('result');
  socket.destroy();
});

test('a stopping server answers clients that wait for a valuation with what is known, and another one goes on', async () => {
  const leaving = await anApp();
  const cert = slowCert(1500);
  const received = openStream(portOf(leaving), `/v1/graded/${cert}`);
  await expect.poll(() => servers.grader.received.some(({ path }) => path.endsWith(cert))).toBe(true);
  const begun = performance.now();
  await leaving.app.close();
  expect(performance.now() - begun).toBeLessThan(1000);
  const answer = await received;
  await answer.ended;
  expect(JSON.parse(answer.text())).toMatchObject({ found: false, reason: 'compute_incomplete' });
  const { json } = await one.get(`/v1/graded/${cert}`);
  expect(json).toMatchObject({ found: true });
});

test('a stopping server ends its streams, and another one sends the rest', async () => {
  const leaving = await anApp();
  const cert = slowCert(1500);
  const first = await openStream(portOf(leaving), `/v1/graded/${cert}/stream`);
  await expect.poll(() => first.events.length).toBe(3);
  const begun = performance.now();
  await leaving.app.close();
  expect(performance.now() - begun).toBeLessThan(1000);
  expect(await first.ended).toBe(true);
  expect(first.events.map(({ event }) => event)).toEqual(['progress', 'progress', 'progress']);
  const rest = await stream(cert, { headers: { 'last-event-id': first.events.at(-1)!.id } });
  await rest.ended;
  expect(rest.events[0]!.data).toMatchObject({ stage: 'identify', done: true });
  expect(rest.events.at(-1)!.event).toBe('result');
});
